// AArch64: form keys from the canonical text, memory operands with width and write-back.
#include "describe.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace corecast {
namespace {

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

constexpr std::array<std::string_view, 18> condition_codes{"eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl", "vs",
                                                           "vc", "hi", "ls", "ge", "gt", "le", "lt", "al", "nv"};
constexpr std::array<std::string_view, 13> shift_words{"lsl",  "lsr",  "asr",  "ror",  "msl",  "uxtb", "uxth",
                                                       "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx"};

template <std::size_t N> bool contains(const std::array<std::string_view, N> &words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct RegisterWord {
  std::string key;      // "x", "v.2d", "p/z", "d"
  std::string lookup;   // "x3", "v3", "z3": name without arrangement
  bool zero = false;
};

/// Reads "x3", "wzr", "sp", "v12.4s", "z3.d", "p0/m", "p1.b", "pn8", "d7".
bool read_register(std::string_view word, RegisterWord &out) {
  std::string_view suffix;
  const std::size_t cut = word.find_first_of("./");
  std::string_view name = word;
  if (cut != std::string_view::npos) {
    suffix = word.substr(cut);
    name = word.substr(0, cut);
  }
  if (name == "sp" || name == "wsp") {
    out = {name == "sp" ? "x" : "w", "sp", false};
    return true;
  }
  if (name == "xzr" || name == "wzr") {
    out = {std::string(name.substr(0, 1)), "", true};
    return true;
  }
  std::size_t letters = 0;
  while (letters < name.size() && std::isalpha(static_cast<unsigned char>(name[letters])) != 0)
    ++letters;
  const std::string_view prefix = name.substr(0, letters);
  const std::string_view digits = name.substr(letters);
  constexpr std::array<std::string_view, 11> prefixes{"x", "w", "v", "z", "q", "d", "s", "h", "b", "p", "pn"};
  if (digits.empty() || digits.size() > 2 || !contains(prefixes, prefix) ||
      digits.find_first_not_of("0123456789") != std::string_view::npos)
    return false;
  out.key = std::string(prefix) + std::string(suffix);
  out.lookup = prefix == "pn" ? "p" + std::string(digits) : std::string(name);
  out.zero = false;
  return true;
}

/// "s3_0_c1_c2_3", "c7": system registers and operations that have no name.
bool is_generic_system_name(std::string_view word) {
  if (word.size() < 2 || (word[0] != 's' && word[0] != 'c' && word[0] != 'S' && word[0] != 'C') ||
      std::isdigit(static_cast<unsigned char>(word[1])) == 0)
    return false;
  return word[0] == 'c' || word[0] == 'C' || word.find('_') != std::string_view::npos;
}

bool takes_pattern(std::string_view mnemonic) {
  return mnemonic.starts_with("ptrue") || mnemonic.starts_with("cnt") || mnemonic.starts_with("inc") ||
         mnemonic.starts_with("dec") || mnemonic.find("qinc") != std::string_view::npos ||
         mnemonic.find("qdec") != std::string_view::npos;
}

bool is_memory_mnemonic(std::string_view mnemonic) {
  constexpr std::array<std::string_view, 12> stems{"ld", "st", "cas", "swp", "prf", "cpy", "set", "rcw", "dc", "ic", "mops", "sys"};
  return std::any_of(stems.begin(), stems.end(), [&](std::string_view stem) { return mnemonic.starts_with(stem); });
}

/// One operand of the canonical text as part of a key.
std::string operand_key(std::string_view mnemonic, std::string_view text) {
  if (contains(condition_codes, text))
    return "cond";
  const bool memory = text.front() == '[';
  std::string key;
  std::size_t i = 0;
  std::string previous_word; // shift or extend keyword before an amount
  while (i < text.size()) {
    const char c = text[i];
    if (c == '#' || ((c == '-' || std::isdigit(static_cast<unsigned char>(c)) != 0) && key.empty())) {
      std::size_t end = i + 1;
      while (end < text.size() && (is_word_char(text[end]) || text[end] == '-' || text[end] == '+'))
        ++end;
      const std::string_view amount = text.substr(i, end - i);
      std::int64_t value = 0;
      const bool number = parse_integer(amount, value);
      if (memory && !previous_word.empty())
        key += amount; // address scaling decides the addressing mode
      else if (previous_word == "lsl" && number && value >= 1 && value <= 4)
        key += "#1..4"; // small left shifts are free or cheaper on several cores
      else
        key += "#i";
      i = end;
      previous_word.clear();
      continue;
    }
    if ((c == ':' && i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i + 1])) != 0) || c == '.') { // :lo12:symbol, local labels
      key += memory || !key.empty() ? "#i" : "rel";
      if (memory) {
        const std::size_t close = text.find(']', i);
        i = close == std::string_view::npos ? text.size() : close;
        continue;
      }
      return key;
    }
    if (is_word_char(c)) {
      std::size_t end = i;
      while (end < text.size() && (is_word_char(text[end]) || (text[end] == '/' && end + 1 < text.size())))
        ++end;
      const std::string_view word = text.substr(i, end - i);
      RegisterWord reg;
      if (word.find_first_not_of("0123456789") == std::string_view::npos) {
        key += "i"; // lane, slice
      } else if (is_generic_system_name(word)) {
        key += word.front() == 'c' ? "c" : "sysreg";
      } else if (word.starts_with("za") && word.size() > 2) {
        key += "za"; // tiles are alike
        key += word.substr(word.find_first_not_of("za0123456789hv") == std::string_view::npos
                               ? word.size()
                               : word.find_first_not_of("za0123456789hv"));
      } else if (read_register(word, reg)) {
        key += reg.key;
        if (end < text.size() && text[end] == '[') { // lane: v0.d[1]
          const std::size_t close = text.find(']', end);
          key += "[i]";
          end = close == std::string_view::npos ? text.size() : close + 1;
        }
        previous_word.clear();
      } else if (contains(shift_words, word)) {
        key += word;
        previous_word = word;
      } else if (word == "mul") {
        key += word;
        previous_word = memory ? "mul" : "";
      } else if (word == "vl" && memory) {
        key += word;
      } else if (takes_pattern(mnemonic) && key.empty()) {
        key += "pattern";
      } else if (mnemonic.starts_with("prf") && key.empty()) {
        key += "prfop";
      } else if (mnemonic == "b" || mnemonic.starts_with("b.") || mnemonic == "bl" || mnemonic.starts_with("cb") ||
                 mnemonic.starts_with("tb") || mnemonic.starts_with("adr")) {
        return "rel";
      } else if (memory || (is_memory_mnemonic(mnemonic) && mnemonic.starts_with("ld"))) {
        key += memory ? "#i" : "rel";
        if (!memory)
          return key;
      } else {
        for (char letter : word) // system registers and options: NZCV
          key += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
      }
      i = end;
      continue;
    }
    key += c;
    ++i;
  }
  // Lists: blanks out, one-element lists lose their braces.
  if (!key.empty() && key.front() == '{') {
    std::string packed;
    const std::size_t close = key.find('}');
    std::string_view inside = trim(std::string_view(key).substr(1, close - 1));
    const std::string tail = key.find('[', close) == std::string::npos ? key.substr(close + 1) : "[i]";
    packed = inside.find(',') == std::string_view::npos && inside.find('-') == std::string_view::npos
                 ? std::string(inside)
                 : "{" + std::string(inside) + "}";
    return packed + tail;
  }
  return key;
}

/// Bytes that one access of a load or store moves; 0 where the vector length decides.
std::uint32_t access_width(std::string_view mnemonic, const std::vector<std::string> &operands, std::size_t memory_at) {
  auto register_bytes = [](std::string_view word) -> std::uint32_t {
    if (word.starts_with('{'))
      word = trim(word.substr(1));
    if (word.empty())
      return 0;
    switch (word.front()) {
    case 'b': return 1;
    case 'h': return 2;
    case 's': return word.starts_with("sp") ? 8 : 4;
    case 'w': return 4;
    case 'd': case 'x': return 8;
    case 'q': return 16;
    case 'v': {
      const std::size_t dot = word.find('.');
      if (dot == std::string_view::npos)
        return 16;
      const std::string_view arrangement = word.substr(dot + 1, word.find_first_of("[,} ", dot) - dot - 1);
      if (arrangement == "8b" || arrangement == "4h" || arrangement == "2s" || arrangement == "1d")
        return 8;
      if (arrangement == "b") return 1;
      if (arrangement == "h") return 2;
      if (arrangement == "s") return 4;
      if (arrangement == "d") return 8;
      return 16;
    }
    default: return 0;
    }
  };
  if (mnemonic == "dc")
    return 64;
  if (operands.empty() || memory_at == 0)
    return 0;
  const std::string_view first = operands[mnemonic.starts_with("st") && mnemonic.find("xr") != std::string_view::npos &&
                                                  operands.size() > 2
                                              ? 1
                                              : 0]; // stxr w, x, [x]: status first
  if (first.find("z") == 0 || first.starts_with("{ z") || first.starts_with("{z") || first.starts_with("p"))
    return 0;
  const bool vector = first.starts_with('{') || first.starts_with('v');
  if (!vector) {
    if (mnemonic.ends_with("sw") || mnemonic.ends_with("psw"))
      return mnemonic.starts_with("ldp") ? 8 : 4;
    if (mnemonic.starts_with("ld") || mnemonic.starts_with("st") || mnemonic.starts_with("cas") || mnemonic.starts_with("swp")) {
      if (mnemonic.ends_with("b") && first.front() != 'b' && !mnemonic.ends_with("lb"))
        return 1;
      if (mnemonic.ends_with("h") && first.front() != 'h')
        return 2;
      if (mnemonic == "ldarb" || mnemonic == "stlrb" || mnemonic == "ldaprb")
        return 1;
    }
  }
  std::uint32_t count = 1;
  if (mnemonic.starts_with("ldp") || mnemonic.starts_with("stp") || mnemonic.starts_with("ldnp") ||
      mnemonic.starts_with("stnp") || mnemonic.starts_with("ldxp") || mnemonic.starts_with("stxp"))
    count = 2;
  else if (vector)
    count = static_cast<std::uint32_t>(std::count(first.begin(), first.end(), 'v'));
  if (vector && (mnemonic.ends_with("r")) && mnemonic.size() == 4) // ld1r: one element
  {
    const std::size_t dot = first.find('.');
    const char element = dot == std::string_view::npos ? 'd' : first[first.find_first_of("bhsd", dot)];
    return (element == 'b' ? 1U : element == 'h' ? 2U : element == 's' ? 4U : 8U) * count;
  }
  return register_bytes(first) * count;
}

} // namespace

std::string aarch64_form(const PrintedInstruction &printed) {
  std::string mnemonic = printed.mnemonic;
  if (mnemonic.starts_with("b.") || mnemonic.starts_with("bc."))
    mnemonic = mnemonic.substr(0, mnemonic.find('.')) + ".cond";
  // Decoded code shows distances as numbers where text shows labels.
  const bool relative = mnemonic == "b" || mnemonic == "bl" || mnemonic.ends_with(".cond") || mnemonic.starts_with("cb") ||
                        mnemonic.starts_with("tb") || mnemonic.starts_with("adr") ||
                        (mnemonic.starts_with("ldr") && printed.operands.size() == 2) ||
                        (mnemonic.starts_with("prfm") && printed.operands.size() == 2);
  std::string form = mnemonic;
  for (std::size_t i = 0; i < printed.operands.size(); ++i) {
    std::string key = operand_key(printed.mnemonic, printed.operands[i]);
    if (relative && i + 1 == printed.operands.size() && key == "#i")
      key = "rel";
    form += (i == 0 ? " " : ", ") + key;
  }
  return form;
}

void Describer::describe_aarch64(Instruction &out, const llvm::MCInst &inst, const llvm::MCInstrDesc &desc,
                                 const PrintedInstruction &printed) {
  out.form = aarch64_form(printed);
  out.macro_prefix = printed.mnemonic == "movprfx";
  std::vector<Slot> slots = register_slots(inst, desc);
  const bool memory_mnemonic = is_memory_mnemonic(printed.mnemonic);
  const bool prefetch = printed.mnemonic.starts_with("prf");

  MemoryAccess access;
  bool has_memory = false;
  std::size_t memory_at = 0;
  for (std::size_t position = 0; position < printed.operands.size(); ++position) {
    const std::string &text = printed.operands[position];
    const bool memory = text.front() == '[' || (printed.mnemonic == "dc" && position > 0);
    if (memory) {
      has_memory = true;
      memory_at = position;
      if (text.back() == '!')
        access.write_back = WriteBack::pre;
      else if (position + 1 < printed.operands.size() && memory_mnemonic && !prefetch)
        access.write_back = WriteBack::post;
    }
    unsigned registers_seen = 0;
    Operand list; // every register of one operand
    list.id = static_cast<OperandId>(position + 1);
    std::size_t i = 0;
    std::int64_t number = 0;
    while (i < text.size()) {
      if (!is_word_char(text[i])) {
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < text.size() && (is_word_char(text[end]) || text[end] == '/'))
        ++end;
      const std::string_view word = std::string_view(text).substr(i, end - i);
      const bool amount = i > 0 && text[i - 1] == '#';
      const bool negative = i > 1 && text[i - 1] == '-' && text[i - 2] == '#';
      RegisterWord reg;
      if (!amount && !negative && read_register(word, reg)) {
        ++registers_seen;
        const llvm::MCRegister named = reg.zero ? llvm::MCRegister() : target_.register_named(reg.lookup);
        const RegisterId location = named && !target_.locations(named).empty() ? target_.locations(named).front() : RegisterId{0};
        const bool listed = std::any_of(list.registers.begin(), list.registers.end(),
                                        [&](const RegisterUse &use) { return use.reg == location; });
        Slot *slot = location == 0 || listed ? nullptr : take_slot(slots, location);
        if (slot != nullptr && memory) {
          const bool vector = reg.lookup.front() == 'z' || reg.lookup.front() == 'v';
          Operand operand;
          operand.id = registers_seen == 1 && !vector ? operand_id::address : operand_id::index;
          operand.read = true;
          operand.write = slot->write;
          operand.registers.push_back({location, Part::full, true, slot->write});
          if (operand.id == operand_id::address)
            access.base = location;
          else {
            access.index = location;
            access.vector_index = vector;
          }
          out.operands.push_back(std::move(operand));
        } else if (slot != nullptr) {
          for (RegisterId each : target_.locations(slot->reg))
            list.registers.push_back({each, Part::full, slot->read, slot->write});
          list.read |= slot->read;
          list.write |= slot->write;
        }
      } else if (memory && (amount || negative)) {
        if (parse_integer(word, number)) {
          const bool scales = text.rfind("lsl #", i) != std::string::npos || text.rfind("xtw #", i) != std::string::npos ||
                              text.rfind("sxtx #", i) != std::string::npos;
          if (scales)
            access.scale = static_cast<std::uint8_t>(1U << std::min<std::int64_t>(number, 7));
          else
            access.displacement = negative ? -number : number;
        }
      } else if (memory && registers_seen > 0 && !contains(shift_words, word) && word != "mul" && word != "vl") {
        access.symbol = text.substr(i, text.find(']', i) - i);
        break;
      }
      i = end;
    }
    if (!list.registers.empty()) {
      if (!memory && position > memory_at && has_memory && access.write_back == WriteBack::post) {
        list.id = operand_id::index; // register post-index
      }
      out.operands.push_back(std::move(list));
    } else if (!memory && registers_seen == 0) {
      Operand operand;
      operand.id = static_cast<OperandId>(position + 1);
      operand.kind = out.branch != Branch::none ? OperandKind::label : OperandKind::imm;
      out.operands.push_back(std::move(operand));
    }
  }
  if (has_memory && access.write_back == WriteBack::post && memory_at + 1 < printed.operands.size())
    access.displacement = 0;
  if (has_memory && !prefetch && (desc.mayLoad() || desc.mayStore() || printed.mnemonic == "dc")) {
    access.read = desc.mayLoad() && printed.mnemonic != "dc";
    access.write = desc.mayStore() || printed.mnemonic == "dc";
    if (printed.mnemonic.starts_with("st") && !printed.mnemonic.starts_with("stx") && !printed.mnemonic.starts_with("stlx"))
      access.read = false; // ordered stores are listed as both
    if (printed.mnemonic.starts_with("ld") && !printed.mnemonic.starts_with("ldadd") && !printed.mnemonic.starts_with("ldclr") &&
        !printed.mnemonic.starts_with("ldset") && !printed.mnemonic.starts_with("ldeor") && !printed.mnemonic.starts_with("ldsmax") &&
        !printed.mnemonic.starts_with("ldsmin") && !printed.mnemonic.starts_with("ldumax") && !printed.mnemonic.starts_with("ldumin"))
      access.write = false; // acquire and exclusive loads are listed as both
    access.width_bytes = access_width(printed.mnemonic, printed.operands, memory_at);
    Operand operand;
    operand.id = operand_id::memory;
    operand.kind = OperandKind::mem;
    operand.read = access.read;
    operand.write = access.write;
    out.operands.push_back(std::move(operand));
    out.memory.push_back(access);
  }
  // What the text does not show (nzcv, lr, ffr, untied definitions).
  for (const Slot &slot : slots)
    if (!slot.used && !has_memory)
      add_register_operand(out, static_cast<OperandId>(operand_id::implicit_register + target_.locations(slot.reg).front()), slot,
                           true);
  add_implicit_registers(out, desc);
  if (printed.mnemonic == "mrs" || printed.mnemonic == "msr") {
    // LLVM lists the flags with every read of a system register; only these touch them.
    const std::string &system_register = printed.operands[printed.mnemonic == "mrs" ? 1 : 0];
    const bool flags = system_register == "NZCV" || system_register == "nzcv";
    out.operands.erase(std::remove_if(out.operands.begin(), out.operands.end(),
                                      [](const Operand &o) { return o.id == operand_id::flags; }),
                       out.operands.end());
    if (flags) {
      const bool reads = printed.mnemonic == "mrs";
      Operand operand;
      operand.id = operand_id::flags;
      operand.implicit = true;
      operand.read = reads;
      operand.write = !reads;
      operand.registers.push_back({target_.location_named("nzcv"), Part::full, reads, !reads});
      out.operands.push_back(std::move(operand));
    }
  }
}

} // namespace corecast
