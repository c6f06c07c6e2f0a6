#include "cpp/machine/derive/scale_to_length.hpp"

#include "cpp/isa/form_text.hpp"
#include "cpp/isa/glob.hpp"
#include "cpp/machine/derive/vector_length.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

namespace corecast {
namespace {

enum class Growth : std::uint8_t { none, lane_accesses, lane_chain, steps };

template <std::size_t N> bool any_glob(const std::array<std::string_view, N>& globs, std::string_view mnemonic) {
  return std::any_of(globs.begin(), globs.end(), [&](std::string_view glob) { return matches_glob(glob, mnemonic); });
}

bool has_vector_address(std::string_view key) {
  const std::size_t bracket = key.find('[');
  return bracket != std::string_view::npos && key.find("z.", bracket) != std::string_view::npos;
}

Growth growth_of(std::string_view key) {
  constexpr std::array<std::string_view, 14> accesses{"vlux*",  "vlox*",  "vsux*",  "vsox*",  "vlss*",
                                                      "vsss*",  "vlse8*", "vlse1*", "vlse3*", "vlse6*",
                                                      "vsse8*", "vsse1*", "vsse3*", "vsse6*"};
  constexpr std::array<std::string_view, 3> chains{"fadda", "vfredosum*", "vfwredosum*"};
  constexpr std::array<std::string_view, 17> sums{"faddv", "fmaxv", "fminv", "fmaxnmv", "fminnmv",   "saddv",
                                                  "uaddv", "smaxv", "umaxv", "sminv",   "uminv",     "andv",
                                                  "orv",   "eorv",  "vred*", "vfred*",  "v*wredsum*"};
  const std::string_view mnemonic = key.substr(0, key.find(' '));
  if (has_vector_address(key) || any_glob(accesses, mnemonic)) return Growth::lane_accesses;
  if (any_glob(chains, mnemonic)) return Growth::lane_chain;
  if (any_glob(sums, mnemonic)) return Growth::steps;
  return Growth::none;
}

double port_cycles(const FormEntry& entry) {
  double most = 0;
  for (const PortUse& use : entry.ports)
    most = std::max(most, use.count / std::max(1, std::popcount(use.mask)));
  return most;
}

} // namespace

void scale_to_length(FormEntry& entry, double from_bits, double to_bits) {
  if (from_bits == to_bits) return;
  const LengthUnits from = length_units(entry.key, from_bits);
  const LengthUnits to = length_units(entry.key, to_bits);
  if (from.lanes <= 0 || from.lanes == to.lanes) return;
  const Growth growth = growth_of(entry.key);
  if (growth == Growth::none) return;
  const double factor = growth != Growth::steps ? to.lanes / from.lanes : from.steps > 0 ? to.steps / from.steps : 1;
  const double before = port_cycles(entry);
  const auto scale = [&](double& count) {
    if (count > 1 || factor > 1) count = std::max(1.0, count * factor);
  };
  for (PortUse& use : entry.ports)
    if (growth != Growth::steps || use.count > 1) scale(use.count);
  for (PortUse& use : entry.blocking)
    scale(use.count);
  if (entry.uops && entry.uops->unfused > 1) {
    scale(entry.uops->fused);
    scale(entry.uops->unfused);
    scale(entry.uops->retired);
  }
  if (entry.reciprocal_throughput_cycles) *entry.reciprocal_throughput_cycles *= factor;
  const double longer = port_cycles(entry) - before; // accesses one after the other: the last one's data come later
  for (LatencyRule& rule : entry.latency)
    rule.cycles = growth == Growth::lane_accesses ? std::max(1.0, rule.cycles + longer) : rule.cycles * factor;
  entry.confidence = "derived";
  entry.source += ", from " + std::to_string(static_cast<int>(from_bits)) + "-bit vectors by lanes";
}

} // namespace corecast
