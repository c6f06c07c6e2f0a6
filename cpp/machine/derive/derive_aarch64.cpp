// Related forms of AArch64: addressing modes, widths, element arrangements, shifted operands.
#include "cpp/machine/derive/derive.hpp"
#include "cpp/machine/machine.hpp"

#include <algorithm>
#include <array>

namespace corecast {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view loads[] = {"ldr", "ldur", "ldrb", "ldrh", "ldurb", "ldurh", "ldapr", "ldtr", "ldar"};
constexpr std::string_view signed_loads[] = {"ldrsw", "ldrsb", "ldrsh", "ldursw", "ldursb", "ldursh", "ldr"};
constexpr std::string_view stores[] = {"str", "stur", "strb", "strh", "sturb", "sturh", "stlr", "sttr"};
constexpr std::string_view pair_loads[] = {"ldp", "ldnp", "ldpsw"};
constexpr std::string_view pair_stores[] = {"stp", "stnp"};
constexpr std::string_view prefetch[] = {"prfm", "prfum"};
constexpr std::string_view sve_loads[] = {"ld1d", "ld1w", "ld1h", "ld1b", "ldnt1d", "ldnt1w"};
constexpr std::string_view sve_signed_loads[] = {"ld1sw", "ld1sh", "ld1sb", "ld1w", "ld1h", "ld1b"};
constexpr std::string_view sve_broadcast_loads[] = {"ld1rd", "ld1rw", "ld1rh", "ld1rb"};
constexpr std::string_view sve_stores[] = {"st1d", "st1w", "st1h", "st1b", "stnt1d", "stnt1w"};
constexpr std::string_view add_sub[] = {"add", "sub"};
constexpr std::string_view adds_subs[] = {"adds", "subs"};
constexpr std::string_view negate[] = {"neg", "sub"};
constexpr std::string_view compare[] = {"cmp", "cmn", "subs", "adds"};
constexpr std::string_view carry[] = {"adc", "sbc", "adcs", "sbcs"};
constexpr std::string_view logic[] = {"and", "orr", "eor", "bic", "orn", "eon", "mvn"};
constexpr std::string_view logic_flags[] = {"ands", "bics", "tst"};
constexpr std::string_view shifts[] = {"lsl", "lsr", "asr", "ror"};
constexpr std::string_view bit_fields[] = {"ubfx", "sbfx", "ubfiz", "sbfiz", "ubfm", "sbfm"};
constexpr std::string_view bit_insert[] = {"bfi", "bfxil", "bfm", "bfc"};
constexpr std::string_view bit_reverse[] = {"rbit", "rev", "rev16", "rev32", "clz", "cls"};
constexpr std::string_view extends[] = {"sxtw", "sxth", "sxtb", "uxtb", "uxth"};
constexpr std::string_view wide_moves[] = {"mov", "movz", "movn"};
constexpr std::string_view select[] = {"csel", "csinc", "csinv", "csneg", "cinc", "cinv", "cneg"};
constexpr std::string_view set[] = {"cset", "csetm"};
constexpr std::string_view conditional_compare[] = {"ccmp", "ccmn"};
constexpr std::string_view multiply_add[] = {"madd", "msub", "mul", "mneg"};
constexpr std::string_view multiply_long[] = {"smaddl", "umaddl", "smsubl", "umsubl",
                                              "smull",  "umull",  "smnegl", "umnegl"};
constexpr std::string_view multiply_high[] = {"smulh", "umulh"};
constexpr std::string_view divide[] = {"sdiv", "udiv"};
constexpr std::string_view test_branches[] = {"tbz", "tbnz"};
constexpr std::string_view zero_branches[] = {"cbz", "cbnz"};
constexpr std::string_view addresses[] = {"adr", "adrp"};
constexpr std::string_view fp_add[] = {"fadd", "fsub", "fabd"};
constexpr std::string_view fp_multiply[] = {"fmul", "fnmul", "fmulx"};
constexpr std::string_view fp_fused[] = {"fmadd", "fmsub", "fnmadd", "fnmsub"};
constexpr std::string_view vector_fused[] = {"fmla", "fmls", "fmad", "fmsb", "fnmla", "fnmls", "fnmad", "fnmsb"};
constexpr std::string_view fp_sign[] = {"fneg", "fabs"};
constexpr std::string_view fp_extremes[] = {"fmax", "fmin", "fmaxnm", "fminnm"};
constexpr std::string_view fp_compare[] = {"fcmp", "fcmpe", "fccmp", "fccmpe"};
constexpr std::string_view fp_vector_compare[] = {"fcmeq", "fcmgt", "fcmge", "fcmlt", "fcmle", "facge", "facgt"};
constexpr std::string_view rounds[] = {"frintn", "frintm", "frintp", "frintz", "frinta", "frintx", "frinti"};
constexpr std::string_view to_integer[] = {"fcvtzs", "fcvtzu", "fcvtns", "fcvtnu", "fcvtms",
                                           "fcvtmu", "fcvtps", "fcvtpu", "fcvtas", "fcvtau"};
constexpr std::string_view from_integer[] = {"scvtf", "ucvtf"};
constexpr std::string_view vector_compare[] = {"cmeq", "cmgt", "cmge", "cmhi", "cmhs", "cmlt", "cmle", "cmtst"};
constexpr std::string_view vector_extremes[] = {"smax", "smin", "umax", "umin"};
constexpr std::string_view pairwise_extremes[] = {"smaxp", "sminp", "umaxp", "uminp"};
constexpr std::string_view across_extremes[] = {"smaxv", "sminv", "umaxv", "uminv"};
constexpr std::string_view permutes[] = {"zip1", "zip2", "uzp1", "uzp2", "trn1", "trn2", "ext"};
constexpr std::string_view vector_reverse[] = {"rev64", "rev32", "rev16"};
constexpr std::string_view widen[] = {"sshll", "ushll", "sshll2", "ushll2", "sxtl",
                                      "uxtl",  "sxtl2", "uxtl2",  "shll",   "shll2"};
constexpr std::string_view narrow[] = {"xtn", "xtn2", "shrn", "shrn2"};
constexpr std::string_view saturating_narrow[] = {"sqxtn",  "uqxtn",   "sqxtun", "sqxtn2",
                                                  "uqxtn2", "sqxtun2", "sqshrn", "uqshrn"};
constexpr std::string_view vector_shifts[] = {"sshr", "ushr", "shl"};
constexpr std::string_view register_shifts[] = {"sshl", "ushl"};
constexpr std::string_view shift_accumulate[] = {"ssra", "usra"};
constexpr std::string_view long_add[] = {"saddl", "uaddl", "ssubl", "usubl", "saddl2", "uaddl2", "ssubl2", "usubl2"};
constexpr std::string_view wide_add[] = {"saddw", "uaddw", "ssubw", "usubw", "saddw2", "uaddw2", "ssubw2", "usubw2"};
constexpr std::string_view long_multiply[] = {"smull", "umull", "smull2", "umull2"};
constexpr std::string_view long_accumulate[] = {"smlal",  "umlal",  "smlsl",  "umlsl",
                                                "smlal2", "umlal2", "smlsl2", "umlsl2"};
constexpr std::string_view accumulate[] = {"mla", "mls"};
constexpr std::string_view difference[] = {"sabd", "uabd"};
constexpr std::string_view dots[] = {"sdot", "udot"};
constexpr std::string_view bit_select[] = {"bsl", "bit", "bif"};
constexpr std::string_view halving[] = {"uhadd", "shadd", "urhadd", "srhadd", "uhsub", "shsub"};
constexpr std::string_view saturating[] = {"sqadd", "uqadd", "sqsub", "uqsub"};
constexpr std::string_view counting[] = {"cnt", "clz", "cls", "rbit"};
constexpr std::string_view immediate_moves[] = {"movi", "mvni", "fmov"};
constexpr std::string_view pairwise_long[] = {"saddlp", "uaddlp"};
constexpr std::string_view pairwise_accumulate[] = {"sadalp", "uadalp"};
constexpr std::string_view sve_while[] = {"whilelo", "whilelt", "whilele", "whilels"};
constexpr std::string_view sve_counts[] = {"cntd", "cntw", "cnth", "cntb"};
constexpr std::string_view sve_increments[] = {"incd", "incw", "inch", "incb", "decd", "decw", "dech", "decb", "addvl"};
constexpr std::string_view hints[] = {"nop", "hint", "bti", "paciasp", "autiasp", "yield"};

constexpr Words families[] = {
    loads,
    signed_loads,
    stores,
    pair_loads,
    pair_stores,
    prefetch,
    sve_loads,
    sve_signed_loads,
    sve_broadcast_loads,
    sve_stores,
    add_sub,
    adds_subs,
    negate,
    compare,
    carry,
    logic,
    logic_flags,
    shifts,
    bit_fields,
    bit_insert,
    bit_reverse,
    extends,
    wide_moves,
    select,
    set,
    conditional_compare,
    multiply_add,
    multiply_long,
    multiply_high,
    divide,
    test_branches,
    zero_branches,
    addresses,
    fp_add,
    fp_multiply,
    fp_fused,
    vector_fused,
    fp_sign,
    fp_extremes,
    fp_compare,
    fp_vector_compare,
    rounds,
    to_integer,
    from_integer,
    vector_compare,
    vector_extremes,
    pairwise_extremes,
    across_extremes,
    permutes,
    vector_reverse,
    widen,
    narrow,
    saturating_narrow,
    vector_shifts,
    register_shifts,
    shift_accumulate,
    long_add,
    wide_add,
    long_multiply,
    long_accumulate,
    accumulate,
    difference,
    dots,
    bit_select,
    halving,
    saturating,
    counting,
    immediate_moves,
    pairwise_long,
    pairwise_accumulate,
    sve_while,
    sve_counts,
    sve_increments,
    hints,
};

bool is_memory(std::string_view operand) {
  return operand.starts_with("[");
}
bool is_immediate(std::string_view operand) {
  return operand.starts_with("#");
}

bool is_shift(std::string_view operand) {
  static constexpr std::string_view words[] = {"lsl #", "lsr #", "asr #", "ror #", "uxt", "sxt", "msl #"};
  return std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view word) { return operand.starts_with(word); });
}

bool is_slow(const std::string& mnemonic) {
  return mnemonic.find("div") != std::string::npos || mnemonic.find("sqrt") != std::string::npos;
}

Sibling without_operand(const FormText& form, std::size_t position) {
  Sibling sibling{form, "", {}};
  sibling.form.operands.erase(sibling.form.operands.begin() + static_cast<std::ptrdiff_t>(position));
  return sibling;
}

/// Pre- and post-index: the plain access and an update of the base, a uop where memory.writeback_ports names its ports.
bool add_write_back(const DeriveContext& context, FormEntry& entry) {
  const PipelineParameters& pipeline = context.machine.pipeline();
  if (pipeline.memory.writeback_ports) {
    const auto uses =
        parse_port_usage(*pipeline.memory.writeback_ports, context.machine.port_names(), "address_update.ports");
    for (const PortUse& use : uses) {
      entry.ports.push_back(use);
      if (!entry.uops) continue;
      entry.uops->fused += use.count;
      entry.uops->unfused += use.count;
      entry.uops->retired += use.count;
    }
  }
  entry.latency.push_back({operand_id::address, operand_id::address, pipeline.memory.writeback_latency_cycles});
  return true;
}

void write_back(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    const std::string& operand = form.operands[i];
    if (!is_memory(operand)) continue;
    if (operand.ends_with("!")) {
      add_with_operand(out, form, i, operand.substr(0, operand.size() - 1));
    } else if (i + 1 < form.operands.size() && (is_immediate(form.operands[i + 1]) || form.operands[i + 1] == "x")) {
      out.push_back(without_operand(form, i + 1));
    } else {
      continue;
    }
    out.back().note = ", plus the update of the base";
    out.back().adapt = add_write_back;
  }
}

void addressing_mode(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    const std::string& operand = form.operands[i];
    if (operand == "rel" || operand == "label") { // a literal is loaded from an address known early
      if (form.mnemonic.starts_with("ldr")) add_with_operand(out, form, i, "[x]");
      continue;
    }
    if (!is_memory(operand) || operand.ends_with("!") || operand.find("z.") != std::string::npos) continue;
    static constexpr std::string_view indexed[] = {
        "[x, x]",         "[x, x, lsl #3]",  "[x, x, lsl #2]",  "[x, x, lsl #i]", "[x, x, lsl #4]",
        "[x, x, lsl #1]", "[x, w, uxtw #i]", "[x, w, sxtw #i]", "[x, w, sxtw]",   "[x, w, uxtw]"};
    static constexpr std::string_view plain[] = {"[x]", "[x, #i]", "[x, #i, mul vl]"};
    const bool has_index = operand.starts_with("[x, x") || operand.starts_with("[x, w");
    if (has_index)
      for (const std::string_view other : indexed)
        if (other != operand) add_with_operand(out, form, i, std::string(other));
    for (const std::string_view other : plain)
      if (other != operand) add_with_operand(out, form, i, std::string(other));
  }
}

/// add x, x, x, lsl #2: other amounts, other kinds of shift, and last the plain form, whose cost leaves the shift out.
void shifted_operand(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  if (form.operands.size() < 2 || !is_shift(form.operands.back())) return;
  const std::size_t last = form.operands.size() - 1;
  static constexpr std::string_view shifts_and_extensions[] = {"lsl #i", "lsr #i",  "asr #i",  "ror #i",   "uxtw",
                                                               "sxtw",   "uxtw #i", "sxtw #i", "lsl #1..4"};
  for (const std::string_view other : shifts_and_extensions)
    if (other != form.operands[last]) add_with_operand(out, form, last, std::string(other));
  out.push_back(without_operand(form, last));
  out.back().note = ", the shift left out";
  if (last >= 1 && form.operands[last - 1] == "w" && form.operands[0] == "x") out.back().form.operands[last - 1] = "x";
}

/// add x, x, #i <- add x, x, x: an immediate stands in a register's place.
void immediate_operand(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  for (std::size_t i = 1; i < form.operands.size(); ++i) {
    const std::string& operand = form.operands[i];
    if (!is_immediate(operand)) continue;
    if (is_memory(form.operands[i - 1])) continue; // post-index
    if (operand != "#i") add_with_operand(out, form, i, "#i");
    if (i >= 2 && !is_immediate(form.operands[i - 1])) add_with_operand(out, form, i, form.operands[i - 1]);
    if (form.mnemonic.starts_with("fcm") || form.mnemonic.starts_with("cm")) // compare with zero
      add_with_operand(out, form, i, form.operands[i - 1]);
  }
  for (std::size_t i = 2; i < form.operands.size(); ++i)
    if (form.operands[i] == form.operands[i - 1] && (form.operands[i] == "x" || form.operands[i] == "w"))
      add_with_operand(out, form, i, "#i");
}

void register_width(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  if (is_slow(form.mnemonic)) return;
  const auto swap = [&](std::string_view from, std::string_view to) {
    Sibling sibling{form, "", {}};
    bool changed = false;
    for (std::string& operand : sibling.form.operands)
      if (operand == from) {
        operand = to;
        changed = true;
      }
    if (changed) out.push_back(std::move(sibling));
  };
  swap("x", "w");
  swap("w", "x");
}

// --- arrangements ---------------------------------------------------------------------------------------------------

constexpr std::array<std::string_view, 4> full{".16b", ".8h", ".4s", ".2d"};
constexpr std::array<std::string_view, 4> half{".8b", ".4h", ".2s", ".1d"};
constexpr std::array<std::string_view, 4> elements{".b", ".h", ".s", ".d"};
constexpr std::string_view scalars = "bhsd";

/// Replaces every arrangement in `text` by the one `steps` element widths up; false where one has no such neighbour.
bool step_arrangements(std::string& text, int steps, bool& changed) {
  for (std::size_t at = text.find('.'); at != std::string::npos; at = text.find('.', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || (text[end] >= 'a' && text[end] <= 'z')))
      ++end;
    const std::string_view arrangement = std::string_view(text).substr(at, end - at);
    for (const auto& group : {full, half, elements}) {
      const auto found = std::find(group.begin(), group.end(), arrangement);
      if (found == group.end()) continue;
      const int wanted = static_cast<int>(found - group.begin()) + steps;
      if (wanted < 0 || wanted > 3) return false;
      text.replace(at, end - at, group[static_cast<std::size_t>(wanted)]);
      changed = true;
      break;
    }
  }
  return true;
}

void element_arrangement(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  for (const int steps : {1, -1, 2, -2, 3, -3}) {
    Sibling sibling{form, "", {}};
    bool changed = false;
    bool possible = true;
    for (std::string& operand : sibling.form.operands) {
      if (is_memory(operand) && operand.find("z.") == std::string::npos) continue;
      possible = possible && step_arrangements(operand, steps, changed);
    }
    if (possible && changed) out.push_back(std::move(sibling));
  }
}

/// Half-width vectors from full-width ones and the other way round.
void vector_width(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  if (is_slow(form.mnemonic)) return;
  const auto swap = [&](const auto& from, const auto& to) {
    Sibling sibling{form, "", {}};
    bool changed = false;
    for (std::string& operand : sibling.form.operands)
      for (std::size_t i = 0; i < from.size(); ++i)
        if (operand.starts_with("v.") && std::string_view(operand).substr(1) == from[i]) {
          operand = "v" + std::string(to[i]);
          changed = true;
          break;
        }
    if (changed) out.push_back(std::move(sibling));
  };
  swap(half, full);
  swap(full, half);
}

/// Scalars of other widths: fadd s, s, s from fadd d, d, d.
void scalar_width(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  if (is_slow(form.mnemonic)) return;
  for (const char from : scalars)
    for (const char to : {'d', 's', 'q', 'h'}) {
      if (from == to) continue;
      Sibling sibling{form, "", {}};
      bool changed = false;
      for (std::string& operand : sibling.form.operands)
        if (operand.size() == 1 && operand[0] == from) {
          operand[0] = to;
          changed = true;
        }
      if (changed) out.push_back(std::move(sibling));
    }
}

/// fmla v.4s, v.4s, v.s[i] from fmla v.4s, v.4s, v.4s.
void by_element(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  if (form.operands.size() < 2) return;
  for (std::size_t i = 1; i < form.operands.size(); ++i)
    if (form.operands[i].ends_with("[i]") && !is_memory(form.operands[i]))
      add_with_operand(out, form, i, form.operands[i - 1]);
}

/// Zeroing and merging predicates, and unpredicated SVE from predicated.
void predication(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    if (form.operands[i] == "p/m") add_with_operand(out, form, i, "p/z");
    if (form.operands[i] == "p/z") add_with_operand(out, form, i, "p/m");
    if (form.operands[i] == "p/m" || form.operands[i] == "p/z") add_with_operand(out, form, i, "p");
  }
}

void related_mnemonic(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  add_family(out, form, families);
}

/// sshll2, xtn2, smull2: the upper half of a register costs what the lower half costs.
void upper_half(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  if (form.mnemonic.size() < 4 || !form.mnemonic.ends_with("2") || form.operands.empty()) return;
  Sibling sibling{form, "", {}};
  sibling.form.mnemonic.pop_back();
  for (std::string& operand : sibling.form.operands)
    for (std::size_t i = 0; i < full.size(); ++i)
      if (operand == "v" + std::string(full[i]) && &operand != &sibling.form.operands.front()) {
        operand = "v" + std::string(half[i]);
        break;
      }
  out.push_back(std::move(sibling));
}

constexpr DeriveRule rules[] = {write_back,          addressing_mode,   register_width,  by_element,
                                element_arrangement, vector_width,      scalar_width,    predication,
                                upper_half,          immediate_operand, shifted_operand, related_mnemonic};

} // namespace

std::span<const DeriveRule> aarch64_rules() {
  return rules;
}

} // namespace corecast
