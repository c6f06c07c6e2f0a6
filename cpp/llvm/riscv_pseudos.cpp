#include "riscv_pseudos.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace corecast {
namespace {

constexpr int least_group = -3, largest_group = 3;
constexpr std::array<std::string_view, 7> group_names{"MF8", "MF4", "MF2", "M1", "M2", "M4", "M8"};

int log2_of(unsigned value) {
  int result = 0;
  while (value > 1) {
    value >>= 1U;
    ++result;
  }
  return result;
}

std::optional<std::string> group_name(int lmul_log2) {
  if (lmul_log2 < least_group || lmul_log2 > largest_group) return std::nullopt;
  return std::string(group_names[static_cast<std::size_t>(lmul_log2 - least_group)]);
}

/// The number behind the last `mark` of an opcode's first part: element width of "VLSEG2E32FF_V", of indices in
/// "VLUXEI16_V"; 0 where there is none.
unsigned width_after(std::string_view opcode, std::string_view mark) {
  const std::string_view stem = opcode.substr(0, opcode.find('_'));
  const std::size_t at = stem.rfind(mark);
  unsigned width = 0;
  if (at != std::string_view::npos) std::from_chars(stem.data() + at + mark.size(), stem.data() + stem.size(), width);
  return width;
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}
bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool is_load_or_store(std::string_view opcode) {
  return (starts_with(opcode, "VL") || starts_with(opcode, "VS")) && ends_with(opcode, "_V");
}

/// "VFADD_VF" -> "VFADD_VFPR64": pseudos name the class of a scalar from a floating-point register.
std::string with_scalar_class(std::string_view opcode, unsigned element_bits) {
  const std::string scalar = "FPR" + std::to_string(element_bits);
  std::string name(opcode);
  if (opcode == "VFMV_F_S") return "VFMV_" + scalar + "_S";
  if (opcode == "VFMV_V_F" || opcode == "VFMV_S_F") return name.substr(0, name.size() - 1) + scalar;
  if (ends_with(opcode, "_VFM")) return name.substr(0, name.size() - 2) + scalar + "M";
  if (ends_with(opcode, "_VF") || ends_with(opcode, "_WF")) return name.substr(0, name.size() - 1) + scalar;
  return name;
}

} // namespace

int lmul_log2_of(std::string_view name) {
  for (std::size_t i = 0; i < group_names.size(); ++i) {
    std::string lower(group_names[i]);
    for (char& letter : lower)
      letter = letter == 'M' ? 'm' : letter == 'F' ? 'f' : letter;
    if (lower == name) return static_cast<int>(i) + least_group;
  }
  throw std::invalid_argument("'" + std::string(name) + "' is not a register group");
}

std::vector<std::string> vector_pseudo_names(std::string_view opcode, const VectorType& type, bool masked) {
  const std::string stem = "Pseudo" + with_scalar_class(opcode, type.element_bits);
  const int width_log2 = log2_of(type.element_bits);
  std::vector<std::string> plain;
  if (is_load_or_store(opcode)) {
    if (const unsigned index_bits = width_after(opcode, "EI"); index_bits != 0) {
      const auto index = group_name(type.lmul_log2 + log2_of(index_bits) - width_log2),
                 data = group_name(type.lmul_log2);
      if (!index || !data) return {};
      plain.push_back(stem + "_" + *index + "_" + *data);
    } else if (const unsigned own_bits = width_after(opcode, "E"); own_bits != 0) {
      const auto data = group_name(type.lmul_log2 + log2_of(own_bits) - width_log2);
      if (!data) return {};
      plain.push_back(stem + "_" + *data);
    }
  }
  if (plain.empty()) {
    const auto group = group_name(type.lmul_log2);
    if (!group) return {};
    const std::string in_group = stem + "_" + *group, of_width = in_group + "_E" + std::to_string(type.element_bits);
    if (starts_with(opcode, "VRGATHEREI16")) {
      const auto index = group_name(type.lmul_log2 + log2_of(16) - width_log2);
      if (!index) return {};
      plain.push_back(of_width + "_" + *index);
    }
    plain.push_back(of_width);
    plain.push_back(in_group);
    plain.push_back(in_group + "_" + *group); // the crypto instructions' scalar group
    if (const int ratio = width_log2 - type.lmul_log2; ratio >= 0)
      plain.push_back(stem + "_B" + std::to_string(1U << static_cast<unsigned>(ratio)));
    plain.push_back(stem); // moves of one element have no group
  }
  std::vector<std::string> names;
  if (masked)
    for (const std::string& name : plain)
      names.push_back(name + "_MASK");
  names.insert(names.end(), plain.begin(), plain.end());
  return names;
}

} // namespace corecast
