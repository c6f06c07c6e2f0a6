// One instruction's uops as they are added to a program: loads, the operation proper, stores.
#pragma once

#include "cpp/sim/dataflow.hpp"

#include <cmath>

namespace corecast::sim {

inline std::int32_t whole(double cycles) { return static_cast<std::int32_t>(std::lround(cycles)); }

/// An input of the instruction's operation: a use of the graph, or the value that its own load brought.
struct Source {
  const DependencyUse* use = nullptr; // nullptr: loaded
  std::vector<std::optional<double>> cycles; // to each destination
  double largest = 0;
};

/// An output of the operation: a node, or the value to be stored (none).
struct Destination {
  std::uint32_t node = none;
  OperandId operand = operand_id::memory;
  std::uint32_t value = none;
};

class Expansion {
public:
  Expansion(const ExpansionContext& context, std::uint32_t instruction, std::vector<UopRequest> requests, Program& program);

  void run();

private:
  using Groups = std::vector<std::pair<std::size_t, std::size_t>>;

  void sort_requests();
  void add_unknown_access();
  void find_destinations();
  void join_carriers();
  bool is_address(const DependencyUse& use) const;
  std::uint32_t begin_uop(const UopRequest& request);
  void add_input(std::uint32_t value, std::uint32_t distance, double extra);
  void add_output(std::uint32_t value, double latency);
  void add_use(const DependencyUse& use, double extra);
  void add_addresses(bool chase);
  void add_forwarded();
  void add_late(std::uint32_t value, std::uint32_t distance, double cycles);
  void add_renamed(const DependencyUse& load, double cycles);
  double forward_cycles(const DependencyUse& use, const Instruction& store) const;
  double operation_on_loaded() const;
  void add_load(const UopRequest& request, bool main);
  void add_merged();
  void add_written_back();
  std::optional<double> address_cycles(OperandId destination) const;

  // The operation proper (operations.cpp).
  std::vector<Source> sources(const std::vector<Destination>& to) const;
  bool carries_to_store() const;
  void add_source(const Source& source, double extra);
  void add_operations();
  std::vector<double> output_latencies(const std::vector<Source>& from, const std::vector<Destination>& to,
                                       const Groups& groups, std::size_t helpers) const;
  void add_main(const std::vector<Source>& from, const std::vector<Destination>& to, const Groups& groups,
                std::size_t helpers, const std::vector<std::uint32_t>& helped, std::vector<double> latency);
  static double arrival(const Source& source, const std::vector<Destination>& to, std::vector<double>& latency);
  bool is_double_flag_shift(const std::vector<Source>& from, const std::vector<Destination>& to) const;
  void add_shift(const std::vector<Source>& from, const std::vector<Destination>& to);

  void attach_unit(std::uint32_t uop);
  void add_write_back_uop();
  void add_stores();
  void add_store_data();

  const ExpansionContext& context_;
  std::uint32_t i_;
  const Instruction& instruction_;
  const FormEntry* entry_;
  const PipelineParameters& pipeline_;
  Program& program_;
  LatencyModel model_;
  std::vector<UopRequest> requests_;
  std::vector<UopRequest> loads_, operations_, stores_;
  std::optional<UopRequest> writeback_request_;
  std::vector<Destination> destinations_, written_back_;
  std::span<const DependencyUse> uses_;
  std::uint32_t stored_node_ = none;
  std::uint32_t loaded_ = none;
  std::uint32_t to_store_ = none;
  std::uint32_t main_uop_ = none;
  double load_latency_ = 0;
  double model_load_latency_ = 0;
  double slow_address_ = 0; // cycles that the address adds to the load
  bool indexed_ = false;    // an address has an index
};

} // namespace corecast::sim
