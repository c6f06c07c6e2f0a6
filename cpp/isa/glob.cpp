#include "cpp/isa/glob.hpp"

#include <algorithm>

namespace corecast {

bool matches_glob(std::string_view glob, std::string_view text) {
  if (!glob.empty() && glob[0] != '*' && (text.empty() || text[0] != glob[0])) return false; // as most are
  const std::size_t star = glob.find('*');
  if (star == std::string_view::npos) return glob == text;
  if (!text.starts_with(glob.substr(0, star))) return false;
  const std::string_view rest = glob.substr(star + 1);
  for (std::size_t skip = star; skip <= text.size(); ++skip)
    if (matches_glob(rest, text.substr(skip))) return true;
  return false;
}

bool matches_any(std::span<const std::string> globs, std::string_view text) {
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) { return matches_glob(glob, text); });
}

NameGlobs::NameGlobs(const std::vector<std::string>& globs) {
  for (const std::string& glob : globs) {
    globs_.push_back({glob, glob.find(' ') != std::string::npos});
    initials_ |= glob.starts_with('*') ? ~std::uint32_t{0} : initial(glob);
  }
}

bool NameGlobs::matches(const Instruction& instruction) const {
  return std::any_of(globs_.begin(), globs_.end(), [&](const Glob& glob) {
    return matches_glob(glob.text, glob.of_key ? instruction.form : instruction.mnemonic);
  });
}

} // namespace corecast
