#include "cpp/lower/late_loads.hpp"

#include "cpp/machine/machine.hpp"

#include <algorithm>

namespace corecast {

std::vector<MeanDelay> mean_delays(const Machine& machine) {
  std::vector<MeanDelay> out;
  for (const LateLoads& each : machine.pipeline().memory.late_loads) {
    const RegisterId base = each.base.empty() ? RegisterId{0} : machine.registers().id_of(each.base);
    if (base == 0 && !each.base.empty()) continue;
    auto found = std::find_if(out.begin(), out.end(), [&](const MeanDelay& delay) { return delay.base == base; });
    if (found == out.end()) found = out.insert(out.end(), {base, 0, 0});
    found->cycles += each.share * each.cycles;
    if (each.cycles > 0) found->share += each.share;
  }
  return out;
}

MeanDelay mean_delay(const std::vector<MeanDelay>& delays, const Instruction& instruction) {
  if (delays.empty()) return {};
  const auto read = std::find_if(instruction.memory.begin(), instruction.memory.end(),
                                 [](const MemoryAccess& access) { return access.read; });
  if (read == instruction.memory.end()) return {};
  const auto of = [&](RegisterId base) {
    return std::find_if(delays.begin(), delays.end(), [&](const MeanDelay& delay) { return delay.base == base; });
  };
  auto found = read->base == 0 ? delays.end() : of(read->base);
  if (found == delays.end()) found = of(0);
  return found == delays.end() ? MeanDelay{} : *found;
}

} // namespace corecast
