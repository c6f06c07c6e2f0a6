#include "cpp/sim/digest.hpp"

#include <array>
#include <bit>
#include <optional>
#include <type_traits>
#include <vector>

namespace corecast::sim {
namespace {

/// Each struct is taken apart by a structured binding, which names all its members or does not compile: none can be
/// forgotten.
class Digester {
public:
  Digest digest() const {
    std::array<std::uint64_t, lane_count> lanes = lanes_;
    for (std::size_t i = 0; i < 2 * lane_count; ++i) // each meets each
      lanes[i % lane_count] = mixed(lanes[i % lane_count] + lanes[(i + 1) % lane_count]);
    return {lanes[lane_count - 2], lanes[lane_count - 1]};
  }

  void add(const Program& program) {
    const auto& [decoded, instructions, laminated, fused, uops, inputs, outputs, late_results, written, stores,
                 banked_loads, banks, phases, delays, loads, line_bytes, draws, waiting, values, farthest,
                 lagging_inputs, longest_lag, length, start, alignment_known, slots_before, loop, moves, unknown,
                 late_wakeup, avoided, shared_results, overtaken_results, second_results, resources, units] = program;
    add_each(decoded);
    add_each(instructions);
    add_each(laminated);
    add_each(fused);
    add_each(uops);
    add_each(inputs);
    add_each(outputs);
    add_each(late_results);
    add_each(written);
    add_each(stores);
    add_each(banked_loads);
    add(banks);
    add_each(delays);
    add_each(loads);
    add(waiting);
    add_each(lagging_inputs);
    add_packed(slots_before.has_value(), slots_before.value_or(0), phases, line_bytes, draws, values, farthest,
               longest_lag, length, start, alignment_known, loop, moves, unknown, late_wakeup, avoided, shared_results,
               overtaken_results, second_results, resources, units);
  }

private:
  template <typename T> void add_each(const std::vector<T>& all) {
    add_word(all.size());
    for (const T& each : all)
      add(each);
  }

  void add(std::uint32_t number) { add_word(number); }
  void add(std::int32_t number) { add_packed(number); }

  void add(const DecodedInstruction& each) {
    const auto& [offset, length, opcode_offset, length_changing_prefix, branch, jumps, fused_second, absorbed,
                 fused_first, ends_group, fusible, complex, simple_beside, wide_immediate, constants, changes_stack,
                 writes_high8, added_uops, decoded_uops, microcode_uops, slots] = each;
    const auto& [all, wide] = constants;
    add_packed(offset, length, opcode_offset, length_changing_prefix, branch, jumps, fused_second, absorbed,
               fused_first, ends_group, fusible, complex, simple_beside, wide_immediate, all, wide, changes_stack,
               writes_high8, added_uops, decoded_uops, microcode_uops, slots);
  }

  void add(const SimInstruction& each) {
    const auto& [serializing, without_row, first_laminated, laminated_end, move, move_source, move_distance,
                 move_output, source_name, destination_name, first_written, written_end] = each;
    add_packed(serializing, without_row, first_laminated, laminated_end, move, move_source, move_distance, move_output,
               source_name, destination_name, first_written, written_end);
  }

  void add(const DecodedUop& each) {
    const auto& [kind, instruction, first_fused, fused_end, first_uop, uop_end, slots, held, constants, results,
                 activity, microcoded, begins_group, last, plain, names, stack_step] = each;
    add_packed(kind, instruction, first_fused, fused_end, first_uop, uop_end, slots, held, constants, results, activity,
               microcoded, begins_group, last, plain, names, stack_step);
  }

  void add(const FusedUop& each) {
    const auto& [first_uop, uop_end, held, choice] = each;
    add_packed(first_uop, uop_end, held, choice);
  }

  void add(const Uop& each) {
    const auto& [ports, kind, instruction, fused, first_input, input_end, first_output, output_end, completion_cycles,
                 port_cycles, first_late, late_end, unit, unit_cycles, group_value, group_distance, group_back,
                 group_cycles, overwritten, waits, join, leads, despite_elimination, wide_load, result_cycles,
                 result_port, second_cycles, result_waits, draws, delays, load, store, banked] = each;
    add_packed(ports, kind, instruction, fused, first_input, input_end, first_output, output_end, completion_cycles,
               port_cycles, first_late, late_end, unit, unit_cycles, group_value, group_distance, group_back,
               group_cycles, overwritten, waits, join, leads, despite_elimination, wide_load, result_cycles,
               result_port, second_cycles, result_waits, draws, delays, load, store, banked);
  }

  void add(const UopInput& each) {
    const auto& [value, distance, extra, late, sixteenths, prompt, in_group, sooner, maker, back, latency] = each;
    add_packed(value, distance, extra, late, sixteenths, prompt, in_group, sooner, maker, back, latency);
  }

  void add(const UopOutput& each) {
    const auto& [value, latency, prompt] = each;
    add_packed(value, latency, prompt);
  }

  void add(const LatePorts& each) {
    const auto& [ports, cycles, maker_ports, value, distance, back, same_rule] = each;
    add_packed(ports, cycles, maker_ports, value, distance, back, same_rule);
  }

  void add(const WrittenName& each) {
    const auto& [name, file] = each;
    add_packed(name, file);
  }

  void add(const AccessAddress& each) {
    const auto& [instruction, base, constant, stride, repeats, width, alone, apart] = each;
    add_packed(instruction, base, constant, stride, repeats, width, alone, apart);
  }

  void add(const BankedLoad& each) {
    const auto& [instruction, constant, stride, width] = each;
    add_packed(instruction, constant, stride, width);
  }

  void add(const LoadBanks& each) {
    const auto& [bytes, count, reads] = each;
    add_packed(bytes, count, reads);
  }

  void add(const LoadDelays::Part& each) {
    const auto& [below, cycles] = each;
    add_packed(below, cycles);
  }

  void add(const LoadDelays& each) {
    const auto& [parts] = each;
    add_each(parts);
  }

  void add(const WaitingLoads& each) {
    const auto& [sixteenths, in_full_queue, loads, links, queue] = each;
    add_each(sixteenths);
    add_packed(in_full_queue, loads, links, queue);
  }

  /// Several of them to a word where they have room.
  template <typename... Numbers> void add_packed(const Numbers&... numbers) {
    std::uint64_t word = 0;
    unsigned filled = 0;
    const auto pack = [&](auto number) __attribute__((always_inline)) { // then it is known what goes where
      constexpr unsigned bits = 8 * sizeof(number);
      if (filled + bits > 64) {
        add_word(word);
        word = filled = 0;
      }
      word |= bits_of(number) << filled;
      filled += bits;
    };
    (pack(numbers), ...);
    add_word(word);
  }

  template <typename Number> static std::uint64_t bits_of(Number number) {
    if constexpr (std::is_floating_point_v<Number>)
      return std::bit_cast<std::uint64_t>(number);
    else if constexpr (std::is_enum_v<Number>)
      return bits_of(static_cast<std::underlying_type_t<Number>>(number));
    else if constexpr (std::is_signed_v<Number>)
      return static_cast<std::make_unsigned_t<Number>>(number);
    else
      return number;
  }

  static std::uint64_t mixed(std::uint64_t number) {
    number *= 0xFF51AFD7ED558CCDULL;
    return number ^ number >> 32;
  }

  /// Words take turns, so that one need not wait for the one before it.
  void add_word(std::uint64_t word) { lanes_ = {lanes_[1], lanes_[2], lanes_[3], mixed(lanes_[0] ^ word)}; }

  static constexpr std::size_t lane_count = 4;
  std::array<std::uint64_t, lane_count> lanes_{0x243F6A8885A308D3ULL, 0x13198A2E03707344ULL, 0xA4093822299F31D0ULL,
                                               0x082EFA98EC4E6C89ULL};
};

} // namespace

Digest digest_of(const Program& program) {
  Digester digester;
  digester.add(program);
  return digester.digest();
}

} // namespace corecast::sim
