#include "cpp/sim/slots.hpp"

#include "cpp/base/few.hpp"
#include "cpp/sim/units/buffers.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace corecast::sim {
namespace {

class Slots {
public:
  Slots(const Machine& machine, const MemoryPorts& memory_ports, const NewUops& uops, Program& program)
      : machine_(machine), memory_ports_(memory_ports), uops_(uops), about_(program.decoded[uops.number]),
        program_(program) {}

  void run() {
    const std::uint32_t slots = about_.slots;
    for (std::uint32_t have = uops_from(uops_.first); have < slots; ++have) {
      Uop empty;
      empty.instruction = uops_.number;
      empty.first_input = empty.input_end = static_cast<std::uint32_t>(program_.inputs.size());
      empty.first_output = empty.output_end = static_cast<std::uint32_t>(program_.outputs.size());
      program_.uops.push_back(empty);
    }
    const auto end = static_cast<std::uint32_t>(program_.uops.size());
    const auto first_fused = static_cast<std::uint32_t>(program_.fused.size());
    std::uint32_t at = uops_.first;
    for (std::uint32_t slot = 0; slot + 1 < slots; ++slot) {
      const std::uint32_t first = at;
      bool more = true;
      while (more && uops_from(at) > slots - slot && fuses(at)) {
        at = behind(at);
        more = joins_halves_; // an operation keeps its slot where the load is of two halves
      }
      at = behind(at);
      program_.fused.push_back({first, at, 0});
    }
    program_.fused.push_back({at, end, 0});
    hold_entries(first_fused);
    form_laminated(first_fused);
  }

private:
  bool fuses(std::uint32_t uop) const {
    const Uop& each = program_.uops[uop];
    return (each.ports & memory_ports_.fusing()) != 0 && (each.ports & ~memory_ports_.fusing()) == 0;
  }

  /// The instruction's uops from here on that are the core's.
  std::uint32_t uops_from(std::uint32_t first) const {
    return static_cast<std::uint32_t>(
        std::count_if(program_.uops.begin() + first, program_.uops.end(), [](const Uop& uop) { return !uop.join; }));
  }

  /// Behind a uop and the joins of what it makes.
  std::uint32_t behind(std::uint32_t uop) const {
    do
      ++uop;
    while (uop < program_.uops.size() && program_.uops[uop].join);
    return uop;
  }

  /// Loads and stores have a place in their queues, written registers one in their file, from the instruction's last
  /// slot.
  void hold_entries(std::uint32_t first_fused) {
    std::uint32_t addresses = 0;
    std::uint32_t data = 0;
    for (std::uint32_t u = uops_.first; u < program_.uops.size(); ++u) {
      addresses += program_.uops[u].kind == UopKind::store_address ? 1 : 0;
      data += program_.uops[u].kind == UopKind::store_data ? 1 : 0;
    }
    // A store whose data take two ports, as of 512 bits, is one all the same.
    const bool wide = addresses > 0 && data > addresses;
    const UopKind store = data >= addresses && !wide ? UopKind::store_data : UopKind::store_address;
    for (std::uint32_t f = first_fused; f < program_.fused.size(); ++f) {
      FusedUop& fused = program_.fused[f];
      for (std::uint32_t u = fused.first_uop; u < fused.uop_end; ++u) {
        if (program_.uops[u].kind == UopKind::load) fused.held += entries_of(Buffer::load_queue, 1);
        if (program_.uops[u].kind == store) fused.held += entries_of(Buffer::store_queue, 1);
      }
    }
    program_.fused.back().held += written_registers();
  }

  BufferEntries written_registers() const {
    Few<RegisterId> seen;
    BufferEntries out = 0;
    for (const Operand& operand : uops_.instruction.operands)
      for (const RegisterUse& use : operand.registers) {
        if (!use.write || std::find(seen.begin(), seen.end(), use.reg) != seen.end()) continue;
        seen.push_back(use.reg);
        const RegisterFile file = machine_.register_file(use.reg);
        if (file == RegisterFile::integer) out += entries_of(Buffer::integer_registers, 1);
        if (file == RegisterFile::vector) out += entries_of(Buffer::vector_registers, 1);
      }
    return out;
  }

  void form_laminated(std::uint32_t first_fused) {
    const auto end = static_cast<std::uint32_t>(program_.fused.size());
    const std::uint32_t count = about_.decoded_uops + about_.microcode_uops;
    const bool writes = machine_.writes_register(uops_.instruction);
    std::uint32_t at = first_fused;
    for (std::uint32_t slot = 0; slot < count; ++slot) {
      DecodedUop out;
      out.kind = slot < about_.decoded_uops ? LaminatedKind::decoded : LaminatedKind::microcode;
      out.instruction = uops_.number;
      out.first_fused = at;
      const bool last = slot + 1 == count;
      const FusedUop& fused = program_.fused[at];
      const bool pair =
          !last && end - at > count - slot && behind(fused.first_uop) == fused.uop_end && fuses(fused.first_uop);
      at = last ? end : at + (pair ? 2 : 1);
      out.fused_end = at;
      for (std::uint32_t f = out.first_fused; f < out.fused_end; ++f)
        out.held += program_.fused[f].held;
      out.results = writes ? out.fused_end - out.first_fused : 0;
      out.last = last;
      program_.laminated.push_back(out);
    }
  }

  const Machine& machine_;
  const MemoryPorts& memory_ports_;
  const NewUops& uops_;
  const DecodedInstruction& about_;
  Program& program_;
  /// Where a load shares the slot of its operation, both halves of one do.
  const bool joins_halves_ = machine_.pipeline().micro_fusion;
};

} // namespace

void form_slots(const Machine& machine, const MemoryPorts& memory_ports, const NewUops& uops, Program& program) {
  Slots(machine, memory_ports, uops, program).run();
}

} // namespace corecast::sim
