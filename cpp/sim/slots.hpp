// The slots that an instruction's uops take: of the decoders and the uop queue, of rename and the reorder buffer.
#pragma once

#include "cpp/machine/machine.hpp"
#include "cpp/machine/memory_ports.hpp"
#include "cpp/sim/program.hpp"

namespace corecast::sim {

/// Uops of one instruction at the end of a program: [first, end).
struct NewUops {
  const Instruction& instruction;
  std::uint32_t number; // of the instruction
  std::uint32_t first;
};

/// Joins them to fused uops and these to decoded uops; adds empty ones where the row has more slots than uops.
void form_slots(const Machine& machine, const MemoryPorts& memory_ports, const NewUops& uops, Program& program);

} // namespace corecast::sim
