// Some iterations, uop by uop and cycle by cycle: what reports draw.
#pragma once

#include "cpp/sim/observe/account.hpp"

#include <vector>

namespace corecast::sim {

/// What a uop waited for between rename and the start of its execution, or for its result.
enum class WaitKind : std::uint8_t { nothing, operand, port, unit, forwarding };
const char* wait_name(WaitKind kind);

struct TimelineUop {
  std::uint64_t iteration = 0;
  std::uint32_t instruction = 0;
  std::uint32_t uop = 0;     // of the instruction, from 0
  std::uint32_t port = none; // resource
  bool eliminated = false;
  std::int32_t delivered = 0, renamed = 0, ready = 0, dispatched = 0, completed = 0, retired = 0;
  WaitKind waited = WaitKind::nothing;   // the longest of its waits
  std::uint32_t from_instruction = none; // who made the operand that came last, or the value that was forwarded
  std::uint64_t from_iteration = 0;
  std::uint32_t resource = none; // port or unit that was busy
};

struct TimelineCycle {
  Stall cause = Stall::none;
  Full full = Full::nothing;
  std::uint32_t instruction = none; // who is blamed
  std::uint32_t resource = none;    // port or unit
  Occupancy occupancy;              // at its end
  PortMask started = 0;             // ports that a uop was dispatched to, of any iteration
};

struct Timeline {
  std::uint64_t first_iteration = 0;
  std::int32_t first_cycle = 0;
  std::int32_t scheduler_delay = 0; // cycles from rename until the scheduler sees a uop
  std::vector<TimelineUop> uops;
  std::vector<TimelineCycle> cycles; // from first_cycle on
  bool cut = false;                  // there would have been more
};

/// At most some thousand uops, whole iterations apart from the first.
Timeline cut_timeline(const Program& program, const Waits& waits, const Recorder& recorder, std::uint64_t first,
                      std::uint32_t iterations);

} // namespace corecast::sim
