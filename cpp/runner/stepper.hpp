// A program that is run instruction by instruction, on the machine itself: for code that no counting emulator executes.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace corecast::runner {

/// What one process executed between two calls of exec.
struct SteppedImage {
  std::string maps; // its mappings, as last read from /proc/PID/maps
  std::unordered_map<std::uint64_t, std::uint64_t>
      counts; // executions by address; of a repeated string instruction one
};

struct Stepped {
  std::string problem;    // why nothing ran; "" where it did
  int status = 0;         // exit code of the program; below 0: the signal that ended it
  bool timed_out = false; // it was ended because its time was over
  std::vector<SteppedImage> images;
};

/// Runs a program and all that it starts; the first argument is its file. `seconds`: after which it is ended; 0: never.
Stepped step_program(const std::vector<std::string>& arguments, double seconds);

/// Whether this system can.
bool can_step_programs();

} // namespace corecast::runner
