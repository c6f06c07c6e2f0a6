// What a machine model knows of one instruction form: a row of a form table, parsed.
#pragma once

#include "cpp/isa/instruction.hpp"

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace corecast {

/// Set of ports and units: one bit each, ports first, then units.
using PortMask = std::uint64_t;

/// Each port of a set after the other: the one behind the last one taken, behind the highest the lowest.
inline unsigned port_behind(PortMask ports, unsigned last) {
  const PortMask above = ports & (~PortMask{1} << last);
  return static_cast<unsigned>(std::countr_zero(above != 0 ? above : ports));
}

/// `count` uops (or cycles of occupancy), each free to go to any port of the mask.
struct PortUse {
  double count = 0;
  PortMask mask = 0;
};

struct LatencyRule {
  OperandId source = operand_id::any;
  OperandId destination = operand_id::any;
  double cycles = 0;
};

/// Slots that an instruction takes: fused in rename and dispatch (macro-ops on AMD and Arm), unfused at the ports.
struct UopCounts {
  double fused = 0;
  double unfused = 0;
  double retired = 0;
};

struct DecodeNeeds {
  double laminated_uops = 1; // made by the decoders
  double microcode_uops = 0; // made by the microcode sequencer
  bool complex_decoder = false;
  int simple_decoders_beside = -1; // instructions that may decode in the same cycle after it; -1: no limit
};

struct FormFlags {
  bool eliminated = false;
  bool zero_idiom = false;
  bool dependency_breaking = false;
  bool microcoded = false;
  bool locked = false;
  bool serializing = false;
  bool begins_group = false; // of what is renamed in a cycle
};

struct FormEntry {
  std::string key;
  bool ports_known = true;
  std::vector<PortUse> ports;
  std::vector<PortUse> blocking; // non-pipelined units, one bit each; of several ports, the one that is taken
  bool by_count = false;         // of a string instruction that repeats: the figures are those of its count
  PortMask kept_ports = 0;       // one micro-op keeps each of these for the cycles that `ports` says
  bool latency_known = true;
  std::vector<LatencyRule> latency; // empty and known: no output depends on any input
  std::optional<UopCounts> uops;
  std::optional<DecodeNeeds> decode;
  FormFlags flags;
  bool fusible_listed = false;
  std::vector<std::string> fusible; // mnemonics of branches that fuse with it, "*" for all
  std::optional<double> reciprocal_throughput_cycles;
  bool by_length = false; // some count grows with the vectors
  std::string source;
  std::string confidence;
  std::string file;
  std::uint32_t line = 0;
};

/// Latency from a source to a destination: the most specific rule, nothing where no rule fits.
std::optional<double> find_latency(const FormEntry& entry, OperandId source, OperandId destination);

/// Whether a rule names this source itself, not by wildcard.
bool names_source(const FormEntry& entry, OperandId source, OperandId destination);

/// Whether rename does the instruction by itself, and not as a move: it has slots and results, but no uop.
bool done_by_rename(const FormEntry& entry);

/// Whether any rule leads to the destination.
bool has_rule_to(const FormEntry& entry, OperandId destination);

/// Whether nobody measured or documented the row.
bool is_concluded(const FormEntry& entry);

/// Largest latency of all rules (to `destination` alone where that is not `any`), nothing where there is none.
std::optional<double> largest_latency(const FormEntry& entry, OperandId destination = operand_id::any);

} // namespace corecast
