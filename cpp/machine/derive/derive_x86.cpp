// Related forms of x86: how an unmeasured form follows from a measured one.
#include "cpp/machine/derive/derive.hpp"
#include "cpp/machine/machine.hpp"

#include <algorithm>
#include <array>

namespace corecast {
namespace {

using Words = std::span<const std::string_view>;

// --- operands -------------------------------------------------------------------------------------------------------

std::string_view undecorated(std::string_view operand) {
  return operand.substr(0, operand.find('{'));
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_memory(std::string_view operand) {
  return operand == "m" || (operand.size() > 1 && operand[0] == 'm' && is_digit(operand[1]));
}

bool is_vector(std::string_view operand) {
  const std::string_view base = undecorated(operand);
  return base == "xmm" || base == "ymm" || base == "zmm" || base == "mm";
}

bool is_immediate(std::string_view operand) {
  return operand.size() > 1 && operand[0] == 'i' && is_digit(operand[1]);
}

bool has_vector(const FormText& form) {
  return std::any_of(form.operands.begin(), form.operands.end(),
                     [](const std::string& operand) { return is_vector(operand); });
}

bool any_operand(const FormText& form, bool (*test)(std::string_view)) {
  return std::any_of(form.operands.begin(), form.operands.end(), [&](const std::string& text) { return test(text); });
}

bool starts_with_any(std::string_view text, Words prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

void add_mnemonic(std::vector<Sibling>& out, const FormText& form, std::string mnemonic) {
  Sibling sibling{form, "", {}};
  sibling.form.mnemonic = std::move(mnemonic);
  out.push_back(std::move(sibling));
}

// --- names ----------------------------------------------------------------------------------------------------------

// Mnemonics that differ only in how the result is chosen or interpreted, one row per kind of work.
constexpr std::string_view add_sub[] = {"add", "sub"};
constexpr std::string_view logic[] = {"and", "or", "xor"};
constexpr std::string_view compare[] = {"cmp", "sub"};
constexpr std::string_view test_and[] = {"test", "and"};
constexpr std::string_view carry[] = {"adc", "sbb"};
constexpr std::string_view step[] = {"inc", "dec"};
constexpr std::string_view shifts[] = {"shl", "shr", "sar", "sal"};
constexpr std::string_view rotates[] = {"rol", "ror"};
constexpr std::string_view carry_rotates[] = {"rcl", "rcr"};
constexpr std::string_view bit_set[] = {"btc", "btr", "bts"};
constexpr std::string_view bit_scan[] = {"bsf", "bsr"};
constexpr std::string_view count[] = {"tzcnt", "lzcnt"};
constexpr std::string_view bmi_shift[] = {"shlx", "shrx", "sarx"};
constexpr std::string_view bls[] = {"blsi", "blsr", "blsmsk"};
constexpr std::string_view extend[] = {"movzx", "movsx", "movsxd"};
constexpr std::string_view prefetches[] = {"prefetcht0", "prefetcht1", "prefetcht2", "prefetchnta", "prefetchw"};
constexpr std::string_view moves[] = {"movaps", "movups", "movapd", "movupd", "movdqa", "movdqu", "lddqu"};
constexpr std::string_view vex_moves[] = {"vmovaps",   "vmovups",   "vmovapd",   "vmovupd",  "vmovdqa",
                                          "vmovdqu",   "vmovdqa32", "vmovdqa64", "vmovdqu8", "vmovdqu16",
                                          "vmovdqu32", "vmovdqu64", "vlddqu"};
constexpr std::string_view streaming[] = {"movntps", "movntpd", "movntdq"};
constexpr std::string_view vex_streaming[] = {"vmovntps", "vmovntpd", "vmovntdq"};
constexpr std::string_view vector_and[] = {"vpand", "vpandd", "vpandq", "vpandn", "vpandnd", "vpandnq"};
constexpr std::string_view vector_or[] = {"vpor", "vpord", "vporq", "vpxor", "vpxord", "vpxorq"};
constexpr std::string_view fp_logic[] = {"vandps", "vandpd", "vandnps", "vandnpd",
                                         "vorps",  "vorpd",  "vxorps",  "vxorpd"};
constexpr std::string_view sse_fp_logic[] = {"andps", "andpd", "andnps", "andnpd", "orps", "orpd", "xorps", "xorpd"};
constexpr std::string_view extract128[] = {"vextracti128",  "vextractf128",  "vextracti32x4",
                                           "vextractf32x4", "vextracti64x2", "vextractf64x2"};
constexpr std::string_view extract256[] = {"vextracti32x8", "vextractf32x8", "vextracti64x4", "vextractf64x4"};
constexpr std::string_view insert128[] = {"vinserti128",  "vinsertf128",  "vinserti32x4",
                                          "vinsertf32x4", "vinserti64x2", "vinsertf64x2"};
constexpr std::string_view insert256[] = {"vinserti32x8", "vinsertf32x8", "vinserti64x4", "vinsertf64x4"};
constexpr std::string_view broadcast128[] = {"vbroadcasti128",  "vbroadcastf128",  "vbroadcasti32x4",
                                             "vbroadcastf32x4", "vbroadcasti64x2", "vbroadcastf64x2"};
constexpr std::string_view ternary[] = {"vpternlogd", "vpternlogq"};
constexpr std::string_view plain_jumps[] = {"jne", "je", "jl",  "jge", "jle", "jg", "js",
                                            "jns", "jo", "jno", "jp",  "jnp", "jb", "jae"};
constexpr std::string_view combined_jumps[] = {"jbe", "ja", "jne"};
constexpr std::string_view plain_sets[] = {"setne", "sete", "setl",  "setge", "setle", "setg", "sets",
                                           "setns", "seto", "setno", "setp",  "setnp", "setb", "setae"};
constexpr std::string_view combined_sets[] = {"setbe", "seta"};
constexpr std::string_view plain_cmovs[] = {"cmovne", "cmove", "cmovl",  "cmovge", "cmovle", "cmovg", "cmovs",
                                            "cmovns", "cmovo", "cmovno", "cmovp",  "cmovnp", "cmovb", "cmovae"};
constexpr std::string_view combined_cmovs[] = {"cmovbe", "cmova"};
constexpr std::string_view unusual_jumps[] = {"jrcxz", "jecxz"};
constexpr std::string_view nops[] = {"nop", "endbr64", "endbr32"};

constexpr Words families[] = {
    add_sub,       logic,         compare,     test_and,       carry,         step,      shifts,      rotates,
    carry_rotates, bit_set,       bit_scan,    count,          bmi_shift,     bls,       extend,      prefetches,
    moves,         vex_moves,     streaming,   vex_streaming,  vector_and,    vector_or, fp_logic,    sse_fp_logic,
    extract128,    extract256,    insert128,   insert256,      broadcast128,  ternary,   plain_jumps, combined_jumps,
    plain_sets,    combined_sets, plain_cmovs, combined_cmovs, unusual_jumps, nops,
};

constexpr std::string_view gpr_moves[] = {"mov", "movzx", "movsx", "movsxd", "movbe"};

bool is_move(const std::string& mnemonic) {
  const auto in = [&](Words words) { return std::find(words.begin(), words.end(), mnemonic) != words.end(); };
  // Half-register loads (movhps and kin) merge, which is a separate operation.
  static constexpr std::string_view other[] = {
      "movd",     "movq",      "vmovd",  "vmovq",        "movss",        "movsd",        "vmovss",      "vmovsd",
      "movntdqa", "vmovntdqa", "movnti", "vbroadcastss", "vbroadcastsd", "vpbroadcastd", "vpbroadcastq"};
  return in(gpr_moves) || in(moves) || in(vex_moves) || in(streaming) || in(vex_streaming) || in(broadcast128) ||
         in(other);
}

// Operand values decide what these cost: another width is not a stand-in.
bool width_matters(const std::string& mnemonic) {
  static constexpr std::string_view exceptions[] = {"div", "idiv", "mul", "imul", "bswap", "xchg", "cmpxchg"};
  return std::find(std::begin(exceptions), std::end(exceptions), mnemonic) != std::end(exceptions);
}

bool slow_arithmetic(const std::string& mnemonic) {
  return mnemonic.find("div") != std::string::npos || mnemonic.find("sqrt") != std::string::npos;
}

// --- rules ----------------------------------------------------------------------------------------------------------

void related_mnemonic(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  add_family(out, form, families);
}

/// add rax, i32 <-> add r64, i32: the short encodings of the accumulator.
void accumulator(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> names{
      {{"rax", "r64"}, {"eax", "r32"}, {"ax", "r16"}, {"al", "r8"}, {"st0", "st"}}};
  for (std::size_t i = 0; i < form.operands.size(); ++i)
    for (const auto& [literal, general] : names)
      if (form.operands[i] == literal) add_with_operand(out, form, i, std::string(general));
}

void immediate_width(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    if (form.operands[i] == "1") add_with_operand(out, form, i, "i8"); // shl r64, 1
    if (!is_immediate(form.operands[i])) continue;
    for (const char* other : {"i8", "i32", "i16", "i64"})
      if (form.operands[i] != other) add_with_operand(out, form, i, other);
  }
}

/// vaddpd zmm{k}{z}, ... -> vaddpd zmm, ...: the mask is one more input of a result that costs the same.
void unmasked(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  if (form.operands.empty()) return;
  const std::string& first = form.operands[0];
  const std::size_t brace = first.find('{');
  if (brace == std::string::npos) return;
  const std::string decoration = first.substr(brace);
  if (decoration == "{k}{z}") add_with_operand(out, form, 0, first.substr(0, brace) + "{k}");
  const bool merging = decoration == "{k}";
  Sibling sibling{form, ", masked", [merging](const DeriveContext&, FormEntry& entry) {
                    const double cycles = largest_latency(entry, 1).value_or(1);
                    entry.latency.push_back({operand_id::mask, 1, cycles});
                    if (merging) entry.latency.push_back({1, 1, cycles});
                    entry.flags = FormFlags{}; // neither eliminated nor an idiom
                    return true;
                  }};
  sibling.form.operands[0] = first.substr(0, brace);
  out.push_back(std::move(sibling));
}

/// Rounding and exception operands ({sae}, {rn-sae}) cost nothing.
void without_rounding(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  for (std::size_t i = 1; i < form.operands.size(); ++i) {
    if (form.operands[i].front() != '{') continue;
    Sibling sibling{form, "", {}};
    sibling.form.operands.erase(sibling.form.operands.begin() + static_cast<std::ptrdiff_t>(i));
    out.push_back(std::move(sibling));
  }
}

/// A broadcast operand costs what a full memory operand costs (measured on Skylake-X).
void broadcast(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  constexpr std::string_view suffix = "bcst";
  for (std::size_t i = 0; i < form.operands.size(); ++i)
    if (form.operands[i].ends_with(suffix))
      add_with_operand(out, form, i, form.operands[i].substr(0, form.operands[i].size() - suffix.size()));
}

std::vector<std::string> register_for(const FormText& form, const std::string& memory) {
  const std::string width =
      memory.substr(1, memory.find('b') == std::string::npos ? std::string::npos : memory.find('b') - 1);
  if (has_vector(form)) {
    if (width == "512") return {"zmm"};
    if (width == "256") return {"ymm"};
    if (width == "128" || width == "64" || width == "32") {
      if (width != "128") return {"xmm", "r" + width};
      return {"xmm"};
    }
    return {"xmm", "r32"};
  }
  if (any_operand(form, [](std::string_view operand) { return undecorated(operand) == "k"; })) return {"k"};
  return {"r" + width};
}

/// op r, m = op r, r plus a load; op m, r where it writes memory = load, op and store; moves are the access alone.
void memory_operand(const DeriveContext& context, const FormText& form, std::vector<Sibling>& out) {
  if (form.mnemonic.starts_with("lock") || form.mnemonic.starts_with("rep") || form.mnemonic.starts_with("lea")) return;
  if (context.instruction.memory.size() != 1 || context.instruction.memory[0].vector_index) return;
  const MemoryAccess& access = context.instruction.memory[0];
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    if (!is_memory(form.operands[i])) continue;
    const bool vector = has_vector(form);
    const auto position = static_cast<OperandId>(i + 1);
    if (form.operands.size() == 2 && is_move(form.mnemonic) && access.read != access.write) {
      const bool load = access.read;
      out.push_back(
          {FormText{}, load ? "a plain load" : "a plain store", [=](const DeriveContext& in, FormEntry& entry) {
             bool possible = false;
             entry = load ? plain_load(in, vector, 1, possible) : plain_store(in, vector, 2, possible);
             return possible;
           }});
      continue;
    }
    if (!access.read) { // setcc m8, vextracti128 m128, ymm, i8: the operation, then a store
      for (std::string& reg : register_for(form, form.operands[i])) {
        add_with_operand(out, form, i, std::move(reg));
        out.back().note = ", plus a store";
        out.back().adapt = [=](const DeriveContext& in, FormEntry& entry) {
          bool possible = false;
          const FormEntry store = plain_store(in, vector, 1, possible);
          entry.ports.insert(entry.ports.end(), store.ports.begin(), store.ports.end());
          for (LatencyRule& rule : entry.latency)
            if (rule.destination == position) {
              rule.destination = operand_id::memory;
              rule.cycles += in.machine.pipeline().memory.store_latency_cycles;
            }
          if (entry.uops) {
            entry.uops->fused += store.uops->fused;
            entry.uops->unfused += store.uops->unfused;
            entry.uops->retired += store.uops->retired;
          }
          entry.decode.reset();
          entry.flags = FormFlags{};
          return possible;
        };
      }
      continue;
    }
    for (std::string& reg : register_for(form, form.operands[i])) {
      add_with_operand(out, form, i, std::move(reg));
      out.back().note = access.write ? ", plus a load and a store" : ", plus a load";
      out.back().adapt = add_memory_access(position, vector, access.write);
    }
  }
}

/// addps xmm, xmm <-> vaddps xmm, xmm, xmm.
void vex_sibling(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  if (!has_vector(form) || form.operands.empty()) return;
  const bool vex = form.mnemonic.starts_with("v");
  const std::string other = vex ? form.mnemonic.substr(1) : "v" + form.mnemonic;
  if (vex && any_operand(form, [](std::string_view operand) {
        return undecorated(operand) == "ymm" || undecorated(operand) == "zmm";
      }))
    return;
  add_mnemonic(out, form, other); // moves, conversions: the same operands
  // Three operands in VEX, two in SSE: operand 1 of SSE is both 1 and 2 of VEX.
  const auto renumber = [vex](const DeriveContext&, FormEntry& entry) {
    for (LatencyRule& rule : entry.latency) {
      const bool explicit_source = rule.source >= 1 && rule.source < operand_id::memory;
      if (!explicit_source) continue;
      if (vex)
        ++rule.source; // SSE row for a VEX form
      else if (rule.source >= 2)
        --rule.source; // VEX row for an SSE form
    }
    return true;
  };
  Sibling sibling{form, "", renumber};
  sibling.form.mnemonic = other;
  if (vex && form.operands.size() >= 3)
    sibling.form.operands.erase(sibling.form.operands.begin() + 1);
  else if (!vex && form.operands.size() >= 2)
    sibling.form.operands.insert(sibling.form.operands.begin(), form.operands[0]);
  else
    return;
  out.push_back(std::move(sibling));
}

void replace_all(std::vector<Sibling>& out, const FormText& form, std::string_view from, std::string_view to,
                 std::string_view memory_from, std::string_view memory_to) {
  Sibling sibling{form, "", {}};
  bool changed = false;
  for (std::string& operand : sibling.form.operands) {
    const std::string_view base = undecorated(operand);
    if (base == from) {
      operand.replace(0, base.size(), to);
      changed = true;
    } else if (base == memory_from) {
      operand.replace(0, base.size(), memory_to);
      changed = true;
    }
  }
  if (changed) out.push_back(std::move(sibling));
}

void gpr_width(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  if (width_matters(form.mnemonic) || has_vector(form)) return;
  constexpr std::array<std::array<std::string_view, 4>, 8> pairs{{{"r64", "r32", "m64", "m32"},
                                                                  {"r32", "r64", "m32", "m64"},
                                                                  {"r16", "r32", "m16", "m32"},
                                                                  {"r8", "r32", "m8", "m32"},
                                                                  {"r8h", "r8", "", ""},
                                                                  {"r64", "r32", "", ""},
                                                                  {"r32", "r64", "", ""},
                                                                  {"r16", "r32", "", ""}}};
  for (const auto& [from, to, memory_from, memory_to] : pairs)
    replace_all(out, form, from, to, memory_from, memory_to);
}

void vector_width(const DeriveContext& context, const FormText& form, std::vector<Sibling>& out) {
  if (slow_arithmetic(form.mnemonic)) return;
  const PipelineParameters& pipeline = context.machine.pipeline();
  replace_all(out, form, "xmm", "ymm", "m128", "m256");
  if (pipeline.derive_wide_vector) replace_all(out, form, "ymm", "xmm", "m256", "m128");
  if (pipeline.derive_zmm) replace_all(out, form, "zmm", "ymm", "m512", "m256");
}

/// vfmadd132pd, vfmadd213pd, vfmadd231pd and their negated kin; pd and ps; sd and ss.
void arithmetic_kin(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  const std::string& name = form.mnemonic;
  static constexpr std::string_view fma_names[] = {"vfmaddsub", "vfmsubadd", "vfmadd", "vfmsub", "vfnmadd", "vfnmsub"};
  for (const std::string_view prefix : fma_names) {
    if (!name.starts_with(prefix) || name.size() != prefix.size() + 5) continue;
    const std::string order = name.substr(prefix.size(), 3);
    const std::string type = name.substr(prefix.size() + 3);
    for (const char* other : {"213", "231", "132"})
      if (order != other) add_mnemonic(out, form, std::string(prefix) + other + type);
    for (const std::string_view other : {"vfmadd", "vfmsub"})
      if (prefix != other) add_mnemonic(out, form, std::string(other) + order + type);
    break;
  }
  if (slow_arithmetic(name) || !has_vector(form) || name.size() < 4) return;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> types{
      {{"pd", "ps"}, {"ps", "pd"}, {"sd", "ss"}, {"ss", "sd"}}};
  static constexpr std::string_view safe[] = {"add",   "sub",   "mul",  "min", "max",   "fm",
                                              "fnm",   "cmp",   "and",  "or",  "xor",   "mov",
                                              "unpck", "blend", "ucom", "com", "round", "rndscale"};
  const std::string_view stem = name.starts_with("v") ? std::string_view(name).substr(1) : std::string_view(name);
  if (!starts_with_any(stem, safe)) return;
  for (const auto& [from, to] : types)
    if (name.ends_with(from)) add_mnemonic(out, form, name.substr(0, name.size() - 2) + std::string(to));
}

/// paddb, paddw, paddd, paddq and other element widths of the same integer operation (multiplications excepted).
void element_width(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  const std::string& name = form.mnemonic;
  if (!has_vector(form) || name.size() < 5 || name.find("mul") != std::string::npos) return;
  if (!name.starts_with("p") && !name.starts_with("vp")) return;
  constexpr std::string_view letters = "bwdq";
  if (letters.find(name.back()) == std::string_view::npos) return;
  for (const char letter : {'d', 'q', 'w', 'b'})
    if (letter != name.back()) add_mnemonic(out, form, name.substr(0, name.size() - 1) + letter);
}

/// nop m32, nop r32, nop m16: all of them do nothing.
void plain_nop(const DeriveContext&, const FormText& form, std::vector<Sibling>& out) {
  if (form.mnemonic != "nop" || form.operands.empty()) return;
  Sibling sibling{form, "", {}};
  sibling.form.operands.clear();
  out.push_back(std::move(sibling));
}

constexpr DeriveRule rules[] = {accumulator,      immediate_width, plain_nop,   broadcast,   without_rounding,
                                memory_operand,   unmasked,        gpr_width,   vex_sibling, arithmetic_kin,
                                related_mnemonic, element_width,   vector_width};

} // namespace

std::span<const DeriveRule> x86_rules() {
  return rules;
}

} // namespace corecast
