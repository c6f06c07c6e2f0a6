// The uops that each instruction of a region becomes at the ports: after macro-fusion, and with what the region as a
// whole closes or occupies.
#pragma once

#include "cpp/base/recycled.hpp"
#include "cpp/isa/instruction.hpp"
#include "cpp/machine/forms/form_entry.hpp"
#include "cpp/machine/memory_ports.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace corecast {

class Machine;

struct PlannedUop {
  PortMask ports = 0; // 0: needs none
  UopKind kind = UopKind::operation;
  double port_cycles = 1; // how long it keeps its port
  bool of_pair = false;   // does what both halves of a fused pair do, where its branch runs
  double crossings = 0;   // how often a load goes on in the next line
};

/// In the order in which they are renamed, instruction by instruction.
class PlannedUops {
public:
  /// What is planned for: the instructions, their rows, which of them are the second of a fused pair, and which of them
  /// are taken branches.
  struct Code {
    std::span<const Instruction* const> instructions;
    std::span<const FormEntry* const> entries;
    const std::vector<bool>& fused_seconds;
    const std::vector<bool>& jumps;
  };

  PlannedUops(const Machine& machine, const Code& code);

  std::span<const PlannedUop> of(std::uint32_t instruction) const {
    return std::span(uops_).subspan(first_[instruction], first_[instruction + 1] - first_[instruction]);
  }
  std::span<const PlannedUop> all() const { return uops_; }

  /// Leaves the instruction's first operation that can be on one of `ports` no others. False where there is none.
  bool keep_to(std::uint32_t instruction, PortMask ports);
  /// Lets the instruction's first operation keep its port so much longer.
  void keep_longer(std::uint32_t instruction, double cycles);

private:
  class Lists;
  struct Closed;
  class OwnPorts;

  void plan(const Machine& machine, const Code& code, std::uint32_t i, const Closed& closed, Lists& lists);
  void join(const Machine& machine, const Code& code, std::uint32_t first, PortMask branch_ports);
  void add_crossings(const Machine& machine, std::span<const Instruction* const> instructions);

  Recycled<PlannedUop> uops_;
  Recycled<std::uint32_t> first_; // by instruction, and one past the end
};

/// Whether the second of a fused pair is executed beside the first: it is no branch, and not a NOP that the first's
/// slot took in.
bool runs_beside_first(const Instruction& second, const FormEntry* entry);

/// Whether nothing of the second of a fused pair runs.
bool is_absorbed(const FormEntry* second);

} // namespace corecast
