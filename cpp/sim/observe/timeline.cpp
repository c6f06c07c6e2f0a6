#include "cpp/sim/observe/timeline.hpp"

#include <algorithm>
#include <limits>

namespace corecast::sim {
namespace {

constexpr std::size_t most_uops = 20000;

std::vector<std::uint32_t> laminated_of_uops(const Program& program) {
  std::vector<std::uint32_t> out(program.uops.size(), 0);
  for (std::uint32_t l = 0; l < program.laminated.size(); ++l)
    for (std::uint32_t f = program.laminated[l].first_fused; f < program.laminated[l].fused_end; ++f)
      for (std::uint32_t u = program.fused[f].first_uop; u < program.fused[f].uop_end; ++u)
        out[u] = l;
  return out;
}

void tell_wait(const Waits& waits, std::uint64_t sequence, TimelineUop& out) {
  const std::int32_t busy = waits.resource_wait(sequence);
  if (busy > 0) {
    out.resource = waits.resource(sequence);
    out.waited = waits.uop(sequence).unit == out.resource ? WaitKind::unit : WaitKind::port;
  }
  const auto operand = waits.last_input(sequence);
  const auto from = operand ? operand : waits.forwarded_input(sequence);
  if (!from) return;
  out.from_instruction = waits.uop(from->producer).instruction;
  out.from_iteration = waits.iteration(from->producer);
  if (!operand)
    out.waited = WaitKind::forwarding;
  else if (operand->arrival - out.renamed >= busy)
    out.waited = WaitKind::operand;
}

} // namespace

const char* wait_name(WaitKind kind) {
  constexpr const char* names[] = {"", "operand", "port", "unit", "forwarding"};
  return names[static_cast<std::size_t>(kind)];
}

Timeline cut_timeline(const Program& program, const Waits& waits, const Recorder& recorder, std::uint64_t first,
                      std::uint32_t iterations) {
  Timeline out;
  out.first_iteration = first;
  out.scheduler_delay = waits.scheduler_delay();
  if (iterations == 0) return out;
  const std::vector<std::uint32_t> laminated = laminated_of_uops(program);
  const std::uint64_t body = program.uops.size();
  std::int32_t last_cycle = 0;
  out.first_cycle = std::numeric_limits<std::int32_t>::max();
  std::uint32_t number = 0;
  for (std::uint64_t u = first * body; u < (first + iterations) * body; ++u) {
    if (u >= recorder.uops().size() || recorder.uops()[u].retired < 0 || out.uops.size() >= most_uops) {
      out.cut = true;
      break;
    }
    const UopEvents& events = recorder.uops()[u];
    const Uop& uop = waits.uop(u);
    if (events.absent || uop.join) continue;
    TimelineUop next;
    next.iteration = u / body;
    next.instruction = uop.instruction;
    number = !out.uops.empty() && out.uops.back().instruction == uop.instruction &&
                     out.uops.back().iteration == next.iteration
                 ? number + 1
                 : 0;
    next.uop = number;
    next.eliminated = events.eliminated;
    if (uop.ports != 0 && !events.eliminated) next.port = events.port;
    const std::uint64_t l = next.iteration * program.laminated.size() + laminated[u % body];
    next.delivered = l < recorder.delivered().size() ? recorder.delivered()[l] : events.renamed;
    next.renamed = events.renamed;
    next.dispatched = events.dispatched;
    next.ready = events.ready < 0 ? events.dispatched : events.ready;
    next.completed = events.completed;
    next.retired = events.retired;
    tell_wait(waits, u, next);
    out.first_cycle = std::min(out.first_cycle, next.delivered);
    last_cycle = std::max(last_cycle, next.retired);
    out.uops.push_back(next);
  }
  if (out.uops.empty()) out.first_cycle = 0;
  for (std::int32_t now = std::max(1, out.first_cycle); now <= last_cycle; ++now) {
    const StallShare share = charge(recorder, waits, now);
    const CycleEvents& cycle = recorder.cycles()[static_cast<std::size_t>(now) - 1];
    out.cycles.push_back({share.cause, share.full, share.instruction, share.resource, cycle.occupancy, 0});
  }
  out.first_cycle = std::max(1, out.first_cycle);
  for (std::uint64_t u = 0; u < recorder.uops().size(); ++u) {
    const UopEvents& events = recorder.uops()[u];
    const std::int64_t place = std::int64_t{events.dispatched} - out.first_cycle;
    if (place < 0 || place >= static_cast<std::int64_t>(out.cycles.size())) continue;
    if (waits.uop(u).ports != 0 && !events.eliminated)
      out.cycles[static_cast<std::size_t>(place)].started |= PortMask{1} << events.port;
  }
  return out;
}

} // namespace corecast::sim
