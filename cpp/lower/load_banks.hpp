// Which banks of the first-level cache loads read.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace corecast {

class StartPlaces;

/// The banks that neighbouring addresses take turns at.
struct LoadBanks {
  std::int64_t bytes = 0; // of a bank; 0: loads never meet in one
  std::int64_t count = 0;
  unsigned reads = 0; // that a bank serves in a cycle

  bool operator==(const LoadBanks&) const = default;

  static LoadBanks of(const MemoryParameters& memory);
  std::int64_t all_bytes() const { return bytes * count; }
};

/// Where the load of an instruction goes, relative to a multiple of all banks together.
struct BankedLoad {
  std::uint32_t instruction = 0;
  std::int64_t constant = 0;
  std::int64_t stride = 0; // per iteration
  std::int64_t width = 1;

  bool operator==(const BankedLoad&) const = default;

  /// A bit for each bank that it reads.
  std::uint64_t banks(const LoadBanks& banks, std::int64_t iteration) const;
};

/// The loads of which more could start in a cycle than a bank serves, in the order of their instructions; empty where
/// there are too few. A line is taken to hold all banks together.
std::vector<BankedLoad> find_banked_loads(std::span<const Instruction* const> instructions, const StartPlaces& places,
                                          const LoadBanks& banks);

/// The number of iterations after which the loads meet as before.
std::int64_t bank_phases(std::span<const BankedLoad> loads, const LoadBanks& banks);

/// Cycles per iteration that the bank which is read most needs.
double bank_bound(std::span<const BankedLoad> loads, const LoadBanks& banks);

/// What the banks are asked for in a cycle.
class BankReads {
public:
  explicit BankReads(unsigned most = 1) : most_(most) {}

  void clear() { asked_.fill(0); }
  /// Takes a load unless one of its banks serves as many already.
  bool take(std::uint64_t banks) {
    if ((asked_[most_ - 1] & banks) != 0) return false;
    for (unsigned n = most_ - 1; n > 0; --n)
      asked_[n] |= asked_[n - 1] & banks;
    asked_[0] |= banks;
    return true;
  }

private:
  static constexpr unsigned most_reads = 16;

  unsigned most_;
  std::array<std::uint64_t, most_reads> asked_{}; // banks that one load reads, two, ...
};

} // namespace corecast
