#include "cpp/sim/stalls.hpp"

namespace corecast::sim {

const char* stall_name(Stall stall) {
  constexpr const char* names[stall_kinds] = {"none",         "split_group",     "predecode",   "decode",
                                              "microcode",    "uop_cache",       "loop_buffer", "fetch",
                                              "serializing",  "operand_latency", "port_busy",   "unit_busy",
                                              "retire_width", "store_commit",    "activity"};
  return names[static_cast<std::size_t>(stall)];
}

const char* full_name(Full full) {
  constexpr const char* names[full_kinds] = {
      "", "reorder_buffer", "scheduler", "load_queue", "store_queue", "integer_registers", "vector_registers"};
  return names[static_cast<std::size_t>(full)];
}

} // namespace corecast::sim
