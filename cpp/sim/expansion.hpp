// One instruction's uops as they are added to a program: loads, the operation proper, stores.
#pragma once

#include "cpp/base/few.hpp"
#include "cpp/sim/dataflow.hpp"
#include "cpp/sim/latency_split.hpp"

#include <cmath>

namespace corecast::sim {

inline std::int32_t whole(double cycles) {
  return static_cast<std::int32_t>(std::lround(cycles));
}

/// An output of the operation: a node, or the value to be stored (none).
struct Destination {
  std::uint32_t node = none;
  OperandId operand = operand_id::memory;
  std::uint32_t value = none;
};

class Expansion {
public:
  Expansion(const ExpansionContext& context, std::uint32_t instruction, std::span<const PlannedUop> planned,
            Program& program);

  void run();

private:
  /// What one uop makes of what.
  struct Results {
    /// Uses of the graph; nullptr: the value that the instruction's own load brought.
    Few<const DependencyUse*> from;
    Few<Destination> to;
    LatencyTable table; // from each to each

    std::int32_t slowest() const;
  };

  /// A result of a load, the value that its uop makes of it, and how long that is worked on.
  struct LoadedResult {
    Destination to;
    std::uint32_t loaded = none;
    double work = 0;
  };

  void sort_planned();
  void add_unknown_load();
  void add_without_row();
  void add_inputs_of(OperandId destination);
  void find_destinations();
  void join_carriers();
  bool is_address(const DependencyUse& use) const;
  PortMask ports_for_flags() const;
  std::uint32_t begin_uop(const PlannedUop& request);
  void begin_join();
  void add_input(std::uint32_t value, std::uint32_t distance, double extra);
  void add_output(std::uint32_t value, double latency);
  void add_use(const DependencyUse& use, double extra);
  void add_addresses(bool chase, bool main);
  void add_forwarded();
  void add_late(std::uint32_t value, std::uint32_t distance, double cycles);
  void add_renamed(const DependencyUse& load, double cycles);
  double forward_cycles(const DependencyUse& use, const Instruction& store) const;
  void add_load(const PlannedUop& request, bool main);
  bool updates_from_register() const;
  bool waits_for_store() const;
  double work_on_forwarded(OperandId destination) const;
  void add_loaded_result(const LoadedResult& result);
  void add_merged();
  void add_written_back();
  std::optional<double> cycles_from(OperandId address, OperandId destination) const;
  std::optional<double> address_cycles(OperandId destination) const;
  double sooner_cycles(const DependencyUse& use) const;
  std::int32_t longer_way(const DependencyUse& use, OperandId destination) const;

  // The operation proper (operations.cpp).
  Results all_results(Few<Destination> to) const;
  bool carries_to_store() const;
  void add_source(const DependencyUse* source, double extra);
  bool add_passed(Results& all);
  void add_operations();
  std::vector<Results> by_inputs(const Results& all) const;
  std::size_t add_results(const Results& what, std::span<const PlannedUop> operations, bool slowest);
  bool waits_longer(const Results& what, const LatencySplit& split, std::size_t d) const;
  void add_join(const Results& what, const LatencySplit& split, std::size_t d, std::uint32_t made);
  bool is_double_flag_shift(const Results& all) const;
  void add_shift(const Results& all);

  void attach_unit(std::uint32_t uop);
  void add_write_back_uop();
  void add_stores();
  void add_store_data();
  void add_updated();
  void add_status();

  const ExpansionContext& context_;
  std::uint32_t i_;
  const Instruction& instruction_;
  const FormEntry* entry_;
  const PipelineParameters& pipeline_;
  Program& program_;
  LatencyModel model_;
  std::span<const PlannedUop> planned_;
  Few<PlannedUop> loads_, operations_, stores_;
  std::optional<PlannedUop> writeback_request_;
  Few<Destination> destinations_, written_back_;
  std::span<const DependencyUse> uses_;
  std::uint32_t stored_node_ = none;
  std::uint32_t loaded_ = none;
  std::uint32_t to_store_ = none;
  double load_latency_ = 0;
  double model_load_latency_ = 0;
  double slow_address_ = 0; // cycles that the address adds to the load
};

} // namespace corecast::sim
