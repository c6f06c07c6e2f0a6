#include "sandbox.hpp"

#include <array>
#include <csignal>
#include <utility>

namespace corecast::runner {

std::string signal_name(int signal) {
  static constexpr std::array<std::pair<int, const char*>, 14> names{{{SIGSEGV, "SIGSEGV"},
                                                                      {SIGBUS, "SIGBUS"},
                                                                      {SIGILL, "SIGILL"},
                                                                      {SIGFPE, "SIGFPE"},
                                                                      {SIGTRAP, "SIGTRAP"},
                                                                      {SIGSYS, "SIGSYS"},
                                                                      {SIGKILL, "SIGKILL"},
                                                                      {SIGTERM, "SIGTERM"},
                                                                      {SIGINT, "SIGINT"},
                                                                      {SIGABRT, "SIGABRT"},
                                                                      {SIGALRM, "SIGALRM"},
                                                                      {SIGQUIT, "SIGQUIT"},
                                                                      {SIGHUP, "SIGHUP"},
                                                                      {SIGPIPE, "SIGPIPE"}}};
  for (const auto& [number, name] : names)
    if (number == signal) return name;
  return "signal " + std::to_string(signal);
}

void refuse_tiles(Outcome& outcome) {
  outcome.message = "AMX tiles could not be configured: " + signal_name(outcome.signal);
  outcome.end = End::failed;
  outcome.signal = 0;
  outcome.tiles_refused = true;
}

} // namespace corecast::runner
