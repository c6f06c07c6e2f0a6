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
double timer_hz() {
  return 0;
}
void see_written_code() {}
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
bool can_step() {
  return false;
}
std::size_t return_bytes() {
  return 1;
}
std::span<const std::uint8_t> witness_nop() {
  return {};
}
std::array<std::uint64_t, general_registers> registers_at(const void*) {
  return {};
}
void pass_trap(void*) {}
void end_steps(void*) {}

} // namespace corecast::runner

#endif
