// The table of parameters (src/corecast/machine/parameters.tsv) as C++ has it: generated/parameters.cpp defines it.
#pragma once

#include "cpp/machine/pipeline/value.hpp"

#include <cstdint>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace corecast {

struct PipelineParameters;
class PipelineReader;

enum class ParameterType : std::uint8_t {
  any,
  boolean,
  number,
  integer,
  numbers,
  text,
  texts,
  text_lists,
  policy,
  table,
  tables,
  rows
};

/// A key of pipeline.toml; `*` in it stands for any name, `[]` for each item of a list.
struct Parameter {
  std::string_view key;
  ParameterType type;
  double low, high; // of numbers
  bool above_low;   // ... without `low` itself
  bool unlimited;   // or "unlimited" in place of a number
  bool required;
  std::string_view unit;
  std::string_view choices; // of a policy, separated by semicolons
};

/// What is wrong with a key, which is written with dots.
struct Fault {
  std::string key;
  std::string message; // names the key
};

/// A part of the core that a simulation needs to know.
struct Need {
  enum Kind : std::uint8_t { simulate, simulate_out_of_order, limit } kind;
  std::string_view part;
  bool known;
};

/// Every parameter, sorted by key.
std::span<const Parameter> parameters();

/// Unknown keys, values of another type, numbers out of range, required keys that are missing.
std::vector<Fault> check_parameters(const Value& tree);

/// Sets the members that the table names. Values that check_parameters() complains of count as absent.
void read_scalars(const PipelineReader& in, bool is_x86, PipelineParameters& out);

std::vector<Need> needs(const PipelineParameters& pipeline);

} // namespace corecast
