#include "low_memory.hpp"

#if defined(__linux__)
#include <sys/mman.h>

#include <cstdint>
#endif

namespace corecast::runner {

#if defined(__linux__)

namespace {

void* map(void* at, std::size_t bytes, int protection, int flags) {
  void* memory = mmap(at, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

#if !defined(MAP_32BIT)
/// Systems whose mmap knows nothing of it are asked for one place after the other.
void* map_at_one_of_many(std::size_t bytes, int protection) {
  constexpr std::uint64_t highest = 0x7000'0000, lowest = 0x6400'0000, step = 0x0020'0000; // data are below
  for (std::uint64_t at = highest; at >= lowest; at -= step) {
    void* wanted = reinterpret_cast<void*>(at);
    void* got = map(wanted, bytes, protection, MAP_FIXED_NOREPLACE);
    if (got == wanted) return got;
    if (got != nullptr) munmap(got, bytes); // an older kernel takes the address for a wish
  }
  return nullptr;
}
#endif

} // namespace

void* map_low(std::size_t bytes, int protection) {
#if defined(MAP_32BIT)
  if (void* low = map(nullptr, bytes, protection, MAP_32BIT); low != nullptr) return low;
#else
  if (void* low = map_at_one_of_many(bytes, protection); low != nullptr) return low;
#endif
  return map(nullptr, bytes, protection, 0);
}

#else

void* map_low(std::size_t, int) {
  return nullptr;
}

#endif

} // namespace corecast::runner
