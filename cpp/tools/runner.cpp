// Executes and times code for a corecast that runs elsewhere: on small machines without Python, and under emulators,
// with the clock of a simulated core. Needs nothing but the system. A request a line on standard input, an answer a
// line on standard output; see cpp/runner/wire.hpp. Beside `measure` and `trace`:
//     hello        ->  hello isa=... obstacle=... timer=... counter=... counter_obstacle=... cores=0,1,...
//     read DIGITS  ->  text DIGITS    the contents of a file below /proc or /sys, by its name; empty where there is
//     none
// An answer to something else starts with `error`.
#include "cpp/runner/cycle_counter.hpp"
#include "cpp/runner/wire.hpp"

#include <sched.h>

#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace {

using namespace corecast::runner;

std::string cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return "";
  std::string found;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<unsigned>(cpu), &set)) found += (found.empty() ? "" : ",") + std::to_string(cpu);
  return found;
}

std::string hello() {
  std::ostringstream answer;
  answer << "hello isa=" << host_isa() << " obstacle=" << to_digits(host_obstacle())
         << " timer=" << to_digits(clock_name(Clock::timer)) << " counter=" << to_digits(clock_name(Clock::counter))
         << " counter_obstacle=" << to_digits(counter_obstacle()) << " cores=" << cores();
  return answer.str();
}

std::string contents(const std::string& name) {
  if ((!name.starts_with("/proc/") && !name.starts_with("/sys/")) || name.find("..") != std::string::npos)
    throw std::invalid_argument("only files below /proc and /sys are read");
  std::ostringstream text;
  text << std::ifstream(name).rdbuf();
  return text.str();
}

std::string answer_to(const std::string& line) {
  const std::string verb = verb_of(line);
  if (verb == "hello") return hello();
  if (verb == "read") {
    std::istringstream words(line);
    std::string skipped, digits;
    words >> skipped >> digits;
    return "text " + to_digits(contents(of_digits(digits)));
  }
  if (verb == "measure") {
    const MeasureRequest request = measure_request(line);
    return to_line(measure(request.kernel, request.options));
  }
  if (verb == "trace") {
    const TraceRequest request = trace_request(line);
    return to_line(trace(request.kernel, request.copies, request.most_steps, request.sandbox));
  }
  throw std::invalid_argument("no such request: '" + verb + "'");
}

} // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    try {
      std::cout << answer_to(line) << std::endl;
    } catch (const std::exception& error) {
      std::cout << "error " << to_digits(error.what()) << std::endl;
    }
  }
  return 0;
}
