#include "cpp/lower/supply.hpp"

#include "cpp/base/recycled.hpp"
#include "cpp/lower/uop_cache_entries.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace corecast {
namespace {

// Mean length of an instruction in compiled x86-64 code, to estimate how many stand before the region in its block.
constexpr double usual_length_bytes = 4.4;

class Layers {
public:
  Layers(const Body& body, const FrontEndParameters& parameters, const FrontEndSizes& sizes)
      : body_(body), parameters_(parameters), sizes_(sizes) {}

  Supply run() {
    const auto& instructions = body_.instructions;
    out_.cached.assign(instructions.size(), false);
    groups_.reserve(instructions.size());
    out_.last_decoded = static_cast<std::uint32_t>(instructions.size() - 1);
    if (out_.last_decoded > 0 && instructions.back().fused_second) --out_.last_decoded;
    if (sizes_.legacy_decoders && body_.loop && body_.length() > 0) find_cached();
    for (std::uint32_t i = 0; i < instructions.size(); ++i)
      if (!out_.cached[i]) out_.legacy.push_back(i);
    find_legacy_blocks();
    find_loop_buffer();
    out_.deliverer = deliverer();
    out_.begins_anew = begins_anew();
    return std::move(out_);
  }

private:
  std::uint64_t address(std::uint32_t i) const { return body_.address(i); }

  /// Finds the groups of instructions by the block of their first byte.
  void group(std::uint32_t bytes) {
    auto& out = groups_;
    for (std::uint32_t i = 0; i < body_.instructions.size(); ++i) {
      if (out.empty() || address(i) / bytes != address(out.back().first) / bytes) out.emplace_back(i, i);
      out.back().second = i + 1;
    }
  }

  /// Slots of the uop cache's block at the region's start that the code before the region takes: it was run first, so
  /// what it left of the line goes to the region. Often only its length is known.
  std::uint32_t slots_before() const {
    if (body_.slots_before) return *body_.slots_before;
    const auto bytes = static_cast<double>(body_.start % sizes_.cache_block_bytes);
    return static_cast<std::uint32_t>(std::lround(bytes / usual_length_bytes));
  }

  /// Packs a block into lines; false where it does not fit.
  bool pack(std::uint32_t first, std::uint32_t end, std::vector<CacheEntry>& entries,
            std::vector<CacheLine>& lines) const {
    const std::uint32_t taken = first == 0 ? slots_before() : 0;
    std::uint32_t count = taken / sizes_.cache_line_slots;
    std::uint32_t free = sizes_.cache_line_slots - taken % sizes_.cache_line_slots; // of the first line
    std::uint32_t left = 0;
    bool closed = true;
    for (std::uint32_t i = first; i < end; ++i) {
      const DecodedInstruction& instruction = body_.instructions[i];
      if (instruction.fused_second) continue;
      const std::uint32_t made = instruction.decoded_uops;
      const std::uint32_t needed = std::max(1U, made) + (instruction.wide_immediate ? 1 : 0);
      const bool microcode = instruction.microcode_uops > 0;
      const bool alone = microcode && sizes_.cache_microcode_alone;
      if (closed || needed > left || alone) {
        if (++count > sizes_.cache_lines_per_block) return false;
        lines.push_back({static_cast<std::uint32_t>(entries.size()), 0});
        left = std::exchange(free, sizes_.cache_line_slots);
        if (needed > left) left = sizes_.cache_line_slots; // what is free of the line before is too little
      }
      for (std::uint32_t u = 0; u < made; ++u)
        entries.push_back({i, u + 1 == made, instruction.wide_immediate && u == 0, microcode && u + 1 == made,
                           sizes_.cache_line_slots - left + u});
      lines.back().end = static_cast<std::uint32_t>(entries.size());
      left -= std::min(left, needed);
      closed = alone;
    }
    return true;
  }

  /// A branch or fused pair at the end of its block that crosses or ends at a 32-byte boundary (pipeline facts IN-43).
  bool hit_by_erratum(std::uint32_t first, std::uint32_t end) const {
    if (!sizes_.jcc_erratum || !body_.alignment_known) return false;
    std::uint32_t i = end - 1;
    const auto& instructions = body_.instructions;
    if (instructions[i].fused_second && i > first) --i;
    const bool pair = instructions[i].fused_first;
    if (!pair && !instructions[i].branch) return false;
    const std::uint32_t last = pair ? i + 1 : i;
    const std::uint64_t past = address(last) + instructions[last].length;
    return address(i) / 32 != past / 32;
  }

  /// The start of the body that the uop cache delivers: up to the first block that it cannot hold.
  void find_cached() {
    group(sizes_.cache_block_bytes);
    const auto& blocks = groups_;
    std::vector<CacheEntry>& entries = out_.entries;
    std::vector<CacheLine>& lines = out_.lines;
    entries.reserve(2 * body_.instructions.size());
    lines.reserve(2 * blocks.size());
    std::size_t kept_entries = 0, kept_lines = 0;
    std::uint32_t kept = 0;
    for (std::size_t b = 0; b < blocks.size();) {
      // On cores with the rule both halves of a 64-byte line go together.
      std::size_t next = b + 1;
      if (sizes_.cache_needs_both_halves && next < blocks.size() &&
          address(blocks[next].first) / 64 == address(blocks[b].first) / 64)
        ++next;
      bool fits = true;
      for (std::size_t each = b; each < next; ++each)
        fits = fits && !hit_by_erratum(blocks[each].first, blocks[each].second) &&
               pack(blocks[each].first, blocks[each].second, entries, lines);
      if (!fits) break;
      kept_entries = entries.size();
      kept_lines = lines.size();
      kept = blocks[next - 1].second;
      b = next;
    }
    entries.resize(kept_entries);
    lines.resize(kept_lines);
    std::fill(out_.cached.begin(), out_.cached.begin() + kept, true);
  }

  Deliverer deliverer() const {
    const auto end = static_cast<std::uint32_t>(body_.instructions.size());
    const bool decodes = sizes_.legacy_decoders ? !out_.legacy.empty() : hit_by_erratum(0, end);
    if (!body_.loop || decodes) return Deliverer::decoders;
    if (out_.replayed) return Deliverer::loop_buffer;
    return parameters_.uop_cache_width ? Deliverer::uop_cache : Deliverer::decoders;
  }

  /// A body that starts and ends in one block of the cache.
  bool begins_anew() const {
    if (!sizes_.legacy_decoders || out_.deliverer != Deliverer::uop_cache) return false;
    if (!sizes_.cache_line_change_costs || sizes_.cache_block_bytes != 32) return false;
    const bool delays = std::any_of(body_.instructions.begin(), body_.instructions.end(),
                                    [](const DecodedInstruction& instruction) { return instruction.wide_immediate; });
    return !delays && address(0) / 32 == address(out_.last_decoded) / 32;
  }

  void find_legacy_blocks() {
    std::uint64_t previous = 0;
    std::uint32_t block = 0;
    for (std::size_t p = 0; p < out_.legacy.size(); ++p) {
      const std::uint64_t at = address(out_.legacy[p]) / sizes_.predecode_block_bytes;
      if (p > 0 && at != previous) ++block;
      previous = at;
      out_.block.push_back(block);
    }
    out_.blocks = out_.legacy.empty() ? 0 : block + 1;
  }

  void find_loop_buffer() {
    if (!sizes_.loop_buffer || !body_.loop) return;
    std::uint32_t uops = 0;
    for (std::uint32_t i = 0; i < body_.instructions.size(); ++i) {
      const DecodedInstruction& instruction = body_.instructions[i];
      if (instruction.fused_second) continue;
      if (instruction.microcode_uops > 0 || instruction.writes_high8) return;
      if (instruction.changes_stack && !sizes_.loop_buffer_with_stack) return;
      uops += instruction.decoded_uops;
    }
    if (uops == 0 || uops > sizes_.uop_queue) return;
    out_.replayed = true;
    if (!out_.legacy.empty()) return;
    out_.loop_buffer = true;
    for (const UnrollRange& range : sizes_.loop_buffer_copies)
      if (uops >= range.from_uops && uops <= range.to_uops)
        out_.loop_buffer_copies = static_cast<std::uint32_t>(range.copies);
  }

  const Body& body_;
  const FrontEndParameters& parameters_;
  const FrontEndSizes& sizes_;
  Recycled<std::pair<std::uint32_t, std::uint32_t>> groups_; // first instruction, and the one behind the last
  Supply out_;
};

/// Where entries and lines of a uop cache end that is read entry by entry.
void find_entries(const Body& body, const FrontEndParameters& parameters, Supply& out) {
  UopCacheEntries cache(parameters);
  const auto add = [&](bool entry, bool line) {
    if (!out.ends_entry.empty()) {
      out.ends_entry.back() = entry;
      out.ends_line.back() = line;
    }
    out.ends_entry.push_back(false);
    out.ends_line.push_back(false);
  };
  for (std::size_t i = 0; i < body.instructions.size(); ++i) {
    const DecodedInstruction& instruction = body.instructions[i];
    const bool begins = !instruction.fused_second;
    if (begins) {
      const DecodedInstruction& last = body.instructions[i + (instruction.fused_first ? 1 : 0)];
      EncodedConstants constants = instruction.constants;
      if (instruction.fused_first) constants += last.constants;
      cache.begin(body.address(i), body.start + last.offset + last.length - 1,
                  instruction.decoded_uops + instruction.microcode_uops, constants);
    }
    const std::uint32_t made = begins ? instruction.decoded_uops + instruction.microcode_uops : 0;
    for (std::uint32_t u = 0; u < instruction.added_uops + made; ++u) {
      const bool first = begins && u == 0;
      bool anew = first && cache.begins_entry();
      if (u >= instruction.added_uops) anew = cache.add() || anew;
      add(anew, first && cache.begins_line());
    }
  }
  if (out.ends_entry.empty()) return;
  out.ends_entry.back() = true;
  out.ends_line.back() = true;
}

/// Which uops are read together from a uop cache that is read line by line, and how long that takes. What is added
/// later comes with the uop before it.
void find_reads(const Body& body, const FrontEndParameters& parameters, const SupplyParameters& supply, Supply& out) {
  const auto line_bytes = static_cast<std::uint64_t>(parameters.uop_cache_entry_bytes.value_or(64));
  const std::uint64_t first = body.start / line_bytes;
  std::vector<std::uint32_t> left((body.start + body.length() - 1) / line_bytes - first + 1, 0); // uops by line
  std::vector<std::size_t> places; // of the cached uops among all
  for (std::size_t i = 0; i < body.instructions.size(); ++i) {
    const DecodedInstruction& instruction = body.instructions[i];
    const std::uint32_t made = instruction.fused_second ? 0 : instruction.decoded_uops + instruction.microcode_uops;
    out.read_cycles.resize(out.read_cycles.size() + instruction.added_uops, 0);
    for (std::uint32_t u = 0; u < made; ++u) {
      places.push_back(out.read_cycles.size());
      out.read_cycles.push_back(0);
    }
    left[body.address(i) / line_bytes - first] += made;
  }
  if (left.size() == 1 && places.size() <= *supply.short_read_uops) { // with the branch, the next turn's, too
    out.read_cycles.clear();
    return;
  }
  std::size_t read = 0;
  for (std::size_t line = 0; line < left.size() && !places.empty();) {
    std::uint32_t taken = std::min(left[line], supply.uops);
    const std::uint32_t cycles = read == 0 && left[line] > supply.uops ? 2 : 1;
    left[line] -= taken;
    const bool reread = line == 0 && read > 0; // of the line that the branch enters
    if (left[line] == 0 && ++line < left.size() && taken <= *supply.short_read_uops && !reread) {
      const std::uint32_t more = std::min(left[line], supply.uops - taken);
      taken += more;
      left[line] -= more;
      if (left[line] == 0) ++line;
    }
    read += taken;
    // A line that only the end of an instruction is in is read, too.
    out.read_cycles[read > 0 ? places[read - 1] : 0] += cycles;
  }
}

bool delivers(Deliverer deliverer, Supplied wanted) {
  switch (wanted) {
  case Supplied::decoders:
    return deliverer == Deliverer::decoders;
  case Supplied::uop_cache:
    return deliverer == Deliverer::uop_cache;
  case Supplied::loop_buffer:
    return deliverer == Deliverer::loop_buffer;
  case Supplied::any:
    break;
  }
  return true;
}

/// Cycles that a rule adds to each iteration. Where the body's place is not known, it starts a line.
double supply_cost(const Rule& rule, const Body& body, Deliverer deliverer) {
  if (!delivers(deliverer, rule.supplier)) return 0;
  const auto& instructions = body.instructions;
  std::uint64_t count = 0;
  if (rule.per == CostOf::line) {
    const std::uint64_t start = body.alignment_known ? body.start % rule.line_bytes : 0;
    count = (start + body.length() + rule.line_bytes - 1) / rule.line_bytes;
  } else {
    count = static_cast<std::uint64_t>(std::count_if(instructions.begin(), instructions.end(),
                                                     [](const DecodedInstruction& each) { return each.jumps; }));
    if (body.loop && instructions.back().branch && !instructions.back().jumps) ++count;
  }
  return count > rule.free ? static_cast<double>(count - rule.free) * rule.cycles : 0;
}

/// What a loop of five micro-ops pays whose third instruction lies in both halves of the block of the uop cache that
/// holds it all and begins with it. It was measured where another instruction could begin behind the loop: within 26 of
/// 32 bytes (pipeline facts IN-57).
double crossed_half_cycles(const Body& body, const FrontEndParameters& parameters, const FrontEndSizes& sizes) {
  constexpr std::uint32_t slowed_uops = 5, crossing_place = 2, bytes_behind = 6;
  const std::uint32_t block = sizes.cache_block_bytes;
  const std::uint32_t half = block / 2;
  if (parameters.crossed_half_cycles == 0 || !body.loop || !body.alignment_known || body.start % block != 0) return 0;
  if (body.length() + bytes_behind > block) return 0;
  std::uint32_t uops = 0, slots = 0, place = 0;
  bool crosses = false;
  for (const DecodedInstruction& instruction : body.instructions) {
    if (instruction.fused_second) continue;
    if (instruction.microcode_uops > 0 || instruction.wide_immediate) return 0;
    if (place++ == crossing_place)
      crosses = instruction.offset < half && instruction.offset + instruction.length > half;
    uops += instruction.decoded_uops + instruction.added_uops;
    slots += instruction.slots + instruction.added_uops;
  }
  return crosses && uops == slowed_uops && slots == slowed_uops ? parameters.crossed_half_cycles : 0;
}

} // namespace

Supply Supply::of(const Body& body, const FrontEndParameters& parameters, const FrontEndSizes& sizes) {
  if (body.instructions.empty()) return {};
  Supply out = Layers(body, parameters, sizes).run();
  if (sizes.supply.entries > 0) find_entries(body, parameters, out);
  const bool straight = std::none_of(body.instructions.begin(), body.instructions.end(),
                                     [](const DecodedInstruction& instruction) { return instruction.jumps; });
  if (sizes.supply.short_read_uops && body.loop && straight) find_reads(body, parameters, sizes.supply, out);
  for (const Rule& rule : parameters.supply_costs)
    out.extra_cycles += supply_cost(rule, body, out.deliverer);
  if (out.deliverer == Deliverer::uop_cache) out.extra_cycles += crossed_half_cycles(body, parameters, sizes);
  return out;
}

} // namespace corecast
