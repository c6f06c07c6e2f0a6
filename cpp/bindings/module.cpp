// The Python module corecast._core: one registration function a subject.
#include "bindings.hpp"

NB_MODULE(_core, m) {
  m.doc() = "Native core of corecast: reading code, machine tables, analysis.";
  corecast::register_reading(m);
  corecast::register_schedule(m);
  corecast::register_machine(m);
  corecast::register_aliasing(m);
  corecast::register_analysis(m);
  corecast::register_predict(m);
  corecast::register_simulate(m);
  corecast::register_runner(m);
  corecast::register_statistics(m);
}
