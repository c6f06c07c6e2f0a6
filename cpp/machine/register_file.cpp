#include "cpp/machine/register_file.hpp"

#include <cctype>

namespace corecast {
namespace {

bool numbered(std::string_view name, std::string_view prefix) {
  return name.size() > prefix.size() && name.starts_with(prefix) &&
         std::isdigit(static_cast<unsigned char>(name[prefix.size()])) != 0;
}

RegisterFile classify(std::string_view name, Architecture architecture) {
  switch (architecture) {
  case Architecture::x86:
    if (numbered(name, "zmm") || numbered(name, "xmm")) return RegisterFile::vector;
    return name.starts_with('r') && name != "rflags" && name != "rip" ? RegisterFile::integer : RegisterFile::none;
  case Architecture::aarch64:
    if (numbered(name, "z")) return RegisterFile::vector;
    return numbered(name, "x") || name == "sp" ? RegisterFile::integer : RegisterFile::none;
  case Architecture::riscv64:
    if (numbered(name, "v")) return RegisterFile::vector;
    if (numbered(name, "a") || numbered(name, "s") || numbered(name, "t")) return RegisterFile::integer;
    return name == "ra" || name == "sp" || name == "gp" || name == "tp" ? RegisterFile::integer : RegisterFile::none;
  }
  return RegisterFile::none;
}

} // namespace

RegisterFile RegisterFiles::file_of(RegisterId reg, Architecture architecture, const RegisterNames& names) const {
  if (reg >= first_flag) return RegisterFile::none;
  if (reg >= remembered) return classify(names.name_of(reg), architecture);
  std::atomic<std::uint8_t>& known = known_[reg];
  if (const std::uint8_t file = known.load(std::memory_order_relaxed); file != 0)
    return static_cast<RegisterFile>(file - 1);
  const RegisterFile file = classify(names.name_of(reg), architecture);
  known.store(static_cast<std::uint8_t>(file) + 1, std::memory_order_relaxed);
  return file;
}

} // namespace corecast
