// The stores of a region by what their addresses are made of, and those of many by where they lie.
#pragma once

#include "cpp/lower/address_tracker.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <unordered_map>
#include <vector>

namespace corecast {

/// Whether a store writes some byte of a load, `gap` bytes behind its first one.
inline bool touches(const TrackedAccess& store, const TrackedAccess& load, std::int64_t gap) {
  return gap < load.width && gap > -store.width;
}

/// Where the store lies relative to the load, both in values of the same iteration.
inline std::int64_t gap_of(const TrackedAccess& store, const Linear& load) {
  return Linear::wrap(Linear::wrapped(store.address.constant) - Linear::wrapped(load.constant));
}

/// Stores whose addresses differ by constants, in program order.
class StoreGroup {
public:
  explicit StoreGroup(const TrackedAccess& first) : members_{&first} {}

  void add(const TrackedAccess& store) { members_.push_back(&store); }
  const TrackedAccess& front() const { return *members_.front(); }

  /// Calls `each` with stores in program order, those among them that touch a load at `address` last: the last one
  /// before it, and the last one of those from it on that `comes_again` holds of.
  template <typename Again, typename Each>
  void for_each_near(const TrackedAccess& load, const Linear& address, const Again& comes_again, const Each& each) {
    if (!is_large()) return for_each(each);
    begin_search(load, address);
    for (const Stores* stores : searched_) {
      const auto touching = [&](const TrackedAccess* store) { return touches(*store, load, gap_of(*store, address)); };
      const auto after = std::partition_point(stores->begin(), stores->end(), [&](const TrackedAccess* store) {
        return store->instruction < load.instruction;
      });
      const auto rest = std::make_reverse_iterator(after);
      const auto last = std::find_if(
          stores->rbegin(), rest, [&](const TrackedAccess* store) { return touching(store) && comes_again(*store); });
      if (last != rest) found_.push_back(*last);
      const auto before = std::find_if(rest, stores->rend(), touching);
      if (before != stores->rend()) found_.push_back(*before);
    }
    std::sort(found_.begin(), found_.end()); // they lie in one array
    for (const TrackedAccess* store : found_)
      each(*store);
  }

  /// Whether looking at all takes long.
  bool is_large() const { return members_.size() > few; }

  /// Calls `each` with all.
  template <typename Each> void for_each(const Each& each) const {
    for (const TrackedAccess* store : members_)
      each(*store);
  }

private:
  static constexpr std::size_t few = 32;

  using Stores = std::vector<const TrackedAccess*>;

  /// Finds the stores of the places where the load lies.
  void begin_search(const TrackedAccess& load, const Linear& address);

  Stores members_;
  std::unordered_map<std::uint64_t, Stores> places_; // by eight bytes of memory; of many stores alone
  std::vector<const Stores*> searched_;
  Stores found_;
};

class StoreGroups {
public:
  explicit StoreGroups(std::span<const TrackedAccess> accesses);

  /// The stores that a load is compared with; nullptr where there are none.
  StoreGroup* of(const TrackedAccess& load);

private:
  static constexpr std::size_t few = 8;

  void add(const TrackedAccess& store);

  std::vector<StoreGroup> groups_;
  std::unordered_multimap<std::size_t, std::size_t> by_base_; // of many groups: positions by the hash of their base
};

} // namespace corecast
