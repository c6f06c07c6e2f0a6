// Reading blocks in bulk gives what reading each by itself gives.
#include "cpp/llvm/decoder.hpp"
#include "cpp/llvm/listing.hpp"
#include "cpp/llvm/recallable.hpp"
#include "cpp/predict/closing.hpp"
#include "cpp/predict/hex.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

using namespace corecast;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Everything that depends on the address or on code before, and enough of the rest to tell instructions apart.
std::string summary(const Instruction& instruction) {
  std::string out = instruction.text + " | " + instruction.form + " @" + std::to_string(instruction.address) + " -> " +
                    std::to_string(instruction.target_address);
  for (const Operand& operand : instruction.operands) {
    out += " " + std::to_string(operand.id);
    for (const RegisterUse& use : operand.registers)
      out += ":" + std::to_string(use.reg) + (use.read ? "r" : "") + (use.write ? "w" : "");
  }
  for (const MemoryAccess& access : instruction.memory)
    out += " m" + std::to_string(access.base) + "+" + std::to_string(access.displacement);
  return out + " " + std::to_string(instruction.length_bytes);
}

void check_same(Decoder& decoder, Isa isa, const Bytes& code, std::uint64_t address) {
  const Listing listing = disassemble(isa, code.data(), code.size(), address);
  const bool decodable = decoder.decode(code, address);
  REQUIRE(decodable == listing.problems.empty());
  if (!decodable) {
    CHECK(decoder.problem() == listing.problems.front().message);
    return;
  }
  REQUIRE(decoder.items().size() == listing.instructions.size());
  for (std::size_t i = 0; i < listing.instructions.size(); ++i)
    CHECK(summary(*decoder.items()[i].instruction) == summary(listing.instructions[i]));
}

} // namespace

TEST_CASE("a decoder that remembers gives the instructions of disassemble") {
  std::mt19937 random(3);
  for (const Isa isa : all_isas) {
    Decoder small(isa, 4); // forgets all the time
    Decoder large(isa);
    for (int round = 0; round < 4000; ++round) {
      Bytes code;
      const unsigned units = 1 + random() % 5;
      // Few different bytes, so that encodings come again at other addresses and behind other code.
      for (unsigned unit = 0; unit < units; ++unit) {
        if (isa == Isa::x86) {
          const Bytes pieces[] = {{0xf0},
                                  {0xf3},
                                  {0x66},
                                  {0xd9, 0xc1},
                                  {0xd9, 0xc9},
                                  {0xde, 0xc1},
                                  {0x48, 0x01, 0x18},
                                  {0x75, 0xfd},
                                  {0x8b, 0x05, 1, 0, 0, 0},
                                  {0xa4},
                                  {0x90},
                                  {0xeb, 0xfd}};
          const Bytes& piece = pieces[random() % std::size(pieces)];
          code.insert(code.end(), piece.begin(), piece.end());
        } else if (isa == Isa::aarch64) {
          for (const std::uint32_t word : {std::uint32_t(0x8b000000U | (random() & 0x30c63U))})
            for (unsigned shift = 0; shift < 32; shift += 8)
              code.push_back(static_cast<std::uint8_t>(word >> shift));
        } else {
          const std::uint32_t words[] = {0x0d0572d7, 0x0c8572d7, 0x0d1572d7, 0x02108157,
                                         0x0205e107, 0xfe0518e3, 0x00b50533};
          const std::uint32_t word = words[random() % std::size(words)];
          for (unsigned shift = 0; shift < 32; shift += 8)
            code.push_back(static_cast<std::uint8_t>(word >> shift));
        }
      }
      const std::uint64_t address = random() % 3 * 0x1000;
      check_same(small, isa, code, address);
      check_same(large, isa, code, address);
    }
  }
}

TEST_CASE("no instruction that is remembered is taken for the start of another one") {
  // Prefixes, REX, VEX and EVEX, escapes, opcodes with and without operands, immediates and branches: anything in any
  // order, and mostly code that repeats what was there before with something else in front or behind.
  const Bytes pieces{0x00, 0x01, 0x05, 0x0f, 0x10, 0x1f, 0x24, 0x26, 0x2e, 0x38, 0x3a, 0x3e, 0x40, 0x48, 0x4c,
                     0x58, 0x62, 0x64, 0x66, 0x67, 0x6a, 0x6f, 0x75, 0x83, 0x86, 0x87, 0x88, 0x89, 0x8b, 0x90,
                     0x9b, 0xa4, 0xae, 0xb8, 0xc0, 0xc4, 0xc5, 0xc6, 0xc7, 0xd9, 0xeb, 0xf0, 0xf2, 0xf3, 0xf7};
  std::mt19937 random(5);
  Decoder decoder(Isa::x86, 1 << 16);
  std::size_t decodable = 0;
  Bytes last;
  for (int round = 0; round < 60000; ++round) {
    Bytes code(random() % 3);
    for (std::uint8_t& byte : code)
      byte = pieces[random() % pieces.size()];
    if (random() % 4 != 0)
      code.insert(code.end(), last.begin() + static_cast<std::ptrdiff_t>(random() % (last.size() + 1)), last.end());
    for (std::size_t more = random() % 6; more > 0; --more)
      code.push_back(random() % 8 != 0 ? pieces[random() % pieces.size()] : static_cast<std::uint8_t>(random()));
    check_same(decoder, Isa::x86, code, 0);
    decodable += decoder.problem().empty() ? 1 : 0;
    last = code.size() < 24 ? code : Bytes();
  }
  CHECK(decodable > 10000);
}

TEST_CASE("prefixes alone tell no instruction") {
  CHECK(RecallableLengths::recallable(true, Bytes{0x48, 0x89, 0xd8}));
  CHECK(RecallableLengths::recallable(true, Bytes{0x90}));
  CHECK(RecallableLengths::recallable(true, Bytes{0x6a, 0x66}));
  CHECK_FALSE(RecallableLengths::recallable(true, Bytes{0xf3}));
  CHECK_FALSE(RecallableLengths::recallable(true, Bytes{0x66, 0x48}));
  CHECK(RecallableLengths::recallable(false, Bytes{0x66, 0x66, 0x66, 0x66}));
}

TEST_CASE("equal encodings have equal ids") {
  Decoder decoder(Isa::x86);
  const Bytes code{0x90, 0x48, 0x01, 0x18, 0x90};
  REQUIRE(decoder.decode(code, 0));
  CHECK(decoder.items()[0].id == decoder.items()[2].id);
  CHECK(decoder.items()[0].id != decoder.items()[1].id);
  CHECK(decoder.items()[2].instruction->address == 4);
}

TEST_CASE("hexadecimal digits are read as one writes them") {
  Bytes out;
  for (const char* good : {"4801d8", "48 01 D8\r\n", "0x48, 0x01, 0xd8", "\\x48\\x01\\xd8", "{0x48,0x01,0xd8}"}) {
    CHECK(read_hex(good, out) == "");
    CHECK(out == Bytes{0x48, 0x01, 0xd8});
  }
  for (const char* bad : {"4", "480", "4g", "48 0", "0x", "480x", "4 8", "00x12", "x48", "48\\"})
    CHECK(read_hex(bad, out) != "");
  CHECK(read_hex("4801g3", out) == "'g' at position 5 is not a hexadecimal digit");
  CHECK(read_hex("480", out) == "half a byte ('0') at position 3 of the hex string");
  CHECK(read_hex("0x", out) == "'x' at position 2 is not a hexadecimal digit");
  CHECK(read_hex("48\xc3\xbc", out) == "a character at position 3 is not a hexadecimal digit");
  CHECK(read_hex("", out) == "");
  CHECK(out.empty());
}

TEST_CASE("addresses are decimal or hexadecimal") {
  CHECK(read_address("") == 0U);
  CHECK(read_address(" 31 ") == 31U);
  CHECK(read_address("0x1F") == 31U);
  CHECK(read_address("18446744073709551615") == ~std::uint64_t{0});
  for (const char* bad : {"1f", "-1", "0x", "18446744073709551616", "1.5", "0x1g"})
    CHECK_FALSE(read_address(bad).has_value());
}

TEST_CASE("the assumed loop branch leads back to the start") {
  Decoder decoder(Isa::x86);
  for (const std::size_t nops : {1U, 100U, 122U, 123U, 124U, 200U}) {
    const Bytes code(nops, 0x90);
    REQUIRE(decoder.decode(code, 0xFFFFFFFFFFFFFFF0U));
    std::vector<const Instruction*> block;
    for (const Decoder::Item& item : decoder.items())
      block.push_back(item.instruction);
    const ClosingBranch closing = closing_branch(block);
    REQUIRE(decoder.append(closing.code(), closing.address));
    REQUIRE(decoder.items().size() == nops + 2);
    CHECK(decoder.items()[nops].instruction->text == "dec r15");
    const Instruction& branch = *decoder.items()[nops + 1].instruction;
    CHECK(branch.target_address == static_cast<std::int64_t>(0xFFFFFFFFFFFFFFF0U));
    CHECK(branch.length_bytes == (nops <= 123 ? 2 : 6));
  }
}
