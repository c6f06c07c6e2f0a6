// What a program that times code on another machine, or under an emulator, is asked for and answers: a line of text
// each, words `name=value` after the first one.
#pragma once

#include "measure.hpp"
#include "trace.hpp"

#include <cstddef>
#include <string>

namespace corecast::runner {

struct MeasureRequest {
  TimedKernel kernel;
  MeasureOptions options;
};
struct TraceRequest {
  TimedKernel kernel;
  unsigned copies = 1;
  std::size_t most_steps = 0;
  SandboxOptions sandbox;
};

/// The first word of a line, "" where there is none.
std::string verb_of(const std::string& line);

std::string to_line(const MeasureRequest& request);  // measure ...
std::string to_line(const TraceRequest& request);    // trace ...
std::string to_line(const Measurement& measurement); // measured ...
std::string to_line(const Trace& trace);             // traced ...

// The other way. They throw std::invalid_argument for a line that is none such.
MeasureRequest measure_request(const std::string& line);
TraceRequest trace_request(const std::string& line);
Measurement measurement_of(const std::string& line);
Trace trace_of(const std::string& line);

/// Any text as one word: its bytes in hexadecimal digits.
std::string to_digits(const std::string& text);
/// Throws std::invalid_argument.
std::string of_digits(const std::string& digits);

} // namespace corecast::runner
