#include "wire.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <span>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace corecast::runner {
namespace {

constexpr char hex_digits[] = "0123456789abcdef";

[[noreturn]] void wrong(const std::string& what) {
  throw std::invalid_argument("not what is expected of a program that times code: " + what);
}

unsigned digit(char character) {
  if (character >= '0' && character <= '9') return static_cast<unsigned>(character - '0');
  if (character >= 'a' && character <= 'f') return static_cast<unsigned>(character - 'a' + 10);
  wrong(std::string("'") + character + "' among hexadecimal digits");
}

template <typename Bytes> std::string digits_of(const Bytes& bytes) {
  std::string digits;
  digits.reserve(2 * bytes.size());
  for (const auto each : bytes) {
    const auto byte = static_cast<std::uint8_t>(each);
    digits.push_back(hex_digits[byte >> 4]);
    digits.push_back(hex_digits[byte & 15]);
  }
  return digits;
}

template <typename Bytes> Bytes bytes_of(const std::string& digits) {
  if (digits.size() % 2 != 0) wrong("an odd number of hexadecimal digits");
  Bytes bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes.push_back(static_cast<typename Bytes::value_type>(digit(digits[i]) << 4 | digit(digits[i + 1])));
  return bytes;
}

template <typename Number> std::string text_of(Number value) {
  if constexpr (std::is_floating_point_v<Number>) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
  } else if constexpr (std::is_enum_v<Number>) {
    return std::to_string(static_cast<unsigned>(value));
  } else {
    return std::to_string(value);
  }
}

template <typename Number> Number number_of(const std::string& text) {
  const char* begin = text.c_str();
  char* end = nullptr;
  errno = 0;
  Number value{};
  if constexpr (std::is_floating_point_v<Number>) {
    value = std::strtod(begin, &end);
  } else if constexpr (std::is_signed_v<Number>) {
    const long long read = std::strtoll(begin, &end, 10);
    value = static_cast<Number>(read);
    if (static_cast<long long>(value) != read) errno = ERANGE;
  } else {
    const unsigned long long read = std::strtoull(begin, &end, 10);
    value = static_cast<Number>(read);
    if (static_cast<unsigned long long>(value) != read) errno = ERANGE;
  }
  if (text.empty() || end != begin + text.size() || errno != 0) wrong("'" + text + "' in place of a number");
  return value;
}

/// Names and values, as they are written and read: `io(name, member)` does either.
class Writer {
public:
  explicit Writer(const char* verb) : line_(verb) {}

  template <typename Value> void operator()(const char* name, const Value& value) { put(name, text_of(value)); }
  void operator()(const char* name, const std::string& value) { put(name, digits_of(value)); }
  void operator()(const char* name, const std::vector<std::uint8_t>& value) { put(name, digits_of(value)); }
  template <typename Numbers> void numbers(const char* name, const Numbers& values) {
    std::string text;
    for (const auto& each : values)
      text += (text.empty() ? "" : ",") + text_of(each);
    put(name, text);
  }

  std::string line() const { return line_; }

private:
  void put(const char* name, const std::string& value) { line_ += std::string(" ") + name + "=" + value; }
  std::string line_;
};

class Reader {
public:
  Reader(const char* verb, const std::string& line) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word != verb) wrong("'" + word + "' in place of '" + verb + "'");
    while (words >> word) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos) wrong("'" + word + "'");
      values_[word.substr(0, equals)] = word.substr(equals + 1);
    }
  }

  template <typename Value> void operator()(const char* name, Value& value) const {
    if constexpr (std::is_enum_v<Value>) {
      const auto number = number_of<unsigned>(get(name));
      constexpr unsigned most = 3; // End has the most
      if (number > most) wrong(name);
      value = static_cast<Value>(number);
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = number_of<unsigned>(get(name)) != 0;
    } else {
      value = number_of<Value>(get(name));
    }
  }
  void operator()(const char* name, std::string& value) const { value = bytes_of<std::string>(get(name)); }
  void operator()(const char* name, std::vector<std::uint8_t>& value) const {
    value = bytes_of<std::vector<std::uint8_t>>(get(name));
  }
  /// As many as there are, where a vector takes them; else as many as the array has.
  template <typename Numbers> void numbers(const char* name, Numbers& values) const {
    using Number = typename Numbers::value_type;
    std::vector<Number> found;
    std::istringstream text(get(name));
    for (std::string each; std::getline(text, each, ',');)
      found.push_back(number_of<Number>(each));
    if constexpr (requires { values.resize(0); }) {
      values = std::move(found);
    } else {
      if (found.size() != values.size()) wrong(name);
      std::copy(found.begin(), found.end(), values.begin());
    }
  }

private:
  const std::string& get(const char* name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) wrong(std::string("no ") + name);
    return found->second;
  }
  std::map<std::string, std::string> values_;
};

/// Several numbers each, as one list.
template <typename Item, std::size_t count, typename Io, typename Take, typename Make>
void list(Io& io, const char* name, std::vector<Item>& items, const Take& take, const Make& make) {
  std::vector<std::uint64_t> all;
  for (const Item& each : items)
    for (const std::uint64_t number : take(each))
      all.push_back(number);
  io.numbers(name, all);
  if constexpr (std::is_same_v<Io, Reader>) {
    if (all.size() % count != 0) wrong(name);
    items.clear();
    for (std::size_t i = 0; i < all.size(); i += count)
      items.push_back(make(std::span<const std::uint64_t, count>(all.data() + i, count)));
  }
}

template <typename Io> void io_values(Io& io, StartValues& values) {
  io.numbers("general", values.general);
  io("stack", values.stack);
  io.numbers("vector", values.vector);
  io.numbers("mask", values.mask);
  io("memory", values.memory);
  io("vector_bytes", values.vector_bytes);
  io("mmx", values.mmx);
  io("x87_depth", values.x87_depth);
  io("flush", values.flush_subnormals);
  io("tiles", values.tiles);
}

template <typename Io> void io_kernel(Io& io, TimedKernel& kernel) {
  io("code", kernel.code);
  io("counter", kernel.counter);
  io("loop", kernel.is_loop);
  io("keeps_flags", kernel.keeps_flags);
  io("copies", kernel.copies);
  io_values(io, kernel.values);
  io("setting", kernel.setting);
  list<Relocation, 4>(
      io, "relocations", kernel.relocations,
      [](const Relocation& each) {
        return std::array<std::uint64_t, 4>{each.field, each.end, each.target, static_cast<std::uint64_t>(each.kind)};
      },
      [&kernel](std::span<const std::uint64_t, 4> n) {
        constexpr std::size_t field_bytes = 4;
        const bool there = n[0] <= kernel.code.size() && kernel.code.size() - n[0] >= field_bytes;
        if (!there || n[1] > kernel.code.size() || n[3] > static_cast<std::uint64_t>(Field::page)) wrong("relocations");
        return Relocation{static_cast<std::uint32_t>(n[0]), static_cast<std::uint32_t>(n[1]), n[2],
                          static_cast<Field>(n[3])};
      });
  io("offset", kernel.offset);
  io("decoded", kernel.decoded);
  io("most_iterations", kernel.most_iterations);
  io("drains", kernel.drains);
  io("data_pages", kernel.data_pages);
}

template <typename Io> void io_sandbox(Io& io, SandboxOptions& options) {
  io("cpu", options.cpu);
  io("real_time", options.real_time);
  io("timeout", options.timeout_seconds);
}

template <typename Io> void io_options(Io& io, MeasureOptions& options) {
  io_sandbox(io, options.sandbox);
  io("clock", options.clock);
  io("samples", options.samples);
  io("batches", options.most_batches);
  io("known_rate", options.known_rate);
  io("known_witness", options.known_witness);
  io("batch_seconds", options.batch_seconds);
  io("reference_cycles", options.reference_cycles);
  io("ticks_per_cycle", options.simulated.ticks_per_cycle);
  io("shorter", options.simulated.shorter);
  io("longer", options.simulated.longer);
  io("witness", options.simulated.witness);
}

template <typename Io> void io_outcome(Io& io, Outcome& outcome) {
  io("end", outcome.end);
  io("signal", outcome.signal);
  io("address", outcome.address);
  io("instruction", outcome.instruction);
  io("at", outcome.offset);
  io("message", outcome.message);
  io("pinned", outcome.pinned);
  io("had_real_time", outcome.real_time);
  io("confined", outcome.confined);
  io("tiles_refused", outcome.tiles_refused);
}

template <typename Io> void io_measurement(Io& io, Measurement& m) {
  io_outcome(io, m.outcome);
  Estimate& e = m.estimate;
  io("cycles", e.cycles);
  io("low", e.low);
  io("high", e.high);
  io("kept", e.kept);
  io("interrupted", e.interrupted);
  io("unsteady", e.unsteady);
  io("batches", e.batches);
  io("clustered", e.clustered);
  io("stable", e.stable);
  io("ticks_per_cycle", e.ticks_per_cycle);
  io("witness_cycles", e.witness_cycles);
  io("overhead", e.overhead_cycles);
  io("at_known_rate", e.at_known_rate);
  io.numbers("batch_cycles", e.batch_cycles);
  io("fault_offset", m.fault_offset);
  io("short_copies", m.short_copies);
  io("long_copies", m.long_copies);
  io("iterations", m.iterations);
  io("x87", m.x87_status);
  io("simd", m.simd_status);
  constexpr std::size_t sample_numbers = 10;
  list<RawSample, sample_numbers>(
      io, "samples", m.samples,
      [](const RawSample& s) {
        return std::array<std::uint64_t, sample_numbers>{
            s.before.shorter, s.before.longer, s.kernel.shorter, s.kernel.longer, s.after.shorter,
            s.after.longer,   s.disturbances,  s.witness,        s.near,          s.far};
      },
      [](std::span<const std::uint64_t, sample_numbers> n) {
        return RawSample{{n[0], n[1]}, {n[2], n[3]}, {n[4], n[5]}, static_cast<std::uint32_t>(n[6]), n[7], n[8], n[9]};
      });
}

template <typename Io> void io_trace_request(Io& io, TraceRequest& request) {
  io_kernel(io, request.kernel);
  io("times", request.copies);
  io("most_steps", request.most_steps);
  io_sandbox(io, request.sandbox);
}

template <typename Io> void io_trace(Io& io, Trace& trace) {
  io_outcome(io, trace.outcome);
  io("complete", trace.complete);
  constexpr std::size_t step_numbers = 1 + general_registers;
  list<TraceStep, step_numbers>(
      io, "steps", trace.steps,
      [](const TraceStep& step) {
        std::array<std::uint64_t, step_numbers> numbers{step.offset};
        std::copy(step.general.begin(), step.general.end(), numbers.begin() + 1);
        return numbers;
      },
      [](std::span<const std::uint64_t, step_numbers> n) {
        TraceStep step{n[0], {}};
        std::copy(n.begin() + 1, n.end(), step.general.begin());
        return step;
      });
}

} // namespace

std::string verb_of(const std::string& line) {
  std::string verb;
  std::istringstream(line) >> verb;
  return verb;
}

std::string to_line(const MeasureRequest& request) {
  Writer writer("measure");
  MeasureRequest copy = request; // what is written and what is read go through the same code
  io_kernel(writer, copy.kernel);
  io_options(writer, copy.options);
  return writer.line();
}
std::string to_line(const TraceRequest& request) {
  Writer writer("trace");
  TraceRequest copy = request;
  io_trace_request(writer, copy);
  return writer.line();
}
std::string to_line(const Measurement& measurement) {
  Writer writer("measured");
  Measurement copy = measurement;
  io_measurement(writer, copy);
  return writer.line();
}
std::string to_line(const Trace& trace) {
  Writer writer("traced");
  Trace copy = trace;
  io_trace(writer, copy);
  return writer.line();
}

MeasureRequest measure_request(const std::string& line) {
  Reader reader("measure", line);
  MeasureRequest request;
  io_kernel(reader, request.kernel);
  io_options(reader, request.options);
  return request;
}
TraceRequest trace_request(const std::string& line) {
  Reader reader("trace", line);
  TraceRequest request;
  io_trace_request(reader, request);
  return request;
}
Measurement measurement_of(const std::string& line) {
  Reader reader("measured", line);
  Measurement measurement;
  io_measurement(reader, measurement);
  return measurement;
}
Trace trace_of(const std::string& line) {
  Reader reader("traced", line);
  Trace trace;
  io_trace(reader, trace);
  return trace;
}

std::string to_digits(const std::string& text) {
  return digits_of(text);
}
std::string of_digits(const std::string& digits) {
  return bytes_of<std::string>(digits);
}

} // namespace corecast::runner
