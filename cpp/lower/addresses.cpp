#include "cpp/lower/addresses.hpp"

#include "cpp/lower/address_tracker.hpp"
#include "cpp/lower/aliasing.hpp"
#include "cpp/lower/start_places.hpp"
#include "cpp/lower/store_groups.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace corecast {
namespace {

/// Fewest iterations before which the store touched bytes of the load; nothing where it never did.
std::optional<std::uint32_t> distance_of(const TrackedAccess& store, const TrackedAccess& load) {
  const std::int64_t gap = gap_of(store, load.address);
  constexpr std::int64_t huge = std::int64_t{1} << 40; // farther apart than any loop walks
  if (gap > huge || gap < -huge || load.stride > huge || load.stride < -huge) return std::nullopt;
  if (store.instruction < load.instruction && touches(store, load, gap)) return 0;
  if (!load.repeats || !store.repeats || load.stride != store.stride) return std::nullopt;
  if (load.stride == 0) return touches(store, load, gap) ? std::optional<std::uint32_t>(1) : std::nullopt;
  // d iterations ago the store was d strides away: look around where the two addresses meet.
  const std::int64_t meeting = gap / load.stride;
  const std::int64_t reach = std::max(load.width, store.width) / (load.stride < 0 ? -load.stride : load.stride) + 1;
  for (std::int64_t d = std::max<std::int64_t>(1, meeting - reach); d <= meeting + reach; ++d) {
    if (d > farthest_memory_distance) break;
    if (touches(store, load, gap - d * load.stride)) return static_cast<std::uint32_t>(d);
  }
  return std::nullopt;
}

/// The latest store so far of those whose bytes a load reads.
struct LatestStore {
  const TrackedAccess* store = nullptr;
  std::uint32_t distance = 0;
  std::int64_t gap = 0; // where it lay relative to the load; small, as their bytes meet

  void offer(const TrackedAccess& other, std::uint32_t iterations, std::int64_t lay) {
    const bool later = store == nullptr || iterations < distance ||
                       (iterations == distance && other.instruction >= store->instruction);
    if (later) *this = {&other, iterations, lay};
  }
};

/// A store and a load of one base that is not known to come again: the meeting is no matter of where bases lie.
void add_feed(const MemoryDependency& feed, std::span<const TrackedAccess> accesses,
              std::vector<MemoryDependency>& found) {
  const bool fed = std::any_of(found.begin(), found.end(), [&](const MemoryDependency& each) {
    return each.load == feed.load && each.load_access == feed.load_access;
  });
  const bool again = std::any_of(accesses.begin(), accesses.end(), [&](const TrackedAccess& access) {
    return access.instruction == feed.load && access.position == feed.load_access && !access.repeats;
  });
  if (!fed && again) found.push_back(feed);
}

bool any_access(std::span<const Instruction* const> instructions, bool MemoryAccess::* kind) {
  return std::any_of(instructions.begin(), instructions.end(), [kind](const Instruction* instruction) {
    return std::any_of(instruction->memory.begin(), instruction->memory.end(),
                       [kind](const MemoryAccess& access) { return access.*kind; });
  });
}

/// Whether some access starts at no multiple of its size: nothing else can cross a line.
bool any_misaligned(std::span<const Instruction* const> instructions) {
  return std::any_of(instructions.begin(), instructions.end(), [](const Instruction* instruction) {
    return std::any_of(instruction->memory.begin(), instruction->memory.end(), [](const MemoryAccess& access) {
      return access.width_bytes > 1 && access.displacement % static_cast<std::int64_t>(access.width_bytes) != 0;
    });
  });
}

/// Over all positions in a line that the access comes to.
double share_of_crossings(const TrackedAccess& access, std::int64_t line_bytes) {
  const std::int64_t positions = line_bytes / std::gcd(access.stride, line_bytes);
  std::int64_t crossing = 0;
  for (std::int64_t k = 0; k < positions; ++k) {
    const std::int64_t at = (access.address.constant % line_bytes + k * (access.stride % line_bytes)) % line_bytes;
    crossing += (at + line_bytes) % line_bytes + access.width > line_bytes ? 1 : 0;
  }
  return static_cast<double>(crossing) / static_cast<double>(positions);
}

/// Of each instruction the first access of a kind, reads or writes.
std::vector<AccessAddress> first_addresses(std::span<const Instruction* const> instructions, bool TrackedAccess::* kind,
                                           const StartPlaces& places) {
  std::vector<AccessAddress> found;
  const RegisterId filling = places.held_everywhere();
  const Recycled<TrackedAccess> accesses = filling == 0
                                               ? AddressTracker(instructions).run()
                                               : AddressTracker(instructions, Filling::of(instructions, filling)).run();
  std::vector<const TrackedAccess*> bases;
  for (const TrackedAccess& access : accesses) {
    if (!(access.*kind) || (!found.empty() && found.back().instruction == access.instruction)) continue;
    auto base =
        std::find_if(bases.begin(), bases.end(), [&](const TrackedAccess* other) { return other->same_base(access); });
    if (base == bases.end()) base = bases.insert(bases.end(), &access);
    found.push_back({access.instruction, static_cast<std::uint32_t>(base - bases.begin()),
                     places.place_of(access.address), access.stride, access.repeats});
  }
  return found;
}

} // namespace

std::vector<LineCrossings> find_line_crossings(std::span<const Instruction* const> instructions,
                                               std::int64_t line_bytes) {
  std::vector<LineCrossings> found;
  if (line_bytes <= 0 || !any_misaligned(instructions)) return found;
  for (const TrackedAccess& access : AddressTracker(instructions).run()) {
    if (!access.repeats || access.stride == 0 || !access.width_known || access.width > line_bytes) continue;
    const double share = share_of_crossings(access, line_bytes);
    if (share == 0) continue;
    found.resize(instructions.size());
    if (access.read) found[access.instruction].loads += share;
    if (access.write) found[access.instruction].stores += share;
  }
  return found;
}

std::vector<AccessAddress> find_load_addresses(std::span<const Instruction* const> instructions) {
  return first_addresses(instructions, &TrackedAccess::read, {});
}

std::vector<AccessAddress> find_stores(std::span<const Instruction* const> instructions, const StartPlaces& places,
                                       const MemoryParameters& memory, bool apart) {
  if (!any_access(instructions, &MemoryAccess::write)) return {};
  std::vector<AccessAddress> stores = first_addresses(instructions, &TrackedAccess::write, places);
  const bool joined = memory.joined_stores_bytes > 0;
  const bool twice = memory.writes_crossing_twice();
  if (!joined && !twice) return stores;
  for (AccessAddress& store : stores) {
    store.apart = apart;
    const std::vector<MemoryAccess>& accesses = instructions[store.instruction]->memory;
    const auto written =
        std::find_if(accesses.begin(), accesses.end(), [](const MemoryAccess& each) { return each.write; });
    if (written == accesses.end()) continue;
    // Of the line it is known as in find_line_crossings: where it moves.
    store.alone = twice && store.repeats && store.stride != 0;
    if (joined || store.alone) store.width = std::max<std::int64_t>(written->width_bytes, 1);
  }
  return stores;
}

std::int64_t AccessAddress::at(std::int64_t iteration) const {
  const std::int64_t walked = repeats ? Linear::wrap(Linear::wrapped(stride) * Linear::wrapped(iteration)) : 0;
  return Linear::wrap(Linear::wrapped(constant) + Linear::wrapped(walked));
}

namespace {

/// Bytes, and the stretch of a block's size that is written with them.
struct Written {
  std::int64_t begin = 0, end = 0;
  std::int64_t from = 0, to = 0;

  bool holds(const Written& other) const { return from <= other.begin && other.end <= to; }
};

std::int64_t down_to(std::int64_t at, std::int64_t multiple) {
  return at - ((at % multiple + multiple) % multiple);
}

/// `last`: the part beyond the border of a store that is written in two.
Written written(std::int64_t at, std::int64_t width, std::int64_t block, bool split, bool last) {
  const std::int64_t aligned = down_to(at, block);
  if (split) {
    const std::int64_t border = aligned + block;
    return last ? Written{border, at + width, border, border + block} : Written{at, border, aligned, border};
  }
  const std::int64_t from = at + width > aligned + block ? down_to(at, block / 2) : aligned;
  return {at, at + width, from, from + block};
}

} // namespace

bool AccessAddress::is_split(std::int64_t iteration, std::int64_t block_bytes) const {
  if ((2 * width < block_bytes && !alone) || width > block_bytes) return false;
  const std::int64_t first = at(iteration);
  return first + width > down_to(first, block_bytes) + block_bytes;
}

bool AccessAddress::joins(const AccessAddress& other, std::int64_t iteration, std::int64_t iterations,
                          std::int64_t block_bytes) const {
  if (apart || base != other.base || (iterations != 0 && !(repeats && other.repeats && stride == other.stride)))
    return false;
  const std::int64_t now = iteration + iterations;
  if ((alone && is_split(now, block_bytes)) || (other.alone && other.is_split(iteration, block_bytes))) return false;
  const Written own = written(at(now), width, block_bytes, is_split(now, block_bytes), false);
  const Written before =
      written(other.at(iteration), other.width, block_bytes, other.is_split(iteration, block_bytes), true);
  return own.holds(before) || before.holds(own);
}

std::int64_t phases_of(std::span<const AccessAddress> stores, std::int64_t block_bytes) {
  std::int64_t phases = 1;
  for (const AccessAddress& store : stores)
    phases = std::lcm(phases, block_bytes / std::gcd(store.stride % block_bytes, block_bytes));
  return phases;
}

std::vector<double> find_store_writes(std::span<const Instruction* const> instructions, const StartPlaces& places,
                                      const MemoryParameters& memory, bool apart) {
  std::vector<double> writes(instructions.size(), 0.0);
  const std::vector<AccessAddress> stores = find_stores(instructions, places, memory, apart);
  const std::int64_t block_bytes = memory.store_block_bytes();
  const unsigned most = memory.joined_stores_bytes > 0 ? 0 : 2;
  const std::int64_t phases = phases_of(stores, block_bytes);
  const AccessAddress* last = nullptr; // nullptr: of an unknown address
  std::int64_t last_iteration = 0;
  unsigned together = 0; // stores of the write that the last one belongs to
  // The first round finds what stands before the second.
  for (std::int64_t iteration = 0; iteration < 2 * phases; ++iteration) {
    auto next = stores.begin();
    for (std::uint32_t i = 0; i < instructions.size(); ++i) {
      const auto& memory = instructions[i]->memory;
      const auto accesses =
          std::count_if(memory.begin(), memory.end(), [](const MemoryAccess& access) { return access.write; });
      if (accesses == 0) continue;
      const AccessAddress* store = next != stores.end() && next->instruction == i ? &*next++ : nullptr;
      const bool joins = store != nullptr && last != nullptr && (most == 0 || together < most) &&
                         store->joins(*last, last_iteration, iteration - last_iteration, block_bytes);
      const bool split = store != nullptr && store->is_split(iteration, block_bytes);
      if (iteration >= phases) writes[i] += static_cast<double>(accesses) + (split ? 1 : 0) - (joins ? 1 : 0);
      together = joins ? together + 1 : 1;
      last = accesses == 1 ? store : nullptr;
      last_iteration = iteration;
    }
  }
  for (double& each : writes)
    each /= static_cast<double>(phases);
  return writes;
}

std::vector<MemoryDependency> find_memory_dependencies(std::span<const Instruction* const> instructions,
                                                       const Aliasing* aliasing) {
  std::vector<MemoryDependency> found;
  if (!any_access(instructions, &MemoryAccess::write) || !any_access(instructions, &MemoryAccess::read)) return found;

  AddressTracker tracker(instructions);
  Recycled<TrackedAccess> accesses = tracker.run();
  if (aliasing != nullptr) assume(*aliasing, accesses);
  StoreGroups groups(accesses); // a load is compared with its own kind only
  for (const TrackedAccess& load : accesses) {
    if (!load.read) continue;
    LatestStore latest;
    if (StoreGroup* group = groups.of(load)) {
      const auto offer = [&](const TrackedAccess& store) {
        if (const auto distance = distance_of(store, load))
          latest.offer(
              store, *distance,
              Linear::wrap(Linear::wrapped(gap_of(store, load.address)) - Linear::wrapped(load.stride) * *distance));
      };
      const bool moves = load.stride != 0;
      if (!moves || group->is_large())
        group->for_each_near(
            load, load.address,
            [&](const TrackedAccess& store) { return !moves && load.repeats && store.repeats && store.stride == 0; },
            offer);
      // Where a moving address leads now, any earlier iteration may have written.
      if (moves && latest.store == nullptr) group->for_each(offer);
    }
    if (latest.store == nullptr && !load.repeats)
      if (const auto address = tracker.one_iteration_before(load.address)) {
        TrackedAccess before = load;
        before.address = *address;
        if (StoreGroup* group = groups.of(before))
          group->for_each_near(
              load, *address, [](const TrackedAccess&) { return true; },
              [&](const TrackedAccess& store) {
                if (const std::int64_t gap = gap_of(store, *address); touches(store, load, gap))
                  latest.offer(store, 1, gap);
              });
      }
    if (latest.store == nullptr) continue;
    const bool widths = latest.store->width_known && load.width_known;
    const bool contained = !widths || (latest.gap <= 0 && load.width <= latest.gap + latest.store->width);
    found.push_back({latest.store->instruction, load.instruction, latest.store->position, load.position,
                     latest.distance, contained});
  }
  if (aliasing != nullptr && aliasing->feed) add_feed(*aliasing->feed, accesses, found);
  return found;
}

} // namespace corecast
