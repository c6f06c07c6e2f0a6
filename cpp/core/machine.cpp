#include "cpp/core/machine.hpp"

#include "cpp/core/error.hpp"
#include "cpp/core/form_text.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <numeric>
#include <tuple>
#include <unordered_set>

namespace corecast {
namespace {

constexpr std::string_view header =
    "form\tports\tblocking\tlatency\tuops\tdecode\tflags\trthroughput\tsource\tconfidence";

/// Levenshtein distance, given up above `limit`.
unsigned edit_distance(std::string_view a, std::string_view b, unsigned limit) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return limit + 1;
  std::vector<unsigned> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    unsigned diagonal = row[0];
    row[0] = static_cast<unsigned>(i);
    unsigned best = row[0];
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const unsigned above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
      best = std::min(best, row[j]);
    }
    if (best > limit) return limit + 1;
  }
  return row[b.size()];
}

std::string_view mnemonic_of(std::string_view key) {
  constexpr std::string_view prefixed[] = {"lock ", "rep ", "repe ", "repne "};
  std::size_t start = 0;
  for (const std::string_view prefix : prefixed)
    if (key.starts_with(prefix)) start = prefix.size();
  return key.substr(0, key.find(' ', start));
}

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
    const unsigned more = lead >= 0xC2 && lead < 0xE0 ? 1U : (lead & 0xF0U) == 0xE0U ? 2U : lead >= 0xF0 && lead < 0xF5 ? 3U : 0U;
    if (more == 0 || i + more > text.size()) return false;
    const auto next = static_cast<unsigned char>(text[i]);
    if ((lead == 0xE0 && next < 0xA0) || (lead == 0xED && next > 0x9F) || (lead == 0xF0 && next < 0x90) || (lead == 0xF4 && next > 0x8F))
      return false;
    for (unsigned k = 0; k < more; ++k)
      if ((static_cast<unsigned char>(text[i++]) & 0xC0U) != 0x80U) return false;
  }
  return true;
}

/// Calls `each` with the key, text and line of every row of a table. Throws ModelError where it has no header line.
template <typename Each> void each_row(const FormTable& table, Each each) {
  const std::string_view text = table.text;
  bool header_seen = false;
  std::uint32_t line = 0;
  for (std::size_t start = 0; start < text.size();) {
    ++line;
    const void* found = std::memchr(text.data() + start, '\n', text.size() - start);
    const std::size_t end =
        found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) : text.size();
    std::string_view row = text.substr(start, end - start);
    start = end + 1;
    if (!row.empty() && row.back() == '\r') row.remove_suffix(1);
    if (row.empty() || row.front() == '#') continue;
    if (!header_seen) {
      if (row != header) throw ModelError("the header line is not \"form ports blocking ...\"", table.file, line);
      header_seen = true;
      continue;
    }
    each(row.substr(0, row.find('\t')), row, line);
  }
}

constexpr long most_table_bytes = 1L << 30;

} // namespace

FormTable FormTable::read(const std::string& file) {
  FormTable table{file, {}};
  std::FILE* handle = std::fopen(file.c_str(), "rb");
  if (handle == nullptr) throw ModelError("cannot be read", file);
  std::fseek(handle, 0, SEEK_END);
  const long size = std::ftell(handle);
  std::fseek(handle, 0, SEEK_SET);
  if (size > 0 && size <= most_table_bytes) table.text.resize(static_cast<std::size_t>(size)); // a folder has any size
  const std::size_t got = table.text.empty() ? 0 : std::fread(table.text.data(), 1, table.text.size(), handle);
  std::fclose(handle);
  if (size < 0 || size > most_table_bytes || got != table.text.size()) throw ModelError("cannot be read", file);
  if (!is_utf8(table.text)) throw ModelError("is not UTF-8 text", file);
  return table;
}

Machine::Machine(PipelineParameters pipeline, std::vector<FormTable> tables, RegisterNames registers)
    : pipeline_(std::move(pipeline)), port_names_(pipeline_), tables_(std::move(tables)),
      registers_(std::move(registers)), resources_(pipeline_.ports) {
  resources_.insert(resources_.end(), pipeline_.units.begin(), pipeline_.units.end());
  std::size_t lines = 0;
  for (const FormTable& table : tables_)
    lines += table.text.size() / 80; // a row has some 80 bytes
  rows_.reserve(lines);
  for (std::uint32_t i = 0; i < tables_.size(); ++i)
    index_table(i);
}

void Machine::index_table(std::uint32_t table) {
  each_row(tables_[table], [&](std::string_view key, std::string_view row, std::uint32_t line) {
    const auto [position, inserted] = rows_.try_emplace(key, Row{table, line, row});
    if (!inserted && position->second.table == table)
      throw ModelError("form \"" + std::string(key) + "\" occurs twice, first in line " +
                           std::to_string(position->second.line),
                       tables_[table].file, line);
  });
}

std::map<std::string, std::size_t> forms_by_confidence(const std::vector<FormTable>& tables) {
  std::map<std::string, std::size_t> counts;
  std::unordered_set<std::string_view> seen;
  for (const FormTable& table : tables)
    each_row(table, [&](std::string_view key, std::string_view row, std::uint32_t) {
      if (seen.insert(key).second) ++counts[std::string(row.substr(row.rfind('\t') + 1))];
    });
  return counts;
}

const FormEntry* Machine::find(std::string_view key) const {
  const auto found = rows_.find(key);
  if (found == rows_.end()) return nullptr;
  Row& row = found->second;
  const std::scoped_lock lock(rows_mutex_);
  if (row.entry == nullptr)
    row.entry = &entries_.emplace_back(parse_row(row.text, port_names_, registers_, tables_[row.table].file, row.line));
  return row.entry;
}

std::optional<Machine::RowText> Machine::row_text(std::string_view key) const {
  const auto found = rows_.find(key);
  if (found == rows_.end()) return std::nullopt;
  const Row& row = found->second;
  return RowText{row.text, tables_[row.table].file, row.line};
}

const Lookup& Machine::lookup(const Instruction& instruction) const {
  static const Lookup nothing;
  if (instruction.unknown) return nothing;
  thread_local std::string key;
  key = instruction.form;
  key += uses_one_register(instruction) ? '=' : ' ';
  key += instruction.indexed ? '+' : ' ';
  {
    const std::shared_lock lock(lookups_mutex_);
    if (const auto found = lookups_.find(std::string_view(key)); found != lookups_.end()) return *found->second;
  }
  auto made = std::make_unique<const Lookup>(look_up(*this, instruction));
  const std::unique_lock lock(lookups_mutex_);
  return *lookups_.try_emplace(key, std::move(made)).first->second; // the first of two racing threads wins
}

std::vector<std::string> Machine::keys() const {
  std::vector<const Row*> rows;
  rows.reserve(rows_.size());
  for (const auto& item : rows_)
    rows.push_back(&item.second);
  std::sort(rows.begin(), rows.end(),
            [](const Row* a, const Row* b) { return a->table != b->table ? a->table < b->table : a->line < b->line; });
  std::vector<std::string> result;
  result.reserve(rows.size());
  for (const Row* row : rows)
    result.emplace_back(row->text.substr(0, row->text.find('\t')));
  return result;
}

std::vector<std::string> Machine::check() const {
  std::vector<std::string> problems;
  for (const std::string& key : keys()) {
    try {
      find(key);
    } catch (const ModelError& error) {
      problems.push_back(error.file + ":" + std::to_string(error.line) + ": " + error.what());
    }
  }
  return problems;
}

std::vector<std::string> Machine::nearest_forms(std::string_view key, std::size_t count) const {
  constexpr std::size_t remembered = 3; // what an analysis asks for; searching takes milliseconds
  if (count > remembered) return search_nearest(key, count);
  const std::scoped_lock lock(nearest_mutex_);
  auto found = nearest_.find(key);
  if (found == nearest_.end()) found = nearest_.emplace(std::string(key), search_nearest(key, remembered)).first;
  const std::vector<std::string>& all = found->second;
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()))};
}

std::vector<std::string> Machine::search_nearest(std::string_view key, std::size_t count) const {
  struct Candidate {
    bool other_mnemonic;
    unsigned distance;
    std::string_view key;
    auto order() const { return std::tie(other_mnemonic, distance, key); }
  };
  const std::string_view mnemonic = mnemonic_of(key);
  const unsigned mnemonic_limit = mnemonic.size() > 4 ? 2 : 1;
  std::vector<Candidate> candidates;
  for (const auto& item : rows_) {
    const std::string_view other = mnemonic_of(item.first);
    const bool same = other == mnemonic;
    if (!same && edit_distance(other, mnemonic, mnemonic_limit) > mnemonic_limit) continue;
    const unsigned distance = edit_distance(item.first, key, 32);
    candidates.push_back({!same, distance, item.first});
  }
  const std::size_t wanted = std::min(count, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(wanted), candidates.end(),
                    [](const Candidate& a, const Candidate& b) { return a.order() < b.order(); });
  std::vector<std::string> result;
  for (std::size_t i = 0; i < wanted; ++i)
    result.emplace_back(candidates[i].key);
  return result;
}

} // namespace corecast
