// Long computations ask now and then whether anybody still wants their result.
#pragma once

#include <functional>

namespace corecast {

/// As long as it lives, poll_interrupt() in this thread calls `check`, which throws to end the computation.
class InterruptScope {
public:
  explicit InterruptScope(std::function<void()> check);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

private:
  std::function<void()> outer_;
};

/// Calls the check of this thread's scope, at most some times a second; nothing without a scope. What it throws ends
/// the computation: whoever polls keeps no state that this would spoil.
void poll_interrupt();

/// That check; empty without a scope.
std::function<void()> interrupt_check();

} // namespace corecast
