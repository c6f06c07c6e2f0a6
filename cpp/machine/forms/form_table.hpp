// A form table as it lies on disk: its rows by key, not parsed. A model reads several, in order of precedence.
#pragma once

#include "cpp/base/file_text.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace corecast {

/// What follows the key in a row that says that there is none.
constexpr std::string_view absent_row = "\tabsent";

/// Where a row stands. Small, as a model has some 20,000 that are found when it is loaded.
struct TableRow {
  std::uint32_t offset;
  std::uint32_t line;
};

class FormTable {
public:
  /// Throws ModelError where there is no header line, a key or a "@number" occurs twice, or the text is not UTF-8.
  FormTable(std::string file, FileText text);

  /// Throws ModelError also where the file cannot be read.
  static FormTable read(const std::string& file) { return {file, FileText::read(file)}; }

  const std::string& file() const { return file_; }
  /// The file's name without folder and ending. A table with the name of a mitigation counts while that is on.
  std::string_view name() const;
  /// By key.
  const std::vector<TableRow>& rows() const { return rows_; }
  /// The line as it stands in the file.
  std::string_view text_of(TableRow row) const;
  /// The line with all ten columns: "@number" replaced by what the file says above its header, the rest of a row or an
  /// origin. Throws ModelError where it says nothing of that number, or something else.
  std::string line_of(TableRow row) const;
  std::string_view key_of(TableRow row) const;
  /// nullptr where there is none.
  const TableRow* find(std::string_view key) const;

private:
  /// What a number stands for: an origin, "source<TAB>confidence", or all of a row but its key.
  struct Definition {
    std::string_view text;
    std::uint32_t line = 0;

    bool is_origin() const;
  };

  void index();
  void add_definition(std::string_view text, std::uint32_t line);
  const Definition& rest_of(std::string_view name, std::uint32_t line) const;
  std::string_view origin_of(std::string_view name, std::uint32_t line) const;

  std::string file_;
  FileText text_;
  std::vector<TableRow> rows_;
  /// By "@number", of tables that say once, above the header, what many rows have.
  std::unordered_map<std::string_view, Definition> definitions_;
  bool compact_ = false; // the last column is the number of an origin
};

/// A row in one of several tables. In order of precedence, the first that has the key decides.
struct FoundRow {
  const FormTable* table;
  TableRow row;

  std::string_view text() const { return table->text_of(row); }
  std::string line() const { return table->line_of(row); }
  std::string_view key() const { return table->key_of(row); }
  /// Whether the row says that there is none of the key, whatever later tables hold: "key<TAB>absent".
  bool absent() const { return text().substr(key().size()) == absent_row; }
};

/// Every row that counts, in the order of the files.
///
/// off: names of tables that do not count.
std::vector<FoundRow> rows_that_count(const std::vector<FormTable>& tables, const std::vector<std::string>& off = {});

/// Their number by confidence.
std::map<std::string, std::size_t> forms_by_confidence(const std::vector<FormTable>& tables);

} // namespace corecast
