// AMX's tiles: whether code may use them here, how they are configured, and the code that does it.
#pragma once

#include "values.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace corecast::runner {

inline constexpr unsigned tile_registers = 8, tile_rows = 16, tile_row_bytes = 64;

/// What CPUID and XCR0 say of tiles. All 0 on hosts other than x86-64.
struct TileReport {
  unsigned features = 0;                // leaf 7, EDX: bits 22, 24 and 25 are AMX-BF16, AMX-TILE, AMX-INT8
  unsigned more_features = 0;           // leaf 7, subleaf 1, EAX: bit 21 is AMX-FP16
  unsigned most_palette = 0;            // leaf 0x1D, EAX
  std::array<unsigned, 3> palette{};    // leaf 0x1D, subleaf 1: EAX, EBX, ECX
  std::uint64_t enabled_components = 0; // XCR0
};

TileReport host_tile_report();

/// Why the core has no tiles such as timed code uses, "" where it has.
std::string missing_tiles(const TileReport& report);
/// Why the system does not let programs use the core's tiles, "" where it does: by XCR0, then by the system's own word.
std::string refused_tiles(const TileReport& report);
/// Of amx_tile, amx_int8, amx_bf16 and amx_fp16 those that CPUID names.
std::vector<std::string> tile_features(const TileReport& report);
/// The first reason why code that uses tiles cannot be timed here, "" where there is none.
std::string host_tiles_obstacle();

/// Asks the system for the calling process's use of tiles. 0, or the error's number.
int request_tiles();

/// What `ldtilecfg` loads: palette 1, all tiles 16 rows of 64 bytes.
std::array<std::uint8_t, 64> tile_configuration();

/// The configuration, then a row for each tile, whose rows all get it: the numbers of the first vector registers.
std::vector<std::uint8_t> tile_image(const StartValues& values);

/// Of an instruction of 9 bytes, and of one of 10 for each tile.
using TileSetup = std::array<std::uint8_t, 9 + 10 * tile_registers>;
/// Code that configures the tiles and loads each, from a tile image at rcx + `offset`. rdx must be 0.
TileSetup tile_setup(std::uint32_t offset);
/// Code that gives the tiles back.
std::array<std::uint8_t, 5> tile_release();

} // namespace corecast::runner
