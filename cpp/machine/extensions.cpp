#include "cpp/machine/extensions.hpp"

#include "cpp/machine/pipeline/pipeline.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

namespace corecast {
namespace {

#include "cpp/machine/generated/requirements.inc"

/// The parts of a text between single separators.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 21> titles{{
    {"apxf", "APX"},
    {"avxifma", "AVX-IFMA"},
    {"avxneconvert", "AVX-NE-CONVERT"},
    {"avxvnni", "AVX-VNNI"},
    {"avxvnniint8", "AVX-VNNI-INT8"},
    {"avxvnniint16", "AVX-VNNI-INT16"},
    {"bmi", "BMI1"},
    {"cx16", "CMPXCHG16B"},
    {"pclmul", "PCLMULQDQ"},
    {"rdrnd", "RDRAND"},
    {"fullfp16", "FP16"},
    {"fp16fml", "FHM"},
    {"fp-armv8", "floating point"},
    {"neon", "Advanced SIMD"},
    {"mops", "FEAT_MOPS"},
    {"aes", "AES"},
    {"v", "V 1.0"},
    {"xtheadvector", "V 0.7.1 (XTheadVector)"},
    {"raoint", "RAO-INT"},
    {"usermsr", "USER_MSR"},
    {"shstk", "CET-SS"},
}};

} // namespace

std::span<const std::string_view> requirements(Architecture architecture) {
  switch (architecture) {
  case Architecture::aarch64:
    return aarch64_requirements;
  case Architecture::riscv64:
    return riscv64_requirements;
  case Architecture::x86:
    break;
  }
  return x86_requirements;
}

std::vector<std::string_view> extension_names(Architecture architecture) {
  std::set<std::string_view> names;
  for (const std::string_view requirement : requirements(architecture))
    for (const std::string_view clause : split(requirement, ' '))
      for (const std::string_view name : split(clause, '|'))
        names.insert(name);
  return {names.begin(), names.end()};
}

std::string extension_title(Architecture architecture, std::string_view name) {
  for (const auto& [key, title] : titles)
    if (key == name) return std::string(title);
  if (architecture == Architecture::riscv64) { // Zba, Zvfh
    std::string result(name);
    result.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(result.front())));
    return result;
  }
  constexpr std::string_view wide = "avx512";
  if (name.starts_with(wide)) return "AVX-512" + upper(name.substr(wide.size()));
  return upper(name);
}

Extensions::Extensions(Architecture architecture, const std::vector<std::string>& names) {
  const std::set<std::string_view> has(names.begin(), names.end());
  for (const std::string_view requirement : requirements(architecture)) {
    std::string& missing = missing_.emplace_back();
    for (const std::string_view clause : split(requirement, ' ')) {
      const std::vector<std::string_view> choices = split(clause, '|');
      if (std::any_of(choices.begin(), choices.end(), [&](std::string_view name) { return has.contains(name); }))
        continue;
      std::string text;
      for (const std::string_view name : choices)
        text += (text.empty() ? "" : " or ") + extension_title(architecture, name);
      missing += (missing.empty() ? "" : ", ") + text;
    }
  }
}

} // namespace corecast
