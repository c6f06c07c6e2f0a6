// Rename: uops get places in reorder buffer and scheduler, a port, and their inputs (pipeline facts IN-70 to IN-74,
// IN-95 to IN-112).
#include "cpp/sim/stages/stages.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace corecast::sim {
namespace {

constexpr std::uint64_t farthest_look = 64; // uops behind the oldest that are searched for one that is not done

/// What a uop waits for that is not done, and before which cycle it is not for something else.
std::pair<Stall, std::int32_t> reason_of(const Core& core, const InFlight& flight) {
  const std::int32_t now = core.now;
  const bool known = flight.completion != not_yet && flight.known != not_yet;
  if (flight.started_before(now))
    return {Stall::operand_latency, known ? std::max(flight.completion, flight.known + 1) : now};
  if (flight.ready > now) return {Stall::operand_latency, known ? flight.ready : now};
  if (core.scheduler.unit_busy(core.program->uops[flight.uop], now)) return {Stall::unit_busy, now};
  return {Stall::port_busy, known ? flight.dispatched + 1 : now};
}

/// The same of the oldest one.
Stall reason_of_oldest(Core& core) {
  Renamer& renamer = core.renamer;
  if (core.now < renamer.same_reason_until) return renamer.reason_of_oldest;
  const std::uint64_t first = core.reorder_buffer.head_uop;
  const std::uint64_t end = std::min(renamer.next_uop, first + farthest_look);
  for (renamer.first_undone = std::max(renamer.first_undone, first); renamer.first_undone < end;
       ++renamer.first_undone) {
    const InFlight& flight = core.scheduler.at(renamer.first_undone);
    if (flight.done_before(core.now)) continue;
    std::tie(renamer.reason_of_oldest, renamer.same_reason_until) = reason_of(core, flight);
    return renamer.reason_of_oldest;
  }
  return Stall::retire_width;
}

Stall reason_of_front_end(const Core& core) {
  const FrontEnd& front_end = core.front_end;
  if (front_end.microcode.leads_to_decoders()) return Stall::uop_cache;
  if (front_end.microcode.busy()) return Stall::microcode;
  switch (front_end.supplier) {
  case Supplier::decoders:
    return front_end.predecoder.stall > 0 || !left_by_decoders(core) ? Stall::predecode : Stall::decode;
  case Supplier::uop_cache:
    return Stall::uop_cache;
  case Supplier::loop_buffer:
    return Stall::loop_buffer;
  case Supplier::generic:
    break;
  }
  return Stall::fetch;
}

void charge(Core& core, Stall stall) {
  core.renamer.stall = stall;
  core.stalls.charge(stall);
}

class Rename {
public:
  explicit Rename(Core& core) : core_(core), program_(*core.program) {}

  void run() {
    // Cores of several schedulers dispatch what has room, others a whole group or nothing.
    std::uint32_t width = core_.parameters.width;
    core_.renamer.full = Full::nothing;
    core_.ports.begin_cycle();
    if (core_.limits_activity && core_.renamer.activity > 0) return charge(core_, Stall::activity);
    if (core_.renames_plainly && enter_planned()) return;
    if (core_.limits_dispatch) {
      width = std::min(width, core_.parameters.reorder_buffer -
                                  std::min(core_.parameters.reorder_buffer, core_.reorder_buffer.size));
      core_.entries.begin_cycle();
      const bool scheduler_full = !core_.scheduler.has_room(width);
      if (width == 0 || scheduler_full) return wait_for_room(core_, width == 0, scheduler_full);
    }
    charge(core_, pauses() ? reason_of_front_end(core_) : take_group(width));
  }

private:
  /// What an iteration costs beside its delivery (Supply::extra_cycles) is paid behind the group that its last decoded
  /// uop is in: a queue in front of rename does not hide it.
  bool pauses() {
    double& pause = core_.front_end.pause;
    if (pause < 1) return false;
    pause -= 1;
    return true;
  }

  /// A planned group for which there is room, where nothing else is to be decided: most cycles rename one.
  [[gnu::always_inline]] bool enter_planned() {
    Renamer& renamer = core_.renamer;
    const PlannedGroup& planned = core_.planned_groups[renamer.next.index];
    const RenameGroup& group = planned.group;
    const std::uint64_t waiting = core_.front_end.uops.size();
    if (group.taken == 0 || group.taken > waiting || !core_.buffers.has_room(group.held)) return false;
    const bool starved = group.slots < core_.parameters.width && group.taken == waiting;
    charge(core_, starved ? reason_of_front_end(core_) : planned.stall);
    core_.buffers.take(group.held);
    core_.scheduler.set_group_end(renamer.next_uop + group.uops);
    core_.stalls.dispatched +=
        core_.scheduler.book(renamer.next_uop, planned.first_uop, group.uops, 0, core_.ports, core_.now);
    renamer.next.index = planned.next;
    renamer.next.iteration += group.rounds;
    renamer.next_uop += group.uops;
    renamer.activity += static_cast<std::int32_t>(group.activity);
    core_.front_end.uops.renamed += group.taken;
    core_.reorder_buffer.size += group.slots;
    core_.stalls.renamed_fused += group.slots;
    return true;
  }

  /// By their position in the group.
  struct Group : RenameGroup {
    std::uint64_t eliminated = 0;
    std::uint64_t absent = 0;
  };

  Stall take_group(std::uint32_t width) {
    core_.moves.begin_cycle();
    if (core_.planned_groups.empty()) return choose_group(width);
    const PlannedGroup& planned = core_.planned_groups[core_.renamer.next.index];
    const std::uint64_t waiting = core_.front_end.uops.size();
    if (planned.group.taken == 0 || planned.group.taken > waiting || !core_.buffers.has_room(planned.group.held))
      return choose_group(width);
    const bool starved = planned.group.slots < width && planned.group.taken == waiting;
    const Stall stall = starved ? reason_of_front_end(core_) : planned.stall;
    finish_group(planned.group, 0, 0);
    return stall;
  }

  /// Chooses the group first: eliminations of a cycle are decided before any takes effect.
  [[gnu::noinline]] Stall choose_group(std::uint32_t width) {
    const DecodedUop* body = program_.laminated.data();
    const auto size = static_cast<std::uint32_t>(program_.laminated.size());
    const bool entries = core_.limits_dispatch;
    const std::uint64_t waiting = core_.front_end.uops.size();
    std::uint32_t at = core_.renamer.next.index;
    Group group;
    Stall stall = Stall::none;
    std::int32_t offset = core_.renamer.stack_offset;
    const auto add = [&](const DecodedUop& each) {
      group.add(each);
      if (++at < size) return;
      at = 0;
      ++group.rounds;
    };
    while (group.slots < width) {
      if (group.taken == waiting) {
        stall = reason_of_front_end(core_);
        break;
      }
      const DecodedUop& each = body[at];
      const bool settles = each.kind == LaminatedKind::added_on_overflow;
      if (settles && !overflows(offset + each.stack_step)) {
        offset += each.stack_step;
        group.absent |= bit(group.taken);
        add(each);
        continue;
      }
      const bool alone = each.kind == LaminatedKind::added_alone;
      if (!each.plain && begins_serializing(each) && core_.reorder_buffer.size + group.slots > 0) {
        stall = Stall::serializing;
        break;
      }
      // The stack engine's uop goes with the instruction behind it, which reads the pointer.
      const bool with_next = each.kind == LaminatedKind::added || settles;
      if (group.slots == 0 && width < core_.parameters.width && each.slots + (with_next ? 1 : 0) > width) {
        core_.stalls.count(Full::reorder_buffer);
        core_.renamer.full = Full::reorder_buffer;
        stall = reason_of_oldest(core_);
        break;
      }
      if (group.slots > 0 && (alone || group.slots + each.slots + (with_next ? 1 : 0) > width)) {
        stall = Stall::split_group;
        break;
      }
      if (group.taken > 0 && !group.fits(each, core_.parameters)) {
        stall = Stall::split_group;
        break;
      }
      const BufferEntries needed = group.held + each.held;
      if (!core_.buffers.has_room(needed) && core_.reorder_buffer.size + group.slots > 0) {
        stall = no_room(needed);
        // It will never be emptier; cores of several schedulers dispatch what has room.
        if (core_.reorder_buffer.size == 0 || entries) break;
        core_.moves.cancel_cycle();
        return stall;
      }
      const bool gone = !each.plain && may_eliminate(each);
      if (gone) group.eliminated |= bit(group.taken);
      if (entries && !take_entries(each, gone, group.slots == 0)) {
        stall = core_.entries.full() ? reason_of_oldest(core_) : Stall::split_group;
        if (core_.entries.full()) core_.stalls.count(Full::scheduler);
        if (stall != Stall::split_group) core_.renamer.full = Full::scheduler;
        break;
      }
      if (settles) offset = each.stack_step;
      if (!gone) group.held = needed;
      group.slots += each.slots;
      add(each);
      if (alone) {
        const DecodedUop& next = body[at];
        if (next.kind == LaminatedKind::added_alone && next.instruction == each.instruction) continue;
        if (group.slots < width) stall = Stall::split_group;
        break;
      }
    }
    if (entries && !core_.entries.settle()) {
      core_.stalls.count(Full::scheduler);
      core_.renamer.full = Full::scheduler;
      core_.moves.cancel_cycle();
      return reason_of_oldest(core_);
    }
    core_.renamer.stack_offset = offset;
    finish_group(group, group.eliminated, group.absent);
    return stall;
  }

  /// `eliminated`, `absent`: decoded uops by their position in the group, a bit each.
  [[gnu::always_inline]] void finish_group(const RenameGroup& group, std::uint64_t eliminated, std::uint64_t absent) {
    if (core_.supply.extra_cycles > 0)
      for (std::uint32_t round = 0; round < group.rounds; ++round)
        core_.front_end.pause += core_.supply.extra_cycles;
    core_.buffers.take(group.held);
    core_.moves.release_single();
    if (group.taken > 0) enter_group(group, eliminated, absent);
    core_.moves.end_cycle();
  }

  static std::uint64_t bit(std::uint32_t position) { return std::uint64_t{1} << (position & 63); }

  bool begins_serializing(const DecodedUop& laminated) const {
    const SimInstruction& instruction = program_.instructions[laminated.instruction];
    return instruction.serializing &&
           laminated.first_fused == program_.laminated[instruction.first_laminated].first_fused;
  }

  bool may_eliminate(const DecodedUop& laminated) {
    const MoveClass move = program_.instructions[laminated.instruction].move;
    return move != MoveClass::none && laminated.kind != LaminatedKind::added &&
           laminated.kind != LaminatedKind::added_alone && core_.moves.try_eliminate(move);
  }

  /// Entries of schedulers and this cycle's slots for all its uops. `first`: of the group; then nothing can be gained
  /// by waiting for another cycle's slots, nor for entries where all are free.
  bool take_entries(const DecodedUop& laminated, bool gone, bool first) {
    std::uint32_t begin = laminated.first_uop;
    const std::uint32_t end = laminated.uop_end;
    while (gone && begin < end && !program_.uops[begin].despite_elimination)
      ++begin;
    if (core_.entries.take(program_, begin, end)) return true;
    if (!first || (core_.entries.full() && core_.scheduler.occupancy() > 0)) return false;
    return core_.entries.take(program_, begin, end, true);
  }

  /// A group is renamed as a whole or not at all, as for want of room in the reorder buffer.
  Stall no_room(BufferEntries needed) {
    const Buffer buffer = core_.buffers.full(needed);
    core_.renamer.full =
        static_cast<Full>(static_cast<std::size_t>(Full::load_queue) + static_cast<std::size_t>(buffer));
    core_.stalls.count(core_.renamer.full);
    if (buffer == Buffer::store_queue && core_.buffers.retired_stores() > 0) return Stall::store_commit;
    return reason_of_oldest(core_);
  }

  bool overflows(std::int32_t stack_offset) const {
    return stack_offset < -core_.parameters.stack_reach || stack_offset >= core_.parameters.stack_reach;
  }

  [[gnu::always_inline]] void enter_group(const RenameGroup& group, std::uint64_t eliminated, std::uint64_t absent) {
    const DecodedUop& first = program_.laminated[core_.renamer.next.index];
    const std::uint64_t sequence = core_.renamer.next_uop;
    core_.scheduler.set_group_end(sequence + group.uops);
    if ((eliminated | absent) == 0)
      enter({first.first_uop, group.uops, 0, false}, sequence);
    else
      enter_one_by_one(group.taken, eliminated, absent, sequence);
    if (program_.moves) follow_names(group.taken, eliminated, absent);
    core_.renamer.next.advance(group.taken, program_.laminated.size());
    core_.renamer.next_uop = sequence + group.uops;
    core_.renamer.activity += static_cast<std::int32_t>(group.activity);
    core_.front_end.uops.renamed += group.taken;
    core_.reorder_buffer.size += group.slots;
    core_.stalls.renamed_fused += group.slots;
  }

  /// Some of the group are eliminated, or this iteration does without them.
  void enter_one_by_one(std::uint32_t taken, std::uint64_t eliminated, std::uint64_t absent, std::uint64_t sequence) {
    Cursor next = core_.renamer.next;
    std::uint32_t slots = 0;
    for (std::uint32_t l = 0; l < taken; ++l) {
      const DecodedUop& each = program_.laminated[next.index];
      if ((absent & bit(l)) != 0) {
        core_.scheduler.leave_out(sequence, each.first_uop, core_.now);
      } else {
        enter({each.first_uop, each.uop_end - each.first_uop, slots, (eliminated & bit(l)) != 0}, sequence);
        slots += each.slots;
      }
      sequence += each.uop_end - each.first_uop;
      next.advance(program_.laminated.size());
    }
  }

  /// Uops that follow each other.
  struct Run {
    std::uint32_t first_uop, uops;
    std::uint32_t slot; // of the first one, in the group
    bool gone;          // of an eliminated move
  };

  void enter(Run run, std::uint64_t sequence) {
    if (run.gone)
      enter_eliminated(run, sequence);
    else
      core_.stalls.dispatched += dispatch(run, sequence);
  }

  /// Returns how many go through the scheduler.
  std::uint32_t dispatch(Run run, std::uint64_t sequence) {
    if (core_.scheduler.books_ahead())
      return core_.scheduler.book(sequence, run.first_uop, run.uops, run.slot, core_.ports, core_.now);
    const Uop* uops = program_.uops.data();
    const auto size = static_cast<std::uint32_t>(program_.uops.size());
    std::uint32_t through = 0;
    std::uint32_t slots = run.slot - uops[run.first_uop].fused; // behind the start of this iteration
    for (std::uint32_t u = run.first_uop; run.uops > 0; --run.uops, ++sequence) {
      if (uops[u].waits && (late_binding_ || !core_.scheduler.is_overwritten(u, sequence))) {
        insert(sequence, u, slots + uops[u].fused);
        through += uops[u].join ? 0 : 1;
      } else {
        core_.scheduler.pass(sequence, u, false, core_.now);
      }
      if (++u < size) continue;
      u = 0;
      slots += static_cast<std::uint32_t>(program_.fused.size());
    }
    return through;
  }

  void insert(std::uint64_t sequence, std::uint32_t u, std::uint32_t slot) {
    std::uint32_t port = 0;
    if (program_.uops[u].ports != 0)
      port = late_binding_ ? core_.entries.next_queue()
                           : core_.ports.choose(u, core_.ports.set(core_.ports.set_of(u)), slot);
    core_.scheduler.insert(sequence, u, port, core_.now);
  }

  void enter_eliminated(const Run& run, std::uint64_t sequence) {
    for (std::uint32_t u = run.first_uop; u < run.first_uop + run.uops; ++u, ++sequence) {
      const Uop& uop = program_.uops[u];
      if (uop.waits && uop.despite_elimination)
        core_.stalls.dispatched +=
            dispatch({u, 1, run.slot + uop.fused - program_.uops[run.first_uop].fused, false}, sequence);
      else
        core_.scheduler.pass(sequence, u, true, core_.now);
    }
  }

  void follow_names(std::uint32_t taken, std::uint64_t eliminated, std::uint64_t absent) {
    Cursor next = core_.renamer.next;
    for (std::uint32_t l = 0; l < taken; ++l) {
      const DecodedUop& each = program_.laminated[next.index];
      if (each.names && (absent & bit(l)) == 0) finish_instruction(each.instruction, (eliminated & bit(l)) != 0);
      next.advance(program_.laminated.size());
    }
  }

  /// New names become visible behind the instruction's last uop.
  void finish_instruction(std::uint32_t i, bool gone) {
    const SimInstruction& instruction = program_.instructions[i];
    if (gone) {
      ++core_.stalls.eliminated_moves;
      core_.moves.alias(instruction.move, instruction.source_name, instruction.destination_name);
      return;
    }
    for (std::uint32_t w = instruction.first_written; w < instruction.written_end; ++w)
      core_.moves.overwrite(program_.written[w].name);
  }

  Core& core_;
  const Program& program_;
  bool late_binding_ = core_.entries.late_binding();
};

} // namespace

void wait_for_room(Core& core, bool buffer_full, bool scheduler_full) {
  if (buffer_full) core.stalls.count(Full::reorder_buffer);
  if (scheduler_full) core.stalls.count(Full::scheduler);
  core.renamer.full = buffer_full ? Full::reorder_buffer : Full::scheduler;
  charge(core, reason_of_oldest(core));
}

void rename_group(Core& core) {
  Rename(core).run();
}

} // namespace corecast::sim
