// The text of a file, which stays where it is in memory as long as somebody holds it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace corecast {

class FileText {
public:
  explicit FileText(std::string text);

  /// A copy, not a mapping: users edit their tables while a process has them loaded, and what is cut off of a mapped
  /// file ends the process that reads on. Where there is no such file, the one with ".gz" behind its name, unpacked, as
  /// wheels have them. Throws ModelError where neither can be read.
  static FileText read(const std::string& file);

  std::string_view view() const { return text_; }

private:
  static FileText read_plain(const std::string& file);

  FileText(std::shared_ptr<const void> owner, std::string_view text) : owner_(std::move(owner)), text_(text) {}

  std::shared_ptr<const void> owner_;
  std::string_view text_;
};

} // namespace corecast
