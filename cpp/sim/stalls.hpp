// Why rename did not move: each cycle is charged to one cause.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace corecast::sim {

enum class Stall : std::uint8_t {
  none,            // a full group was renamed
  split_group,     // a group was cut: what follows did not fit
  predecode,       // nothing to rename: the predecoder
  decode,          // ... the decoders
  microcode,       // ... the microcode sequencer
  uop_cache,       // ... the uop cache
  loop_buffer,     // ... the loop buffer's end
  fetch,           // ... a front end known by its width alone
  serializing,     // an instruction waits until all before it are done
  operand_latency, // reorder buffer or scheduler full; the oldest uop waits for an operand or runs
  port_busy,       // ... waits for its port
  unit_busy,       // ... waits for a divider or the like
  retire_width,    // ... is done, and retirement is as wide as it is
  store_commit,    // store queue full of retired stores, which leave it one after the other
  activity,        // uops are too wide for the core to do more of them at once
};
inline constexpr std::size_t stall_kinds = 15;

const char* stall_name(Stall stall);

/// What had no room for the next group.
enum class Full : std::uint8_t {
  nothing,
  reorder_buffer,
  scheduler,
  load_queue,
  store_queue,
  integer_registers,
  vector_registers,
};
inline constexpr std::size_t full_kinds = 7;

const char* full_name(Full full);

/// Counts since the start; small, as many moments are kept.
struct Stalls {
  std::array<std::uint32_t, stall_kinds> cycles{};
  std::array<std::uint32_t, full_kinds> full{}; // cycles; reorder buffer and scheduler may be full together
  std::uint32_t renamed_fused = 0;
  std::uint32_t eliminated_moves = 0;
  std::uint32_t dispatched = 0;

  void charge(Stall stall) { ++cycles[static_cast<std::size_t>(stall)]; }
  void count(Full what) { ++full[static_cast<std::size_t>(what)]; }
};

} // namespace corecast::sim
