#include "cpp/lower/start_places.hpp"

#include "cpp/machine/machine.hpp"

#include <string_view>

namespace corecast {
namespace {

constexpr std::array<std::string_view, 16> general = {"rax", "rcx", "rdx", "rbx", "",    "rbp", "rsi", "rdi",
                                                      "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};

} // namespace

StartPlaces::StartPlaces(const Machine& machine, std::optional<std::int64_t> step) : step_(step.value_or(0)) {
  if (step) held_everywhere_ = machine.registers().id_of(general.front());
  if (step_ == 0) return;
  for (std::size_t number = 0; number < general.size(); ++number)
    if (!general[number].empty()) registers_[number] = machine.registers().id_of(general[number]);
}

} // namespace corecast
