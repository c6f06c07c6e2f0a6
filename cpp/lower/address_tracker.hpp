// Addresses as linear expressions of the registers' values at the start of an iteration.
#pragma once

#include "cpp/base/recycled.hpp"
#include "cpp/isa/instruction.hpp"
#include "cpp/lower/register_slots.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace corecast {

/// A register's value at the start of the iteration, or a new value that one instruction makes.
using Symbol = std::uint32_t;
inline constexpr Symbol first_made = 0x10000;

struct Term {
  Symbol symbol = 0;
  std::int64_t coefficient = 0;
  bool operator==(const Term&) const = default;
};

/// constant + sum of terms, sorted by symbol; at most four (addresses have two registers).
struct Linear {
  std::int64_t constant = 0;
  std::uint8_t count = 0;
  std::array<Term, 4> terms{};

  static Linear of(Symbol symbol) {
    Linear out;
    out.terms[0] = {symbol, 1};
    out.count = 1;
    return out;
  }

  bool same_terms(const Linear& other) const {
    return count == other.count && std::equal(terms.begin(), terms.begin() + count, other.terms.begin());
  }

  /// Adds factor * other; false where that takes more terms than fit. Arithmetic wraps, as the processor's does.
  bool add(const Linear& other, std::int64_t factor) {
    constant = wrap(wrapped(constant) + wrapped(factor) * wrapped(other.constant));
    for (std::uint8_t i = 0; i < other.count; ++i)
      if (!add_term(other.terms[i].symbol, wrap(wrapped(other.terms[i].coefficient) * wrapped(factor)))) return false;
    return true;
  }

  static std::uint64_t wrapped(std::int64_t value) { return static_cast<std::uint64_t>(value); }
  static std::int64_t wrap(std::uint64_t value) { return static_cast<std::int64_t>(value); }

private:
  bool add_term(Symbol symbol, std::int64_t coefficient) {
    std::uint8_t at = 0;
    while (at < count && terms[at].symbol < symbol)
      ++at;
    if (at < count && terms[at].symbol == symbol) {
      terms[at].coefficient = wrap(wrapped(terms[at].coefficient) + wrapped(coefficient));
      if (terms[at].coefficient == 0) {
        std::copy(terms.begin() + at + 1, terms.begin() + count, terms.begin() + at);
        --count;
      }
      return true;
    }
    if (coefficient == 0) return true;
    if (count == terms.size()) return false;
    std::copy_backward(terms.begin() + at, terms.begin() + count, terms.begin() + count + 1);
    terms[at] = {symbol, coefficient};
    ++count;
    return true;
  }
};

struct TrackedAccess {
  std::uint32_t instruction = 0;
  std::uint32_t position = 0; // in Instruction::memory
  RegisterId segment = 0;
  std::string_view symbol; // without a trailing offset, which went into the constant
  bool pc_relative = false;
  Linear address;
  std::int64_t stride = 0;
  bool repeats = false; // whether `stride` is the advance per iteration; else only its own iteration can be compared
  std::int64_t width = 1;
  bool width_known = false;
  bool read = false;
  bool write = false;

  bool same_base(const TrackedAccess& other) const {
    return segment == other.segment && symbol == other.symbol && pc_relative == other.pc_relative &&
           address.same_terms(other.address);
  }
};

/// Memory that holds one address everywhere, as code finds it that is timed with data of its own (StartPlaces).
struct Filling {
  RegisterId start = 0;       // the register that starts with that address
  std::vector<bool> reloaded; // by instruction: whether it may load what the code has stored instead

  static Filling of(std::span<const Instruction* const> instructions, RegisterId start);
};

/// Follows the registers through one iteration.
class AddressTracker {
public:
  explicit AddressTracker(std::span<const Instruction* const> instructions) : instructions_(instructions) {}
  /// Of code that was timed on memory that is filled with one value.
  AddressTracker(std::span<const Instruction* const> instructions, Filling filling);

  /// The accesses whose addresses are linear, in program order.
  Recycled<TrackedAccess> run();

  /// An address in the values of the iteration before: what registers hold at the start of this one, they held at the
  /// end of that one. Nothing where one of them is no start value, or too many terms come of it.
  std::optional<Linear> one_iteration_before(const Linear& address);

  /// Bytes that a register advances per iteration; nothing where that is not known.
  std::optional<std::int64_t> stride_of(RegisterId reg);

private:
  Linear& value(RegisterId reg);
  std::optional<TrackedAccess> describe(const Instruction& instruction, const MemoryAccess& memory);
  void apply_writes(std::uint32_t number);
  bool loads_filling(const Instruction& instruction, std::uint32_t number) const;
  void note_loaded(const Instruction& instruction, RegisterId reg, Symbol made);
  void find_strides();
  bool find_unchanging(std::span<const TrackedAccess> accesses);
  bool substitute(const Linear& from, Linear& to, std::int64_t& stride);
  void relate_to_iterations(TrackedAccess& access);

  struct Repeating {
    bool known = false;
    std::int64_t stride = 0;
    Linear start; // the start value, in registers whose end value is start plus stride
  };

  /// A value that comes from memory alone.
  struct Loaded {
    Symbol made = 0;
    TrackedAccess from;
    Symbol unchanging = 0; // the same in every iteration, and so are all values with this symbol; 0: not so
  };

  std::span<const Instruction* const> instructions_;
  RegisterSlots slots_;
  Recycled<Loaded> loaded_;                // in ascending order of what they made
  Recycled<std::optional<Linear>> values_; // by slot, during the walk
  Recycled<Repeating> repeating_;
  Symbol next_made_ = first_made;
  Symbol filling_ = 0;         // what memory holds everywhere; 0: not one value
  std::vector<bool> reloaded_; // ... by instruction: whether it may load what the code has stored instead
};

} // namespace corecast
