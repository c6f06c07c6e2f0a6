#include "cpp/machine/forms/form_change.hpp"

#include "cpp/isa/glob.hpp"

#include <algorithm>
#include <utility>

namespace corecast {
namespace {

bool is_meant(const FormEntry& entry, const std::string& glob) {
  const std::string_view key = entry.key;
  const bool whole = glob.find(' ') != std::string::npos;
  return matches_glob(glob, whole ? key : key.substr(0, key.find(' ')));
}

bool from_address(const LatencyRule& rule) {
  return rule.source == operand_id::memory || rule.source == operand_id::address || rule.source == operand_id::index;
}

void set_latency(FormEntry& entry, double cycles) {
  std::optional<double> before; // from registers
  for (const LatencyRule& rule : entry.latency)
    if (!from_address(rule) && rule.destination != operand_id::address)
      before = std::max(before.value_or(0), rule.cycles);
  for (LatencyRule& rule : entry.latency) {
    if (rule.destination == operand_id::address) continue; // an updated base register
    rule.cycles = from_address(rule) && before ? std::max(0.0, rule.cycles + cycles - *before) : cycles;
  }
}

void set_uops(FormEntry& entry, double uops) {
  const double before = entry.uops ? std::max(1.0, entry.uops->unfused) : 1;
  const double factor = uops / before;
  for (PortUse& use : entry.ports)
    use.count *= factor;
  const UopCounts counts = entry.uops.value_or(UopCounts{1, 1, 1});
  entry.uops = UopCounts{std::max(1.0, counts.fused * factor), uops, std::max(1.0, counts.retired * factor)};
  if (entry.decode) entry.decode->laminated_uops = std::max(1.0, entry.decode->laminated_uops * factor);
}

void set_ports(FormEntry& entry, std::vector<PortUse> uses) {
  double uops = 0;
  for (const PortUse& use : uses)
    uops += use.count;
  if (!entry.uops || entry.uops->unfused != uops) set_uops(entry, std::max(1.0, uops));
  entry.ports = std::move(uses);
  entry.ports_known = true;
}

/// Whether the form has a memory operand: "[x, #i]", "i(x)", "(v)", "m256".
bool accesses_memory(std::string_view key) {
  if (key.find('[') != std::string_view::npos || key.find('(') != std::string_view::npos) return true;
  for (std::size_t at = key.find(" m"); at != std::string_view::npos; at = key.find(" m", at + 1))
    if (at + 2 < key.size() && key[at + 2] >= '0' && key[at + 2] <= '9') return true;
  return false;
}

} // namespace

void delay_loads(FormEntry& entry, double cycles) {
  if (cycles <= 0 || !accesses_memory(entry.key)) return;
  for (LatencyRule& rule : entry.latency) {
    const bool loaded = from_address(rule) || rule.source == operand_id::any;
    if (loaded && rule.destination != operand_id::address && rule.destination != operand_id::memory)
      rule.cycles += cycles;
  }
}

void change_form(FormEntry& entry, const FormChange& change) {
  if (!is_meant(entry, change.glob)) return;
  switch (change.what) {
  case FormChange::What::latency_cycles:
    set_latency(entry, change.value);
    break;
  case FormChange::What::uops:
    set_uops(entry, change.value);
    break;
  case FormChange::What::ports:
    set_ports(entry, change.uses);
    break;
  }
  entry.confidence = "assumed";
  entry.source += ", changed";
}

FormEntry kept_longer(const FormEntry& row, double cycles) {
  FormEntry entry = row;
  for (PortUse& unit : entry.blocking)
    unit.count += cycles;
  for (LatencyRule& rule : entry.latency)
    if (rule.source == operand_id::memory && rule.destination == operand_id::memory) rule.cycles += cycles;
  if (entry.reciprocal_throughput_cycles) *entry.reciprocal_throughput_cycles += cycles;
  return entry;
}

} // namespace corecast
