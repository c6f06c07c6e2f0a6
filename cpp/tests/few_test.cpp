// Short lists hold what vectors hold, in themselves and beyond.
#include "cpp/base/few.hpp"

#include <doctest/doctest.h>

#include <random>
#include <utility>
#include <vector>

using corecast::Few;

namespace {

template <std::size_t room> void check_same(const Few<int, room>& few, const std::vector<int>& vector) {
  REQUIRE(few.size() == vector.size());
  CHECK(few.empty() == vector.empty());
  CHECK(std::equal(few.begin(), few.end(), vector.begin()));
}

} // namespace

TEST_CASE("a short list changes as a vector does, whether it has room or not") {
  std::mt19937 random(7);
  Few<int, 3> few;
  std::vector<int> vector;
  for (int step = 0; step < 2000; ++step) {
    const int value = static_cast<int>(random() % 100);
    switch (random() % 6) {
    case 0:
      if (vector.empty()) break;
      few.pop_back();
      vector.pop_back();
      break;
    case 1:
      if (vector.empty()) break;
      few.erase(few.begin() + value % static_cast<int>(vector.size()));
      vector.erase(vector.begin() + value % static_cast<int>(vector.size()));
      break;
    case 2:
      few.resize(static_cast<std::size_t>(value % 8), 5);
      vector.resize(static_cast<std::size_t>(value % 8), 5);
      break;
    case 3:
      if (vector.empty()) break;
      few.push_back(few.front()); // one of its own
      vector.push_back(vector.front());
      break;
    default:
      few.push_back(value);
      vector.push_back(value);
    }
    check_same(few, vector);
  }
}

TEST_CASE("short lists are copied and moved with all that they hold") {
  for (const std::size_t count : {0U, 2U, 3U, 9U}) {
    const std::vector<int> vector(count, 4);
    Few<int, 3> few(count, 4);
    Few<int, 3> copy = few;
    check_same(copy, vector);
    Few<int, 3> moved = std::move(few);
    check_same(moved, vector);
    few = copy;
    check_same(few, vector);
    copy = Few<int, 3>{1, 2, 3, 4};
    copy = std::move(moved);
    check_same(copy, vector);
    CHECK(copy == few);
    copy.push_back(1);
    CHECK_FALSE(copy == few);
  }
}
