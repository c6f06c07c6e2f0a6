// Machine code as it is put together, byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace corecast::runner {

/// Code of instruction sets whose instructions are 32-bit words.
class WordEmitter {
public:
  explicit WordEmitter(std::uint64_t at) : at_(at) {}

  void word(std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i)
      code_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void half(std::uint16_t value) {
    for (unsigned i = 0; i < 2; ++i)
      code_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void append(std::span<const std::uint8_t> more) { code_.insert(code_.end(), more.begin(), more.end()); }

  std::size_t size() const { return code_.size(); }
  std::uint64_t address() const { return at_ + code_.size(); }
  std::vector<std::uint8_t> take() { return std::move(code_); }

private:
  std::uint64_t at_;
  std::vector<std::uint8_t> code_;
};

} // namespace corecast::runner
