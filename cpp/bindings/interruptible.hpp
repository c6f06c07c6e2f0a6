// Native work without the interpreter's lock that ends when Python has a signal to handle.
#pragma once

#include "cpp/base/interrupt.hpp"

#include <nanobind/nanobind.h>

namespace corecast {

/// As nb::gil_scoped_release; Python's signal handlers run meanwhile, and what they raise ends the work. They do so in
/// the main thread only, as Python has it.
class InterruptibleRelease {
public:
  InterruptibleRelease() : scope_(&InterruptibleRelease::check) {}

private:
  static void check() {
    const nanobind::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
  }

  nanobind::gil_scoped_release release_;
  InterruptScope scope_;
};

} // namespace corecast
