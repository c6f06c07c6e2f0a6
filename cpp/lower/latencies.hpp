// How long an instruction's output waits for one of its inputs, from its row and the core's memory parameters.
#pragma once

#include "cpp/lower/graph.hpp"

#include <optional>

namespace corecast {

class Machine;
struct PipelineParameters;

/// Cycles of an edge, and what they are where the path ends in a store.
struct EdgeLatency {
  double cycles = 0;
  double end_cycles = 0;
};

/// The latency of one input, nothing where the output does not depend on it.
class LatencyModel {
public:
  LatencyModel(const Machine& machine, const Instruction& instruction, const FormEntry* entry);

  /// From a register, flag or address input.
  std::optional<EdgeLatency> from_register(const DependencyUse& use, OperandId destination) const;

  /// From data that a store left in the store buffer.
  std::optional<EdgeLatency> from_store(const DependencyUse& use, OperandId destination,
                                        const Instruction& store) const;

  /// Of an output without any input.
  EdgeLatency without_inputs(OperandId destination) const;

  bool known() const { return entry_ != nullptr && entry_->latency_known; }

  /// What is done to loaded data on their way back to memory.
  double operation_after_load() const;

private:
  bool reaches(const DependencyUse& use, OperandId destination) const;
  std::optional<double> rule(OperandId source, OperandId destination) const;
  std::optional<EdgeLatency> to_memory(OperandId source) const;
  bool operates() const;
  double load_latency() const;
  bool renamed(const DependencyUse& use, const Instruction& store) const;

  const Machine& machine_;
  const PipelineParameters& pipeline_;
  const Instruction& instruction_;
  const FormEntry* entry_;
  bool vector_;
  double slow_address_; // cycles that its addresses add to its loads
  bool loads_ = false;
  bool stores_ = false;
};

/// How much longer the instruction's loads take since an address of theirs has three parts or a scaled index.
double slow_address_cycles(const PipelineParameters& pipeline, const Instruction& instruction);

} // namespace corecast
