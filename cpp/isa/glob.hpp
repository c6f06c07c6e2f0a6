// Globs of mnemonics and keys, as models write them.
#pragma once

#include "cpp/isa/instruction.hpp"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace corecast {

/// Whether a glob of mnemonics ("j*", "b.*", "cmp") matches.
bool matches_glob(std::string_view glob, std::string_view text);
bool matches_any(std::span<const std::string> globs, std::string_view text);

/// Globs that name instructions: by the mnemonic, or by the whole key where a glob holds a blank.
class NameGlobs {
public:
  NameGlobs() = default;
  NameGlobs(const std::vector<std::string>& globs);
  NameGlobs(std::initializer_list<std::string> globs) : NameGlobs(std::vector<std::string>(globs)) {}

  bool empty() const { return globs_.empty(); }
  /// Whether some glob names the instruction: quick, and false for most.
  bool names(const Instruction& instruction) const {
    return (initials_ & (initial(instruction.mnemonic) | initial(instruction.form))) != 0 && matches(instruction);
  }

private:
  struct Glob {
    std::string text;
    bool of_key = false;
  };

  /// One bit of several letters each: two names of different bits begin differently.
  static std::uint32_t initial(std::string_view name) {
    return name.empty() ? ~std::uint32_t{0} : std::uint32_t{1} << (static_cast<unsigned char>(name[0]) & 31);
  }
  bool matches(const Instruction& instruction) const;

  std::vector<Glob> globs_;
  std::uint32_t initials_ = 0; // of all names that a glob may match
};

} // namespace corecast
