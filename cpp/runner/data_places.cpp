#include "data_places.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#endif

namespace corecast::runner {
namespace {

constexpr DataPlaces usual{0x1234'5600, 0x0101'0100, 0x2234'5A00, 0x3300'0000};
constexpr std::uint64_t usual_end = 0x3400'0000;
/// Behind a program at a fixed address, and below a heap that begins among the usual places.
constexpr DataPlaces below{0x0234'5600, 0x0061'0100, 0x0F33'5A00, 0x1000'0000};
/// Of forms (data_address, stack_address).
constexpr std::uint64_t forms_begin = 0x6000'0000, forms_end = 0x6400'0000;

Heap first_heap;
DataPlaces chosen = usual;

} // namespace

DataPlaces places_beside(const Heap& heap) {
  return heap.begin > first_data_address && heap.begin < usual_end ? below : usual;
}

std::string heap_obstacle(const Heap& first, std::uint64_t end) {
  const auto covers = [&](std::uint64_t from, std::uint64_t to) { return first.begin < to && end > from; };
  const bool among_usual = places_beside(first) == usual && covers(first_data_address, usual_end);
  if (end == 0 || (!among_usual && !covers(forms_begin, forms_end))) return "";
  return "the memory of this process covers the addresses at which measured code has its data: import corecast before "
         "other data are read, or use a position-independent Python";
}

const DataPlaces& data_places() {
  return chosen;
}

#if defined(__linux__)

namespace {

/// Where the heap ends; 0 where it lies elsewhere.
std::uint64_t heap_end() {
  constexpr std::uint64_t low = std::uint64_t{1} << 32;
  const auto end = reinterpret_cast<std::uint64_t>(sbrk(0));
  return end < low ? end : 0;
}

Heap heap_of_this_process() {
  const std::uint64_t end = heap_end();
  if (end == 0) return {};
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.ends_with("[heap]")) return {std::stoull(line, nullptr, 16), end};
  return {end, end};
}

/// A page that the heap cannot grow over.
void end_heap_at(std::uint64_t address) {
  constexpr std::size_t page = 4096;
  void* wanted = reinterpret_cast<void*>(address);
  void* got = mmap(wanted, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != wanted && got != MAP_FAILED) munmap(got, page); // an older kernel takes the address for a wish
}

} // namespace

void reserve_data_places() {
  first_heap = heap_of_this_process();
  if (first_heap.end == 0) return;
  chosen = places_beside(first_heap);
  if (first_heap.begin <= first_data_address) end_heap_at(first_data_address);
  end_heap_at(forms_begin);
}

std::string heap_obstacle() {
  return heap_obstacle(first_heap, heap_end());
}

#else

void reserve_data_places() {}

std::string heap_obstacle() {
  return "";
}

#endif

} // namespace corecast::runner
