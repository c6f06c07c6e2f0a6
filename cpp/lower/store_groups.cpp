#include "cpp/lower/store_groups.hpp"

#include <functional>

namespace corecast {
namespace {

constexpr unsigned place_bits = 3; // eight bytes: most accesses lie in one or two places

/// Calls `each` with the places of an access, modulo 2^64 as addresses are.
template <typename Each> void for_each_place(std::int64_t address, std::int64_t width, const Each& each) {
  const std::uint64_t first = Linear::wrapped(address);
  const std::uint64_t begun = first & ((1U << place_bits) - 1);
  const std::uint64_t count = ((begun + Linear::wrapped(width) - 1) >> place_bits) + 1;
  for (std::uint64_t k = 0; k < count; ++k)
    each((first - begun + (k << place_bits)) >> place_bits);
}

std::size_t hash_of_base(const TrackedAccess& access) {
  std::size_t hash = std::hash<std::string_view>()(access.symbol) + access.segment * 2 + (access.pc_relative ? 1 : 0);
  for (std::uint8_t i = 0; i < access.address.count; ++i) {
    const Term& term = access.address.terms[i];
    hash = (hash ^ term.symbol) * 0x9E3779B97F4A7C15U + Linear::wrapped(term.coefficient);
  }
  return hash;
}

} // namespace

void StoreGroup::begin_search(const TrackedAccess& load, const Linear& address) {
  if (places_.empty())
    for (const TrackedAccess* store : members_)
      for_each_place(store->address.constant, store->width,
                     [&](std::uint64_t place) { places_[place].push_back(store); });
  searched_.clear();
  found_.clear();
  for_each_place(address.constant, load.width, [&](std::uint64_t place) {
    if (const auto at = places_.find(place); at != places_.end()) searched_.push_back(&at->second);
  });
}

StoreGroups::StoreGroups(std::span<const TrackedAccess> accesses) {
  for (const TrackedAccess& access : accesses)
    if (access.write) add(access);
}

void StoreGroups::add(const TrackedAccess& store) {
  if (StoreGroup* group = of(store)) return group->add(store);
  groups_.emplace_back(store);
  if (groups_.size() <= few) return;
  for (std::size_t g = by_base_.size(); g < groups_.size(); ++g)
    by_base_.emplace(hash_of_base(groups_[g].front()), g);
}

StoreGroup* StoreGroups::of(const TrackedAccess& load) {
  const auto fits = [&](const StoreGroup& group) { return group.front().same_base(load); };
  if (groups_.size() <= few) {
    const auto found = std::find_if(groups_.begin(), groups_.end(), fits);
    return found == groups_.end() ? nullptr : &*found;
  }
  const auto [begin, end] = by_base_.equal_range(hash_of_base(load));
  const auto found = std::find_if(begin, end, [&](const auto& item) { return fits(groups_[item.second]); });
  return found == end ? nullptr : &groups_[found->second];
}

} // namespace corecast
