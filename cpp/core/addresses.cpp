#include "cpp/core/addresses.hpp"

#include "cpp/core/recycled.hpp"
#include "cpp/core/register_slots.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <optional>
#include <string_view>

namespace corecast {
namespace {

/// A register's value at the start of the iteration, or a value of its own that one instruction makes.
using Symbol = std::uint32_t;
constexpr Symbol first_made = 0x10000;

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

struct Access {
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

  bool same_base(const Access& other) const {
    return segment == other.segment && symbol == other.symbol && pc_relative == other.pc_relative &&
           address.same_terms(other.address);
  }
};

/// "table+16" -> "table", 16.
std::pair<std::string_view, std::int64_t> split_symbol(std::string_view text) {
  const std::size_t sign = text.find_last_of("+-");
  if (sign == std::string_view::npos || sign == 0 || sign + 1 == text.size()) return {text, 0};
  std::int64_t offset = 0;
  const auto [end, error] = std::from_chars(text.data() + sign + 1, text.data() + text.size(), offset);
  if (error != std::errc() || end != text.data() + text.size()) return {text, 0};
  return {text.substr(0, sign), text[sign] == '-' ? -offset : offset};
}

constexpr std::size_t most_general_registers = 32; // of any instruction set

class AddressTracker {
public:
  explicit AddressTracker(std::span<const Instruction* const> instructions) : instructions_(instructions) {}

  Recycled<Access> run() {
    Recycled<Access> accesses;
    accesses.reserve(instructions_.size());
    values_.reserve(most_general_registers);
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
      const Instruction& instruction = *instructions_[i];
      for (std::uint32_t m = 0; m < instruction.memory.size(); ++m)
        if (auto access = describe(instruction, instruction.memory[m])) {
          access->instruction = i;
          access->position = m;
          accesses.push_back(*access);
        }
      apply_writes(instruction);
    }
    find_strides();
    for (Access& access : accesses)
      relate_to_iterations(access);
    return accesses;
  }

  /// An address in the values of the iteration before: what registers hold at the start of this one, they held at the
  /// end of that one. Nothing where one of them is no start value, or too many terms come of it.
  std::optional<Linear> one_iteration_before(const Linear& address) {
    Linear before;
    before.constant = address.constant;
    for (std::uint8_t i = 0; i < address.count; ++i) {
      const auto [symbol, coefficient] = address.terms[i];
      if (symbol >= first_made || !before.add(value(static_cast<RegisterId>(symbol)), coefficient)) return std::nullopt;
    }
    return before;
  }

private:
  Linear& value(RegisterId reg) {
    const std::uint32_t slot = slots_[reg];
    if (slot >= values_.size()) values_.resize(slot + 1);
    auto& held = values_[slot];
    if (!held) held = Linear::of(reg);
    return *held;
  }

  std::optional<Access> describe(const Instruction& instruction, const MemoryAccess& memory) {
    if (memory.vector_index || (!memory.read && !memory.write)) return std::nullopt;
    Access out;
    const auto [symbol, offset] = split_symbol(memory.symbol);
    out.symbol = symbol;
    out.segment = memory.segment;
    out.pc_relative = memory.pc_relative && !symbol.empty();
    const std::int64_t known = memory.pc_relative ? relative_target(instruction, memory) : memory.displacement;
    out.address.constant = Linear::wrap(Linear::wrapped(known) + Linear::wrapped(offset));
    if (memory.base != 0 && !out.address.add(value(memory.base), 1)) return std::nullopt;
    if (memory.index != 0 && !out.address.add(value(memory.index), memory.scale)) return std::nullopt;
    out.width_known = memory.width_bytes != 0;
    out.width = out.width_known ? memory.width_bytes : 1;
    out.read = memory.read;
    out.write = memory.write;
    return out;
  }

  void apply_writes(const Instruction& instruction) {
    std::array<std::pair<RegisterId, Linear>, 4> made;
    std::size_t count = 0;
    for (const AffineValue& affine : instruction.affine) {
      if (count == made.size()) break;
      Linear result;
      result.constant = affine.constant;
      bool fits = true;
      for (const AffineTerm& term : affine.terms)
        fits = fits && result.add(value(term.reg), term.coefficient);
      if (fits) made[count++] = {affine.reg, result};
    }
    for (const Operand& operand : instruction.operands) {
      if (!operand.write) continue;
      for (const RegisterUse& use : operand.registers) {
        if (!use.write) continue;
        const auto end = made.begin() + static_cast<std::ptrdiff_t>(count);
        const bool whole = use.part == Part::full || use.part == Part::low32;
        const auto known = std::find_if(made.begin(), end, [&](const auto& item) { return item.first == use.reg; });
        value(use.reg) = known != end && whole ? known->second : Linear::of(next_made_++);
      }
    }
  }

  /// A register repeats where its value at the end of the iteration is its start value plus a constant, or is computed
  /// from registers that repeat (a pointer copied at the end of the iteration).
  void find_strides() {
    repeating_.assign(values_.size(), {});
    for (std::uint32_t slot = 0; slot < values_.size(); ++slot) {
      if (!values_[slot]) continue;
      const Linear& end = *values_[slot];
      if (end.count == 1 && end.terms[0].symbol == slots_.reg(slot) && end.terms[0].coefficient == 1)
        repeating_[slot] = Repeating{true, end.constant, Linear::of(slots_.reg(slot))};
    }
    for (int round = 0; round < 3; ++round)
      for (std::uint32_t slot = 0; slot < values_.size(); ++slot) {
        if (!values_[slot] || repeating_[slot].known) continue;
        Linear start;
        std::int64_t stride = 0;
        if (!substitute(*values_[slot], start, stride)) continue;
        // The value one iteration before: its end value is this iteration's start value.
        start.constant = Linear::wrap(Linear::wrapped(start.constant) - Linear::wrapped(stride));
        repeating_[slot] = Repeating{true, stride, start};
      }
  }

  /// Rewrites a value in registers that advance by constants; false where some part does not repeat.
  bool substitute(const Linear& from, Linear& to, std::int64_t& stride) {
    to = Linear{};
    to.constant = from.constant;
    std::uint64_t sum = 0;
    for (std::uint8_t i = 0; i < from.count; ++i) {
      const Term& term = from.terms[i];
      if (term.symbol >= first_made) return false;
      const std::uint32_t slot = slots_[static_cast<RegisterId>(term.symbol)];
      if (slot >= repeating_.size() || !repeating_[slot].known) return false;
      if (!to.add(repeating_[slot].start, term.coefficient)) return false;
      sum += Linear::wrapped(term.coefficient) * Linear::wrapped(repeating_[slot].stride);
    }
    stride = Linear::wrap(sum);
    return true;
  }

  void relate_to_iterations(Access& access) {
    Linear address;
    std::int64_t stride = 0;
    if (!substitute(access.address, address, stride)) return;
    access.address = address;
    access.stride = stride;
    access.repeats = true;
  }

  struct Repeating {
    bool known = false;
    std::int64_t stride = 0;
    Linear start; // the start value, in registers whose end value is start plus stride
  };

  std::span<const Instruction* const> instructions_;
  RegisterSlots slots_;
  Recycled<std::optional<Linear>> values_; // by slot, during the walk
  Recycled<Repeating> repeating_;
  Symbol next_made_ = first_made;
};

/// Where the store lies relative to the load, both in values of the same iteration.
std::int64_t gap_of(const Access& store, const Linear& load) {
  return Linear::wrap(Linear::wrapped(store.address.constant) - Linear::wrapped(load.constant));
}

bool touches(const Access& store, const Access& load, std::int64_t gap) {
  return gap < load.width && gap > -store.width;
}

/// Fewest iterations before which the store touched bytes of the load; nothing where it never did.
std::optional<std::uint32_t> distance_of(const Access& store, const Access& load) {
  const std::int64_t gap = gap_of(store, load.address);
  constexpr std::int64_t huge = std::int64_t{1} << 40; // farther apart than any loop walks
  if (gap > huge || gap < -huge || load.stride > huge || load.stride < -huge) return std::nullopt;
  if (store.instruction < load.instruction && touches(store, load, gap)) return 0;
  if (!load.repeats || !store.repeats || load.stride != store.stride) return std::nullopt;
  if (load.stride == 0) return touches(store, load, gap) ? std::optional<std::uint32_t>(1) : std::nullopt;
  // d iterations ago the store was d strides away: look around where the two addresses meet.
  const std::int64_t meeting = gap / load.stride;
  const std::int64_t reach = std::max(load.width, store.width) / (load.stride < 0 ? -load.stride : load.stride) + 1;
  for (std::int64_t d = std::max<std::int64_t>(1, meeting - reach); d <= meeting + reach; ++d) {
    if (d > farthest_memory_distance) break;
    if (touches(store, load, gap - d * load.stride)) return static_cast<std::uint32_t>(d);
  }
  return std::nullopt;
}

/// The latest store so far of those whose bytes a load reads.
struct LatestStore {
  const Access* store = nullptr;
  std::uint32_t distance = 0;
  std::int64_t gap = 0; // where it lay relative to the load; small, as their bytes meet

  void offer(const Access& other, std::uint32_t iterations, std::int64_t lay) {
    const bool later = store == nullptr || iterations < distance ||
                       (iterations == distance && other.instruction >= store->instruction);
    if (later) *this = {&other, iterations, lay};
  }
};

bool any_store(std::span<const Instruction* const> instructions) {
  return std::any_of(instructions.begin(), instructions.end(), [](const Instruction* instruction) {
    return std::any_of(instruction->memory.begin(), instruction->memory.end(),
                       [](const MemoryAccess& access) { return access.write; });
  });
}

/// Whether some access starts at no multiple of its size: nothing else can cross a line.
bool any_misaligned(std::span<const Instruction* const> instructions) {
  return std::any_of(instructions.begin(), instructions.end(), [](const Instruction* instruction) {
    return std::any_of(instruction->memory.begin(), instruction->memory.end(), [](const MemoryAccess& access) {
      return access.width_bytes > 1 && access.displacement % static_cast<std::int64_t>(access.width_bytes) != 0;
    });
  });
}

/// Over all positions in a line that the access comes to.
double share_of_crossings(const Access& access, std::int64_t line_bytes) {
  const std::int64_t positions = line_bytes / std::gcd(access.stride, line_bytes);
  std::int64_t crossing = 0;
  for (std::int64_t k = 0; k < positions; ++k) {
    const std::int64_t at = (access.address.constant % line_bytes + k * (access.stride % line_bytes)) % line_bytes;
    crossing += (at + line_bytes) % line_bytes + access.width > line_bytes ? 1 : 0;
  }
  return static_cast<double>(crossing) / static_cast<double>(positions);
}

/// Of each instruction the first access of a kind, reads or writes.
std::vector<AccessAddress> first_addresses(std::span<const Instruction* const> instructions, bool Access::*kind) {
  std::vector<AccessAddress> found;
  const Recycled<Access> accesses = AddressTracker(instructions).run();
  std::vector<const Access*> bases;
  for (const Access& access : accesses) {
    if (!(access.*kind) || (!found.empty() && found.back().instruction == access.instruction)) continue;
    auto base = std::find_if(bases.begin(), bases.end(), [&](const Access* other) { return other->same_base(access); });
    if (base == bases.end()) base = bases.insert(bases.end(), &access);
    found.push_back({access.instruction, static_cast<std::uint32_t>(base - bases.begin()), access.address.constant,
                     access.stride, access.repeats});
  }
  return found;
}

} // namespace

std::vector<LineCrossings> find_line_crossings(std::span<const Instruction* const> instructions, std::int64_t line_bytes) {
  std::vector<LineCrossings> found;
  if (line_bytes <= 0 || !any_misaligned(instructions)) return found;
  for (const Access& access : AddressTracker(instructions).run()) {
    if (!access.repeats || access.stride == 0 || !access.width_known || access.width > line_bytes) continue;
    const double share = share_of_crossings(access, line_bytes);
    if (share == 0) continue;
    found.resize(instructions.size());
    if (access.read) found[access.instruction].loads += share;
    if (access.write) found[access.instruction].stores += share;
  }
  return found;
}

std::vector<AccessAddress> find_store_addresses(std::span<const Instruction* const> instructions) {
  return any_store(instructions) ? first_addresses(instructions, &Access::write) : std::vector<AccessAddress>{};
}

std::vector<AccessAddress> find_load_addresses(std::span<const Instruction* const> instructions) {
  return first_addresses(instructions, &Access::read);
}

bool AccessAddress::joins(const AccessAddress& other, std::int64_t iteration, std::int64_t iterations,
                         std::int64_t block_bytes) const {
  if (base != other.base || (iterations != 0 && !(repeats && other.repeats && stride == other.stride))) return false;
  const auto block = [&](const AccessAddress& store, std::int64_t when) {
    const std::int64_t walked = store.repeats ? Linear::wrap(Linear::wrapped(store.stride) * Linear::wrapped(when)) : 0;
    const std::int64_t at = Linear::wrap(Linear::wrapped(store.constant) + Linear::wrapped(walked));
    return (at - (at % block_bytes + block_bytes) % block_bytes) / block_bytes;
  };
  return block(*this, iteration + iterations) == block(other, iteration);
}

std::int64_t phases_of(std::span<const AccessAddress> stores, std::int64_t block_bytes) {
  std::int64_t phases = 1;
  for (const AccessAddress& store : stores)
    phases = std::lcm(phases, block_bytes / std::gcd(store.stride % block_bytes, block_bytes));
  return phases;
}

std::vector<double> find_store_writes(std::span<const Instruction* const> instructions, std::int64_t block_bytes,
                                      unsigned most) {
  std::vector<double> writes(instructions.size(), 0.0);
  const std::vector<AccessAddress> stores = find_store_addresses(instructions);
  const std::int64_t phases = phases_of(stores, block_bytes);
  const AccessAddress* last = nullptr; // nullptr: of an unknown address
  std::int64_t last_iteration = 0;
  unsigned together = 0; // stores of the write that the last one belongs to
  // The first round finds what stands before the second.
  for (std::int64_t iteration = 0; iteration < 2 * phases; ++iteration) {
    auto next = stores.begin();
    for (std::uint32_t i = 0; i < instructions.size(); ++i) {
      const auto& memory = instructions[i]->memory;
      const auto accesses = std::count_if(memory.begin(), memory.end(), [](const MemoryAccess& access) { return access.write; });
      if (accesses == 0) continue;
      const AccessAddress* store = next != stores.end() && next->instruction == i ? &*next++ : nullptr;
      const bool joins = store != nullptr && last != nullptr && (most == 0 || together < most) &&
                         store->joins(*last, last_iteration, iteration - last_iteration, block_bytes);
      if (iteration >= phases) writes[i] += static_cast<double>(accesses) - (joins ? 1 : 0);
      together = joins ? together + 1 : 1;
      last = accesses == 1 ? store : nullptr;
      last_iteration = iteration;
    }
  }
  for (double& each : writes)
    each /= static_cast<double>(phases);
  return writes;
}

std::vector<MemoryDependency> find_memory_dependencies(std::span<const Instruction* const> instructions) {
  std::vector<MemoryDependency> found;
  if (!any_store(instructions)) return found;

  AddressTracker tracker(instructions);
  const Recycled<Access> accesses = tracker.run();
  // Stores by base, so that a load is compared with its own kind only.
  std::vector<std::vector<const Access*>> groups;
  const auto group_of = [&groups](const Access& access) {
    return std::find_if(groups.begin(), groups.end(),
                        [&](const auto& members) { return members.front()->same_base(access); });
  };
  for (const Access& access : accesses) {
    if (!access.write) continue;
    if (const auto group = group_of(access); group != groups.end())
      group->push_back(&access);
    else
      groups.push_back({&access});
  }
  for (const Access& load : accesses) {
    if (!load.read) continue;
    LatestStore latest;
    if (const auto group = group_of(load); group != groups.end())
      for (const Access* store : *group)
        if (const auto distance = distance_of(*store, load))
          latest.offer(*store, *distance,
                       Linear::wrap(Linear::wrapped(gap_of(*store, load.address)) - Linear::wrapped(load.stride) * *distance));
    if (latest.store == nullptr && !load.repeats)
      if (const auto address = tracker.one_iteration_before(load.address)) {
        Access before = load;
        before.address = *address;
        if (const auto group = group_of(before); group != groups.end())
          for (const Access* store : *group)
            if (const std::int64_t gap = gap_of(*store, *address); touches(*store, load, gap)) latest.offer(*store, 1, gap);
      }
    if (latest.store == nullptr) continue;
    const bool widths = latest.store->width_known && load.width_known;
    const bool contained = !widths || (latest.gap <= 0 && load.width <= latest.gap + latest.store->width);
    found.push_back({latest.store->instruction, load.instruction, latest.store->position, load.position, latest.distance,
                     contained});
  }
  return found;
}

} // namespace corecast
