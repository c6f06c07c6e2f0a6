// Loads whose data may lie beyond the first-level cache: how late they are, and which uops wait for them.
#pragma once

#include "cpp/machine/machine.hpp"
#include "cpp/sim/program.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace corecast::sim {

/// What a machine says of late loads: one table for each register that addresses begin with and that it names, and one
/// for all others.
class LateLoadTables {
public:
  /// Throws ModelError: a register that there is not, or shares that are more than a whole.
  explicit LateLoadTables(const Machine& machine);

  bool empty() const { return delays_.empty(); }

  /// Tells the program what it is to draw from, and where its loads go.
  void prepare(std::span<const Instruction* const> instructions, Program& program) const;

  /// Marks those uops of an instruction, `number`, which begin at `first_uop`, whose data may be late. A uop that
  /// brings data waits for all accesses of its instruction, one of which each load makes.
  void mark(const Instruction& instruction, std::uint32_t number, std::uint32_t first_uop, Program& program) const;

private:
  std::vector<RegisterId> bases_; // of the tables; 0: all others
  std::vector<LoadDelays> delays_;
  std::int64_t line_bytes_ = 0;
  std::int64_t vector_bytes_ = 0;
};

} // namespace corecast::sim
