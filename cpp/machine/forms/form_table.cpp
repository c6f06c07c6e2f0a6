#include "cpp/machine/forms/form_table.hpp"

#include "cpp/base/error.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace corecast {
namespace {

constexpr std::string_view header =
    "form\tports\tblocking\tlatency\tuops\tdecode\tflags\trthroughput\tsource\tconfidence";
constexpr std::string_view compact_header = "form\tports\tblocking\tlatency\tuops\tdecode\tflags\trthroughput\torigin";
constexpr char definition_sign = '@';
constexpr std::ptrdiff_t columns_of_rest = 9; // all but the key; one less where the origin is one
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Whether a text is UTF-8: sources and forms are handed on as such.
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (std::uint64_t eight = 0; i + sizeof eight <= text.size()) { // most text is ASCII: eight letters at a time
      std::memcpy(&eight, text.data() + i, sizeof eight);
      if ((eight & 0x8080808080808080U) == 0) {
        i += sizeof eight;
        continue;
      }
    }
    const auto lead = static_cast<unsigned char>(text[i++]);
    if (lead < 0x80) continue;
    const unsigned more = lead >= 0xC2 && lead < 0xE0   ? 1U
                          : (lead & 0xF0U) == 0xE0U     ? 2U
                          : lead >= 0xF0 && lead < 0xF5 ? 3U
                                                        : 0U;
    if (more == 0 || i + more > text.size()) return false;
    const auto next = static_cast<unsigned char>(text[i]);
    if ((lead == 0xE0 && next < 0xA0) || (lead == 0xED && next > 0x9F) || (lead == 0xF0 && next < 0x90) ||
        (lead == 0xF4 && next > 0x8F))
      return false;
    for (unsigned k = 0; k < more; ++k)
      if ((static_cast<unsigned char>(text[i++]) & 0xC0U) != 0x80U) return false;
  }
  return true;
}

/// Text up to a letter, all of it where there is none.
std::string_view before(std::string_view text, char letter) {
  const void* found = std::memchr(text.data(), letter, text.size()); // several times as fast as string_view::find
  return found ? text.substr(0, static_cast<std::size_t>(static_cast<const char*>(found) - text.data())) : text;
}

std::string_view without_return(std::string_view line) {
  return !line.empty() && line.back() == '\r' ? line.substr(0, line.size() - 1) : line;
}

} // namespace

FormTable::FormTable(std::string file, FileText text) : file_(std::move(file)), text_(std::move(text)) {
  if (!is_utf8(text_.view())) throw ModelError("is not UTF-8 text", file_);
  index();
}

void FormTable::index() {
  const std::string_view all = text_.view();
  rows_.reserve(all.size() / 50); // a row has some 60 bytes
  bool header_seen = false;
  bool by_key = true;
  std::string_view last;
  std::size_t offset = all.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  for (std::uint32_t line = 1; offset < all.size(); ++line) {
    const TableRow row{static_cast<std::uint32_t>(offset), line};
    const std::string_view whole = before(all.substr(offset), '\n');
    offset += whole.size() + 1;
    const std::string_view text = without_return(whole);
    if (text.empty() || text.front() == '#') continue;
    if (!header_seen) {
      if (text.front() == definition_sign) {
        add_definition(text, line);
        continue;
      }
      compact_ = text == compact_header;
      if (!compact_ && text != header)
        throw ModelError("the header line is not \"form ports blocking ...\"", file_, line);
      header_seen = true;
      continue;
    }
    const std::string_view key = before(text, '\t');
    by_key = by_key && (rows_.empty() || last < key);
    last = key;
    rows_.push_back(row);
  }
  if (by_key) return; // as the tables of the package are: nothing to sort, nothing occurs twice
  std::stable_sort(rows_.begin(), rows_.end(), [this](TableRow a, TableRow b) { return key_of(a) < key_of(b); });
  const auto twice =
      std::adjacent_find(rows_.begin(), rows_.end(), [this](TableRow a, TableRow b) { return key_of(a) == key_of(b); });
  if (twice != rows_.end())
    throw ModelError("form \"" + std::string(key_of(*twice)) + "\" occurs twice, first in line " +
                         std::to_string(twice->line),
                     file_, (twice + 1)->line);
}

std::string_view FormTable::text_of(TableRow row) const {
  return without_return(before(text_.view().substr(row.offset), '\n'));
}

bool FormTable::Definition::is_origin() const {
  return std::count(text.begin(), text.end(), '\t') == 1;
}

void FormTable::add_definition(std::string_view text, std::uint32_t line) {
  const std::string_view name = before(text, '\t');
  const std::string_view what = text.substr(std::min(name.size() + 1, text.size()));
  const auto tabs = std::count(what.begin(), what.end(), '\t');
  if (tabs != 1 && tabs != columns_of_rest - 1 && tabs != columns_of_rest - 2)
    throw ModelError(
        "neither an origin, \"@number source confidence\", nor the rest of a row, \"@number ports blocking ...\"",
        file_, line);
  if (!definitions_.emplace(name, Definition{what, line}).second)
    throw ModelError("\"" + std::string(name) + "\" occurs twice", file_, line);
}

const FormTable::Definition& FormTable::rest_of(std::string_view name, std::uint32_t line) const {
  const auto found = definitions_.find(name);
  if (found == definitions_.end() || found->second.is_origin())
    throw ModelError("there is no rest of a row \"" + std::string(name) + "\"", file_, line);
  return found->second;
}

std::string_view FormTable::origin_of(std::string_view name, std::uint32_t line) const {
  const auto found = definitions_.find(name);
  if (found == definitions_.end() || !found->second.is_origin())
    throw ModelError("there is no origin \"" + std::string(name) + "\"", file_, line);
  return found->second.text;
}

std::string FormTable::line_of(TableRow row) const {
  const std::string_view text = text_of(row);
  if (text.ends_with(absent_row)) return std::string(text);
  std::string line(text);
  std::uint32_t place = row.line;
  const std::size_t first = text.find('\t');
  if (first != std::string_view::npos && text.substr(first + 1).starts_with(definition_sign) &&
      text.find('\t', first + 1) == std::string_view::npos) {
    const Definition& rest = rest_of(text.substr(first + 1), row.line);
    line.replace(first + 1, std::string::npos, rest.text);
    place = rest.line;
  }
  if (!compact_) return line;
  const std::size_t last = line.rfind('\t') + 1;
  const std::string_view origin = origin_of(std::string_view(line).substr(last), place);
  return line.replace(last, std::string::npos, origin);
}

std::string_view FormTable::key_of(TableRow row) const {
  return before(text_of(row), '\t');
}

const TableRow* FormTable::find(std::string_view key) const {
  const auto found = std::lower_bound(rows_.begin(), rows_.end(), key,
                                      [this](TableRow row, std::string_view wanted) { return key_of(row) < wanted; });
  return found != rows_.end() && key_of(*found) == key ? &*found : nullptr;
}

std::string_view FormTable::name() const {
  std::string_view name = file_;
  if (const std::size_t slash = name.find_last_of("/\\"); slash != std::string_view::npos)
    name.remove_prefix(slash + 1);
  return name.substr(0, name.rfind('.'));
}

std::vector<FoundRow> rows_that_count(const std::vector<FormTable>& tables, const std::vector<std::string>& off) {
  const auto counts = [&](const FormTable& table) {
    return std::find(off.begin(), off.end(), table.name()) == off.end();
  };
  std::vector<FoundRow> result;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!counts(tables[i])) continue;
    std::vector<std::size_t> passed(i); // rows of each earlier table whose keys come before
    for (const TableRow& row : tables[i].rows()) {
      const FoundRow found{&tables[i], row};
      const std::string_view key = found.key();
      bool hidden = found.absent();
      for (std::size_t e = 0; e < i && !hidden; ++e) {
        if (!counts(tables[e])) continue;
        const std::vector<TableRow>& earlier = tables[e].rows();
        while (passed[e] < earlier.size() && tables[e].key_of(earlier[passed[e]]) < key)
          ++passed[e];
        hidden = passed[e] < earlier.size() && tables[e].key_of(earlier[passed[e]]) == key;
      }
      if (!hidden) result.push_back(found);
    }
  }
  std::sort(result.begin(), result.end(), [](const FoundRow& a, const FoundRow& b) { // tables lie in one array
    return std::tie(a.table, a.row.line) < std::tie(b.table, b.row.line);
  });
  return result;
}

std::map<std::string, std::size_t> forms_by_confidence(const std::vector<FormTable>& tables) {
  std::map<std::string, std::size_t> counts;
  for (const FoundRow& found : rows_that_count(tables)) {
    const std::string text = found.line();
    ++counts[text.substr(text.rfind('\t') + 1)];
  }
  return counts;
}

} // namespace corecast
