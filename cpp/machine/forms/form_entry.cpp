#include "cpp/machine/forms/form_entry.hpp"

#include <algorithm>

namespace corecast {
namespace {

bool fits(OperandId rule, OperandId wanted) {
  return rule == operand_id::any || rule == wanted;
}

} // namespace

std::optional<double> find_latency(const FormEntry& entry, OperandId source, OperandId destination) {
  int best = -1;
  double cycles = 0;
  for (const LatencyRule& rule : entry.latency) {
    if (!fits(rule.source, source) || !fits(rule.destination, destination)) continue;
    const int specificity = (rule.source != operand_id::any ? 1 : 0) + (rule.destination != operand_id::any ? 1 : 0);
    if (specificity > best) {
      best = specificity;
      cycles = rule.cycles;
    }
  }
  if (best < 0) return std::nullopt;
  return cycles;
}

bool names_source(const FormEntry& entry, OperandId source, OperandId destination) {
  return std::any_of(entry.latency.begin(), entry.latency.end(), [&](const LatencyRule& rule) {
    return rule.source == source && fits(rule.destination, destination);
  });
}

bool done_by_rename(const FormEntry& entry) {
  return entry.uops && entry.uops->unfused == 0 && !entry.latency.empty() && !entry.flags.eliminated;
}

bool has_rule_to(const FormEntry& entry, OperandId destination) {
  return std::any_of(entry.latency.begin(), entry.latency.end(),
                     [&](const LatencyRule& rule) { return fits(rule.destination, destination); });
}

std::optional<double> largest_latency(const FormEntry& entry, OperandId destination) {
  std::optional<double> result;
  for (const LatencyRule& rule : entry.latency) {
    if (destination != operand_id::any && !fits(rule.destination, destination)) continue;
    result = std::max(result.value_or(rule.cycles), rule.cycles);
  }
  return result;
}

bool is_concluded(const FormEntry& entry) {
  return entry.confidence == "derived" || entry.confidence == "assumed";
}

} // namespace corecast
