#include "cpp/sim/link.hpp"

#include "cpp/base/recycled.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace corecast::sim {
namespace {

constexpr std::uint32_t most_uops_of_group = 64; // those farther apart are never renamed in one cycle

struct Maker {
  std::uint32_t uop = none;
  std::int32_t latency = 0;
  bool prompt = false;
};

/// By value.
Recycled<Maker> find_makers(Program& program) {
  Recycled<Maker> out;
  out.resize(program.values);
  for (std::uint32_t u = 0; u < program.uops.size(); ++u) {
    Uop& uop = program.uops[u];
    for (std::uint32_t o = uop.first_output; o < uop.output_end; ++o) {
      const UopOutput& output = program.outputs[o];
      out[output.value] = {u, output.latency, output.prompt};
      uop.completion_cycles = std::max(uop.completion_cycles, output.latency);
    }
  }
  return out;
}

/// How far back, in iterations and in cycles, uops look.
void measure_reach(Program& program) {
  for (const Uop& uop : program.uops) {
    std::int32_t late = 0;
    for (std::uint32_t l = uop.first_late; l < uop.late_end; ++l)
      late += program.late_results[l].cycles;
    program.longest_lag = std::max(program.longest_lag, uop.completion_cycles + late);
  }
  for (std::uint32_t i = 0; i < program.inputs.size(); ++i) {
    const UopInput& input = program.inputs[i];
    program.farthest = std::max(program.farthest, input.distance);
    if (input.late || input.extra > 0 || input.in_group) program.lagging_inputs.push_back(i);
    if (!input.late) continue;
    program.longest_lag = std::max(program.longest_lag, (input.sixteenths + 15) / 16 + 1);
    program.phases = std::lcm(program.phases, 16 / std::gcd(input.sixteenths, 16));
  }
}

} // namespace

void link_inputs(Program& program) {
  const Recycled<Maker> makers = find_makers(program);
  const auto size = static_cast<std::uint32_t>(program.uops.size());
  std::uint32_t kept = 0;
  for (std::uint32_t u = 0; u < size; ++u) {
    Uop& uop = program.uops[u];
    const std::uint32_t first = kept;
    for (std::uint32_t i = uop.first_input; i < uop.input_end; ++i) {
      UopInput input = program.inputs[i];
      const Maker& maker = makers[input.value];
      if (maker.uop == none || (input.distance == 0 && maker.uop >= u)) continue;
      input.maker = maker.uop;
      input.back = input.distance * size + u - maker.uop;
      input.latency = maker.latency;
      input.prompt = maker.prompt;
      program.inputs[kept++] = input;
    }
    if (uop.group_value != none) {
      const Maker& maker = makers[uop.group_value];
      const std::uint32_t back = uop.group_distance * size + u - maker.uop;
      if (maker.uop != none && back > 0 && back <= most_uops_of_group) uop.group_back = back;
    }
    for (std::uint32_t l = uop.first_late; l < uop.late_end; ++l) {
      LatePorts& late = program.late_results[l];
      if (late.value == none || makers[late.value].uop == none) continue;
      late.back = late.distance * size + u - makers[late.value].uop;
    }
    uop.first_input = first;
    uop.input_end = kept;
  }
  program.inputs.resize(kept);
  measure_reach(program);
}

} // namespace corecast::sim
