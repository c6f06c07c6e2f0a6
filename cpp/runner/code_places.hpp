// The same code, and the page through which it talks, at several addresses: whoever runs it at the next address finds
// it in the first-level cache, which goes by physical addresses, but not in caches of decoded instructions, which do
// not.
#pragma once

#include <cstddef>
#include <cstdint>

namespace corecast::runner {

class CodePlaces {
public:
  CodePlaces() = default;
  ~CodePlaces();
  CodePlaces(const CodePlaces&) = delete;
  CodePlaces& operator=(const CodePlaces&) = delete;

  /// Maps `code_bytes` of code, then `data_bytes`, both whole pages, at each of `places` addresses. False where the
  /// system refuses.
  bool map(std::size_t code_bytes, std::size_t data_bytes, unsigned places);
  /// Writable until `seal`; the first place.
  std::uint8_t* base() const { return base_; }
  /// Makes the code executable, and no longer writable, at all places.
  bool seal();
  /// From the first place to another.
  std::size_t distance(unsigned place) const { return place * stride_; }

private:
  std::uint8_t* base_ = nullptr;
  std::size_t code_bytes_ = 0, stride_ = 0;
  unsigned places_ = 0;
};

} // namespace corecast::runner
