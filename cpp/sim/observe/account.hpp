// Each cycle charged to one reason, and the counters by the names that gem5 has for them.
#pragma once

#include "cpp/sim/observe/waits.hpp"

#include <string>
#include <utility>
#include <vector>

namespace corecast::sim {

/// Cycles (from, to], which are those of `iterations` iterations.
struct Span {
  std::int32_t from = 0, to = 0;
  double iterations = 1;
};

/// Cycles per iteration that have one reason. All shares of a region add up to its cycles per iteration.
struct StallShare {
  Stall cause = Stall::none;
  Full full = Full::nothing;
  std::uint32_t instruction = none; // who is blamed; none: a full group was renamed, or there are no data for who it is
  std::uint32_t waiting = none;     // oldest instruction that was not done, where a buffer was full
  std::uint32_t resource = none;    // port or unit
  double cycles = 0;
};

/// Why cycle `now` did not rename a full group; in cycles per iteration, 1.
StallShare charge(const Recorder& recorder, const Waits& waits, std::int32_t now);

/// Largest first.
std::vector<StallShare> account(const Waits& waits, const Recorder& recorder, const Span& span);

using Counters = std::vector<std::pair<std::string, double>>;

/// Per iteration. `resources`: names of ports and units.
void add_counters(const Program& program, const Waits& waits, const Recorder& recorder, const Span& span,
                  const std::vector<std::string>& resources, Counters& counters);

/// Share of the cycles in which each port or unit is taken.
std::vector<double> load_of_resources(const Program& program, const Waits& waits, const Recorder& recorder,
                                      const Span& span);

} // namespace corecast::sim
