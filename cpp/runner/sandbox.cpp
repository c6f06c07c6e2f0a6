#include "sandbox.hpp"

#include <array>
#include <csignal>
#include <utility>

namespace corecast::runner {

std::string signal_name(int signal) {
  static constexpr std::array<std::pair<int, const char*>, 14> names{{
      {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGILL, "SIGILL"},   {SIGFPE, "SIGFPE"},   {SIGTRAP, "SIGTRAP"},
      {SIGSYS, "SIGSYS"},   {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"},   {SIGABRT, "SIGABRT"},
      {SIGALRM, "SIGALRM"}, {SIGQUIT, "SIGQUIT"}, {SIGHUP, "SIGHUP"},   {SIGPIPE, "SIGPIPE"}}};
  for (const auto& [number, name] : names)
    if (number == signal) return name;
  return "signal " + std::to_string(signal);
}

} // namespace corecast::runner
