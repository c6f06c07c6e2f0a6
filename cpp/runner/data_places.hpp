// Where measured code has its data, beside the heap of the process that starts it: what that has there the code would
// read and write in place of them.
#pragma once

#include <cstdint>
#include <string>

namespace corecast::runner {

/// Of this process: [begin, end). Both 0 where it lies beyond 4 GiB, as that of a position-independent program does.
struct Heap {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// What general registers of blocks start with, `step` apart by number, the stack pointer, and pages that code names
/// relative to itself.
struct DataPlaces {
  std::uint64_t registers, step, stack, pages;

  bool operator==(const DataPlaces&) const = default;
};

/// Those that a heap which only grows upwards leaves alone as long as it does not pass `first_data_address`. All are
/// low, so that sums of addresses survive 32-bit arithmetic.
DataPlaces places_beside(const Heap& heap);

/// Why a heap that began as `first` and now ends at `end` is in the way of data; "" where it is not.
std::string heap_obstacle(const Heap& first, std::uint64_t end);

inline constexpr std::uint64_t first_data_address = 0x1100'0000;

/// Chooses the places for this process and keeps its heap from growing over them; the allocator goes on elsewhere. Call
/// it early: only then is the heap small.
void reserve_data_places();

/// After reserve_data_places(): of this process.
const DataPlaces& data_places();
std::string heap_obstacle();

} // namespace corecast::runner
