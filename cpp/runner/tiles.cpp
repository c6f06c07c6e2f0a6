#include "tiles.hpp"

#include <cerrno>
#include <cstring>
#include <initializer_list>

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace corecast::runner {
namespace {

constexpr unsigned bf16_bit = 22, tile_bit = 24, int8_bit = 25, fp16_bit = 21;
constexpr unsigned palette = 1;
constexpr unsigned configuration_component = 17, data_component = 18; // XSAVE's
constexpr std::size_t widths_at = 16, rows_at = 48;                   // in the configuration

bool has(unsigned bits, unsigned bit) {
  return (bits >> bit & 1) != 0;
}

#if defined(__x86_64__) && defined(__linux__)
// <asm/prctl.h> of older systems does not name them.
constexpr int get_supported = 0x1021, request_permission = 0x1023;

std::string system_obstacle() {
  std::uint64_t supported = 0;
  if (syscall(SYS_arch_prctl, get_supported, &supported) != 0)
    return std::string("the system gives programs no AMX tiles (Linux does from 5.16 on): ") + std::strerror(errno);
  if ((supported >> data_component & 1) == 0) return "the system gives programs no AMX tiles";
  return "";
}
#else
std::string system_obstacle() {
  return "the system gives programs no AMX tiles";
}
#endif

} // namespace

TileReport host_tile_report() {
  TileReport report;
#if defined(__x86_64__)
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0) {
    report.features = edx;
    if (eax >= 1 && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) != 0) report.more_features = eax;
  }
  constexpr unsigned tile_leaf = 0x1D;
  if (has(report.features, tile_bit) && __get_cpuid_count(tile_leaf, 0, &eax, &ebx, &ecx, &edx) != 0) {
    report.most_palette = eax;
    if (eax >= palette && __get_cpuid_count(tile_leaf, palette, &eax, &ebx, &ecx, &edx) != 0)
      report.palette = {eax, ebx, ecx};
  }
  constexpr unsigned osxsave_bit = 27;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && has(ecx, osxsave_bit)) {
    unsigned low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    report.enabled_components = std::uint64_t{high} << 32 | low;
  }
#endif
  return report;
}

std::string missing_tiles(const TileReport& report) {
  if (!has(report.features, tile_bit)) return "this core has no AMX tiles (CPUID leaf 7 does not name AMX-TILE)";
  if (report.most_palette < palette) return "this core has no AMX tiles of palette 1 (CPUID leaf 0x1D)";
  const auto [sizes, rows, most_rows] = report.palette;
  constexpr unsigned half = 16, low = 0xFFFF;
  if (sizes >> half != tile_rows * tile_row_bytes || (rows & low) != tile_row_bytes || rows >> half < tile_registers ||
      (most_rows & low) < tile_rows)
    return "this core's AMX tiles are not eight of 16 rows of 64 bytes (CPUID leaf 0x1D)";
  return "";
}

std::string refused_tiles(const TileReport& report) {
  constexpr std::uint64_t both = std::uint64_t{1} << configuration_component | std::uint64_t{1} << data_component;
  if ((report.enabled_components & both) != both) return "the system does not enable AMX tiles (XCR0)";
  return system_obstacle();
}

std::vector<std::string> tile_features(const TileReport& report) {
  std::vector<std::string> found;
  if (has(report.features, tile_bit)) found.emplace_back("amx_tile");
  if (has(report.features, int8_bit)) found.emplace_back("amx_int8");
  if (has(report.features, bf16_bit)) found.emplace_back("amx_bf16");
  if (has(report.more_features, fp16_bit)) found.emplace_back("amx_fp16");
  return found;
}

std::string host_tiles_obstacle() {
  const TileReport report = host_tile_report();
  const std::string missing = missing_tiles(report);
  return missing.empty() ? refused_tiles(report) : missing;
}

int request_tiles() {
#if defined(__x86_64__) && defined(__linux__)
  return syscall(SYS_arch_prctl, request_permission, data_component) == 0 ? 0 : errno;
#else
  return ENOSYS;
#endif
}

std::array<std::uint8_t, 64> tile_configuration() {
  std::array<std::uint8_t, 64> bytes{}; // start_row and what is reserved: 0
  bytes[0] = palette;
  for (std::size_t tile = 0; tile < tile_registers; ++tile) {
    bytes.at(widths_at + 2 * tile) = tile_row_bytes; // of two bytes, the lower first
    bytes.at(rows_at + tile) = tile_rows;
  }
  return bytes;
}

std::vector<std::uint8_t> tile_image(const StartValues& values) {
  const auto configuration = tile_configuration();
  std::vector<std::uint8_t> image(configuration.begin(), configuration.end());
  for (std::size_t tile = 0; tile < tile_registers; ++tile)
    for (std::size_t at = 0; at < tile_row_bytes; at += sizeof(std::uint64_t)) {
      std::array<std::uint8_t, sizeof(std::uint64_t)> number{};
      std::memcpy(number.data(), &values.vector.at(tile), number.size());
      image.insert(image.end(), number.begin(), number.end());
    }
  return image;
}

TileSetup tile_setup(std::uint32_t offset) {
  TileSetup code{};
  std::size_t at = 0;
  const auto put = [&](std::initializer_list<std::uint8_t> bytes, std::uint32_t displacement) {
    for (const std::uint8_t byte : bytes)
      code.at(at++) = byte;
    for (unsigned i = 0; i < sizeof displacement; ++i)
      code.at(at++) = static_cast<std::uint8_t>(displacement >> (8 * i));
  };
  put({0xC4, 0xE2, 0x78, 0x49, 0x81}, offset);           // ldtilecfg [rcx + offset]
  for (unsigned tile = 0; tile < tile_registers; ++tile) // tileloadd tmm, [rcx + rdx + ...]: rdx is from row to row
    put({0xC4, 0xE2, 0x7B, 0x4B, static_cast<std::uint8_t>(0x84 | tile << 3), 0x11},
        offset + tile_row_bytes * (tile + 1));
  return code;
}

std::array<std::uint8_t, 5> tile_release() {
  return {0xC4, 0xE2, 0x78, 0x49, 0xC0};
}

} // namespace corecast::runner
