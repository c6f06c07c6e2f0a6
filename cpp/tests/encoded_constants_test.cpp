#include "cpp/lower/encoded_constants.hpp"

#include "cpp/tests/toy.hpp"

#include <doctest/doctest.h>

using namespace corecast;
using namespace corecast::toy;

namespace {

Instruction encoded(std::uint8_t immediate, std::uint8_t displacement, RegisterId base = 0) {
  Instruction out = base == 0 ? Builder("nop") : Builder("mov r64, m64").memory(base, 0, 8, true, false);
  out.immediate_bytes = immediate;
  out.displacement_bytes = displacement;
  return out;
}

} // namespace

TEST_CASE("constants in the uop cache: as wide as they are encoded, those of 64 bits twice") {
  CHECK(cached_constants(encoded(0, 0)) == EncodedConstants{0, 0});
  CHECK(cached_constants(encoded(1, 0)) == EncodedConstants{1, 0});
  CHECK(cached_constants(encoded(2, 0)) == EncodedConstants{1, 1});
  CHECK(cached_constants(encoded(1, 4)) == EncodedConstants{2, 1});
  CHECK(cached_constants(encoded(4, 4)) == EncodedConstants{2, 2});
  CHECK(cached_constants(encoded(8, 0)) == EncodedConstants{2, 2});
}

TEST_CASE("constants in the uop cache: a direct branch has its target") {
  Instruction jump = Builder("jne rel").flags(true, false).branch();
  CHECK(cached_constants(jump) == EncodedConstants{1, 0});
  jump.branch = Branch::indirect;
  CHECK(cached_constants(jump) == EncodedConstants{0, 0});
}

TEST_CASE("constants that are renamed: accesses relative to the stack pointer have one in any case") {
  const RegisterId stack_pointer = rsi; // any register
  CHECK(renamed_constants(encoded(0, 0, rdi), stack_pointer) == 0);
  CHECK(renamed_constants(encoded(0, 0, rsi), stack_pointer) == 1);
  CHECK(renamed_constants(encoded(0, 1, rsi), stack_pointer) == 1);
  CHECK(renamed_constants(encoded(1, 0, rsi), stack_pointer) == 2);
  CHECK(renamed_constants(encoded(1, 4, rdi), stack_pointer) == 2);
}
