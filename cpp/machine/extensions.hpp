// Extensions of an instruction set: what instructions need of a core, and what a core has.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace corecast {

enum class Architecture : std::uint8_t;

/// What instructions need beyond the base of their instruction set, by the number in Instruction::requirement:
/// "avx512f avx512vl" needs both, "sve|sme" one of the two. The first is empty.
std::span<const std::string_view> requirements(Architecture architecture);

/// Every extension that some requirement names, sorted.
std::vector<std::string_view> extension_names(Architecture architecture);

/// The name as people write it: "AVX-512F", "SVE2", "Zba".
std::string extension_title(Architecture architecture, std::string_view name);

/// The extensions of one core. Without a list nothing is known, and nothing is refused.
class Extensions {
public:
  Extensions() = default;
  Extensions(Architecture architecture, const std::vector<std::string>& names);

  /// What a core lacks for a requirement, "AVX-512F" or "SVE or SME"; nothing where it has all or nothing is known.
  const std::string* missing(std::uint16_t requirement) const {
    return requirement < missing_.size() && !missing_[requirement].empty() ? &missing_[requirement] : nullptr;
  }

private:
  std::vector<std::string> missing_; // by requirement, empty where the core has it
};

} // namespace corecast
