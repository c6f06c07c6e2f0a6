// Form keys of AArch64, from the canonical text.
#include "aarch64_text.hpp"
#include "describe.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace corecast {
namespace {

template <std::size_t N> bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 13> shift_words{"lsl",  "lsr",  "asr",  "ror",  "msl",  "uxtb", "uxth",
                                                       "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx"};

constexpr std::array<std::string_view, 18> condition_codes{"eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl", "vs",
                                                           "vc", "hi", "ls", "ge", "gt", "le", "lt", "al", "nv"};

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

/// One operand of the canonical text as part of a key.
std::string operand_key(std::string_view mnemonic, std::string_view text, std::size_t position) {
  if (contains(condition_codes, text)) return "cond";
  if (text == "\"\"") // the nameless constant of "ldr x0, =value"
    return "rel";
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
    if ((c == ':' && i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i + 1])) != 0) ||
        c == '.') { // :lo12:symbol, local labels
      // Low address parts in additions and moves are immediates; whole addresses are distances.
      const bool immediate = !mnemonic.starts_with("adr") && !mnemonic.starts_with("ld") && c == ':';
      key += memory || !key.empty() || immediate ? "#i" : "rel";
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
      } else if (is_shift_word(word)) {
        key += word;
        previous_word = word;
      } else if (word == "mul") {
        key += word;
        previous_word = memory ? "mul" : "";
      } else if (word == "vl" && memory) {
        key += word;
      } else if (takes_pattern(mnemonic) && key.empty()) {
        key += "pattern";
      } else if (mnemonic.starts_with("prf") && key.empty() && position == 0) {
        key += "prfop";
      } else if (mnemonic == "b" || mnemonic.starts_with("b.") || mnemonic == "bl" || mnemonic.starts_with("cb") ||
                 mnemonic.starts_with("tb") || mnemonic.starts_with("adr")) {
        return "rel";
      } else if (word == "za") {
        key += word;
      } else if (memory ||
                 (is_memory_mnemonic(mnemonic) && (mnemonic.starts_with("ld") || mnemonic.starts_with("prf")))) {
        key += memory ? "#i" : "rel";
        if (!memory) return key;
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

} // namespace

bool is_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

bool is_memory_mnemonic(std::string_view mnemonic) {
  constexpr std::array<std::string_view, 12> stems{"ld",  "st",  "cas", "swp", "prf",  "cpy",
                                                   "set", "rcw", "dc",  "ic",  "mops", "sys"};
  return std::any_of(stems.begin(), stems.end(), [&](std::string_view stem) { return mnemonic.starts_with(stem); });
}

bool is_shift_word(std::string_view word) {
  return contains(shift_words, word);
}

bool read_register(std::string_view word, RegisterWord& out) {
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

std::string aarch64_form(const PrintedInstruction& printed) {
  std::string mnemonic = printed.mnemonic;
  if (mnemonic.starts_with("b.") || mnemonic.starts_with("bc."))
    mnemonic = mnemonic.substr(0, mnemonic.find('.')) + ".cond";
  // Decoded code shows distances as numbers where text shows labels.
  const bool relative = mnemonic == "b" || mnemonic == "bl" || mnemonic.ends_with(".cond") ||
                        mnemonic.starts_with("cb") || mnemonic.starts_with("tb") || mnemonic.starts_with("adr") ||
                        (mnemonic.starts_with("ldr") && printed.operands.size() == 2) ||
                        (mnemonic.starts_with("prfm") && printed.operands.size() == 2);
  std::string form = mnemonic;
  for (std::size_t i = 0; i < printed.operands.size(); ++i) {
    std::string key = operand_key(printed.mnemonic, printed.operands[i], i);
    if (relative && i + 1 == printed.operands.size() && key == "#i") key = "rel";
    form += (i == 0 ? " " : ", ") + key;
  }
  return form;
}

} // namespace corecast
