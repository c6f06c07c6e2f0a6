// The text of a file, which stays where it is in memory as long as somebody holds it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace corecast {

class FileText {
public:
  explicit FileText(std::string text);

  /// Large files are mapped, not copied: they must be replaced, not overwritten, while somebody holds their text.
  /// Throws ModelError where the file cannot be read.
  static FileText read(const std::string& file);

  std::string_view view() const { return text_; }

private:
  FileText(std::shared_ptr<const void> owner, std::string_view text) : owner_(std::move(owner)), text_(text) {}

  std::shared_ptr<const void> owner_;
  std::string_view text_;
};

} // namespace corecast
