// Predecoder, instruction queue and decoders (pipeline facts IN-14 to IN-28).
#include "cpp/sim/stages/stages.hpp"

#include <algorithm>
#include <bit>

namespace corecast::sim {
namespace {

class Predecode {
public:
  explicit Predecode(Core& core)
      : core_(core), supply_(core.supply), predecoder_(core.front_end.predecoder),
        bytes_(core.parameters.predecode_block_bytes),
        shift_(std::has_single_bit(bytes_) ? std::countr_zero(bytes_) : -1) {}

  void run() {
    InstructionQueue& queue = core_.front_end.queue;
    const std::uint32_t width = core_.parameters.predecode_width;
    if (predecoder_.stall == 0) {
      if (predecoder_.group == 0 && queue.size() + width <= core_.parameters.instruction_queue) predecode(width);
      if (predecoder_.stall == 0)
        for (; predecoder_.group > 0; --predecoder_.group)
          queue.predecoded[queue.end++ % queue.predecoded.size()] = core_.now;
    }
    if (predecoder_.stall > 0) --predecoder_.stall;
  }

private:
  const DecodedInstruction& instruction(const Cursor& at) const {
    return core_.program->decoded[supply_.legacy[at.index]];
  }

  std::uint64_t address(const Cursor& at) const {
    const std::uint64_t copies = core_.program->loop ? 0 : at.iteration;
    return core_.program->start + copies * core_.program->length + instruction(at).offset;
  }

  std::uint64_t block(const Cursor& at) const {
    return core_.program->loop ? at.iteration * supply_.blocks + supply_.block[at.index] : block_at(address(at));
  }

  /// Most are as large as a power of two, which saves the divisions.
  std::uint64_t block_at(std::uint64_t address) const { return shift_ >= 0 ? address >> shift_ : address / bytes_; }
  std::uint64_t offset_in_block(std::uint64_t address) const {
    return shift_ >= 0 ? address & (bytes_ - 1) : address % bytes_;
  }

  bool spills(const Cursor& at) const { return offset_in_block(address(at)) + instruction(at).length > bytes_; }

  void predecode(std::uint32_t width) {
    std::uint32_t group = 0;
    if (predecoder_.spilled) {
      group = 1;
      predecoder_.spilled = false;
      if (predecoder_.spilled_ends_body) { // nothing else is read from its second block
        predecoder_.spilled_ends_body = false;
        predecoder_.block_cycles = 1;
        predecoder_.group = group;
        return;
      }
    }
    if (!predecoder_.in_block && predecoder_.next.iteration < core_.front_end.bodies_fetched) open_block();
    if (predecoder_.in_block) read_block(group, width);
    predecoder_.group = group;
  }

  void open_block() {
    predecoder_.in_block = true;
    predecoder_.block = block(predecoder_.next);
    std::uint32_t prefixed = 0;
    for (Cursor at = predecoder_.next; block(at) == predecoder_.block; at.advance(supply_.legacy.size()))
      prefixed += instruction(at).length_changing_prefix ? 1 : 0;
    const std::uint32_t slack = predecoder_.block_cycles > 1 ? predecoder_.block_cycles - 1 : 0;
    const std::uint32_t stall = core_.parameters.lcp_stall_cycles * prefixed;
    predecoder_.stall = stall > slack ? stall - slack : 0;
    predecoder_.block_cycles = 0;
  }

  void read_block(std::uint32_t& group, std::uint32_t width) {
    Cursor& next = predecoder_.next;
    const std::size_t size = supply_.legacy.size();
    while (group < width && block(next) == predecoder_.block && !spills(next)) {
      ++group;
      next.advance(size);
    }
    ++predecoder_.block_cycles;
    if (block(next) == predecoder_.block && spills(next)) {
      const bool opcode_behind = offset_in_block(address(next)) + instruction(next).opcode_offset >= bytes_;
      if (group < width || opcode_behind) {
        predecoder_.spilled = true;
        predecoder_.spilled_ends_body = core_.program->loop && instruction(next).branch &&
                                        supply_.legacy[next.index] + 1 == core_.program->instructions.size();
        next.advance(size);
      }
    }
    if (block(next) != predecoder_.block) predecoder_.in_block = false;
  }

  Core& core_;
  const Supply& supply_;
  Predecoder& predecoder_;
  std::uint64_t bytes_;
  int shift_; // -1: no power of two
};

bool decodable(const Core& core, std::uint64_t place) {
  const InstructionQueue& queue = core.front_end.queue;
  if (place >= queue.end) return false;
  const std::int32_t predecoded = queue.predecoded[place % queue.predecoded.size()];
  return predecoded + static_cast<std::int32_t>(core.parameters.predecode_to_decode) <= core.now;
}

/// Whether the decoders may take an instruction that could be the first of a pair. The last of them does not wait to
/// see what follows (pipeline facts IN-26).
bool may_take_fusible(const Core& core, std::uint32_t i, std::uint32_t decoded) {
  if (decoded + 1 == core.parameters.decoders) return core.parameters.fusible_in_last_decoder;
  const std::uint32_t next = i + 1 < core.program->instructions.size() ? i + 1 : 0;
  if (core.supply.cached[next]) return true; // comes another way
  return decodable(core, core.front_end.queue.begin + 1);
}

void decode(Core& core) {
  InstructionQueue& queue = core.front_end.queue;
  const std::size_t size = core.supply.legacy.size();
  const auto pop = [&] {
    queue.oldest.advance(size);
    ++queue.begin;
  };
  std::uint32_t decoded = 0;
  std::uint32_t simple_left = core.parameters.decoders - 1;
  while (decoded < core.parameters.decoders && decodable(core, queue.begin)) {
    const std::uint32_t i = core.supply.legacy[queue.oldest.index];
    const DecodedInstruction& instruction = core.program->decoded[i];
    if (instruction.fused_second) {
      pop();
      continue;
    }
    if (instruction.fusible && !may_take_fusible(core, i, decoded)) break;
    if (decoded > 0 && (instruction.complex || simple_left == 0)) break;
    if (decoded == 0) {
      if (instruction.simple_beside >= 0 && instruction.complex)
        simple_left = std::min(simple_left, static_cast<std::uint32_t>(instruction.simple_beside));
    } else {
      --simple_left;
    }
    pop();
    ++decoded;
    core.front_end.uops.delivered += instruction.added_uops + instruction.decoded_uops;
    choose_supplier(core, i);
    if (instruction.microcode_uops > 0) {
      start_microcode(core, i, core.parameters.decoders_to_microcode, core.parameters.microcode_to_decoders);
      break;
    }
    core.front_end.uops.delivered += uops_after(core, i);
    if (instruction.ends_group || core.front_end.supplier != Supplier::decoders) break;
  }
}

} // namespace

bool left_by_decoders(const Core& core) {
  const InstructionQueue& queue = core.front_end.queue;
  if (queue.size() == 0) return false;
  const std::int32_t predecoded = queue.predecoded[queue.begin % queue.predecoded.size()];
  return predecoded + static_cast<std::int32_t>(core.parameters.predecode_to_decode) < core.now;
}

void predecode(Core& core) {
  Predecode(core).run();
}

void supply_from_decoders(Core& core) {
  predecode(core);
  decode(core);
}

} // namespace corecast::sim
