#include "code_places.hpp"

#include "low_memory.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace corecast::runner {

#if defined(__linux__)

bool CodePlaces::map(std::size_t code_bytes, std::size_t data_bytes, unsigned places) {
  const std::size_t stride = code_bytes + data_bytes;
  const int file = static_cast<int>(syscall(SYS_memfd_create, "corecast-code", 1U /* close on exec */));
  if (file < 0) return false;
  void* reserved = nullptr;
  if (ftruncate(file, static_cast<off_t>(stride)) == 0) reserved = map_low(stride * places, PROT_NONE);
  bool done = reserved != nullptr;
  if (done) {
    base_ = static_cast<std::uint8_t*>(reserved);
    code_bytes_ = code_bytes;
    stride_ = stride;
    places_ = places;
  }
  for (unsigned place = 0; done && place < places; ++place)
    done = mmap(base_ + distance(place), stride, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
  close(file);
  return done;
}

bool CodePlaces::seal() {
  bool done = true;
  for (unsigned place = 0; done && place < places_; ++place) {
    auto* at = reinterpret_cast<char*>(base_ + distance(place));
    __builtin___clear_cache(at, at + code_bytes_); // caches of instructions may go by virtual addresses
    done = mprotect(base_ + distance(place), code_bytes_, PROT_READ | PROT_EXEC) == 0;
  }
  return done;
}

CodePlaces::~CodePlaces() {
  if (base_ != nullptr) munmap(base_, stride_ * places_);
}

#else

bool CodePlaces::map(std::size_t, std::size_t, unsigned) {
  return false;
}
bool CodePlaces::seal() {
  return false;
}
CodePlaces::~CodePlaces() = default;

#endif

} // namespace corecast::runner
