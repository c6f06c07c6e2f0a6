// Lookup of rows of the x86 semantics overlay. What the rows say is tested in tests/isa/test_x86_semantics.py.
#include "cpp/llvm/x86_semantics.hpp"

#include <doctest/doctest.h>

using namespace corecast;

namespace {

std::uint8_t conditional(std::string_view mnemonic, int operands, std::string_view text) {
  const auto* row = find_x86_semantics(mnemonic, operands, text);
  REQUIRE(row != nullptr);
  return row->flags_conditional;
}

} // namespace

TEST_CASE("rows are ordered, and every one is found by what it is for") {
  const auto rows = all_x86_semantics();
  REQUIRE(rows.size() > 500);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) CHECK(rows[i - 1].mnemonic <= rows[i].mnemonic);
    if (rows[i].pattern.empty()) CHECK(find_x86_semantics(rows[i].mnemonic, rows[i].operands) == &rows[i]);
  }
}

TEST_CASE("operands tell forms of one mnemonic apart") {
  CHECK(conditional("shl", 2, "r64, cl") == 0x3f);
  CHECK(conditional("shl", 2, "m64, cl") == 0x3f);
  CHECK(conditional("shl", 2, "r64, i8") == 0);
  CHECK(conditional("shl", 2, "r64, 1") == 0);
  CHECK(conditional("shld", 3, "r64, r64, cl") == 0x3f);
  CHECK(find_x86_semantics("mul", 1, "r8")->implicit_written[0] == "ax");
  CHECK(find_x86_semantics("mul", 1, "r8h")->implicit_written[0] == "ax");
  CHECK(find_x86_semantics("mul", 1, "m8")->implicit_written[0] == "ax");
  CHECK(find_x86_semantics("mul", 1, "r64")->implicit_written.size() == 2);
  CHECK(find_x86_semantics("imul", 2, "r64, r64")->implicit_written.empty());
  CHECK(find_x86_semantics("movsd", 2, "m32, m32")->memory_printed);
  CHECK_FALSE(find_x86_semantics("movsd", 2, "m64, xmm")->memory_printed);
  CHECK(find_x86_semantics("cmpsd", 3, "xmm, xmm, i8")->flags_written == 0);
}

TEST_CASE("without operand text the usual row is found") {
  CHECK(conditional("shl", 2, "") == 0);
  CHECK(find_x86_semantics("mul", 1)->implicit_read[0] == "rax");
}

TEST_CASE("prefixes are read or skipped") {
  CHECK(find_x86_semantics("lock add", 2, "m64, r64") == find_x86_semantics("add", 2, "m64, r64"));
  CHECK(find_x86_semantics("rep movsb", 2) != find_x86_semantics("movsb", 2));
  CHECK(find_x86_semantics("repe cmpsb", 2) == find_x86_semantics("rep cmpsb", 2));
  CHECK(find_x86_semantics("rep ret", 0) == find_x86_semantics("ret", 0));
  CHECK(find_x86_semantics("{nf} add", 2) == nullptr);
}

TEST_CASE("nothing to add gives no row") {
  CHECK(find_x86_semantics("vaddps", 3) == nullptr);
  CHECK(find_x86_semantics("", 0) == nullptr);
  CHECK(find_x86_semantics("nosuchthing", 2, "r64, r64") == nullptr);
}

TEST_CASE("lists hold registers and memory accesses") {
  const auto* push = find_x86_semantics("push", 1, "r64");
  REQUIRE(push != nullptr);
  REQUIRE(push->memory.size() == 1);
  CHECK(push->memory[0].base == "rsp");
  CHECK(push->memory[0].width_bytes == 8);
  CHECK(push->memory[0].access == Access::write);
  CHECK(push->flags_written == 0);
  const auto* inc = find_x86_semantics("inc", 1, "r64");
  REQUIRE(inc != nullptr);
  CHECK((inc->flags_written & x86_flag::carry) == 0);
  CHECK((inc->flags_written & x86_flag::zero) != 0);
  CHECK(find_x86_semantics("cmpxchg", 2, "r64, r64")->operand_access[0] == Access::read_write);
}
