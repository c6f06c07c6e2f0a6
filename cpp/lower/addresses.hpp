// Symbolic addresses over one iteration, and the store that each load must read.
#pragma once

#include "cpp/isa/instruction.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace corecast {

struct Aliasing;
struct MemoryParameters;
class StartPlaces;

/// A load that reads what a store wrote `distance` iterations before (0: earlier in the same iteration).
struct MemoryDependency {
  std::uint32_t store = 0; // instruction indices
  std::uint32_t load = 0;
  std::uint32_t store_access = 0; // positions in Instruction::memory
  std::uint32_t load_access = 0;
  std::uint32_t distance = 0;
  bool contained = true; // false: the store covers the load in part only, so that it cannot be forwarded
};

/// Farthest iterations apart that a store and a load are matched; a store buffer does not hold more.
inline constexpr std::uint32_t farthest_memory_distance = 64;

/// How often an instruction's accesses cross from one line to the next, as a share of its executions.
struct LineCrossings {
  double loads = 0;
  double stores = 0;
};

/// By instruction; empty where nothing crosses. Taken for granted: at the start of the loop every register holds a
/// multiple of the line's size, as arrays do that are aligned, so that displacements and strides tell the rest.
/// Addresses that do not advance by a known stride are left out: stack frames lie anywhere.
std::vector<LineCrossings> find_line_crossings(std::span<const Instruction* const> instructions,
                                               std::int64_t line_bytes);

/// For each load the latest store whose bytes it reads. An address is a linear expression of the registers' values at
/// the start of the iteration, and of values that instructions make. Registers that advance by a constant link
/// iterations; of others it is known that they start an iteration with what they held at the end of the one before.
/// Unlike bases never alias, except as `aliasing` says.
std::vector<MemoryDependency> find_memory_dependencies(std::span<const Instruction* const> instructions,
                                                       const Aliasing* aliasing = nullptr);

/// Where a store or load goes, as far as it can be compared with others: those of one `base` differ by a known
/// distance.
struct AccessAddress {
  std::uint32_t instruction = 0;
  std::uint32_t base = 0; // numbers the expressions that occur
  std::int64_t constant = 0;
  std::int64_t stride = 0; // per iteration
  bool repeats = false;    // whether `stride` is known; else only those of one iteration can be compared
  std::int64_t width = 1;  // bytes, where more than its first one counts
  bool alone = false;      // where it lies across a border, however narrow, it is written in two, each on its own
  bool apart = false;      // it is written on its own wherever it lies

  bool operator==(const AccessAddress&) const = default;

  /// Whether it is written to the cache with another, `iterations` before it: both go to the same aligned block; or one
  /// lies across a border, and the other within the two halves of blocks beside that.
  bool joins(const AccessAddress& other, std::int64_t iteration, std::int64_t iterations,
             std::int64_t block_bytes) const;
  /// Whether it lies across a border of blocks and is written in two parts: `alone`, or half a block wide or more.
  bool is_split(std::int64_t iteration, std::int64_t block_bytes) const;

private:
  std::int64_t at(std::int64_t iteration) const;
};

/// The first store of each instruction that has one with a known expression, and its width where that decides how it is
/// written to the cache. `apart`: none of them is written with another.
std::vector<AccessAddress> find_stores(std::span<const Instruction* const> instructions, const StartPlaces& places,
                                       const MemoryParameters& memory, bool apart);

/// The first load of each instruction that has one with a known expression.
std::vector<AccessAddress> find_load_addresses(std::span<const Instruction* const> instructions);

/// The number of iterations after which all stores lie in their blocks as before.
std::int64_t phases_of(std::span<const AccessAddress> stores, std::int64_t block_bytes);

/// For each instruction how often an iteration its store is written to the cache on its own: stores that follow each
/// other into one aligned block are written together, two told by their first bytes, or with `joined_stores_bytes` any
/// number told by all their bytes. `apart`: none is written with another.
std::vector<double> find_store_writes(std::span<const Instruction* const> instructions, const StartPlaces& places,
                                      const MemoryParameters& memory, bool apart = false);

} // namespace corecast
