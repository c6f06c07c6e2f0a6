// An instruction form key, taken apart: "vaddpd zmm{k}{z}, zmm, m512bcst @indexed".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace corecast {

struct FormText {
  std::string mnemonic; // prefixes included: "lock add"
  std::vector<std::string> operands;
  std::string variant; // "@indexed", "@m2,e64", "" where none

  static FormText parse(std::string_view key);
  std::string str() const;
};

/// Splits "form @a @b" into "form" and "@a @b".
std::string_view without_variant(std::string_view key);

} // namespace corecast
