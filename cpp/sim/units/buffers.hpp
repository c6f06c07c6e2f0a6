// Entries that uops hold beside their slots: load queue, store queue, physical registers.
#pragma once

#include "cpp/sim/parameters.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <deque>

namespace corecast::sim {

enum class Buffer : std::uint8_t { load_queue, store_queue, integer_registers, vector_registers };
inline constexpr std::size_t buffer_count = 4;

/// A count of entries of each buffer, 16 bits apart: one subtraction asks for all of them.
using BufferEntries = std::uint64_t;

constexpr BufferEntries entries_of(Buffer buffer, std::uint64_t count) {
  return std::min<std::uint64_t>(count, 0x3FFF) << (16 * static_cast<unsigned>(buffer));
}

/// How a store is written to the cache.
struct StoreWrite {
  bool joins = false;    // with the one before
  bool is_split = false; // in two parts
};

class Buffers {
public:
  void reset(const CoreParameters& parameters) {
    free_ = mask_ = 0;
    const std::array<std::uint32_t, buffer_count> sizes{parameters.load_queue, parameters.store_queue,
                                                        parameters.integer_registers, parameters.vector_registers};
    for (std::size_t b = 0; b < buffer_count; ++b) {
      if (sizes[b] >= unlimited) continue;
      free_ |= entries_of(static_cast<Buffer>(b), sizes[b]);
      mask_ |= BufferEntries{0xFFFF} << (16 * b);
    }
    sizes_ = free_;
    stores_per_cycle_ = parameters.stores_per_cycle;
    retired_stores_ = 0;
    joining_ = parameters.store_block_bytes > 0;
    together_ = parameters.stores_together;
    writes_.clear();
  }

  bool has_room(BufferEntries need) const { return ((free_ - (need & mask_)) & overdrawn) == 0; }

  /// The first buffer without room; call only where there is one.
  Buffer full(BufferEntries need) const {
    return static_cast<Buffer>(std::countr_zero((free_ - (need & mask_)) & overdrawn) / 16);
  }

  void take(BufferEntries need) { free_ -= need & mask_; }

  /// Entries of a buffer that are taken; 0 where it has no limit.
  std::uint32_t taken(Buffer buffer) const {
    return static_cast<std::uint32_t>((sizes_ - free_) >> (16 * static_cast<unsigned>(buffer)) & 0xFFFF);
  }

  /// At retirement. Stores keep their entries until they are written to the cache.
  void retire(BufferEntries held) {
    held &= mask_;
    free_ += held & ~stores;
    retired_stores_ += static_cast<std::uint32_t>((held & stores) >> store_shift);
  }

  /// Where stores are written together only into one block: the first of them may be with the one that retired before.
  void retire_joining(BufferEntries held, StoreWrite write) {
    const std::uint32_t before = retired_stores_;
    retire(held);
    const std::uint32_t count = retired_stores_ - before;
    for (std::uint32_t i = 0; i < count; ++i)
      writes_.push_back({write.joins && i == 0, false});
    if (count == 0 || !write.is_split) return;
    ++retired_stores_;
    writes_.back().is_split = true; // its entry is given back with the second part
    writes_.push_back({});
  }

  /// Once a cycle, where there are any: retired stores leave for the cache, up to `together_`, or as many as go to one
  /// block.
  void commit_stores() {
    std::uint32_t count = std::min(retired_stores_, stores_per_cycle_);
    if (joining_) {
      count = 1;
      while (count < std::min(retired_stores_, together_) && writes_[count].joins)
        ++count;
      const auto end = writes_.begin() + count;
      const auto kept = std::count_if(writes_.begin(), end, [](StoreWrite each) { return each.is_split; });
      free_ -= static_cast<BufferEntries>(kept) << store_shift & mask_;
      writes_.erase(writes_.begin(), end);
    }
    retired_stores_ -= count;
    free_ += BufferEntries{count} << store_shift;
  }

  std::uint32_t retired_stores() const { return retired_stores_; }
  /// Of each retired store; empty where all may be written together.
  const std::deque<StoreWrite>& writes() const { return writes_; }

private:
  static constexpr BufferEntries overdrawn = 0x8000800080008000;
  static constexpr unsigned store_shift = 16 * static_cast<unsigned>(Buffer::store_queue);
  static constexpr BufferEntries stores = BufferEntries{0xFFFF} << store_shift;

  BufferEntries free_ = 0;
  BufferEntries sizes_ = 0; // what is free in the beginning
  BufferEntries mask_ = 0;  // buffers that have a limit
  std::uint32_t stores_per_cycle_ = unlimited;
  std::uint32_t retired_stores_ = 0;   // that are still in the queue
  bool joining_ = false;               // stores are written together only into one block
  std::uint32_t together_ = unlimited; // stores that leave per cycle at most
  std::deque<StoreWrite> writes_;      // of each retired store
};

} // namespace corecast::sim
