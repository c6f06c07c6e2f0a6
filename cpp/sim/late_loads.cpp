#include "cpp/sim/late_loads.hpp"

#include "cpp/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace corecast::sim {
namespace {

constexpr double all_draws = 18446744073709551616.0; // 2^64
constexpr double rounding = 1e-6;                    // of shares that are one together
constexpr std::int64_t usual_line_bytes = 64;        // where a model does not tell

std::uint64_t draws_below(double share) {
  const double below = share * all_draws;
  return below >= all_draws ? ~std::uint64_t{0} : static_cast<std::uint64_t>(below);
}

} // namespace

LateLoadTables::LateLoadTables(const Machine& machine)
    : line_bytes_(machine.pipeline().memory.line_bytes > 0 ? machine.pipeline().memory.line_bytes : usual_line_bytes),
      vector_bytes_(static_cast<std::int64_t>(machine.pipeline().vector_bits() / 8)) {
  std::vector<LateLoads> late = machine.pipeline().memory.late_loads;
  std::stable_sort(late.begin(), late.end(),
                   [](const LateLoads& a, const LateLoads& b) { return a.cycles > b.cycles; });
  std::vector<double> shares;
  for (const LateLoads& each : late) {
    const RegisterId base = each.base.empty() ? RegisterId{0} : machine.registers().id_of(each.base);
    if (base == 0 && !each.base.empty())
      throw ModelError("loads.late: there is no register " + each.base, machine.pipeline().name);
    const auto place = static_cast<std::size_t>(std::find(bases_.begin(), bases_.end(), base) - bases_.begin());
    if (place == bases_.size()) {
      bases_.push_back(base);
      delays_.emplace_back();
      shares.push_back(0);
    }
    shares[place] += each.share;
    if (shares[place] > 1 + rounding)
      throw ModelError("loads.late: the shares are more than 1 together", machine.pipeline().name);
    delays_[place].parts.push_back({draws_below(shares[place]), static_cast<std::int32_t>(std::lround(each.cycles))});
  }
}

void LateLoadTables::prepare(std::span<const Instruction* const> instructions, Program& program) const {
  program.delays = delays_;
  program.line_bytes = line_bytes_;
  if (empty()) return;
  program.loads = find_load_addresses(instructions);
  for (AccessAddress& load : program.loads)
    load.constant += instructions[load.instruction]->traits.displacement_vectors * vector_bytes_;
}

void LateLoadTables::mark(const Instruction& instruction, std::uint32_t number, std::uint32_t first_uop,
                          Program& program) const {
  const auto read = std::find_if(instruction.memory.begin(), instruction.memory.end(),
                                 [](const MemoryAccess& access) { return access.read; });
  if (read == instruction.memory.end()) return;
  auto table = read->base == 0 ? bases_.end() : std::find(bases_.begin(), bases_.end(), read->base);
  if (table == bases_.end()) table = std::find(bases_.begin(), bases_.end(), RegisterId{0});
  if (table == bases_.end()) return;
  const auto place = std::find_if(program.loads.begin(), program.loads.end(),
                                  [&](const AccessAddress& address) { return address.instruction == number; });
  const auto begin = program.uops.begin() + first_uop;
  const auto loads = std::count_if(begin, program.uops.end(), [](const Uop& uop) { return uop.kind == UopKind::load; });
  for (auto uop = begin; uop != program.uops.end(); ++uop) {
    const bool makes = uop->first_output != uop->output_end;
    // Where a model does not tell loads apart, what makes the values waits.
    if (uop->join || (loads > 0 ? uop->kind != UopKind::load : !makes)) continue;
    uop->draws = static_cast<std::uint16_t>(makes ? std::clamp<std::ptrdiff_t>(loads, 1, 0xFFFF) : 1);
    uop->delays = static_cast<std::uint16_t>(table - bases_.begin());
    if (place != program.loads.end()) uop->load = static_cast<std::uint32_t>(place - program.loads.begin());
    ++program.draws;
  }
}

} // namespace corecast::sim
