// Decoding many short pieces of code one after the other.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "isa.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace corecast {

/// Gives the instructions that disassemble() gives, but keeps LLVM's tools and the encodings that it has met:
/// describing an instruction takes ten times as long as decoding it, and decoding it longer than recognizing it by its
/// bytes. Not for two threads at once.
class Decoder {
public:
  static constexpr std::size_t default_most_remembered = 16384; // some 1 KB each

  /// Once more than `most_remembered` encodings are known, all are forgotten: real code repeats itself soon enough.
  explicit Decoder(Isa isa, std::size_t most_remembered = default_most_remembered);
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  struct Item {
    const Instruction* instruction = nullptr;
    /// Equal ids are equal encodings, which differ by their address only; counted from 0 within a generation.
    std::uint32_t id = 0;
  };

  /// Begins a new piece of code; false where some byte of it cannot be decoded.
  bool decode(std::span<const std::uint8_t> code, std::uint64_t address);
  /// Adds code behind what was decoded last.
  bool append(std::span<const std::uint8_t> code, std::uint64_t address);

  /// Which bytes could not be decoded, and where, as disassemble() says it; "" where all could.
  const std::string& problem() const;

  /// The instructions since the last decode(); they hold until the next one.
  std::span<const Item> items() const;
  /// Changes when ids begin anew.
  std::uint64_t generation() const;

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace corecast
