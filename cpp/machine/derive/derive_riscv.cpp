// Related forms of RISC-V: element widths, register groups, masks, immediate and scalar operands.
#include "cpp/machine/derive/derive.hpp"
#include "cpp/machine/machine.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace corecast {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view simple[] = {"add", "sub", "and", "or", "xor", "slt", "sltu", "andn", "orn", "xnor"};
constexpr std::string_view simple_immediate[] = {"addi", "andi", "ori", "xori", "slti", "sltiu"};
constexpr std::string_view word[] = {"addw", "subw", "addiw", "add"};
constexpr std::string_view shifts[] = {"sll", "srl", "sra", "sllw", "srlw", "sraw", "rol", "ror"};
constexpr std::string_view shift_immediates[] = {"slli", "srli", "srai", "slliw", "srliw", "sraiw", "rori", "addi"};
constexpr std::string_view shift_adds[] = {"sh1add",    "sh2add",    "sh3add", "sh1add.uw",
                                           "sh2add.uw", "sh3add.uw", "add.uw"};
constexpr std::string_view moves[] = {"mv",   "li",   "addi", "neg",    "not",   "sext.w",
                                      "negw", "seqz", "snez", "zext.w", "zext.b"};
constexpr std::string_view extensions[] = {"sext.b", "sext.h", "zext.h", "zext.w"};
constexpr std::string_view upper[] = {"lui", "auipc"};
constexpr std::string_view extremes[] = {"min", "max", "minu", "maxu"};
constexpr std::string_view counts[] = {"clz", "ctz", "cpop", "clzw", "ctzw", "cpopw", "rev8", "orc.b"};
constexpr std::string_view bits[] = {"bset", "bclr", "binv", "bext"};
constexpr std::string_view bit_immediates[] = {"bseti", "bclri", "binvi", "bexti"};
constexpr std::string_view multiplies[] = {"mul", "mulw", "mulh", "mulhu", "mulhsu"};
constexpr std::string_view divides[] = {"div", "divu", "rem", "remu"};
constexpr std::string_view word_divides[] = {"divw", "divuw", "remw", "remuw"};
constexpr std::string_view loads[] = {"ld", "lw", "lwu", "lh", "lhu", "lb", "lbu"};
constexpr std::string_view stores[] = {"sd", "sw", "sh", "sb"};
constexpr std::string_view fp_loads[] = {"fld", "flw", "flh"};
constexpr std::string_view fp_stores[] = {"fsd", "fsw", "fsh"};
constexpr std::string_view branches[] = {"beq", "bne", "blt", "bge", "bltu", "bgeu"};
constexpr std::string_view zero_branches[] = {"beqz", "bnez", "blez", "bgez", "bltz", "bgtz"};
constexpr std::string_view jumps[] = {"j", "jal", "jr", "ret", "jalr"};
constexpr std::string_view fp_add[] = {"fadd.d", "fsub.d"};
constexpr std::string_view fp_fused[] = {"fmadd.d", "fmsub.d", "fnmadd.d", "fnmsub.d"};
constexpr std::string_view fp_sign[] = {"fsgnj.d", "fsgnjn.d", "fsgnjx.d", "fmv.d", "fneg.d", "fabs.d"};
constexpr std::string_view fp_extremes[] = {"fmin.d", "fmax.d"};
constexpr std::string_view fp_compare[] = {"feq.d", "flt.d", "fle.d"};
constexpr std::string_view vector_simple[] = {"vadd", "vsub",  "vrsub", "vand",  "vor",
                                              "vxor", "vminu", "vmin",  "vmaxu", "vmax"};
constexpr std::string_view vector_shifts[] = {"vsll", "vsrl", "vsra"};
constexpr std::string_view vector_multiply[] = {"vmul", "vmulh", "vmulhu", "vmulhsu"};
constexpr std::string_view vector_accumulate[] = {"vmacc", "vmadd", "vnmsac", "vnmsub"};
constexpr std::string_view vector_compare[] = {"vmseq", "vmsne",  "vmslt", "vmsltu",
                                               "vmsle", "vmsleu", "vmsgt", "vmsgtu"};
constexpr std::string_view vector_fp_add[] = {"vfadd", "vfsub", "vfrsub"};
constexpr std::string_view vector_fp_fused[] = {"vfmacc",  "vfmadd",  "vfmsac",  "vfmsub",
                                                "vfnmacc", "vfnmadd", "vfnmsac", "vfnmsub"};
constexpr std::string_view vector_fp_sign[] = {"vfsgnj", "vfsgnjn", "vfsgnjx", "vfneg", "vfabs"};
constexpr std::string_view vector_fp_extremes[] = {"vfmin", "vfmax"};
constexpr std::string_view vector_fp_compare[] = {"vmfeq", "vmfne", "vmflt", "vmfle", "vmfgt", "vmfge"};
constexpr std::string_view mask_logic[] = {"vmand", "vmnand", "vmandn", "vmor", "vmnor", "vmorn", "vmxor", "vmxnor"};
constexpr std::string_view configuration[] = {"vsetvli", "vsetivli", "vsetvl"};

constexpr Words families[] = {
    simple,   simple_immediate, word,        shifts,     shift_immediates, shift_adds,    moves,   extensions,
    upper,    extremes,         counts,      bits,       bit_immediates,   multiplies,    divides, word_divides,
    loads,    stores,           fp_loads,    fp_stores,  branches,         zero_branches, jumps,   fp_add,
    fp_fused, fp_sign,          fp_extremes, fp_compare, configuration};
constexpr Words vector_families[] = {vector_simple,      vector_shifts,     vector_multiply, vector_accumulate,
                                     vector_compare,     vector_fp_add,     vector_fp_fused, vector_fp_sign,
                                     vector_fp_extremes, vector_fp_compare, mask_logic};

bool is_slow(const std::string& mnemonic) {
  return mnemonic.find("div") != std::string::npos || mnemonic.find("rem") != std::string::npos ||
         mnemonic.find("sqrt") != std::string::npos;
}

Sibling with_mnemonic(const FormText& form, std::string mnemonic) {
  Sibling sibling{form, "", {}};
  sibling.form.mnemonic = std::move(mnemonic);
  return sibling;
}

/// "@m2,e64" taken apart; `lmul` 0 where the variant names none.
struct VectorShape {
  double lmul = 0;
  unsigned sew = 0;

  static VectorShape parse(std::string_view variant) {
    VectorShape out;
    if (!variant.starts_with("@m")) return out;
    const std::size_t comma = variant.find(',');
    std::string_view lmul = variant.substr(2, comma == std::string_view::npos ? comma : comma - 2);
    const bool fraction = lmul.starts_with("f");
    if (fraction) lmul.remove_prefix(1);
    double value = 0;
    std::from_chars(lmul.data(), lmul.data() + lmul.size(), value);
    out.lmul = fraction && value > 0 ? 1 / value : value;
    if (comma != std::string_view::npos && variant.substr(comma).starts_with(",e"))
      std::from_chars(variant.data() + comma + 2, variant.data() + variant.size(), out.sew);
    return out;
  }

  std::string str() const {
    std::string text = "@m";
    if (lmul < 1)
      text += 'f' + std::to_string(static_cast<int>(std::lround(1 / lmul)));
    else
      text += std::to_string(static_cast<int>(std::lround(lmul)));
    if (sew != 0) text += ",e" + std::to_string(sew);
    return text;
  }
};

void element_width(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  VectorShape shape = VectorShape::parse(form.variant);
  if (shape.lmul == 0 || shape.sew == 0 || is_slow(form.mnemonic)) return;
  for (const unsigned factor : {2U, 4U, 8U})
    for (const unsigned sew : {shape.sew * factor, shape.sew / factor}) {
      if (sew < 8 || sew > 64) continue;
      Sibling sibling{form, "", {}};
      sibling.form.variant = VectorShape{shape.lmul, sew}.str();
      // vle32.v and the like carry the width in their names as well.
      const std::string own = std::to_string(shape.sew);
      if (const std::size_t at = form.mnemonic.find("e" + own + "."); at != std::string::npos)
        sibling.form.mnemonic.replace(at + 1, own.size(), std::to_string(sew));
      out.push_back(std::move(sibling));
    }
  Sibling coarser{form, "", {}};
  coarser.form.variant = VectorShape{shape.lmul, 0}.str();
  out.push_back(std::move(coarser));
}

/// Groups of more registers take proportionally longer; fractions of a register as long as a whole one.
void group_size(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  const VectorShape shape = VectorShape::parse(form.variant);
  if (shape.lmul == 0) return;
  for (const double lmul : {1.0, 2.0, 4.0, 8.0, 0.5, 0.25, 0.125}) {
    if (lmul == shape.lmul) continue;
    const double ratio = std::max(1.0, shape.lmul) / std::max(1.0, lmul);
    Sibling sibling{form, ratio == 1 ? "" : ", scaled to the size of its register group",
                    [ratio](const DeriveContext&, FormEntry& entry) {
                      for (PortUse& use : entry.ports)
                        use.count *= ratio;
                      for (PortUse& use : entry.blocking)
                        use.count *= ratio;
                      if (entry.uops && entry.uops->fused > 1) {
                        entry.uops->fused = std::max(1.0, entry.uops->fused * ratio);
                        entry.uops->unfused = std::max(1.0, entry.uops->unfused * ratio);
                        entry.uops->retired = std::max(1.0, entry.uops->retired * ratio);
                      }
                      return true;
                    }};
    sibling.form.variant = VectorShape{lmul, shape.sew}.str();
    out.push_back(std::move(sibling));
  }
}

void unmasked(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  if (form.operands.empty() || form.operands.back() != "v0.t") return;
  Sibling sibling{form, ", masked", [](const DeriveContext&, FormEntry& entry) {
                    entry.latency.push_back({operand_id::mask, operand_id::any, largest_latency(entry).value_or(1)});
                    return true;
                  }};
  sibling.form.operands.pop_back();
  out.push_back(std::move(sibling));
}

/// .vv, .vx, .vi, .vf: where the second source comes from.
void operand_source(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  const std::size_t dot = form.mnemonic.rfind('.');
  if (dot == std::string::npos || form.mnemonic[0] != 'v') return;
  const std::string suffix = form.mnemonic.substr(dot + 1);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kinds{
      {{"vv", "v"}, {"vx", "x"}, {"vf", "f"}, {"vi", "i"}}};
  for (const auto& [kind, operand] : kinds) {
    if (suffix != kind) continue;
    for (const auto& [other, other_operand] : kinds) {
      if (other == kind) continue;
      Sibling sibling = with_mnemonic(form, form.mnemonic.substr(0, dot + 1) + std::string(other));
      // The scalar is the last explicit source, or the second operand of multiply-accumulates.
      for (std::size_t i = sibling.form.operands.size(); i-- > 1;)
        if (sibling.form.operands[i] == operand) {
          sibling.form.operands[i] = other_operand;
          break;
        }
      out.push_back(std::move(sibling));
    }
  }
}

/// fadd.s from fadd.d; fcvt between the same two.
void precision(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  if (form.mnemonic[0] != 'f' || is_slow(form.mnemonic)) return;
  for (const auto& [from, to] : {std::pair{".s", ".d"}, std::pair{".d", ".s"}, std::pair{".h", ".s"}}) {
    const std::size_t at = form.mnemonic.rfind(from);
    if (at == std::string::npos) continue;
    std::string name = form.mnemonic;
    name.replace(at, 2, to);
    out.push_back(with_mnemonic(form, name));
  }
  for (const auto& [from, to] :
       {std::pair{".wu", ".w"}, std::pair{".lu", ".l"}, std::pair{".l", ".w"}, std::pair{".w", ".l"}}) {
    const std::size_t at = form.mnemonic.find(from);
    if (at == std::string::npos || !form.mnemonic.starts_with("fcvt")) continue;
    std::string name = form.mnemonic;
    name.replace(at, std::string_view(from).size(), to);
    out.push_back(with_mnemonic(form, name));
  }
}

void rounding_mode(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  static constexpr std::string_view modes[] = {"rne", "rtz", "rdn", "rup", "rmm", "dyn", "rm"};
  if (form.operands.empty()) return;
  if (std::find(std::begin(modes), std::end(modes), form.operands.back()) == std::end(modes)) return;
  Sibling sibling{form, "", {}};
  sibling.form.operands.pop_back();
  out.push_back(std::move(sibling));
}

void immediate_form(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> pairs{{{"addi", "add"},
                                                                                        {"addiw", "addw"},
                                                                                        {"andi", "and"},
                                                                                        {"ori", "or"},
                                                                                        {"xori", "xor"},
                                                                                        {"slti", "slt"},
                                                                                        {"sltiu", "sltu"},
                                                                                        {"slli", "sll"},
                                                                                        {"srli", "srl"},
                                                                                        {"srai", "sra"}}};
  for (const auto& [immediate, plain] : pairs) {
    if (form.operands.size() != 3) continue;
    const bool from_immediate = form.mnemonic == immediate;
    if (!from_immediate && form.mnemonic != plain) continue;
    Sibling sibling = with_mnemonic(form, std::string(from_immediate ? plain : immediate));
    sibling.form.operands[2] = from_immediate ? "x" : "i";
    out.push_back(std::move(sibling));
  }
  // Branches against zero: beqz x, rel from beq x, x, rel.
  if (form.mnemonic.size() == 4 && form.mnemonic[0] == 'b' && form.mnemonic.back() == 'z' &&
      form.operands.size() == 2) {
    Sibling sibling = with_mnemonic(form, "b" + form.mnemonic.substr(1, 2));
    sibling.form.operands.insert(sibling.form.operands.begin(), "x");
    out.push_back(std::move(sibling));
  }
}

void related_mnemonic(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  add_family(out, form, families);
  const std::size_t dot = form.mnemonic.find('.');
  if (form.mnemonic[0] != 'v' || dot == std::string::npos) return;
  FormText stem = form;
  stem.mnemonic = form.mnemonic.substr(0, dot);
  const std::size_t before = out.size();
  add_family(out, stem, vector_families);
  for (std::size_t i = before; i < out.size(); ++i)
    out[i].form.mnemonic += form.mnemonic.substr(dot);
}

constexpr DeriveRule rules[] = {rounding_mode,  element_width, unmasked,         operand_source,
                                immediate_form, precision,     related_mnemonic, group_size};

} // namespace

std::span<const DeriveRule> riscv_rules() {
  return rules;
}

} // namespace corecast
