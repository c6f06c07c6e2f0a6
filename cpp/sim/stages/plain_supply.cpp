// Fetch and decode of cores whose decoders are all alike: a queue between two widths. Taken branches end what is
// fetched in a cycle; uop caches are read by entries, each of one line of code (pipeline facts AM-15, AM-18, AR-6, AX-1
// to AX-5).
#include "cpp/sim/stages/stages.hpp"

#include <algorithm>
#include <utility>

namespace corecast::sim {
namespace {

bool starts_instruction(const Program& program, std::size_t at) {
  return program.instructions[program.laminated[at].instruction].first_laminated == at;
}

std::uint64_t address_of(const Program& program, std::uint64_t number) {
  const std::uint64_t body = program.laminated.size();
  const std::uint64_t turns = program.loop ? 0 : number / body; // copies follow each other
  return program.start + turns * program.length + program.decoded[program.laminated[number % body].instruction].offset;
}

std::uint32_t length_at(const Program& program, std::size_t at) {
  return program.decoded[program.laminated[at].instruction].length;
}

/// Decoders that the instruction here takes, with one behind it that takes no slot.
std::uint32_t decoders_of(const Program& program, std::size_t at) {
  const std::size_t next = program.laminated[at].instruction + std::size_t{1};
  return next < program.decoded.size() && program.decoded[next].absorbed ? 2 : 1;
}

void fetch(Core& core) {
  FrontEnd& front_end = core.front_end;
  const Program& program = *core.program;
  const SupplyParameters& supply = core.parameters.supply;
  if (front_end.fetched - front_end.uops.delivered >= supply.fetch_queue) return;
  if (front_end.branch_debt >= 1) {
    front_end.branch_debt -= 1;
    return;
  }
  const std::uint64_t body = program.laminated.size();
  const bool taken = program.loop && program.decoded.back().branch;
  const std::uint64_t block =
      supply.fetch_block_bytes == 0 ? 0 : address_of(program, front_end.fetched) / supply.fetch_block_bytes;
  double branches = front_end.branch_debt;
  std::uint64_t at = front_end.fetched % body;
  std::uint32_t instructions = 0;
  // Entries that go on from line to line are read behind the queue; what is looked up in a cycle is a line.
  const std::vector<bool>& pieces = supply.entry_crosses_lines ? core.supply.ends_line : core.supply.ends_entry;
  const std::uint32_t most = supply.entry_crosses_lines ? 1 : supply.entries;
  const std::vector<std::uint32_t>& read_cycles = core.supply.read_cycles;
  std::uint32_t read = 0;
  for (std::uint32_t uops = 0; uops < 2 * supply.fetch_queue; ++uops) {
    if (starts_instruction(program, at)) {
      if (instructions == supply.fetch_instructions) break;
      if (supply.fetch_block_bytes != 0 && address_of(program, front_end.fetched) / supply.fetch_block_bytes != block)
        break;
      ++instructions;
    }
    ++front_end.fetched;
    const bool ends_piece = supply.entries != 0 && pieces[at];
    const std::uint32_t cycles = read_cycles.empty() ? 0 : read_cycles[at];
    const DecodedUop& fetched = program.laminated[at];
    // What a loop buffer replays is not fetched.
    const bool jumps = !core.supply.replayed && fetched.last && program.decoded[fetched.instruction].jumps;
    if (++at == body) at = 0;
    if (jumps || (taken && at == 0)) {
      branches += 1 / core.parameters.taken_branches_per_cycle;
      if (branches >= 1 - 1e-9) break;
    }
    if (cycles > 0) { // one read a cycle, whatever branches it has
      branches = cycles;
      break;
    }
    if (read_cycles.empty() && ends_piece && ++read == most) break;
  }
  front_end.branch_debt = std::max(0.0, branches - 1);
}

void decode(Core& core) {
  FrontEnd& front_end = core.front_end;
  const Program& program = *core.program;
  const SupplyParameters& supply = core.parameters.supply;
  if (front_end.uops.size() + supply.uops > std::uint64_t{4} * supply.uops) return;
  const std::uint64_t body = program.laminated.size();
  const bool by_entries = supply.entries != 0 && supply.entry_crosses_lines;
  const bool ends = (supply.branch_ends_group || by_entries) && program.loop && program.decoded.back().branch;
  std::uint32_t entries = 0;
  std::uint64_t at = front_end.uops.delivered % body;
  std::uint32_t instructions = std::exchange(front_end.decoders_taken, 0);
  const std::uint32_t width =
      by_entries ? unlimited : supply.uops; // what is added to an entry takes none of its places
  for (std::uint32_t uops = 0; uops < width && front_end.uops.delivered < front_end.fetched; ++uops) {
    if (starts_instruction(program, at)) {
      if (instructions >= supply.decode_instructions) break;
      const bool first_only = length_at(program, at) > supply.first_decoder_bytes;
      if (first_only && instructions > 0) break;
      instructions += decoders_of(program, at);
      if (instructions > supply.decode_instructions)
        front_end.decoders_taken = instructions - supply.decode_instructions;
    }
    ++front_end.uops.delivered;
    if (by_entries && core.supply.ends_entry[at] && ++entries == supply.entries) break;
    if (++at < body) continue;
    at = 0;
    if (ends) break;
  }
}

} // namespace

void supply_by_width(Core& core) {
  decode(core);
  fetch(core);
}

} // namespace corecast::sim
