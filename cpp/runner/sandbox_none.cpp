// Systems without the calls that the sandbox is built on.
#include "sandbox.hpp"

#if !defined(__linux__)

namespace corecast::runner {

Outcome run_in_child(const SandboxOptions&, std::uint64_t, std::span<const std::uint8_t>,
                     const std::function<void(const Child&)>&, Steps*) {
  Outcome outcome;
  outcome.end = End::failed;
  outcome.message = "this system has no sandbox for timed code: Linux is needed";
  return outcome;
}

} // namespace corecast::runner

#endif
