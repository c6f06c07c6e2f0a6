// Registration functions of the subjects that corecast._core binds.
#pragma once

#include <nanobind/nanobind.h>

namespace corecast {

void register_reading(nanobind::module_& m);
void register_schedule(nanobind::module_& m);
void register_machine(nanobind::module_& m);
void register_aliasing(nanobind::module_& m);
void register_analysis(nanobind::module_& m);
void register_predict(nanobind::module_& m);
void register_simulate(nanobind::module_& m);
void register_runner(nanobind::module_& m);
void register_statistics(nanobind::module_& m);

} // namespace corecast
