#include "x86_text.hpp"

#include "operand_text.hpp"

#include <algorithm>
#include <array>

namespace corecast {

std::string_view class_name(RegisterClass kind) {
  switch (kind) {
  case RegisterClass::x86_low8:
    return "r8";
  case RegisterClass::x86_high8:
    return "r8h";
  case RegisterClass::x86_16:
    return "r16";
  case RegisterClass::x86_32:
    return "r32";
  case RegisterClass::x86_64:
    return "r64";
  case RegisterClass::x86_mmx:
    return "mm";
  case RegisterClass::x86_xmm:
    return "xmm";
  case RegisterClass::x86_ymm:
    return "ymm";
  case RegisterClass::x86_zmm:
    return "zmm";
  case RegisterClass::x86_mask:
    return "k";
  case RegisterClass::x86_stack:
    return "st";
  case RegisterClass::x86_segment:
    return "sreg";
  case RegisterClass::x86_control:
    return "cr";
  case RegisterClass::x86_debug:
    return "dr";
  case RegisterClass::x86_tile:
    return "tmm";
  case RegisterClass::x86_bound:
    return "bnd";
  default:
    return "reg";
  }
}

unsigned pointer_width_bytes(std::string_view operand) {
  constexpr std::array<std::pair<std::string_view, unsigned>, 9> names{{{"byte ptr", 1},
                                                                        {"word ptr", 2},
                                                                        {"dword ptr", 4},
                                                                        {"fword ptr", 6},
                                                                        {"qword ptr", 8},
                                                                        {"tbyte ptr", 10},
                                                                        {"xmmword ptr", 16},
                                                                        {"ymmword ptr", 32},
                                                                        {"zmmword ptr", 64}}};
  for (const auto& [name, width] : names)
    if (operand.starts_with(name)) return width;
  return 0;
}

Decorations take_decorations(std::string_view operand) {
  Decorations result;
  const std::size_t brace = operand.find('{');
  result.core = trim(operand.substr(0, brace));
  while (brace != std::string_view::npos) {
    const std::size_t open = operand.find('{');
    const std::size_t close = operand.find('}', open);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    const std::string_view inside = operand.substr(open + 1, close - open - 1);
    if (inside == "z")
      result.suffix += "{z}";
    else if (inside.size() == 2 && inside[0] == 'k') {
      result.suffix += "{k}";
      result.mask = inside;
    } else if (inside.starts_with("1to"))
      result.broadcast = static_cast<unsigned>(std::stoul(std::string(inside.substr(3))));
    operand.remove_prefix(close + 1);
  }
  return result;
}

std::string without_predicate(std::string_view mnemonic) {
  static constexpr std::string_view predicates[] = {
      "eq_oq",  "lt_os",    "le_os",  "unord_q", "neq_uq", "nlt_us",  "nle_us", "ord_q",    "eq_uq",  "nge_us",
      "ngt_us", "false_oq", "neq_oq", "ge_os",   "gt_os",  "true_uq", "eq_os",  "lt_oq",    "le_oq",  "unord_s",
      "neq_us", "nlt_uq",   "nle_uq", "ord_s",   "eq_us",  "nge_uq",  "ngt_uq", "false_os", "neq_os", "ge_oq",
      "gt_oq",  "true_us",  "eq",     "lt",      "le",     "unord",   "neq",    "nlt",      "nle",    "ord",
      "nge",    "ngt",      "false",  "ge",      "gt",     "true"};
  const std::size_t stem = mnemonic.find("cmp");
  const std::size_t stem_com = mnemonic.find("com");
  const bool xop = stem == std::string_view::npos && stem_com != std::string_view::npos;
  const std::size_t at = xop ? stem_com : stem;
  if (at == std::string_view::npos) return std::string(mnemonic);
  const std::string_view rest = mnemonic.substr(at + 3);
  std::string_view best;
  for (std::string_view predicate : predicates)
    if (rest.starts_with(predicate) && predicate.size() > best.size() && rest.size() > predicate.size())
      best = predicate;
  if (best.empty()) return std::string(mnemonic);
  return std::string(mnemonic.substr(0, at + 3)) + std::string(rest.substr(best.size()));
}

bool is_shift(std::string_view mnemonic) {
  constexpr std::array<std::string_view, 7> names{"shl", "shr", "sar", "rol", "ror", "rcl", "rcr"};
  return std::find(names.begin(), names.end(), mnemonic) != names.end();
}

unsigned signed_width_bits(std::int64_t value) {
  for (unsigned bits : {8U, 16U, 32U})
    if (value >= -(std::int64_t{1} << (bits - 1)) && value < (std::int64_t{1} << (bits - 1))) return bits;
  return 64;
}

namespace {

bool is_legacy_prefix(std::uint8_t byte) {
  constexpr std::array<std::uint8_t, 11> legacy{0x66, 0x67, 0xF2, 0xF3, 0xF0, 0x2E, 0x36, 0x3E, 0x26, 0x64, 0x65};
  return std::find(legacy.begin(), legacy.end(), byte) != legacy.end();
}

} // namespace

bool is_apx_encoding(const std::vector<std::uint8_t>& code) {
  std::size_t i = 0;
  while (i < code.size() && is_legacy_prefix(code[i]))
    ++i;
  auto at = [&](std::size_t offset) -> unsigned { return i + offset < code.size() ? code[i + offset] : 0; };
  constexpr unsigned rex2 = 0xD5;
  constexpr unsigned evex = 0x62;
  if (at(0) == rex2) return true;
  if (at(0) != evex) return false;
  const unsigned map = at(1) & 7;
  const bool high_base = (at(1) & 8) != 0;
  const bool memory = at(5) >> 6 != 3;
  const bool high_index = memory && (at(2) & 4) == 0;
  return map == 4 || high_base || high_index;
}

std::pair<unsigned, bool> prefix_bytes(const std::vector<std::uint8_t>& code) {
  unsigned i = 0;
  bool operand_size = false;
  auto at = [&](unsigned position) -> unsigned { return position < code.size() ? code[position] : 0; };
  while (i < code.size() && is_legacy_prefix(code[i])) {
    operand_size |= code[i] == 0x66;
    ++i;
  }
  const unsigned first = at(i);
  if (first == 0xC5) return {i + 2, operand_size};
  if (first == 0xC4 || (first == 0x8F && (at(i + 1) & 0x1F) >= 8)) // VEX3; XOP where pop's modrm is impossible
    return {i + 3, operand_size};
  if (first == 0x62) return {i + 4, operand_size};
  if (first == 0xD5) return {i + 2, operand_size};
  if ((first & 0xF0) == 0x40) ++i;
  if (at(i) == 0x0F) i += (at(i + 1) == 0x38 || at(i + 1) == 0x3A) ? 2 : 1;
  return {i, operand_size};
}

unsigned displacement_bytes(const std::vector<std::uint8_t>& code, unsigned opcode) {
  auto at = [&](unsigned position) -> unsigned { return position < code.size() ? code[position] : 0; };
  const unsigned modrm = at(opcode + 1);
  const unsigned mode = modrm >> 6;
  if (mode == 1) return 1;
  if (mode == 2) return 4;
  if (mode == 3) return 0;
  // Without a base, or relative to the instruction pointer.
  const unsigned base = (modrm & 7) == 4 ? at(opcode + 2) & 7 : modrm & 7;
  return base == 5 ? 4 : 0;
}

} // namespace corecast
