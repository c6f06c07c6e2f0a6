#include "cpp/sim/state.hpp"

#include "cpp/sim/hash.hpp"

#include <algorithm>
#include <cmath>

namespace corecast::sim {
namespace {

constexpr double fraction_steps = 1 << 20; // fractions of a cycle count as equal below one step
constexpr std::int32_t unknown_yet = 0xFFFF;

std::uint64_t fraction(double cycles) {
  return static_cast<std::uint64_t>(std::llround(cycles * fraction_steps));
}

class State {
public:
  explicit State(const Core& core) : core_(core), base_(core.reorder_buffer.head.iteration) {}

  std::uint64_t hash() {
    hash_.add((std::uint64_t{core_.reorder_buffer.head.index} << 32) | core_.reorder_buffer.size);
    add_cursor(core_.renamer.next);
    hash_.add(static_cast<std::uint32_t>(core_.renamer.stack_offset));
    if (core_.limits_activity) hash_.add(static_cast<std::uint32_t>(core_.renamer.activity));
    add_front_end();
    hash_.add(core_.ports.state_hash());
    if (core_.entries.late_binding()) hash_.add(core_.entries.state_hash());
    hash_.add(core_.moves.state_hash());
    hash_.add(core_.buffers.retired_stores());
    for (const StoreWrite write : core_.buffers.writes())
      hash_.add((write.joins ? 1U : 0U) | (write.is_split ? 2U : 0U));
    hash_.add(base_ % static_cast<std::uint64_t>(core_.program->phases));
    add_units();
    add_recent_values();
    add_makers();
    if (counts_waiting_loads()) add_waiting_loads();
    if (core_.scheduler.books_ahead())
      add_booked();
    else
      for (std::uint64_t u = core_.reorder_buffer.head_uop; u < core_.renamer.next_uop; ++u)
        add_uop(core_.scheduler.at(u));
    hash_.add(kinds_);
    return hash_.value();
  }

private:
  void add_cursor(const Cursor& cursor) { hash_.add(((cursor.iteration - base_) << 32) | cursor.index); }

  /// Cycles from now; what is past counts as now.
  std::uint32_t ahead(std::int32_t cycle) const {
    return static_cast<std::uint32_t>(cycle == not_yet ? unknown_yet
                                                       : std::clamp(cycle - core_.now, 0, unknown_yet - 1));
  }

  /// The same of a time that matters for `lag` cycles more; negative ones are none.
  std::uint32_t remembered(std::int32_t cycle, std::int32_t lag) const {
    return cycle < 0 ? 0 : ahead(cycle == not_yet ? not_yet : cycle + lag);
  }

  void add_front_end() {
    const FrontEnd& front_end = core_.front_end;
    hash_.add((static_cast<std::uint64_t>(front_end.supplier) << 32) | front_end.uops.size());
    if (core_.supply.extra_cycles > 0) hash_.add(fraction(front_end.pause));
    if (front_end.supplier == Supplier::generic) return add_plain_supply();
    if (front_end.supplier == Supplier::loop_buffer) return;
    const MicrocodeSequencer& microcode = front_end.microcode;
    hash_.add((std::uint64_t{microcode.stall} << 32) | microcode.stall_after);
    hash_.add((std::uint64_t{microcode.left} << 32) | microcode.then);
    if (!core_.supply.legacy.empty()) add_decoders();
    if (core_.supply.lines.empty()) return;
    add_cursor(front_end.cache.line);
    hash_.add((std::uint64_t{front_end.cache.entry} << 1) | (front_end.cache.delayed ? 1 : 0));
    if (!core_.supply.legacy.empty()) hash_.add(front_end.bodies_fetched - base_);
  }

  void add_plain_supply() {
    const FrontEnd& front_end = core_.front_end;
    hash_.add(fraction(front_end.branch_debt));
    hash_.add(front_end.decoders_taken);
    hash_.add(front_end.fetched - front_end.uops.delivered);
    const std::uint32_t block = core_.parameters.supply.fetch_block_bytes;
    if (core_.program->loop || block == 0) return;
    hash_.add(front_end.fetched / core_.program->laminated.size() * core_.program->length % block);
  }

  void add_decoders() {
    const Predecoder& predecoder = core_.front_end.predecoder;
    add_cursor(predecoder.next);
    // Copies that follow each other lie at different places in their blocks.
    if (!core_.program->loop)
      hash_.add(predecoder.next.iteration * core_.program->length % core_.parameters.predecode_block_bytes);
    hash_.add((std::uint64_t{predecoder.group} << 3) | (predecoder.spilled ? 4U : 0U) |
              (predecoder.spilled_ends_body ? 2U : 0U) | (predecoder.in_block ? 1U : 0U));
    hash_.add((std::uint64_t{predecoder.stall} << 32) | predecoder.block_cycles);
    const InstructionQueue& queue = core_.front_end.queue;
    add_cursor(queue.oldest);
    const auto delay = static_cast<std::int32_t>(core_.parameters.predecode_to_decode);
    std::uint64_t ages = queue.size();
    for (std::uint64_t i = queue.begin; i < queue.end; ++i)
      ages = ages * 9 + ahead(queue.predecoded[i % queue.predecoded.size()] + delay);
    hash_.add(ages);
  }

  void add_units() {
    const auto add_busy = [&](std::size_t number, double free) {
      if (free > core_.now) hash_.add((std::uint64_t{number} << 48) + fraction(free - core_.now));
    };
    const std::vector<double>& units = core_.scheduler.units();
    for (std::size_t u = 0; u < units.size(); ++u)
      add_busy(u, units[u]);
    for (std::size_t p = 0; p < core_.program->resources; ++p)
      add_busy(units.size() + p, core_.scheduler.port_free(p));
  }

  /// Values that are ready, but reach uops not yet renamed only later.
  void add_recent_values() {
    for (const std::uint32_t i : core_.program->lagging_inputs) {
      const UopInput& input = core_.program->inputs[i];
      const std::int32_t lag = input.late ? core_.program->longest_lag : input.extra;
      const std::uint64_t newest = core_.renamer.next.iteration * core_.program->uops.size() + input.maker;
      for (std::uint64_t back = 0; back <= input.distance * core_.program->uops.size();
           back += core_.program->uops.size())
        if (back <= newest && newest - back < core_.renamer.next_uop &&
            core_.scheduler.remembers(core_.renamer.next_uop - (newest - back)))
          hash_.add(remembered(core_.scheduler.value_ready(newest - back, input.latency), lag));
    }
  }

  /// Which ports made values, where the results of uops that read them depend on that.
  void add_makers() {
    if (core_.program->late_results.empty()) return;
    const std::uint64_t size = core_.program->uops.size();
    for (std::uint64_t u = 0; u < size; ++u) {
      const Uop& uop = core_.program->uops[u];
      for (std::uint32_t l = uop.first_late; l < uop.late_end; ++l) {
        const LatePorts& late = core_.program->late_results[l];
        if (late.back == 0) continue;
        // Of those that have not left: their readers may have to start.
        for (std::uint64_t reader = core_.renamer.next.iteration * size + u + size; reader >= size; reader -= size) {
          const std::uint64_t maker = reader - late.back;
          if (reader < late.back || reader < core_.reorder_buffer.head_uop) break;
          if (maker >= core_.renamer.next_uop || !core_.scheduler.remembers(core_.renamer.next_uop - maker)) continue;
          const InFlight& flight = core_.scheduler.at(maker);
          hash_.add(flight.dispatched >= 0 ? flight.taken + 1U : 0U);
        }
      }
    }
  }

  /// Whether what loads take depends on those that waited when they started, and these may be done by now.
  bool counts_waiting_loads() const {
    const WaitingLoads& waiting = core_.program->waiting;
    return waiting.sixteenths.size() > 1 || (!waiting.sixteenths.empty() && waiting.in_full_queue >= 0);
  }

  /// What loads that start from now on may count; others join when their data are known, and only then.
  void add_waiting_loads() {
    core_.scheduler.waiting_loads().for_each_behind(core_.now, [&](std::int32_t data_ready, std::uint16_t port) {
      hash_.add(std::uint64_t{ahead(data_ready)} << 16 | port);
    });
  }

  /// What a load has counted so far that started and still waits: how long ago that was shows nowhere else.
  void add_counted(const InFlight& flight) {
    const LoadsThatWaited::Count count = core_.scheduler.waiting_loads().behind(flight.dispatched, flight.port);
    const std::uint64_t most = core_.program->waiting.sixteenths.size() - 1; // from then on all is one
    const std::uint64_t all = core_.program->waiting.in_full_queue >= 0 ? count.all : 0;
    hash_.add(all << 32 | std::min<std::uint64_t>(count.at_port, most));
  }

  void add_uop(const InFlight& flight) {
    if (flight.done_by(core_.now)) return add_kind(flight.absent ? 3 : 0);
    if (flight.dispatched >= 0 && flight.completion != not_yet) {
      add_kind(1);
      // Outputs of forwarded loads may be ready at other times than latencies tell.
      if (flight.forwarded >= 0) add_outputs(flight);
      return hash_.add((std::uint64_t{ahead(flight.completion)} << 32) | (std::uint64_t{flight.port} << 2) | 1);
    }
    add_kind(2);
    if (flight.sooner != 0) hash_.add(static_cast<std::uint16_t>(flight.sooner));
    if (flight.grouped) hash_.add(std::uint64_t{1} << 20);
    if (flight.old) hash_.add(std::uint64_t{1} << 21);
    const bool forwards = flight.pending_late > 0 || flight.forwarded >= 0;
    if (forwards) {
      const std::int32_t lag = core_.program->longest_lag;
      hash_.add((std::uint64_t{remembered(flight.dispatched, lag)} << 32) |
                (std::uint64_t{remembered(flight.forwarded, lag)} << 16) | flight.pending_late);
      if (flight.dispatched >= 0 && counts_waiting_loads()) add_counted(flight);
    }
    hash_.add((std::uint64_t{remembered(flight.latest, 0)} << 48) |
              (std::uint64_t{ahead(flight.visible + std::max(1, core_.parameters.late_arrival_window))} << 32) |
              (std::uint64_t{ahead(flight.ready)} << 16) |
              (std::uint64_t{std::min<std::uint32_t>(flight.pending, 255)} << 8) | (std::uint64_t{flight.port} << 2) |
              (forwards ? 3 : 2));
  }

  /// Uops that were given their cycles: when their results are there. Most are done, and tell nothing but their place.
  void add_booked() {
    const std::int32_t now = core_.now;
    const std::uint64_t first = core_.reorder_buffer.head_uop;
    const std::uint64_t end = core_.renamer.next_uop;
    std::uint64_t sum = end - first;
    core_.scheduler.in_flight().for_each(first, end, [&](std::uint64_t u, const InFlight& flight) {
      if (flight.completion <= now) {
        if (flight.absent) hash_.add(u - first);
        return;
      }
      const auto starts = static_cast<std::uint64_t>(std::max(flight.dispatched - now, 0));
      const auto ends = static_cast<std::uint64_t>(flight.completion - now);
      sum = (sum ^ (starts << 32 | ends)) * 0x9E3779B97F4A7C15ULL +
            ((u - first) << 32 ^ std::uint64_t{static_cast<std::uint16_t>(flight.sooner)} << 16 ^ flight.port);
      if (flight.forwarded >= 0) {
        hash_.add(ahead(flight.known));
        add_outputs(flight);
      }
      // From then on its port stands idle until it starts.
      if (flight.dispatched > now && core_.scheduler.starts_beside_others(flight.port)) hash_.add(ahead(flight.ready));
    });
    hash_.add(sum);
  }

  /// Two bits each, as most uops that wait for retirement have nothing else to tell.
  void add_kind(std::uint64_t kind) {
    kinds_ = kinds_ << 2 | kind;
    if (++kind_count_ % 32 == 0) hash_.add(kinds_);
  }

  void add_outputs(const InFlight& flight) {
    const Uop& uop = core_.program->uops[flight.uop];
    for (std::uint32_t o = uop.first_output; o < uop.output_end; ++o)
      hash_.add(ahead(std::max(flight.dispatched + core_.program->outputs[o].latency, flight.forwarded)));
  }

  const Core& core_;
  std::uint64_t base_;
  Hash hash_;
  std::uint64_t kinds_ = 0; // of the last 32 uops
  std::uint32_t kind_count_ = 0;
};

} // namespace

std::uint64_t state_of(const Core& core) {
  return State(core).hash();
}

} // namespace corecast::sim
