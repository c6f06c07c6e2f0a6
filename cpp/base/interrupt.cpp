#include "cpp/base/interrupt.hpp"

#include <chrono>
#include <utility>

namespace corecast {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_checks{50};

struct Interrupt {
  std::function<void()> check;
  Clock::time_point next;

  /// Not inline: the address of what belongs to a thread would be asked for again and again.
  [[gnu::noinline]] static Interrupt& of_this_thread() {
    thread_local Interrupt interrupt;
    return interrupt;
  }
};

} // namespace

InterruptScope::InterruptScope(std::function<void()> check) {
  Interrupt& interrupt = Interrupt::of_this_thread();
  outer_ = std::exchange(interrupt.check, std::move(check));
  interrupt.next = Clock::now() + between_checks;
}

InterruptScope::~InterruptScope() {
  Interrupt::of_this_thread().check = std::move(outer_);
}

std::function<void()> interrupt_check() {
  return Interrupt::of_this_thread().check;
}

void poll_interrupt() {
  Interrupt& interrupt = Interrupt::of_this_thread();
  if (!interrupt.check) return;
  const Clock::time_point now = Clock::now();
  if (now < interrupt.next) return;
  interrupt.next = now + between_checks;
  interrupt.check();
}

} // namespace corecast
