#include "cpp/sim/observe/account.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <tuple>

namespace corecast::sim {
namespace {

/// gem5's classes where it has them, the unit's or the ports' names elsewhere.
std::string unit_class(const Uop& uop, const std::vector<std::string>& resources) {
  if (uop.kind == UopKind::load) return "MemRead";
  if (uop.kind == UopKind::store_address || uop.kind == UopKind::store_data) return "MemWrite";
  if (uop.unit != none && uop.unit_cycles > 1)
    return uop.unit < resources.size() ? resources[uop.unit] : std::string("throughput");
  std::string out = "p";
  for (PortMask rest = uop.ports; rest != 0; rest &= rest - 1) {
    const auto port = static_cast<std::size_t>(std::countr_zero(rest));
    if (port < resources.size()) out += resources[port];
  }
  return out;
}

struct RenameStates {
  double idle = 0, blocked = 0, run = 0, unblock = 0;
};

RenameStates rename_states(const Recorder& recorder, const Span& span) {
  RenameStates out;
  bool blocked = false; // in the cycle before
  for (std::int32_t now = span.from + 1; now <= span.to; ++now) {
    const CycleEvents& cycle = recorder.cycles()[static_cast<std::size_t>(now) - 1];
    if (cycle.moved)
      ++(blocked ? out.unblock : out.run);
    else
      ++(cycle.starved ? out.idle : out.blocked);
    blocked = !cycle.moved && !cycle.starved;
  }
  return out;
}

} // namespace

namespace {

StallShare charge_anyone(const Recorder& recorder, const Waits& waits, std::int32_t now) {
  const CycleEvents& cycle = recorder.cycles()[static_cast<std::size_t>(now) - 1];
  StallShare out;
  out.cycles = 1;
  out.cause = cycle.stall;
  out.full = cycle.full;
  if (cycle.stall == Stall::none) return out;
  if (cycle.full == Full::nothing || cycle.root == CycleEvents::no_uop) {
    out.instruction = cycle.next;
    return out;
  }
  out.waiting = waits.uop(cycle.root).instruction;
  out.instruction = out.waiting;
  if (cycle.stall == Stall::store_commit) return out;
  const Origin origin = waits.trace(cycle.root, now);
  out.cause = origin.cause;
  out.instruction = waits.uop(origin.uop).instruction;
  out.resource = origin.resource;
  return out;
}

} // namespace

StallShare charge(const Recorder& recorder, const Waits& waits, std::int32_t now) {
  StallShare out = charge_anyone(recorder, waits, now);
  for (std::uint32_t* named : {&out.instruction, &out.waiting})
    if (*named != none && waits.without_row(*named)) *named = none; // nothing is known of it that could be blamed
  return out;
}

std::vector<double> load_of_resources(const Program& program, const Waits& waits, const Recorder& recorder,
                                      const Span& span) {
  std::vector<double> out(program.units, 0);
  for (std::uint64_t u = 0; u < recorder.uops().size(); ++u) {
    const UopEvents& events = recorder.uops()[u];
    const Uop& uop = waits.uop(u);
    if (events.dispatched <= span.from || events.dispatched > span.to || events.eliminated) continue;
    if (uop.ports != 0) out[events.port] += uop.port_cycles;
    if (uop.unit != none) out[uop.unit] += uop.unit_cycles;
  }
  for (double& each : out)
    each /= std::max(1, span.to - span.from);
  return out;
}

std::vector<StallShare> account(const Waits& waits, const Recorder& recorder, const Span& span) {
  std::map<std::tuple<Stall, Full, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint64_t> counts;
  for (std::int32_t now = span.from + 1; now <= span.to; ++now) {
    const StallShare share = charge(recorder, waits, now);
    ++counts[{share.cause, share.full, share.instruction, share.waiting, share.resource}];
  }
  std::vector<StallShare> out;
  for (const auto& [key, count] : counts) {
    const auto& [cause, full, instruction, waiting, resource] = key;
    out.push_back({cause, full, instruction, waiting, resource, static_cast<double>(count) / span.iterations});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const StallShare& a, const StallShare& b) { return a.cycles > b.cycles; });
  return out;
}

void add_counters(const Program& program, const Waits& waits, const Recorder& recorder, const Span& span,
                  const std::vector<std::string>& resources, Counters& counters) {
  const auto add = [&](std::string name, double value) {
    counters.emplace_back(std::move(name), value / span.iterations);
  };
  add("numCycles", span.to - span.from);
  const RenameStates states = rename_states(recorder, span);
  add("rename.idleCycles", states.idle);
  add("rename.blockedCycles", states.blocked);
  add("rename.runCycles", states.run);
  add("rename.unblockCycles", states.unblock);
  std::array<double, full_kinds> full{};
  for (std::int32_t now = span.from + 1; now <= span.to; ++now)
    ++full[static_cast<std::size_t>(recorder.cycles()[static_cast<std::size_t>(now) - 1].full)];
  const auto events = [&](Full what) { return full[static_cast<std::size_t>(what)]; };
  add("rename.ROBFullEvents", events(Full::reorder_buffer));
  add("rename.IQFullEvents", events(Full::scheduler));
  add("rename.LQFullEvents", events(Full::load_queue));
  add("rename.SQFullEvents", events(Full::store_queue));
  add("rename.fullRegistersEvents", events(Full::integer_registers) + events(Full::vector_registers));

  std::map<std::string, double> busy;
  double all = 0;
  for (const Uop& uop : program.uops)
    if (waits.needs_resource(uop)) busy.try_emplace(unit_class(uop, resources), 0);
  for (std::uint64_t u = 0; u < recorder.uops().size(); ++u) {
    const UopEvents& each = recorder.uops()[u];
    if (each.dispatched <= span.from || each.dispatched > span.to || waits.resource_wait(u) == 0) continue;
    busy[unit_class(waits.uop(u), resources)] += waits.resource_wait(u);
    all += waits.resource_wait(u);
  }
  add("fuBusy", all);
  for (const auto& [name, cycles] : busy)
    add("statFuBusy::" + name, cycles);
}

} // namespace corecast::sim
