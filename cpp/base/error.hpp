// Exceptions of the core.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace corecast {

struct ModelError : std::runtime_error {
  ModelError(const std::string& message, std::string file_name, std::uint32_t line_number = 0)
      : std::runtime_error(message), file(std::move(file_name)), line(line_number) {}

  std::string file;
  std::uint32_t line; // 1-based, 0 where the whole file is meant
};

/// A key of pipeline.toml that has no sound value.
struct KeyError : ModelError {
  KeyError(std::string key_path, const std::string& message, std::string file_name)
      : ModelError(message, std::move(file_name)), key(std::move(key_path)) {}

  std::string key;
};

/// An instruction form without data, where the user asked for an error rather than a guess.
struct UnknownFormError : std::runtime_error {
  UnknownFormError(const std::string& message, std::uint32_t line_number)
      : std::runtime_error(message), line(line_number) {}

  std::uint32_t line; // of the assembly text, 0 where none
};

/// A region with more micro-ops than can be simulated in reasonable time; its bounds can still be computed.
struct SimulationLimitError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An instruction of an extension that the core does not have.
struct UnsupportedError : std::runtime_error {
  UnsupportedError(const std::string& message, std::uint32_t line_number)
      : std::runtime_error(message), line(line_number) {}

  std::uint32_t line; // of the assembly text, 0 where none
};

} // namespace corecast
