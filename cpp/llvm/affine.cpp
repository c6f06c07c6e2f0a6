// Address arithmetic: which written registers hold constant + sum(coefficient * old register).
#include "describe.hpp"

#include <algorithm>
#include <optional>

namespace corecast {
namespace {

class AffineReader {
public:
  AffineReader(const Target& target, const PrintedInstruction& printed, Instruction& out)
      : target_(target), operands_(printed.operands), mnemonic_(printed.mnemonic), out_(out) {}

  void x86();
  void aarch64();
  void riscv();

private:
  struct Term {
    RegisterId reg = 0;
    std::int64_t coefficient = 1;
  };

  /// Location of a whole general register (32 or 64 bits) named by operand `i`; nothing for narrower parts. Zero
  /// registers give 0.
  std::optional<RegisterId> general(std::size_t i) const {
    if (i >= operands_.size()) return std::nullopt;
    return general(operands_[i]);
  }
  std::optional<RegisterId> general(std::string_view name) const {
    if (target_.isa == Isa::aarch64) {
      if (name == "xzr" || name == "wzr") return RegisterId{0};
      if (name.empty() || (name[0] != 'x' && name[0] != 'w' && name[0] != 's') || (name[0] == 's' && name != "sp"))
        return std::nullopt;
    }
    if (target_.isa == Isa::riscv64 && name == "zero") return RegisterId{0};
    const llvm::MCRegister reg = target_.register_named(name);
    if (!reg || target_.locations(reg).size() != 1) return std::nullopt;
    if (target_.isa == Isa::x86) {
      const RegisterClass kind = target_.register_class(reg);
      if (kind != RegisterClass::x86_64 && kind != RegisterClass::x86_32) return std::nullopt;
    }
    return target_.locations(reg).front();
  }
  std::optional<std::int64_t> number(std::size_t i) const {
    std::int64_t value = 0;
    if (i < operands_.size() && parse_integer(operands_[i], value)) return value;
    return std::nullopt;
  }
  void set(std::optional<RegisterId> reg, std::int64_t constant, std::initializer_list<Term> terms) {
    if (!reg || *reg == 0) return;
    AffineValue value;
    value.reg = *reg;
    value.constant = constant;
    for (const Term& term : terms) {
      if (term.reg == 0 || term.coefficient == 0) continue;
      auto same =
          std::find_if(value.terms.begin(), value.terms.end(), [&](const AffineTerm& t) { return t.reg == term.reg; });
      if (same != value.terms.end())
        same->coefficient += term.coefficient;
      else
        value.terms.push_back({term.reg, term.coefficient});
    }
    std::erase_if(value.terms, [](const AffineTerm& term) { return term.coefficient == 0; }); // sub rax, rax
    out_.affine.push_back(std::move(value));
  }

  const Target& target_;
  const std::vector<std::string>& operands_;
  const std::string& mnemonic_;
  Instruction& out_;
};

void AffineReader::x86() {
  const auto dest = general(0);
  const RegisterId rsp = target_.location_named("rsp");
  if (mnemonic_.starts_with("push") || mnemonic_.starts_with("pop") || mnemonic_ == "call" || mnemonic_ == "ret") {
    const bool down = mnemonic_.starts_with("push") || mnemonic_ == "call";
    for (const MemoryAccess& access : out_.memory)
      if (access.base == rsp && access.write == down && access.width_bytes != 0 &&
          (dest != rsp || down)) { // not pop rsp
        const std::int64_t released = mnemonic_ == "ret" ? number(0).value_or(0) : 0;
        set(rsp, down ? -std::int64_t{access.width_bytes} : access.width_bytes + released, {{rsp, 1}});
        break;
      }
    return;
  }
  if (mnemonic_ == "leave") {
    set(rsp, 8, {{target_.location_named("rbp"), 1}});
    return;
  }
  if (!dest) return;
  if (mnemonic_ == "inc" || mnemonic_ == "dec") {
    set(dest, mnemonic_ == "inc" ? 1 : -1, {{*dest, 1}});
  } else if (mnemonic_ == "add" || mnemonic_ == "sub") {
    const std::int64_t sign = mnemonic_ == "add" ? 1 : -1;
    if (const auto value = number(1))
      set(dest, sign * *value, {{*dest, 1}});
    else if (const auto source = general(1))
      set(dest, 0, {{*dest, 1}, {*source, sign}});
  } else if (mnemonic_ == "neg" || mnemonic_ == "not") {
    set(dest, mnemonic_ == "not" ? -1 : 0, {{*dest, -1}});
  } else if (mnemonic_ == "imul" && operands_.size() == 3) {
    const auto source = general(1);
    if (const auto factor = number(2); factor && source) set(dest, 0, {{*source, *factor}});
  } else if (mnemonic_ == "mov" || mnemonic_ == "movabs") {
    if (const auto value = number(1))
      set(dest, *value, {});
    else if (const auto source = general(1))
      set(dest, 0, {{*source, 1}});
  } else if (mnemonic_ == "movsxd") {
    if (const auto source = general(1)) set(dest, 0, {{*source, 1}});
  } else if (mnemonic_ == "shl" && number(1) && *number(1) >= 0 && *number(1) < 32) {
    set(dest, 0, {{*dest, std::int64_t{1} << *number(1)}});
  } else if (mnemonic_ == "xor" && operands_.size() == 2 && operands_[0] == operands_[1]) {
    set(dest, 0, {});
  } else if (mnemonic_ == "lea") {
    // "[rax + 4*rcx - 8]": base and index were read as the address operands of the instruction.
    RegisterId base = 0;
    RegisterId index = 0;
    for (const Operand& operand : out_.operands) {
      if (operand.id == operand_id::address) base = operand.registers.front().reg;
      if (operand.id == operand_id::index) index = operand.registers.front().reg;
    }
    if (operands_.size() < 2) return;
    std::string_view text = operands_[1];
    const std::size_t open = text.find('[');
    const std::size_t close = text.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos) return;
    text = text.substr(open + 1, close - open - 1);
    std::int64_t scale = 1;
    std::int64_t displacement = 0;
    bool negative = false;
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = text.find_first_of(" ", i);
      end = end == std::string_view::npos ? text.size() : end;
      const std::string_view word = text.substr(i, end - i);
      const std::size_t star = word.find('*');
      std::int64_t value = 0;
      if (word == "-" || word == "+")
        negative = word == "-";
      else if (star != std::string_view::npos)
        parse_integer(word.substr(0, star), scale);
      else if (parse_integer(word, value))
        displacement = negative ? -value : value;
      else if (!target_.register_named(word))
        return; // a symbol: unknown value
      i = end + 1;
    }
    set(dest, displacement, {{base, 1}, {index, scale}});
  }
}

void AffineReader::aarch64() {
  const auto dest = general(0);
  for (const MemoryAccess& access : out_.memory) {
    if (access.write_back == WriteBack::pre)
      set(access.base, access.displacement, {{access.base, 1}});
    else if (access.write_back == WriteBack::post) {
      if (const auto step = number(operands_.size() - 1))
        set(access.base, *step, {{access.base, 1}});
      else if (const auto step_register = general(operands_.size() - 1))
        set(access.base, 0, {{access.base, 1}, {*step_register, 1}});
    }
  }
  if (!dest || !out_.memory.empty()) return;
  auto shift_amount = [&](std::size_t i) -> std::optional<std::int64_t> { // "lsl #3", "sxtw #3", "uxtw"
    if (i >= operands_.size()) return 0;
    const std::string& text = operands_[i];
    if (!text.starts_with("lsl") && !text.starts_with("sxtw") && !text.starts_with("uxtw") &&
        !text.starts_with("sxtx") && !text.starts_with("uxtx"))
      return std::nullopt;
    const std::size_t hash = text.find('#');
    std::int64_t value = 0;
    if (hash == std::string::npos) return 0;
    if (!parse_integer(std::string_view(text).substr(hash), value) || value < 0 || value > 31) return std::nullopt;
    return value;
  };
  if (mnemonic_ == "mov") {
    if (const auto value = number(1))
      set(dest, *value, {});
    else if (const auto source = general(1))
      set(dest, 0, {{*source, 1}});
    return;
  }
  const bool adds = mnemonic_ == "add" || mnemonic_ == "adds";
  const bool subtracts = mnemonic_ == "sub" || mnemonic_ == "subs";
  const auto first = general(1);
  if (!first) return;
  if (adds || subtracts) {
    const auto shift = shift_amount(3);
    if (!shift) return;
    const std::int64_t sign = (adds ? 1 : -1) * (std::int64_t{1} << *shift);
    if (const auto value = number(2))
      set(dest, sign * *value, {{*first, 1}});
    else if (const auto second = general(2))
      set(dest, 0, {{*first, 1}, {*second, sign}});
  } else if ((mnemonic_ == "lsl" || mnemonic_ == "sbfiz" || mnemonic_ == "ubfiz") && number(2) && *number(2) >= 0 &&
             *number(2) < 32) {
    set(dest, 0, {{*first, std::int64_t{1} << *number(2)}});
  } else if (mnemonic_ == "sxtw") {
    set(dest, 0, {{*first, 1}});
  } else if (mnemonic_ == "neg" || mnemonic_ == "mvn") {
    if (const auto shift = shift_amount(2))
      set(dest, mnemonic_ == "mvn" ? -1 : 0, {{*first, -(std::int64_t{1} << *shift)}});
  }
}

void AffineReader::riscv() {
  const auto dest = general(0);
  if (!dest || !out_.memory.empty()) return;
  if (mnemonic_ == "li") {
    if (const auto value = number(1)) set(dest, *value, {});
    return;
  }
  if (mnemonic_ == "lui") {
    if (const auto value = number(1))
      set(dest, static_cast<std::int32_t>(static_cast<std::uint32_t>(*value) << 12), {});
    return;
  }
  const auto first = general(1);
  if (!first) return;
  if (mnemonic_ == "neg" || mnemonic_ == "not") {
    set(dest, mnemonic_ == "not" ? -1 : 0, {{*first, -1}});
  } else if (mnemonic_ == "mv" || mnemonic_ == "sext.w") {
    set(dest, 0, {{*first, 1}});
  } else if (mnemonic_ == "addi" || mnemonic_ == "addiw") {
    if (const auto value = number(2)) set(dest, *value, {{*first, 1}});
  } else if (mnemonic_ == "slli" && number(2) && *number(2) >= 0 && *number(2) < 32) {
    set(dest, 0, {{*first, std::int64_t{1} << *number(2)}});
  } else if (const auto second = general(2)) {
    if (mnemonic_ == "add" || mnemonic_ == "addw")
      set(dest, 0, {{*first, 1}, {*second, 1}});
    else if (mnemonic_ == "sub" || mnemonic_ == "subw")
      set(dest, 0, {{*first, 1}, {*second, -1}});
    else if (mnemonic_ == "sh1add" || mnemonic_ == "sh2add" || mnemonic_ == "sh3add")
      set(dest, 0, {{*first, std::int64_t{1} << (mnemonic_[2] - '0')}, {*second, 1}});
  }
}

} // namespace

void describe_affine(Isa isa, const Target& target, const PrintedInstruction& printed, Instruction& out) {
  AffineReader reader(target, printed, out);
  switch (isa) {
  case Isa::x86:
    reader.x86();
    break;
  case Isa::aarch64:
    reader.aarch64();
    break;
  case Isa::riscv64:
    reader.riscv();
    break;
  }
}

} // namespace corecast
