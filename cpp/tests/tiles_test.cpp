// AMX's tiles: what says that code can use them, how they are configured, what becomes of code where they are not
// there.
#include "cpp/runner/tiles.hpp"

#include "cpp/runner/harness.hpp"
#include "cpp/runner/trace.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

using namespace corecast::runner;

namespace {

/// As Intel's manuals describe the tiles of Sapphire Rapids.
TileReport sapphire_rapids() {
  TileReport report;
  report.features = 1U << 22 | 1U << 24 | 1U << 25;
  report.most_palette = 1;
  report.palette = {1024U << 16 | 8192, 8U << 16 | 64, 16};
  report.enabled_components = 0b11ULL << 17 | 0xE7;
  return report;
}

bool names(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

bool holds(const std::vector<std::uint8_t>& code, const std::vector<std::uint8_t>& part) {
  return std::search(code.begin(), code.end(), part.begin(), part.end()) != code.end();
}

} // namespace

TEST_CASE("a core has tiles where CPUID describes eight of 16 rows of 64 bytes") {
  CHECK(missing_tiles(sapphire_rapids()).empty());
  TileReport other = sapphire_rapids();
  other.features &= ~(1U << 24);
  CHECK(names(missing_tiles(other), "AMX-TILE"));
  other = sapphire_rapids();
  other.most_palette = 0;
  CHECK(names(missing_tiles(other), "palette 1"));
  other = sapphire_rapids();
  other.palette[2] = 8; // rows
  CHECK(names(missing_tiles(other), "16 rows of 64 bytes"));
  other = sapphire_rapids();
  other.palette[1] = 4U << 16 | 64; // tiles
  CHECK(names(missing_tiles(other), "eight"));
  CHECK_FALSE(missing_tiles({}).empty());
}

TEST_CASE("a system that leaves a component of tiles off refuses them") {
  TileReport report = sapphire_rapids();
  report.enabled_components &= ~(1ULL << 18);
  CHECK(names(refused_tiles(report), "XCR0"));
}

TEST_CASE("each extension is recognized on its own") {
  CHECK(tile_features(sapphire_rapids()) == std::vector<std::string>{"amx_tile", "amx_int8", "amx_bf16"});
  TileReport granite_rapids = sapphire_rapids();
  granite_rapids.more_features = 1U << 21;
  CHECK(tile_features(granite_rapids).back() == "amx_fp16");
  CHECK(tile_features({}).empty());
}

TEST_CASE("the configuration is palette 1, start row 0, eight tiles of 16 rows of 64 bytes, and 0 elsewhere") {
  const auto bytes = tile_configuration();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    CAPTURE(at);
    const bool width = at >= 16 && at < 32 && at % 2 == 0; // of two bytes, for each tile
    const bool rows = at >= 48 && at < 56;
    CHECK(unsigned{bytes[at]} == (at == 0 ? 1U : width ? 64U : rows ? 16U : 0U));
  }
}

TEST_CASE("a tile image is the configuration and a row of a vector's number for each tile") {
  StartValues values;
  values.vector[7] = 0x0807'0605'0403'0201;
  const auto image = tile_image(values);
  REQUIRE(image.size() == 64 + 8 * 64);
  for (std::size_t at = 0; at < 64; ++at)
    CHECK(unsigned{image[512 + at]} == at % 8 + 1);
}

TEST_CASE("code with tiles configures them before it, and gives them back behind it") {
  if (std::string(host_isa()) != "x86" || !host_obstacle().empty()) return;
  const std::vector<std::uint8_t> body{0x90};
  const LoopCode loop{.body = body, .counter = 15};
  const Control control;
  StartValues values;
  const auto base = reinterpret_cast<std::uint64_t>(&control) - 4096;
  const auto code_of = [&] { return timed_function(loop, values, base, &control, nullptr); };
  const TimedCode plain = code_of();
  CHECK(plain.tiles_end == 0);
  const std::size_t plain_image = state_image(values).size();
  values.tiles = true;
  const TimedCode code = code_of();
  const auto image = state_image(values);
  const std::size_t at = (plain_image + 63) / 64 * 64;
  REQUIRE(image.size() == at + 64 + 8 * 64);
  const auto wanted = tile_image(values);
  CHECK(std::equal(wanted.begin(), wanted.end(), image.begin() + static_cast<std::ptrdiff_t>(at)));
  const auto setup = tile_setup(static_cast<std::uint32_t>(at));
  REQUIRE(code.tiles_end - code.tiles_at == setup.size());
  CHECK(std::equal(setup.begin(), setup.end(), code.bytes.begin() + static_cast<std::ptrdiff_t>(code.tiles_at)));
  CHECK(code.tiles_end < code.body_at);
  const auto release = tile_release();
  const std::vector<std::uint8_t> behind(code.bytes.begin() + static_cast<std::ptrdiff_t>(code.body_at),
                                         code.bytes.end());
  CHECK(holds(behind, {release.begin(), release.end()}));
  CHECK_FALSE(holds(plain.bytes, {release.begin(), release.end()}));
  constexpr std::size_t least_frame = 1024; // that timed code has room for
  values.mmx = true;
  values.x87_depth = 8;
  values.vector_bytes = 64;
  CHECK(code_of().bytes.size() < least_frame);
}

TEST_CASE("where code cannot use tiles a measurement and a trace say why, and run nothing") {
  if (std::string(host_isa()) != "x86" || !host_obstacle().empty() || host_tiles_obstacle().empty()) return;
  TimedKernel kernel;
  kernel.code = {0xC4, 0xE2, 0x7B, 0x49, 0xD8}; // tilezero tmm3
  kernel.counter = 15;
  kernel.values.tiles = true;
  const Measurement m = measure(kernel, {});
  CHECK(m.outcome.end == End::failed);
  CHECK(m.outcome.tiles_refused);
  CHECK(m.outcome.message == host_tiles_obstacle());
  const Trace t = trace(kernel, 1, 100, {});
  CHECK(t.outcome.end == End::failed);
  CHECK(t.outcome.tiles_refused);
  CHECK(t.outcome.message == host_tiles_obstacle());
}

TEST_CASE("a system that refuses tiles ends a child before its work, with the system's word") {
  if (std::string(host_isa()) != "x86" || !host_obstacle().empty() || host_tiles_obstacle().empty()) return;
  SandboxOptions options;
  options.tiles = true;
  const Outcome outcome = run_in_child(options, 0, {}, [](const Child&) {});
  CHECK(outcome.end == End::failed);
  CHECK(outcome.tiles_refused);
  CHECK(names(outcome.message, "the system refuses AMX tiles: "));
}

TEST_CASE("a signal within the configuration becomes a refusal") {
  Outcome outcome;
  outcome.end = End::signal;
  outcome.signal = SIGILL;
  refuse_tiles(outcome);
  CHECK(outcome.end == End::failed);
  CHECK(outcome.signal == 0);
  CHECK(outcome.tiles_refused);
  CHECK(outcome.message == "AMX tiles could not be configured: SIGILL");
}
