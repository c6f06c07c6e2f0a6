// The arguments `mode` and `unknown` of bound functions.
#pragma once

#include "cpp/bounds/analyze.hpp"

#include <nanobind/nanobind.h>

#include <string_view>

namespace corecast {

inline LoopMode checked_mode(std::string_view mode) {
  if (mode == "loop") return LoopMode::loop;
  if (mode == "unroll") return LoopMode::unroll;
  throw nanobind::value_error("mode is 'loop' or 'unroll'");
}

inline UnknownPolicy checked_policy(std::string_view unknown) {
  if (unknown == "bound") return UnknownPolicy::bound;
  if (unknown == "nearest") return UnknownPolicy::nearest;
  if (unknown == "skip") return UnknownPolicy::skip;
  if (unknown == "error") return UnknownPolicy::error;
  throw nanobind::value_error("unknown is 'bound', 'nearest', 'skip' or 'error'");
}

} // namespace corecast
