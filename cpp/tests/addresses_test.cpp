#include "cpp/lower/addresses.hpp"

#include "cpp/tests/toy.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace corecast;
using namespace corecast::toy;

namespace {

std::vector<MemoryDependency> find(const Code& code) {
  return find_memory_dependencies(code.pointers);
}

} // namespace

TEST_CASE("a load reads the store before it at the same address") {
  const auto found = find({store(rsi, rax, 8), load(rbx, rsi, 8)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].distance == 0);
  CHECK(found[0].contained);
}

TEST_CASE("a load before the store of a fixed address reads the last iteration's") {
  const auto found = find({load(rax, rsp, 16), store(rsp, rax, 16)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].distance == 1);
}

TEST_CASE("the distance is the difference of addresses over the step") {
  // x[i] stored, x[i - 3] loaded, the pointer moves 8 bytes an iteration.
  const auto found = find({load(rax, rsi, -24), store(rsi, rax, 0), add_immediate(rsi, 8)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].distance == 3);
}

TEST_CASE("a loop that walks downwards") {
  const auto found = find({load(rax, rsi, 16), store(rsi, rax, 0), add_immediate(rsi, -8)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].distance == 2);
}

TEST_CASE("among many stores a load finds the last one that wrote some of its bytes") {
  std::mt19937 random(11);
  constexpr std::uint32_t widths[] = {1, 2, 4, 8, 16, 32, 64};
  std::vector<Instruction> parts;
  for (int i = 0; i < 400; ++i) {
    const auto displacement = static_cast<std::int64_t>(random() % 2048) - 1024;
    parts.push_back(random() % 3 == 0 ? load(rax, rsp, displacement) : store(rsp, rax, displacement));
    parts.back().memory.front().width_bytes = widths[random() % std::size(widths)];
  }
  std::vector<const Instruction*> code;
  for (const Instruction& part : parts)
    code.push_back(&part);
  const std::vector<MemoryDependency> found = find_memory_dependencies(code);
  std::size_t expected = 0;
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    const MemoryAccess& wanted = parts[i].memory.front();
    if (!wanted.read) continue;
    const auto count = static_cast<std::uint32_t>(parts.size());
    for (std::uint32_t back = 1; back <= count; ++back) {
      const std::uint32_t s = (i + count - back) % count;
      const MemoryAccess& written = parts[s].memory.front();
      if (!written.write || written.displacement >= wanted.displacement + wanted.width_bytes ||
          wanted.displacement >= written.displacement + written.width_bytes)
        continue;
      REQUIRE(expected < found.size());
      CHECK(found[expected].load == i);
      CHECK(found[expected].store == s);
      CHECK(found[expected++].distance == (s < i ? 0 : 1));
      break;
    }
  }
  CHECK(expected == found.size());
}

TEST_CASE("a load ahead of the stores reads none of them") {
  CHECK(find({load(rax, rsi, 8), store(rsi, rax, 0), add_immediate(rsi, 8)}).empty());
}

TEST_CASE("stores farther back than a store buffer holds are left out") {
  const auto at = [](std::int64_t iterations) {
    return find({load(rax, rsi, -8 * iterations), store(rsi, rax, 0), add_immediate(rsi, 8)}).size();
  };
  CHECK(at(farthest_memory_distance) == 1);
  CHECK(at(farthest_memory_distance + 1) == 0);
}

TEST_CASE("different bases never alias") {
  CHECK(find({store(rsi, rax), load(rbx, rdi)}).empty());
}

TEST_CASE("a base that changes in an unknown way matches within its iteration only") {
  Code code{load(rdi, rsi), store(rdi, rax, 0), load(rbx, rdi, 0), store(rdi, rbx, 8)};
  const auto found = find(code);
  REQUIRE(found.size() == 1);
  CHECK(found[0].load == 2);
  CHECK(found[0].store == 1);
  CHECK(found[0].distance == 0);
}

TEST_CASE("a base that was loaded is still the same at the start of the next iteration") {
  const auto found = find({load(rax, rax), store(rax, rbx)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].distance == 1);
  CHECK(found[0].contained);
  CHECK(find({load(rax, rax, 8), store(rax, rbx)}).empty());
  CHECK(find({store(rax, rbx), load(rax, rax, 8)}).empty()); // the store's base is gone when the load runs again
  CHECK(find({load(rcx, rax), load(rax, rdx), store(rcx, rbx)}).empty()); // another value
}

TEST_CASE("the latest of several stores counts") {
  const auto found = find({store(rsi, rax), store(rsi, rbx), load(rcx, rsi)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].store == 1);
}

TEST_CASE("a load wider than the store is not forwarded") {
  Instruction narrow = Builder("mov m32, r32").memory(rsi, 0, 4, false, true).operands({in(rax)});
  const auto found = find({narrow, load(rbx, rsi)});
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0].contained);
}

TEST_CASE("accesses that go on in the next line") {
  const auto crossings = [](long displacement, std::uint32_t width, long stride) {
    const Instruction access = Builder("vmovups").memory(rsi, displacement, width, true, false);
    const toy::Code code({access, add_immediate(rsi, stride)});
    const auto found = find_line_crossings(code.pointers, 64);
    return found.empty() ? 0 : found.front().loads;
  };
  CHECK(crossings(0, 64, 64) == 0);
  CHECK(crossings(16, 64, 64) == 1);
  CHECK(crossings(-8, 64, -64) == 1);
  CHECK(crossings(8, 32, 32) == doctest::Approx(0.5));
  CHECK(crossings(8, 16, 16) == doctest::Approx(0.25));
  CHECK(crossings(16, 32, 64) == 0); // bytes 16 to 47 of every line
  CHECK(crossings(4, 8, 8) == doctest::Approx(0.125));
  CHECK(crossings(16, 64, 0) == 0); // does not move: its place is not known
}

TEST_CASE("an index advances like a pointer") {
  Instruction stored = Builder("mov m64, r64").memory(rsi, 0, 8, false, true).index(rcx, 8).operands({in(rax)});
  Instruction loaded = Builder("mov r64, m64").operands({out(rax)}).memory(rsi, -8, 8, true, false).index(rcx, 8);
  const auto found = find({loaded, stored, add_immediate(rcx, 1)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].distance == 1);
}

TEST_CASE("a pointer that trails another one by a copy") {
  // [rdx] is where rsi was an iteration ago.
  Instruction copy = Builder("mov r64, r64").operands({out(rdx), in(rsi)}).affine(rdx, 0, {{rsi, 1}});
  const auto found = find({load(rax, rdx), store(rsi, rax), copy, add_immediate(rsi, 8)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].distance == 1);
}

TEST_CASE("symbols with offsets: table+8 and table") {
  Instruction stored = store(0, rax, 0);
  stored.memory[0].symbol = "table+8";
  Instruction loaded = load(rbx, 0, 8);
  loaded.memory[0].symbol = "table";
  CHECK(find({stored, loaded}).size() == 1);
  loaded.memory[0].symbol = "other";
  CHECK(find({stored, loaded}).empty());
}
