#include "cpp/lower/aliasing.hpp"

#include "cpp/machine/machine.hpp"

#include <algorithm>
#include <charconv>

namespace corecast {
namespace {

constexpr Symbol one_place = 0xFFFFFFFF;        // what all pointers hold that advance alike
constexpr std::size_t most_meetings = 64;       // that are looked at
constexpr std::size_t most_instructions = 1024; // of a region that is searched for meetings

/// Whether the access may reach memory that other registers point to, too: through registers alone, and not its frame.
bool is_shared(const TrackedAccess& access, const FrameRegisters& frame) {
  if (access.segment != 0 || !access.symbol.empty() || access.pc_relative || access.address.count == 0) return false;
  const auto end = access.address.terms.begin() + access.address.count;
  const auto names = [&](RegisterId reg) {
    return reg != 0 &&
           std::any_of(access.address.terms.begin(), end, [&](const Term& term) { return term.symbol == reg; });
  };
  if (names(frame.stack_pointer)) return false;
  // A frame pointer serves as any register, too; locals lie at a distance from it that does not change.
  const bool fixed = access.address.count == 1 && access.stride == 0 && access.address.constant != 0;
  return !(fixed && names(frame.frame_pointer));
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
  return Linear::wrap(Linear::wrapped(a) + Linear::wrapped(b));
}

void replace(Linear& address, const EqualRegisters& pair) {
  const auto end = address.terms.begin() + address.count;
  const auto term =
      std::find_if(address.terms.begin(), end, [&](const Term& each) { return each.symbol == pair.left; });
  if (term == end) return;
  const std::int64_t coefficient = term->coefficient;
  Linear out = address;
  Linear right = Linear::of(pair.right);
  right.constant = pair.offset_bytes;
  if (out.add(Linear::of(pair.left), Linear::wrap(0 - Linear::wrapped(coefficient))) && out.add(right, coefficient))
    address = out;
}

const TrackedAccess* find_access(std::span<const TrackedAccess> accesses, std::uint32_t instruction,
                                 std::uint32_t position) {
  const auto found = std::find_if(accesses.begin(), accesses.end(), [&](const TrackedAccess& access) {
    return access.instruction == instruction && access.position == position;
  });
  return found == accesses.end() ? nullptr : &*found;
}

/// Moves all accesses of the store's base to where the store meets the load.
void place(const MemoryDependency& feed, std::span<TrackedAccess> accesses) {
  const TrackedAccess* found_store = find_access(accesses, feed.store, feed.store_access);
  const TrackedAccess* found_load = find_access(accesses, feed.load, feed.load_access);
  if (found_store == nullptr || found_load == nullptr || !found_store->repeats || found_store->same_base(*found_load))
    return;
  const TrackedAccess store = *found_store;
  const TrackedAccess load = *found_load;
  const std::int64_t walked = Linear::wrap(Linear::wrapped(load.stride) * feed.distance);
  const std::int64_t shift =
      sum(sum(load.address.constant, walked), Linear::wrap(0 - Linear::wrapped(store.address.constant)));
  for (TrackedAccess& access : accesses) {
    if (!access.same_base(store)) continue;
    const std::int64_t constant = sum(access.address.constant, shift);
    access.address = load.address;
    access.address.constant = constant;
  }
}

/// Whether some address is carried from one iteration to the next in a way that is not known: a walk along pointers
/// does not come back to the same place.
bool walks_pointers(std::span<const TrackedAccess> accesses) {
  return std::any_of(accesses.begin(), accesses.end(), [](const TrackedAccess& access) {
    const auto end = access.address.terms.begin() + access.address.count;
    return !access.repeats && std::any_of(access.address.terms.begin(), end, [&](const Term& term) {
      return term.symbol < first_made && access.address.count == 1;
    });
  });
}

bool has_made_term(const TrackedAccess& access) {
  return std::any_of(access.address.terms.begin(), access.address.terms.begin() + access.address.count,
                     [](const Term& term) { return term.symbol >= first_made; });
}

/// The meetings that nothing rules out: through pointers that advance alike, and through an index that may come again.
std::vector<MemoryDependency> find_meetings(std::span<const TrackedAccess> accesses, const FrameRegisters& frame) {
  std::vector<MemoryDependency> found;
  struct Placement {
    const TrackedAccess* store;
    const TrackedAccess* load;
    std::int64_t shift;
  };
  std::vector<Placement> seen; // each places all accesses of two bases
  const bool walks = walks_pointers(accesses);
  const auto offer = [&](const TrackedAccess& store, const TrackedAccess& load) {
    const bool later = store.instruction < load.instruction;
    MemoryDependency meeting{store.instruction, load.instruction, store.position, load.position, later ? 0U : 1U, true};
    if (store.same_base(load)) {
      const bool again =
          !store.repeats && !later && !walks && has_made_term(load) && store.address.constant == load.address.constant;
      if (again) found.push_back(meeting);
      return;
    }
    if (!store.repeats || !load.repeats || store.stride != load.stride) return;
    const std::int64_t walked = meeting.distance == 0 ? 0 : load.stride;
    const std::int64_t shift =
        sum(sum(load.address.constant, walked), Linear::wrap(0 - Linear::wrapped(store.address.constant)));
    const bool known = std::any_of(seen.begin(), seen.end(), [&](const Placement& each) {
      return each.shift == shift && each.store->same_base(store) && each.load->same_base(load);
    });
    if (known) return;
    seen.push_back({&store, &load, shift});
    found.push_back(meeting);
  };
  for (const TrackedAccess& store : accesses) {
    if (!store.write || !store.width_known || !is_shared(store, frame)) continue;
    for (const TrackedAccess& load : accesses) {
      if (found.size() >= most_meetings) return found;
      if (load.read && load.width_known && load.width <= store.width && is_shared(load, frame)) offer(store, load);
    }
  }
  return found;
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && blank(text.back()))
    text.remove_suffix(1);
  return text;
}

RegisterId read_register(const Machine& machine, std::string_view text) {
  const std::string_view name = text.starts_with('%') ? text.substr(1) : text;
  const RegisterId reg = machine.registers().id_of(name);
  if (reg == 0) throw AliasError("'" + std::string(text) + "' is no register of " + machine.pipeline().name);
  return reg;
}

/// "rdi=rsi+8".
EqualRegisters read_pair(const Machine& machine, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    throw AliasError("'" + std::string(text) +
                     "' is no pair of registers: write REGISTER=REGISTER or REGISTER=REGISTER+BYTES");
  EqualRegisters pair;
  pair.left = read_register(machine, trimmed(text.substr(0, equals)));
  const std::string_view right = trimmed(text.substr(equals + 1));
  const std::size_t sign = right.find_first_of("+-");
  pair.right = read_register(machine, trimmed(right.substr(0, sign)));
  if (sign == std::string_view::npos) return pair;
  const std::string_view digits = trimmed(right.substr(sign + 1));
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pair.offset_bytes);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.starts_with('-'))
    throw AliasError("'" + std::string(text) + "': '" + std::string(digits) + "' is no whole number of bytes");
  if (right[sign] == '-') pair.offset_bytes = -pair.offset_bytes;
  return pair;
}

/// Expresses both registers by those that earlier pairs name, so that each left one occurs once.
void add_pair(const Machine& machine, EqualRegisters pair, std::vector<EqualRegisters>& pairs) {
  const EqualRegisters given = pair;
  for (const EqualRegisters& known : pairs) {
    if (pair.right == known.left) pair = {pair.left, known.right, sum(pair.offset_bytes, known.offset_bytes)};
    if (pair.left == known.left)
      pair = {known.right, pair.right, sum(pair.offset_bytes, Linear::wrap(0 - Linear::wrapped(known.offset_bytes)))};
  }
  if (pair.left == pair.right) {
    if (pair.offset_bytes == 0) return;
    throw AliasError("the pair of " + machine.registers().name_of(given.left) + " and " +
                     machine.registers().name_of(given.right) + " contradicts the others");
  }
  for (EqualRegisters& known : pairs)
    if (known.right == pair.left) known = {known.left, pair.right, sum(known.offset_bytes, pair.offset_bytes)};
  pairs.push_back(pair);
}

} // namespace

FrameRegisters FrameRegisters::of(const Machine& machine) {
  const RegisterNames& names = machine.registers();
  switch (machine.pipeline().architecture) {
  case Architecture::aarch64:
    return {names.id_of("sp"), names.id_of("x29")};
  case Architecture::riscv64:
    return {names.id_of("x2"), names.id_of("x8")};
  case Architecture::x86:
    break;
  }
  return {names.id_of("rsp"), names.id_of("rbp")};
}

void assume(const Aliasing& aliasing, std::span<TrackedAccess> accesses) {
  for (TrackedAccess& access : accesses)
    for (const EqualRegisters& pair : aliasing.equal)
      replace(access.address, pair);
  if (aliasing.same)
    for (TrackedAccess& access : accesses) {
      if (!access.repeats || !is_shared(access, aliasing.frame)) continue;
      access.address.terms = {};
      access.address.terms[0] = {one_place, access.stride};
      access.address.count = 1;
    }
  if (aliasing.feed) place(*aliasing.feed, accesses);
}

Aliasing parse_aliasing(const Machine& machine, std::string_view text) {
  Aliasing out;
  out.frame = FrameRegisters::of(machine);
  text = trimmed(text);
  if (text == "none") return out;
  if (text == "same") {
    out.same = true;
    return out;
  }
  while (true) {
    const std::size_t comma = text.find(',');
    add_pair(machine, read_pair(machine, trimmed(text.substr(0, comma))), out.equal);
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

std::string alias_conflict(const Machine& machine, std::span<const Instruction* const> instructions,
                           const Aliasing& aliasing) {
  if (aliasing.equal.empty()) return "";
  AddressTracker tracker(instructions);
  tracker.run();
  for (const EqualRegisters& pair : aliasing.equal) {
    const auto left = tracker.stride_of(pair.left);
    const auto right = tracker.stride_of(pair.right);
    if (left && right && *left == *right) continue;
    return machine.registers().name_of(pair.left) + " and " + machine.registers().name_of(pair.right) +
           " do not advance by the same step: they cannot stay equal";
  }
  return "";
}

std::vector<MemoryDependency> possible_meetings(const Machine& machine,
                                                std::span<const Instruction* const> instructions) {
  const bool readable = std::none_of(instructions.begin(), instructions.end(),
                                     [](const Instruction* instruction) { return instruction->unknown; });
  if (!machine.pipeline().memory.store_to_load_dependencies || instructions.size() > most_instructions || !readable)
    return {};
  AddressTracker tracker(instructions);
  const Recycled<TrackedAccess> accesses = tracker.run();
  return find_meetings(accesses, FrameRegisters::of(machine));
}

} // namespace corecast
