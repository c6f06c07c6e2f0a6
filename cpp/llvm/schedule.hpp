// LLVM's scheduling models as facts for machine model files, and the enumeration of instruction forms. For generators
// and importers: nothing here runs when a user analyzes a kernel.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "isa.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace corecast {

/// A processor resource: a unit (or several of a kind) or a group of other resources.
struct ScheduleResource {
  std::string name;
  unsigned units = 1;
  int buffer_size = -1;             // 0: in-order, -1: shared scheduler
  std::vector<std::string> members; // of a group, "" entries never; empty for a plain unit
};

struct ScheduleUse {
  std::string resource;
  double cycles = 0; // of occupancy; group cycles exclude what members of the group already account for
};

struct ScheduleLatency {
  OperandId destination = 0;
  int cycles = 0;
};

/// Cycles by which a source may arrive later than issue.
struct ScheduleAdvance {
  OperandId source = 0;
  int from_any = 0;  // whatever produced it
  int from_same = 0; // produced by the same kind of write as this instruction's own result
};

struct ScheduleEntry {
  bool known = false;
  unsigned micro_ops = 0;
  std::vector<ScheduleLatency> latencies;
  std::vector<ScheduleAdvance> advances;
  std::vector<ScheduleUse> uses;
  Instruction instruction;
  std::string opcode; // LLVM's name of the opcode
};

class Schedule {
public:
  /// Throws std::invalid_argument where LLVM does not know the CPU or has no model for it.
  Schedule(Isa isa, std::string_view cpu);
  ~Schedule();
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  unsigned issue_width() const;
  unsigned micro_op_buffer_size() const;
  unsigned load_latency() const;
  unsigned mispredict_penalty() const;
  unsigned reorder_buffer_size() const; // 0 where the model does not say
  unsigned retire_width() const;        // 0 where the model does not say
  std::vector<ScheduleResource> resources() const;

  /// What the model says of the one instruction encoded in `code` (variants resolved for these operands). RISC-V vector
  /// instructions: `lmul` as "m1", "mf2"... and `element_bits` select the configuration.
  ScheduleEntry entry(const std::vector<std::uint8_t>& code, std::string_view lmul = "",
                      unsigned element_bits = 0) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A CPU that LLVM names, and which of its scheduling models serves it.
struct ScheduledCpu {
  std::string name;
  unsigned model = 0; // CPUs of one number share one model: all but one of them are aliases
};

/// Every CPU of an instruction set that has a scheduling model with costs of instructions, by name.
std::vector<ScheduledCpu> scheduled_cpus(Isa isa);

/// Features that LLVM gives a CPU, by its names for them; none where it does not know the CPU.
std::vector<std::string> cpu_features(Isa isa, std::string_view cpu);

/// Whether the name of some opcode of LLVM's begins so, in lower case: a quick look before enumerating forms.
bool has_opcode(Isa isa, std::string_view start);

/// Version of the linked LLVM, "22.1.8".
std::string llvm_version();

/// One form with an encoding that has it (distinct registers where the form allows).
struct EnumeratedForm {
  std::string form;
  std::string opcode; // LLVM's name
  std::vector<std::uint8_t> code;
  std::vector<std::uint16_t>
      requirements; // of its encodings (cpp/machine/extensions.hpp): a core with one of them has it
};

/// Every form that decoding systematically varied encodings finds, in order of the key. Takes some seconds.
std::vector<EnumeratedForm> enumerate_forms(Isa isa);

/// Every opcode found likewise, each with an encoding; `form` is empty.
std::vector<EnumeratedForm> enumerate_opcodes(Isa isa);

} // namespace corecast
