// What only x86's harness can do so far: other hosts have no witness, no single steps, no way to forget decoded code.
#include "harness.hpp"

#if !(defined(__x86_64__) && defined(__linux__))

namespace corecast::runner {

bool can_step() {
  return false;
}
std::vector<std::uint8_t> witness_code() {
  return {};
}
std::array<std::uint64_t, general_registers> registers_at(const void*) {
  return {};
}
void end_steps(void*) {}

} // namespace corecast::runner

#endif
