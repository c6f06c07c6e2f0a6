// Why a uop was late: the input that arrived last, the port or the unit that was busy, traced back to its origin.
#pragma once

#include "cpp/sim/observe/recorder.hpp"

#include <optional>

namespace corecast::sim {

/// The input of a uop that arrived last.
struct LastInput {
  std::uint64_t producer = 0; // uop, counted since the start
  std::int32_t arrival = 0;
  bool late = false; // store forwarding: results wait for it, not the start
};

/// What makes a uop late.
struct Origin {
  Stall cause = Stall::operand_latency;
  std::uint64_t uop = 0;         // whose latency, or who waits for the port or unit
  std::uint32_t resource = none; // port or unit
};

class Waits {
public:
  Waits(const Program& program, const CoreParameters& parameters, const Recorder& recorder);

  /// Nothing where a uop waits for no other: its inputs were there when the scheduler first saw it.
  std::optional<LastInput> last_input(std::uint64_t uop) const;

  /// The last of the inputs that a result waits for by store forwarding, where that is what it waited for.
  std::optional<LastInput> forwarded_input(std::uint64_t uop) const;

  /// Cycles that a uop waited for its port or unit before it was dispatched.
  std::int32_t resource_wait(std::uint64_t uop) const;

  /// The unit it needs, else its port; none where it needs neither.
  std::uint32_t resource(std::uint64_t uop) const;

  /// From a uop that is not done in cycle `now`, back along the inputs that arrived last.
  Origin trace(std::uint64_t uop, std::int32_t now) const;

  /// Share of cycles in which a port or unit is taken, and how long an iteration takes.
  void set_load(std::vector<double> load, double cycles_per_iteration) {
    load_ = std::move(load);
    cycles_per_iteration_ = cycles_per_iteration;
  }

  static bool needs_resource(const Uop& uop) { return uop.ports != 0 || uop.unit != none; }

  std::int32_t scheduler_delay() const { return parameters_.issue_to_dispatch; }

  const Uop& uop(std::uint64_t sequence) const { return program_.uops[sequence % program_.uops.size()]; }
  /// Whether an instruction has no data: it is not to be blamed.
  bool without_row(std::uint32_t instruction) const { return program_.instructions[instruction].without_row; }
  std::uint64_t iteration(std::uint64_t sequence) const { return sequence / program_.uops.size(); }

private:
  struct Step {
    std::uint64_t uop = 0;
    std::int32_t latency = 0; // of the uop, as far as the one after it waited for it
    std::int32_t busy = 0;    // cycles that it waited for its port or unit
  };

  /// The uop that a core takes up before this one.
  std::uint64_t before(std::uint64_t sequence) const;
  std::optional<std::uint64_t> producer(std::uint32_t value, std::uint64_t iteration, std::uint32_t distance) const;
  std::optional<std::int32_t> arrival(std::uint64_t producer, std::uint32_t value) const;
  std::optional<LastInput> latest(std::uint64_t uop, bool late) const;
  std::int32_t free_to_start(std::uint64_t uop) const;
  bool binds(const std::vector<Step>& steps, std::size_t first, std::uint64_t end) const;
  Origin choose(const std::vector<Step>& steps, std::size_t first, bool closed) const;

  const Program& program_;
  const CoreParameters& parameters_;
  const std::vector<UopEvents>& events_;
  std::vector<std::uint32_t> makers_; // by value: the uop, none where it is immediate
  std::vector<std::uint32_t> moves_;  // by value: the instruction whose elimination makes it another's
  std::vector<double> load_;

  /// Where a trace came by a place of the program.
  struct Seen {
    std::uint32_t trace = 0;
    std::uint32_t step = 0;
  };
  // Of the trace under way: there is one for each cycle, and their memory serves all.
  mutable std::vector<Step> steps_;
  mutable std::vector<Seen> seen_; // by place in the program
  mutable std::uint32_t traces_ = 0;
  double cycles_per_iteration_ = 0;
};

} // namespace corecast::sim
