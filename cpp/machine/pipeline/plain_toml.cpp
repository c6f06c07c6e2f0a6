#include "cpp/machine/pipeline/plain_toml.hpp"

#include <algorithm>
#include <charconv>

namespace corecast {
namespace {

using Table = TomlValue::Table;
using Origin = TomlValue::Origin;

constexpr int most_nested = 32;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_bare(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

TomlValue* find(Table& table, std::string_view key) {
  const auto found = std::find_if(table.begin(), table.end(), [key](const auto& entry) { return entry.first == key; });
  return found == table.end() ? nullptr : &found->second;
}

/// Reads from the front of a text; what is not plain makes a function return false, and the rest is not read.
class Reader {
public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool read(Table& root) {
    Table* current = &root;
    while (skip_blank_lines(), !rest_.empty()) {
      if (rest_.front() == '[') {
        current = header(root);
        if (current == nullptr) return false;
      } else if (!assignment(*current, 0)) {
        return false;
      }
      if (!end_of_line()) return false;
    }
    return true;
  }

private:
  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

  void skip_comment() {
    if (!rest_.empty() && rest_.front() == '#') rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
  }

  void skip_blank_lines() {
    do {
      skip_blanks();
      skip_comment();
    } while (take("\n"));
  }

  bool end_of_line() {
    skip_blanks();
    skip_comment();
    return rest_.empty() || take("\n");
  }

  std::string_view bare_key() {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_bare);
    const std::string_view key = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(key.size());
    return key;
  }

  /// `[a.b]` or `[[a.b]]`: the table that the lines behind it fill.
  Table* header(Table& root) {
    const bool several = take("[[");
    if (!several) take("[");
    Table* here = &root;
    for (int depth = 0; depth < most_nested; ++depth) {
      const std::string_view key = bare_key();
      if (key.empty()) return nullptr;
      const bool last = rest_.starts_with(']');
      here = last ? opened(*here, key, several) : passed(*here, key);
      if (here == nullptr) return nullptr;
      if (last) return take(several ? "]]" : "]") ? here : nullptr;
      if (!take(".")) return nullptr;
    }
    return nullptr;
  }

  /// The table that the last part of a header names.
  static Table* opened(Table& table, std::string_view key, bool several) {
    TomlValue* value = find(table, key);
    if (several) {
      if (value == nullptr) value = &table.emplace_back(key, TomlValue{TomlValue::List{}, Origin::headers}).second;
      if (value->origin != Origin::headers) return nullptr;
      TomlValue& added = std::get<TomlValue::List>(value->data).emplace_back(TomlValue{Table{}, Origin::header});
      return &std::get<Table>(added.data);
    }
    if (value == nullptr) value = &table.emplace_back(key, TomlValue{Table{}, Origin::implied}).second;
    if (value->origin != Origin::implied) return nullptr;
    value->origin = Origin::header;
    return &std::get<Table>(value->data);
  }

  /// The table that another part of a header names.
  static Table* passed(Table& table, std::string_view key) {
    TomlValue* value = find(table, key);
    if (value == nullptr) value = &table.emplace_back(key, TomlValue{Table{}, Origin::implied}).second;
    if (value->origin == Origin::headers) value = &std::get<TomlValue::List>(value->data).back();
    return value->origin == Origin::value ? nullptr : &std::get<Table>(value->data);
  }

  bool assignment(Table& table, int depth) {
    const std::string_view key = bare_key();
    skip_blanks();
    if (key.empty() || !take("=") || find(table, key) != nullptr) return false;
    skip_blanks();
    std::optional<TomlValue> read = value(depth);
    if (!read) return false;
    table.emplace_back(key, std::move(*read));
    return true;
  }

  std::optional<TomlValue> value(int depth) {
    if (rest_.empty() || depth > most_nested) return std::nullopt;
    switch (rest_.front()) {
    case '"':
    case '\'':
      return string();
    case '[':
      return list(depth);
    case '{':
      return inline_table(depth);
    case 't':
      return take("true") ? std::optional(TomlValue{true}) : std::nullopt;
    case 'f':
      return take("false") ? std::optional(TomlValue{false}) : std::nullopt;
    default:
      return number();
    }
  }

  std::optional<TomlValue> string() {
    const char quote = rest_.front();
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view content = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    if (content.empty() && rest_.starts_with(quote)) return std::nullopt; // over several lines
    if (content.find('\n') != std::string_view::npos) return std::nullopt;
    if (quote == '"' && content.find('\\') != std::string_view::npos) return std::nullopt;
    return TomlValue{std::string(content)};
  }

  std::optional<TomlValue> list(int depth) {
    TomlValue::List items;
    take("[");
    for (;;) {
      skip_blank_lines();
      if (take("]")) return TomlValue{std::move(items)};
      std::optional<TomlValue> item = value(depth + 1);
      if (!item) return std::nullopt;
      items.push_back(std::move(*item));
      skip_blank_lines();
      if (!take(",") && !rest_.starts_with(']')) return std::nullopt;
    }
  }

  std::optional<TomlValue> inline_table(int depth) {
    Table table;
    take("{");
    skip_blanks();
    if (take("}")) return TomlValue{std::move(table)};
    for (;;) {
      skip_blanks();
      if (!assignment(table, depth + 1)) return std::nullopt;
      skip_blanks();
      if (take("}")) return TomlValue{std::move(table)};
      if (!take(",")) return std::nullopt;
    }
  }

  std::size_t digits_from(std::size_t position) const {
    std::size_t end = position;
    while (end < rest_.size() && is_digit(rest_[end]))
      ++end;
    return end - position;
  }

  std::optional<TomlValue> number() {
    const std::size_t sign = rest_.starts_with('-') || rest_.starts_with('+') ? 1 : 0;
    const std::size_t whole = digits_from(sign);
    if (whole == 0 || (whole > 1 && rest_[sign] == '0')) return std::nullopt;
    std::size_t end = sign + whole;
    bool integer = true;
    if (end < rest_.size() && rest_[end] == '.') {
      const std::size_t decimals = digits_from(end + 1);
      if (decimals == 0) return std::nullopt;
      end += 1 + decimals;
      integer = false;
    }
    // Behind it no exponent, separator, date or letter.
    if (end < rest_.size() && (is_bare(rest_[end]) || rest_[end] == '.' || rest_[end] == ':' || rest_[end] == '+'))
      return std::nullopt;
    const char* const first = rest_.data() + (rest_.front() == '+' ? 1 : 0);
    const char* const last = rest_.data() + end;
    rest_.remove_prefix(end);
    return integer ? parsed<std::int64_t>(first, last) : parsed<double>(first, last);
  }

  template <class Number> static std::optional<TomlValue> parsed(const char* first, const char* last) {
    Number number{};
    const auto [end, error] = std::from_chars(first, last, number);
    if (error != std::errc{} || end != last) return std::nullopt;
    return TomlValue{number};
  }

  std::string_view rest_;
};

/// Control characters are wrong in TOML, but for blanks; those of other line ends are left to a whole reader.
bool is_control(char c) {
  const auto code = static_cast<unsigned char>(c);
  return (code < 0x20 && c != '\t' && c != '\n') || code == 0x7F;
}

} // namespace

std::optional<Table> read_plain_toml(std::string_view text) {
  if (std::any_of(text.begin(), text.end(), is_control)) return std::nullopt;
  Table root;
  return Reader(text).read(root) ? std::optional(std::move(root)) : std::nullopt;
}

} // namespace corecast
