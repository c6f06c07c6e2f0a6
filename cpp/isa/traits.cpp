#include "cpp/isa/traits.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace corecast {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::uint16_t widest_vector_bits(std::string_view form) {
  if (contains(form, "zmm")) return 512;
  if (contains(form, "ymm")) return 256;
  if (contains(form, "xmm")) return 128;
  return contains(form, "mm") ? 64 : 0;
}

/// Of AArch64 and RISC-V: "ldr x, [x]", "ldp d, d, [x]", "flw f, i(x)", "st1 {v.4s}, [x]".
bool is_vector_form(std::string_view form) {
  const std::size_t blank = form.find(' ');
  if (blank == std::string_view::npos || blank + 1 >= form.size()) return false;
  const char first = form[blank + 1];
  return first != 'x' && first != 'w' && first != 'i';
}

/// x86 names such operations p..., and those that write elsewhere than to vectors have another way out.
bool makes_packed_integers(std::string_view form) {
  const std::string_view destination = form.substr(std::min(form.find(' '), form.size()), 4);
  return form.substr(form.starts_with('v') ? 1 : 0, 1) == "p" && contains(destination, "mm");
}

bool moves_stack_pointer(std::string_view name) {
  return name == "push" || name == "pop" || name == "call" || name == "ret" || name == "leave" || name == "enter";
}

/// What SVE's "#2, mul vl" adds to an address.
std::int64_t vectors_apart(std::string_view text) {
  const std::size_t unit = text.find(", mul vl");
  const std::size_t number = unit == std::string_view::npos ? unit : text.rfind('#', unit);
  std::int64_t out = 0;
  if (number != std::string_view::npos) std::from_chars(text.data() + number + 1, text.data() + unit, out);
  return out;
}

/// Of AArch64: "movi v0.2d, #0000000000000000", "fcmp d0, #0.0", not "movi v0.4s, #0, lsl #8".
bool has_zero_immediate(std::string_view text) {
  const std::size_t number = text.find('#');
  return number != std::string_view::npos && text.find('0', number) != std::string_view::npos &&
         text.find_first_not_of("0x.", number + 1) == std::string_view::npos;
}

/// Where "[rsp + 8]" or "8(sp)" stands.
void find_address(std::string_view text, Traits& out) {
  std::size_t begin = text.find('[');
  std::size_t end = text.find(']', begin == std::string_view::npos ? 0 : begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) {
    const std::size_t paren = text.find('(');
    if (paren == std::string_view::npos) return;
    const std::size_t before = text.find_last_of(" ,", paren);
    begin = before == std::string_view::npos ? 0 : before + 1;
    end = std::min(text.find(')', paren), text.size() - 1);
  }
  out.address_begin = static_cast<std::uint16_t>(begin);
  out.address_end = static_cast<std::uint16_t>(end + 1);
}

} // namespace

Traits traits_of(const Instruction& instruction, bool is_x86) {
  Traits out;
  const std::string_view form = instruction.form;
  out.moves_stack_pointer = moves_stack_pointer(instruction.mnemonic);
  if (!instruction.memory.empty()) find_address(instruction.text, out);
  if (!is_x86) {
    out.vector = is_vector_form(form);
    out.zero_immediate = instruction.memory.empty() && has_zero_immediate(instruction.text);
    out.displacement_vectors = instruction.memory.empty() ? 0 : vectors_apart(instruction.text);
    return out;
  }
  out.copies = instruction.mnemonic == "mov" || instruction.mnemonic == "pop";
  out.widest_vector_bits = widest_vector_bits(form);
  out.vector = out.widest_vector_bits > 0;
  out.packed_integer = makes_packed_integers(form);
  out.legacy_sse = out.widest_vector_bits == 128 && !form.starts_with('v');
  const std::string_view destination = form.substr(std::min(form.find(' '), form.size()), 4);
  out.fills_upper_halves = destination == " ymm" || destination == " zmm";
  out.clears_upper_halves = instruction.mnemonic == "vzeroupper" || instruction.mnemonic == "vzeroall";
  out.pop5c = instruction.mnemonic == "pop" && !instruction.bytes.empty() && instruction.bytes.back() == 0x5C;
  for (const Operand& operand : instruction.operands)
    for (const RegisterUse& use : operand.registers)
      out.writes_high8 = out.writes_high8 || (use.write && use.part == Part::high8);
  out.immediate_64 = contains(form, "i64");
  out.repeats = form.starts_with("rep") && !instruction.memory.empty();
  out.may_end_early = out.repeats && (contains(form, " cmps") || contains(form, " scas"));
  return out;
}

} // namespace corecast
