#include "cpp/lower/encoded_constants.hpp"

#include "cpp/lower/graph.hpp"

#include <algorithm>

namespace corecast {
namespace {

constexpr unsigned most_bytes_of_one = 4;

EncodedConstants of_bytes(unsigned bytes) {
  if (bytes == 0) return {};
  const unsigned count = bytes > most_bytes_of_one ? 2 : 1;
  return {count, bytes > 1 ? count : 0};
}

} // namespace

EncodedConstants cached_constants(const Instruction& instruction) {
  EncodedConstants out = of_bytes(instruction.immediate_bytes);
  out += of_bytes(instruction.displacement_bytes);
  const Branch branch = instruction.branch;
  if (branch != Branch::none && branch != Branch::indirect && branch != Branch::ret) ++out.all;
  return out;
}

unsigned renamed_constants(const Instruction& instruction, RegisterId stack_pointer) {
  const bool on_stack =
      stack_pointer != 0 && std::any_of(instruction.memory.begin(), instruction.memory.end(),
                                        [&](const MemoryAccess& access) { return access.base == stack_pointer; });
  return cached_constants(instruction).all + (on_stack && instruction.displacement_bytes == 0 ? 1 : 0);
}

unsigned offset_constants(const ExtraUop& uop, const Instruction& instruction, RegisterId stack_pointer,
                          unsigned each) {
  if (uop.alone || uop.stack_step_bytes != 0) return 0;
  const bool adds = uop.ports == 0 && instruction.immediate_bytes > 0 &&
                    std::any_of(instruction.affine.begin(), instruction.affine.end(),
                                [&](const AffineValue& value) { return value.reg == stack_pointer; });
  return adds ? 2 * each : each;
}

} // namespace corecast
