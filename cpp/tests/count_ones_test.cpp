#include "cpp/base/count_ones.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>

namespace corecast {

TEST_CASE("bits are counted as the standard library counts them") {
  std::uint64_t bits = 0x243F6A8885A308D3;
  for (int step = 0; step < 1000; ++step) {
    CHECK(count_ones(bits) == static_cast<std::uint32_t>(std::popcount(bits)));
    bits = bits * 0xD1342543DE82EF95 + step;
  }
  CHECK(count_ones(0) == 0);
  CHECK(count_ones(~std::uint64_t{0}) == 64);
}

} // namespace corecast
