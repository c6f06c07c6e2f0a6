#include "cpp/lower/address_tracker.hpp"

#include "cpp/lower/store_groups.hpp"

#include <charconv>
#include <map>
#include <unordered_map>
#include <vector>

namespace corecast {
namespace {

/// "table+16" -> "table", 16.
std::pair<std::string_view, std::int64_t> split_symbol(std::string_view text) {
  const std::size_t sign = text.find_last_of("+-");
  if (sign == std::string_view::npos || sign == 0 || sign + 1 == text.size()) return {text, 0};
  std::int64_t offset = 0;
  const auto [end, error] = std::from_chars(text.data() + sign + 1, text.data() + text.size(), offset);
  if (error != std::errc() || end != text.data() + text.size()) return {text, 0};
  return {text.substr(0, sign), text[sign] == '-' ? -offset : offset};
}

constexpr std::uint32_t filling_bytes = 8; // of the value that timed code finds in memory

/// Whether a store may lie where a load does, in whatever iterations; accesses with unlike bases never do.
bool may_meet(const TrackedAccess& store, const TrackedAccess& load) {
  if (!store.same_base(load)) return false;
  if (!store.repeats || !load.repeats || store.stride != 0 || load.stride != 0 || !store.width_known) return true;
  return touches(store, load, gap_of(store, load.address));
}

constexpr std::size_t most_general_registers = 32; // of any instruction set

/// Accesses by what their addresses are relative to.
class Places {
public:
  void add(const TrackedAccess& access, Symbol holds = 0) {
    Base& base = base_of(access);
    if (!access.repeats || access.stride != 0 || !access.width_known)
      base.anywhere = true;
    else if (const auto [place, fresh] = base.places.try_emplace({access.address.constant, access.width}, holds); fresh)
      base.widest = std::max(base.widest, access.width);
  }

  /// Whether one of them may lie where `access` does.
  bool touch(const TrackedAccess& access) {
    const Base& base = base_of(access);
    if (base.anywhere) return true;
    const std::int64_t start = access.address.constant;
    for (auto place = base.places.lower_bound({Linear::wrap(Linear::wrapped(start) - Linear::wrapped(base.widest)), 0});
         place != base.places.end() && place->first.first < start + access.width; ++place)
      if (place->first.first + place->first.second > start) return true;
    return false;
  }

  /// What the same bytes hold; 0 where nobody added them.
  Symbol at(const TrackedAccess& access) {
    const Base& base = base_of(access);
    const auto place = base.places.find({access.address.constant, access.width});
    return place == base.places.end() ? 0 : place->second;
  }

private:
  struct Base {
    TrackedAccess relative_to;
    bool anywhere = false; // some move, or their width is not known
    std::int64_t widest = 0;
    std::map<std::pair<std::int64_t, std::int64_t>, Symbol> places; // by constant and width
  };

  Base& base_of(const TrackedAccess& access) {
    std::size_t key = std::hash<std::string_view>{}(access.symbol) + access.segment;
    for (std::uint8_t i = 0; i < access.address.count; ++i)
      key = (key ^ access.address.terms[i].symbol) * 0x9E3779B97F4A7C15ULL +
            static_cast<std::size_t>(access.address.terms[i].coefficient);
    std::vector<Base>& bases = bases_[key];
    const auto known =
        std::find_if(bases.begin(), bases.end(), [&](const Base& base) { return base.relative_to.same_base(access); });
    return known != bases.end() ? *known : bases.emplace_back(Base{access, false, 0, {}});
  }

  std::unordered_map<std::size_t, std::vector<Base>> bases_;
};

} // namespace

Filling Filling::of(std::span<const Instruction* const> instructions, RegisterId start) {
  Filling found{start, std::vector<bool>(instructions.size())};
  const Recycled<TrackedAccess> accesses = AddressTracker(instructions).run();
  for (const TrackedAccess& store : accesses)
    for (const TrackedAccess& load : accesses)
      if (store.write && load.read && may_meet(store, load)) found.reloaded[load.instruction] = true;
  return found;
}

AddressTracker::AddressTracker(std::span<const Instruction* const> instructions, Filling filling)
    : instructions_(instructions), reloaded_(std::move(filling.reloaded)) {
  const bool stays = std::none_of(instructions.begin(), instructions.end(),
                                  [&](const Instruction* each) { return writes(*each, filling.start); });
  filling_ = stays ? filling.start : next_made_++;
  if (stays) value(filling.start); // it repeats, whether or not the code reads it
}

Recycled<TrackedAccess> AddressTracker::run() {
  Recycled<TrackedAccess> accesses;
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
    apply_writes(i);
  }
  find_strides();
  while (!loaded_.empty() && find_unchanging(accesses))
    find_strides();
  for (TrackedAccess& access : accesses)
    relate_to_iterations(access);
  return accesses;
}

std::optional<Linear> AddressTracker::one_iteration_before(const Linear& address) {
  Linear before;
  before.constant = address.constant;
  for (std::uint8_t i = 0; i < address.count; ++i) {
    const auto [symbol, coefficient] = address.terms[i];
    if (symbol >= first_made || !before.add(value(static_cast<RegisterId>(symbol)), coefficient)) return std::nullopt;
  }
  return before;
}

Linear& AddressTracker::value(RegisterId reg) {
  const std::uint32_t slot = slots_[reg];
  if (slot >= values_.size()) values_.resize(slot + 1);
  auto& held = values_[slot];
  if (!held) held = Linear::of(reg);
  return *held;
}

std::optional<TrackedAccess> AddressTracker::describe(const Instruction& instruction, const MemoryAccess& memory) {
  if (memory.vector_index || (!memory.read && !memory.write)) return std::nullopt;
  TrackedAccess out;
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

void AddressTracker::apply_writes(std::uint32_t number) {
  const Instruction& instruction = *instructions_[number];
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
    if (!operand.write || operand.id == operand_id::flags) continue; // no address is made of flags
    for (const RegisterUse& use : operand.registers) {
      if (!use.write) continue;
      const auto end = made.begin() + static_cast<std::ptrdiff_t>(count);
      const bool whole = use.part == Part::full || use.part == Part::low32;
      const auto known = std::find_if(made.begin(), end, [&](const auto& item) { return item.first == use.reg; });
      if (known != end && whole) {
        value(use.reg) = known->second;
      } else if (filling_ != 0 && whole && loads_filling(instruction, number)) {
        value(use.reg) = Linear::of(filling_);
      } else {
        if (whole) note_loaded(instruction, use.reg, next_made_);
        value(use.reg) = Linear::of(next_made_++);
      }
    }
  }
}

bool AddressTracker::loads_filling(const Instruction& instruction, std::uint32_t number) const {
  return instruction.traits.copies && instruction.memory.size() == 1 && !instruction.memory.front().write &&
         instruction.memory.front().width_bytes == filling_bytes && !reloaded_[number];
}

/// Remembers where a general register's value comes from, if that is memory and nothing else. Call before the register
/// is written: it may be part of the address.
void AddressTracker::note_loaded(const Instruction& instruction, RegisterId reg, Symbol made) {
  if (instruction.memory.size() != 1 || instruction.memory.front().write || instruction.traits.vector) return;
  for (const Operand& operand : instruction.operands) {
    const bool address = operand.id == operand_id::address || operand.id == operand_id::index;
    for (const RegisterUse& use : operand.registers)
      if ((use.read && !address) || (use.write && use.reg != reg)) return;
  }
  if (auto from = describe(instruction, instruction.memory.front()); from && from->width_known)
    loaded_.push_back({made, *from, 0});
}

/// Finds values that are loaded from the same place in every iteration while no store of the code goes there; whether
/// there were any that nobody knew of. Unlike bases never alias.
bool AddressTracker::find_unchanging(std::span<const TrackedAccess> accesses) {
  Places stored, read;
  for (const TrackedAccess& access : accesses) {
    if (!access.write) continue;
    TrackedAccess store = access;
    relate_to_iterations(store);
    stored.add(store);
  }
  for (const Loaded& each : loaded_)
    if (each.unchanging != 0) read.add(each.from, each.unchanging);
  bool any = false;
  for (Loaded& each : loaded_) {
    if (each.unchanging != 0) continue;
    TrackedAccess from = each.from;
    relate_to_iterations(from);
    if (!from.repeats || from.stride != 0 || stored.touch(from)) continue;
    const Symbol same = read.at(from);
    each.unchanging = same == 0 ? each.made : same;
    each.from = from;
    if (same == 0) read.add(from, each.made);
    any = true;
  }
  return any;
}

/// A register repeats where its value at the end of the iteration is its start value plus a constant, or is computed
/// from registers that repeat (a pointer copied at the end of the iteration).
void AddressTracker::find_strides() {
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
bool AddressTracker::substitute(const Linear& from, Linear& to, std::int64_t& stride) {
  to = Linear{};
  to.constant = from.constant;
  std::uint64_t sum = 0;
  for (std::uint8_t i = 0; i < from.count; ++i) {
    const Term& term = from.terms[i];
    if (term.symbol >= first_made && term.symbol == filling_) {
      if (!to.add(Linear::of(filling_), term.coefficient)) return false;
      continue;
    }
    if (term.symbol >= first_made) {
      const auto loaded = std::lower_bound(loaded_.begin(), loaded_.end(), term.symbol,
                                           [](const Loaded& each, Symbol made) { return each.made < made; });
      if (loaded == loaded_.end() || loaded->made != term.symbol || loaded->unchanging == 0) return false;
      if (!to.add(Linear::of(loaded->unchanging), term.coefficient)) return false;
      continue;
    }
    const std::uint32_t slot = slots_[static_cast<RegisterId>(term.symbol)];
    if (slot >= repeating_.size() || !repeating_[slot].known) return false;
    if (!to.add(repeating_[slot].start, term.coefficient)) return false;
    sum += Linear::wrapped(term.coefficient) * Linear::wrapped(repeating_[slot].stride);
  }
  stride = Linear::wrap(sum);
  return true;
}

void AddressTracker::relate_to_iterations(TrackedAccess& access) {
  Linear address;
  std::int64_t stride = 0;
  if (!substitute(access.address, address, stride)) return;
  access.address = address;
  access.stride = stride;
  access.repeats = true;
}

std::optional<std::int64_t> AddressTracker::stride_of(RegisterId reg) {
  const std::uint32_t slot = slots_[reg];
  if (slot >= values_.size() || !values_[slot]) return 0; // nobody writes it
  if (slot >= repeating_.size() || !repeating_[slot].known) return std::nullopt;
  return repeating_[slot].stride;
}

} // namespace corecast
