#include "cpp/sim/steady_state.hpp"

#include "cpp/sim/hash.hpp"

#include <algorithm>
#include <cmath>

namespace corecast::sim {
namespace {

constexpr std::uint64_t fewest_iterations = 10;
constexpr std::int32_t most_cycles = 200000;  // whatever the region
constexpr std::int32_t hash_spacing = 6;      // cycles between two looks at the whole state
constexpr std::size_t most_samples = 65536;

std::uint64_t distance(std::int32_t cycle, std::int32_t now) {
  return cycle == not_yet ? 0xFFFFFFFFULL : static_cast<std::uint64_t>(std::max(0, cycle - now));
}

} // namespace

Sample SteadyState::sample() const {
  Sample out;
  out.cycle = core_.now;
  out.iteration = seen_;
  out.slot = core_.reorder_buffer.slot;
  out.stalls = core_.stalls;
  for (std::size_t p = 0; p < PortBinding::most_ports; ++p)
    out.port_uses[p] = core_.scheduler.dispatched_on(p);
  return out;
}

std::uint64_t SteadyState::signature(std::int32_t since) const {
  Hash hash;
  hash.add(static_cast<std::uint64_t>(since));
  hash.add(core_.reorder_buffer.size);
  hash.add(core_.reorder_buffer.head.index);
  hash.add(core_.scheduler.occupancy());
  hash.add(core_.front_end.uops.size());
  hash.add(static_cast<std::uint64_t>(core_.renamer.stack_offset));
  if (!core_.program->loop && core_.front_end.supplier == Supplier::decoders)
    hash.add((core_.front_end.predecoder.next.iteration * core_.program->length) % core_.parameters.predecode_block_bytes);
  return hash.value();
}

/// Everything that the cycles to come depend on, relative to this cycle and iteration.
std::uint64_t SteadyState::full_hash() const {
  Hash hash;
  const FrontEnd& front_end = core_.front_end;
  const std::uint64_t base = core_.reorder_buffer.head.iteration;
  const auto add_cursor = [&](const Cursor& cursor) { hash.add(((cursor.iteration - base) << 32) | cursor.index); };
  add_cursor(core_.renamer.next);
  hash.add(static_cast<std::uint64_t>(front_end.supplier));
  if (front_end.supplier != Supplier::generic && !core_.code.legacy.empty()) {
    add_cursor(front_end.predecoder.next);
    add_cursor(front_end.queue.oldest);
  }
  if (front_end.supplier != Supplier::generic && !core_.code.lines.empty()) add_cursor(front_end.cache.line);
  hash.add((front_end.predecoder.group << 8) | (front_end.predecoder.spilled << 2) | (front_end.predecoder.in_block << 1) |
           front_end.cache.delayed);
  hash.add((std::uint64_t{front_end.predecoder.stall} << 32) | front_end.predecoder.block_cycles);
  hash.add((std::uint64_t{front_end.microcode.left} << 32) | (front_end.microcode.stall << 8) | front_end.microcode.stall_after);
  hash.add(front_end.cache.entry);
  hash.add(static_cast<std::uint64_t>(std::llround(front_end.branch_debt * 64)));
  for (std::uint64_t i = front_end.queue.begin; i < front_end.queue.end; ++i) {
    const std::int32_t age = core_.now - front_end.queue.predecoded[i % front_end.queue.predecoded.size()];
    hash.add(static_cast<std::uint64_t>(std::min(age, 8)));
  }
  hash.add(core_.ports.state_hash());
  hash.add(core_.moves.state_hash());
  for (const double free : core_.scheduler.units())
    hash.add(static_cast<std::uint64_t>(std::llround(std::max(0.0, free - core_.now) * 64)));
  for (std::size_t p = 0; p < core_.program->units && p < PortBinding::most_ports; ++p)
    hash.add(static_cast<std::uint64_t>(std::llround(std::max(0.0, core_.scheduler.port_free(p) - core_.now) * 64)));
  for (std::size_t i = 0; i < core_.scheduler.inputs(); ++i)
    hash.add(static_cast<std::uint64_t>(std::llround(core_.scheduler.carry(i) * 1024)));
  for (std::uint64_t u = core_.reorder_buffer.head_uop; u < core_.renamer.next_uop; ++u) {
    const InFlight& flight = core_.scheduler.at(u);
    if (flight.completion < core_.now)
      hash.add(1);
    else
      hash.add(distance(flight.completion, core_.now) ^ (distance(flight.ready, core_.now) << 24) ^
               (std::uint64_t{flight.port} << 52) ^ (std::uint64_t{flight.dispatched >= 0} << 60) ^
               (std::uint64_t{flight.eliminated} << 61) ^ (flight.pending == 0 ? std::uint64_t{1} << 62 : 0) ^
               (distance(flight.latest, core_.now) << 40) ^
               (static_cast<std::uint64_t>(std::max(0, flight.issued + 8 - core_.now)) << 56));
  }
  return hash.value();
}

bool SteadyState::finished() {
  const std::uint64_t iteration = core_.reorder_buffer.head.iteration;
  if (iteration == seen_) return core_.now > most_cycles && (take_window(), true);
  seen_ = iteration;
  if (window_.size() < most_samples) window_.push_back(sample());
  const std::int32_t since = core_.now - last_cycle_;
  last_cycle_ = core_.now;

  const std::uint64_t now_signature = signature(since);
  if (armed_ && now_signature == checkpoint_signature_ && core_.now >= next_full_hash_) {
    next_full_hash_ = core_.now + hash_spacing;
    if (full_hash() == checkpoint_hash_) {
      periodic_ = true;
      from_ = checkpoint_;
      to_ = sample();
      return true;
    }
  }
  if (core_.now >= next_checkpoint_) {
    next_checkpoint_ = core_.now + std::max(48, core_.now / 2);
    armed_ = true;
    checkpoint_signature_ = now_signature;
    checkpoint_hash_ = full_hash();
    checkpoint_ = sample();
    next_full_hash_ = core_.now + 1;
  }
  if ((core_.now >= fewest_cycles_ && seen_ >= fewest_iterations) || core_.now > most_cycles) {
    take_window();
    return true;
  }
  return false;
}

void SteadyState::take_window() {
  if (window_.empty()) {
    to_ = sample();
    to_.iteration = 1;
    return;
  }
  const std::size_t count = window_.size();
  if (count < 4) {
    to_ = window_.back();
    return;
  }
  const std::size_t first = count / 2;
  std::size_t last = count - 2;
  if (last <= first) last = count - 1;
  if (last - first > 10)
    for (std::size_t i = 0; i < 5; ++i)
      if (window_[last - i].slot == window_[first].slot) {
        last -= i;
        break;
      }
  from_ = window_[first];
  to_ = window_[last];
}

} // namespace corecast::sim
