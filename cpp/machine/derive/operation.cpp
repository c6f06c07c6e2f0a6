#include "cpp/machine/derive/operation.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace corecast {
namespace {

using Names = std::span<const std::string_view>;

bool strip_end(std::string_view& name, Names ends) {
  const auto found = std::find_if(ends.begin(), ends.end(), [&](std::string_view end) { return name.ends_with(end); });
  if (found == ends.end() || name.size() <= found->size()) return false;
  name.remove_suffix(found->size());
  return true;
}

/// Vector and scalar floating point by their element types, packed integers by their widths.
std::string_view x86_operation(std::string_view name) {
  constexpr std::array<std::string_view, 7> types{"pd", "ps", "ph", "sd", "ss", "sh", "bf16"};
  constexpr std::array<std::string_view, 4> widths{"b", "w", "d", "q"};
  const bool vex = name.starts_with('v') && name.size() > 3 && name != "verr" && name != "verw";
  if (vex) name.remove_prefix(1);
  if (name.starts_with('p') && name.size() > 4 && !name.starts_with("pop") && !name.starts_with("push") &&
      !name.starts_with("prefetch"))
    strip_end(name, widths);
  else if (name.size() > 4 && !name.starts_with("mov"))
    strip_end(name, types);
  return name;
}

/// Atomics by their ordering (a, l, al) and width (b, h).
std::string_view aarch64_operation(std::string_view name) {
  constexpr std::array<std::string_view, 12> atomics{"ldadd",  "ldclr",  "ldset", "ldeor", "ldsmax", "ldsmin",
                                                     "ldumax", "ldumin", "swp",   "casp",  "cas",    "stadd"};
  for (const std::string_view atomic : atomics)
    if (name.starts_with(atomic)) {
      const std::string_view rest = name.substr(atomic.size());
      if (rest.find_first_not_of("albh") == std::string_view::npos) return atomic;
    }
  return name;
}

} // namespace

std::string_view operation_of(Architecture architecture, std::string_view mnemonic) {
  switch (architecture) {
  case Architecture::x86:
    return x86_operation(mnemonic);
  case Architecture::aarch64:
    return aarch64_operation(mnemonic);
  case Architecture::riscv64:
    break;
  }
  return mnemonic.substr(0, mnemonic.find('.')); // amoadd.w.aq, vadd.vx
}

} // namespace corecast
