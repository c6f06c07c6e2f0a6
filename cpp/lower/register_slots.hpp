// Small dense numbers for the registers that a region touches, so that per-register state fits in a short array.
#pragma once

#include "cpp/base/recycled.hpp"
#include "cpp/isa/instruction.hpp"

#include <cstdint>
#include <vector>

namespace corecast {

/// One instance at a time and thread: the table behind it is shared to save its initialisation.
class RegisterSlots {
public:
  RegisterSlots() : table_(shared()) {
    ++table_.epoch;
    registers_.reserve(usual_registers);
  }
  RegisterSlots(const RegisterSlots&) = delete;
  RegisterSlots& operator=(const RegisterSlots&) = delete;

  /// The slot of a register; slots count from 0 in the order of first use.
  std::uint32_t operator[](RegisterId reg) {
    if (table_.epoch_of[reg] != table_.epoch) add(reg);
    return table_.slot_of[reg];
  }

  std::size_t size() const { return registers_.size(); }
  RegisterId reg(std::uint32_t slot) const { return registers_[slot]; }

private:
  [[gnu::noinline]] void add(RegisterId reg) {
    table_.epoch_of[reg] = table_.epoch;
    table_.slot_of[reg] = static_cast<std::uint32_t>(registers_.size());
    registers_.push_back(reg);
  }

  static constexpr std::size_t usual_registers = 64; // that most regions do with

  struct Table {
    std::uint64_t epoch = 0;
    std::vector<std::uint64_t> epoch_of = std::vector<std::uint64_t>(65536, 0);
    std::vector<std::uint32_t> slot_of = std::vector<std::uint32_t>(65536, 0);
  };
  static Table& shared() {
    thread_local Table table;
    return table;
  }

  Table& table_;
  Recycled<RegisterId> registers_;
};

} // namespace corecast
