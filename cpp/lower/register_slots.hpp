// Small dense numbers for the registers that a region touches, so that per-register state fits in a short array.
#pragma once

#include "cpp/base/recycled.hpp"
#include "cpp/isa/instruction.hpp"

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>

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
    const Entry& entry = table_.entries[reg];
    if (entry.epoch != table_.epoch) add(reg);
    return entry.slot;
  }

  std::size_t size() const { return registers_.size(); }
  RegisterId reg(std::uint32_t slot) const { return registers_[slot]; }

private:
  [[gnu::noinline]] void add(RegisterId reg) {
    table_.entries[reg] = {table_.epoch, static_cast<std::uint32_t>(registers_.size())};
    registers_.push_back(reg);
  }

  static constexpr std::size_t usual_registers = 64; // that most regions do with

  struct Entry {
    std::uint64_t epoch; // in which the slot was given
    std::uint32_t slot;
  };
  struct Free {
    void operator()(Entry* entries) const { std::free(entries); }
  };
  /// An entry a register, zeroed by calloc: pages of registers that no region uses are never touched.
  struct Table {
    static constexpr std::size_t size = std::size_t{std::numeric_limits<RegisterId>::max()} + 1;

    Table() : entries(static_cast<Entry*>(std::calloc(size, sizeof(Entry)))) {
      if (entries == nullptr) throw std::bad_alloc();
    }

    std::uint64_t epoch = 0;
    std::unique_ptr<Entry[], Free> entries;
  };
  static Table& shared() {
    thread_local Table table;
    return table;
  }

  Table& table_;
  Recycled<RegisterId> registers_;
};

} // namespace corecast
