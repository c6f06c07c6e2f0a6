// Hosts that no harness exists for: everything compiles, and says so.
#include "harness.hpp"

#if !((defined(__x86_64__) || defined(__aarch64__) || (defined(__riscv) && __riscv_xlen == 64)) && defined(__linux__))

namespace corecast::runner {

std::string host_obstacle() {
  return "this host cannot be measured: timed code exists for Linux on x86-64, AArch64 and 64-bit RISC-V only";
}
const char* host_isa() {
  return "";
}
const char* clock_name(Clock) {
  return "none";
}
bool reads_counter(std::uint32_t) {
  return false;
}
bool counts_in_memory() {
  return false;
}
std::vector<std::uint8_t> state_image(const StartValues&) {
  return {};
}
TimedCode timed_function(const LoopCode&, const StartValues&, std::uint64_t, const Control*, const void*) {
  return {};
}
std::span<const std::uint8_t> reference_link() {
  return {};
}
int reference_counter() {
  return -1;
}
std::uint64_t interrupted_at(const void*) {
  return 0;
}

} // namespace corecast::runner

#endif
