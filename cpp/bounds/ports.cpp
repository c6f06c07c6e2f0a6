#include "cpp/bounds/ports.hpp"

#include "cpp/base/count_ones.hpp"
#include "cpp/base/recycled.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace corecast {
namespace {

using Amount = std::int64_t;
constexpr double units_per_uop = 1e6; // counts are decimals: integers from here on
constexpr std::size_t most_ports = 64;
constexpr std::size_t few_groups = 8; // whose subsets are soon gone through

/// All uops of one port set.
struct Group {
  PortMask mask;     // ports still open to it
  PortMask original; // as asked for
  Amount amount;
};

/// A density: `amount` units of work on `ports` ports.
struct Load {
  Amount amount = 0;
  Amount ports = 1;

  bool operator<(const Load& other) const { return amount * other.ports < other.amount * ports; }
};

template <typename Each> void for_each_bit(PortMask mask, Each each) {
  for (; mask != 0; mask &= mask - 1)
    each(static_cast<unsigned>(std::countr_zero(mask)));
}

Recycled<Group> group_demands(std::span<const PortDemand> demands) {
  Recycled<Group> groups;
  groups.reserve(few_groups);
  for (const PortDemand& demand : demands) {
    const auto amount = demand.count == 1 ? static_cast<Amount>(units_per_uop)
                                          : static_cast<Amount>(std::llround(demand.count * units_per_uop));
    if (amount <= 0 || demand.mask == 0) continue;
    const auto found =
        std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return group.mask == demand.mask; });
    if (found == groups.end())
      groups.push_back({demand.mask, demand.mask, amount});
    else
      found->amount += amount;
  }
  return groups;
}

/// Density of the uops that cannot leave `ports`.
Load load_of(const std::vector<Group>& groups, PortMask ports) {
  Load load{0, static_cast<int>(count_ones(ports))};
  for (const Group& group : groups)
    if ((group.mask & ~ports) == 0) load.amount += group.amount;
  return load;
}

/// A good first guess: the densest of all port sets, unions of two of them, and the union of all.
Load densest_guess(const std::vector<Group>& groups) {
  Load best;
  PortMask all = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    all |= groups[i].mask;
    for (std::size_t j = i; j < groups.size(); ++j)
      best = std::max(best, load_of(groups, groups[i].mask | groups[j].mask));
  }
  return std::max(best, load_of(groups, all));
}

/// Maximum flow from groups to ports. All amounts are multiplied by `load.ports` so that the capacity of a port,
/// load.amount / load.ports, is an integer.
class Flow {
public:
  Flow(const std::vector<Group>& groups, Load load) : groups_(groups), left_(groups.size()) {
    PortMask all = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      all |= groups[g].mask;
      left_[g] = groups[g].amount * load.ports;
    }
    for_each_bit(all, [&](unsigned p) { spare_[p] = load.amount; });
    ports_ = static_cast<std::size_t>(std::bit_width(all));
    flow_.resize(groups.size() * ports_);
  }

  /// True where all work fits. Otherwise `overfull` is a set of ports denser than the load.
  bool solve(PortMask& overfull) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for_each_bit(groups_[g].mask, [&](unsigned p) { push(g, p, std::min(left_[g], spare_[p])); });
      while (left_[g] > 0)
        if (!augment(g, overfull)) return false;
    }
    return true;
  }

  Amount at(std::size_t group, unsigned port) const { return flow_[group * ports_ + port]; }

  /// Ports that are full and from which no work can be moved to a port with room.
  PortMask tight() const {
    PortMask open = 0;
    PortMask all = 0;
    for (const Group& group : groups_)
      all |= group.mask;
    for_each_bit(all, [&](unsigned p) {
      if (spare_[p] > 0) open |= PortMask{1} << p;
    });
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        if ((groups_[g].mask & open) == 0) continue;
        for_each_bit(groups_[g].mask & ~open, [&](unsigned p) {
          if (at(g, p) == 0) return;
          open |= PortMask{1} << p;
          grown = true;
        });
      }
    }
    return all & ~open;
  }

private:
  Amount& flow(std::size_t group, unsigned port) { return flow_[group * ports_ + port]; }

  void push(std::size_t g, unsigned p, Amount amount) {
    flow(g, p) += amount;
    left_[g] -= amount;
    spare_[p] -= amount;
  }

  /// Finds room for some of group `start` by moving other work (shortest path first).
  bool augment(std::size_t start, PortMask& reached) {
    std::array<std::uint16_t, most_ports> from_group{}; // group by which the port was reached
    std::vector<std::uint8_t> from_port(groups_.size(), 0xFF);
    std::vector<std::uint16_t> queue{static_cast<std::uint16_t>(start)};
    reached = 0;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const std::uint16_t g = queue[at];
      for (PortMask open = groups_[g].mask & ~reached; open != 0; open &= open - 1) {
        const auto p = static_cast<unsigned>(std::countr_zero(open));
        reached |= PortMask{1} << p;
        from_group[p] = g;
        if (spare_[p] > 0) {
          apply(start, p, from_group, from_port);
          return true;
        }
        for (std::size_t other = 0; other < groups_.size(); ++other) {
          if (flow(other, p) == 0 || from_port[other] != 0xFF || other == start) continue;
          from_port[other] = static_cast<std::uint8_t>(p);
          queue.push_back(static_cast<std::uint16_t>(other));
        }
      }
    }
    return false;
  }

  void apply(std::size_t start, unsigned end, const std::array<std::uint16_t, most_ports>& from_group,
             const std::vector<std::uint8_t>& from_port) {
    Amount amount = std::min(left_[start], spare_[end]);
    for (unsigned p = end; from_group[p] != start; p = from_port[from_group[p]])
      amount = std::min(amount, at(from_group[p], from_port[from_group[p]]));
    for (unsigned p = end;;) {
      const std::uint16_t g = from_group[p];
      flow(g, p) += amount;
      if (g == start) break;
      p = from_port[g];
      flow(g, p) -= amount;
    }
    left_[start] -= amount;
    spare_[end] -= amount;
  }

  const std::vector<Group>& groups_;
  std::size_t ports_ = 0;
  std::vector<Amount> flow_; // of a group to a port
  std::vector<Amount> left_;
  std::array<Amount, most_ports> spare_{};
};

/// Dinkelbach: raise the load to the density of a set that overflows until everything fits.
Load least_load(const std::vector<Group>& groups, PortMask* tight, std::vector<std::array<double, most_ports>>* share) {
  Load load = densest_guess(groups);
  while (true) {
    Flow flow(groups, load);
    PortMask overfull = 0;
    if (!flow.solve(overfull)) {
      load = load_of(groups, overfull);
      continue;
    }
    if (tight != nullptr) *tight = flow.tight();
    if (share != nullptr) {
      share->assign(groups.size(), {});
      for (std::size_t g = 0; g < groups.size(); ++g)
        for_each_bit(groups[g].mask, [&](unsigned p) {
          (*share)[g][p] = static_cast<double>(flow.at(g, p)) / static_cast<double>(groups[g].amount * load.ports);
        });
    }
    return load;
  }
}

/// The same for few port sets: some of them together are the ones that are densest.
Load densest_subset(const std::vector<Group>& groups) {
  struct Subset {
    PortMask ports;
    Amount amount;
    int fewest_ports; // it has this many or more
  };
  Subset subsets[std::size_t{1} << few_groups]; // by the bits of their groups
  subsets[0] = {};
  Load best;
  std::size_t count = 1;
  for (const Group& group : groups) {
    const int own_ports = static_cast<int>(count_ones(group.mask));
    for (std::size_t without = 0, end = count; without < end; ++without) {
      Subset& subset = subsets[count++];
      const Subset& rest = subsets[without];
      subset = {rest.ports | group.mask, rest.amount + group.amount, std::max(rest.fewest_ports, own_ports)};
      if (!(best < Load{subset.amount, subset.fewest_ports})) continue; // more ports make it no denser
      subset.fewest_ports = static_cast<int>(count_ones(subset.ports));
      best = std::max(best, Load{subset.amount, subset.fewest_ports});
    }
  }
  return best;
}

double cycles(Load load) {
  return static_cast<double>(load.amount) / static_cast<double>(load.ports) / units_per_uop;
}

struct SharedSet {
  PortMask original;
  std::array<double, most_ports> share;
};

void spread(PortDistribution& out, std::span<const PortDemand> demands, const std::vector<SharedSet>& sets) {
  for (const PortDemand& demand : demands) {
    const auto found =
        std::find_if(sets.begin(), sets.end(), [&](const SharedSet& set) { return set.original == demand.mask; });
    if (found == sets.end()) continue;
    for_each_bit(demand.mask, [&](unsigned p) {
      const double amount = demand.count * found->share[p];
      out.pressure[demand.instruction * out.ports + p] += amount;
      out.totals[p] += amount;
    });
  }
}

PortDistribution empty(std::size_t instructions, std::size_t ports) {
  PortDistribution out;
  out.ports = ports;
  out.pressure.assign(instructions * ports, 0.0);
  out.totals.assign(ports, 0.0);
  return out;
}

} // namespace

double balanced_bound(std::span<const PortDemand> demands) {
  const Recycled<Group> groups = group_demands(demands);
  if (groups.empty()) return 0;
  return cycles(groups.size() <= few_groups ? densest_subset(groups) : least_load(groups, nullptr, nullptr));
}

PortDistribution distribute_balanced(std::span<const PortDemand> demands, std::size_t instructions, std::size_t ports) {
  PortDistribution out = empty(instructions, ports);
  const Recycled<Group> all = group_demands(demands);
  std::vector<Group> groups(all.begin(), all.end());
  std::vector<SharedSet> settled;
  while (!groups.empty()) {
    PortMask tight = 0;
    std::vector<std::array<double, most_ports>> share;
    const Load load = least_load(groups, &tight, &share);
    if (settled.empty()) {
      out.bound = cycles(load);
      out.limiting = tight;
    }
    // What cannot leave the tight ports is settled; the rest keeps away from them.
    std::vector<Group> rest;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if ((groups[g].mask & ~tight) == 0)
        settled.push_back({groups[g].original, share[g]});
      else
        rest.push_back({groups[g].mask & ~tight, groups[g].original, groups[g].amount});
    }
    groups = std::move(rest);
  }
  spread(out, demands, settled);
  return out;
}

namespace {

void find_highest(PortDistribution& out) {
  for (const double total : out.totals)
    out.bound = std::max(out.bound, total);
  for (std::size_t p = 0; p < out.ports; ++p)
    if (out.bound > 0 && out.totals[p] > out.bound - 1e-9) out.limiting |= PortMask{1} << p;
}

/// Which port of a set was taken last, by a demand for any set.
class LastPorts {
public:
  explicit LastPorts(std::span<const PortDemand> demands) {
    for (const PortDemand& demand : demands)
      if (count_ones(demand.mask) > 1 && std::find(masks_.begin(), masks_.end(), demand.mask) == masks_.end())
        masks_.push_back(demand.mask);
    last_.assign(masks_.size(), none);
  }

  unsigned take(PortMask mask) {
    const auto place = std::find(masks_.begin(), masks_.end(), mask);
    const unsigned last = place == masks_.end() ? none : last_[static_cast<std::size_t>(place - masks_.begin())];
    const unsigned port = port_behind(mask, last);
    for (std::size_t set = 0; set < masks_.size(); ++set)
      if ((masks_[set] >> port & 1) != 0) last_[set] = port;
    return port;
  }

  const std::vector<unsigned>& state() const { return last_; }

private:
  static constexpr unsigned none = most_ports - 1; // behind it comes the lowest

  std::vector<PortMask> masks_;
  std::vector<unsigned> last_;
};

} // namespace

PortDistribution distribute_uniform(std::span<const PortDemand> demands, std::size_t instructions, std::size_t ports) {
  PortDistribution out = empty(instructions, ports);
  for (const PortDemand& demand : demands) {
    const double amount = demand.mask == 0 ? 0 : demand.count / count_ones(demand.mask);
    for_each_bit(demand.mask, [&](unsigned p) {
      out.pressure[demand.instruction * ports + p] += amount;
      out.totals[p] += amount;
    });
  }
  find_highest(out);
  return out;
}

PortDistribution distribute_after_last(std::span<const PortDemand> demands, std::size_t instructions,
                                       std::size_t ports) {
  constexpr std::size_t most_iterations = 64; // sets of two ports repeat after two
  LastPorts last(demands);
  std::vector<std::vector<unsigned>> before; // each iteration
  std::vector<std::vector<unsigned>> taken;  // by demand
  const auto seen = [&] { return std::find(before.begin(), before.end(), last.state()); };
  while (seen() == before.end() && before.size() < most_iterations) {
    before.push_back(last.state());
    std::vector<unsigned>& now = taken.emplace_back();
    now.reserve(demands.size());
    for (const PortDemand& demand : demands)
      now.push_back(demand.mask == 0 ? 0 : last.take(demand.mask));
  }
  const auto start = static_cast<std::size_t>(seen() == before.end() ? 0 : seen() - before.begin());
  const double share = 1.0 / static_cast<double>(taken.size() - start);
  PortDistribution out = empty(instructions, ports);
  for (std::size_t iteration = start; iteration < taken.size(); ++iteration)
    for (std::size_t d = 0; d < demands.size(); ++d)
      if (demands[d].mask != 0) {
        const unsigned port = taken[iteration][d];
        out.pressure[demands[d].instruction * ports + port] += demands[d].count * share;
        out.totals[port] += demands[d].count * share;
      }
  find_highest(out);
  return out;
}

} // namespace corecast
