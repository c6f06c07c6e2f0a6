// Runs kernels in the timing harness without Python: on small machines, and under emulators, where faults matter and
// times do not. A kernel a line on standard input, as
//     CODE SETTING COUNTER LOOP MEMORY g5=7 v3=0 ...
// (hexadecimal digits or -, digits or -, a register's number, 0 or 1, eight bytes as a number that fill memory, start
// values of general and vector registers); for each a line on standard output: how it ended (done, signal, timeout,
// failed), the signal or -, the offset of the instruction or -1, cycles, a message.
#include "cpp/runner/measure.hpp"

#include <charconv>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace corecast::runner;

std::vector<std::uint8_t> bytes_of(const std::string& digits) {
  std::vector<std::uint8_t> bytes;
  if (digits == "-") return bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    std::uint8_t byte = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    bytes.push_back(byte);
  }
  return bytes;
}

/// "g5=7": a general register, "v3=0": a vector register.
bool set(StartValues& values, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || (text[0] != 'g' && text[0] != 'v')) return false;
  std::size_t number = 0;
  std::uint64_t value = 0;
  std::from_chars(text.data() + 1, text.data() + equals, number);
  std::from_chars(text.data() + equals + 1, text.data() + text.size(), value);
  auto& registers = text[0] == 'g' ? values.general : values.vector;
  if (number >= registers.size()) return false;
  registers[number] = value;
  return true;
}

const char* name(End end) {
  static constexpr const char* names[] = {"done", "signal", "timeout", "failed"};
  return names[static_cast<unsigned>(end)];
}

MeasureOptions quick() {
  MeasureOptions options;
  options.samples = 2;
  options.most_batches = 1;
  options.reference_cycles = 2048;
  constexpr double any = 1e9; // an emulator's times scatter, and say nothing
  options.tolerances.reference = options.tolerances.rate = options.tolerances.interrupt = any;
  options.sandbox.real_time = false;
  options.sandbox.timeout_seconds = 20;
  return options;
}

} // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream fields(line);
    std::string code, setting;
    TimedKernel kernel;
    if (!(fields >> code >> setting >> kernel.counter >> kernel.is_loop >> kernel.values.memory)) {
      std::cerr << "run_kernels: not a kernel: " << line << '\n';
      return 2;
    }
    for (std::string value; fields >> value;)
      if (!set(kernel.values, value)) {
        std::cerr << "run_kernels: not a start value: " << value << '\n';
        return 2;
      }
    kernel.code = bytes_of(code);
    kernel.setting = bytes_of(setting);
    const Measurement m = measure(kernel, quick());
    const bool ran = m.estimate.batches > 0; // whether or not its times were any good
    const std::string signal = m.outcome.end == End::signal ? signal_name(m.outcome.signal) : "-";
    std::cout << name(ran ? End::done : m.outcome.end) << ' ' << signal << ' ' << m.fault_offset << ' '
              << m.estimate.cycles << ' ' << m.outcome.message << std::endl;
  }
  return 0;
}
