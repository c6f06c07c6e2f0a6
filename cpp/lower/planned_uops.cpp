#include "cpp/lower/planned_uops.hpp"

#include "cpp/lower/addresses.hpp"
#include "cpp/lower/fusion.hpp"
#include "cpp/lower/patterns.hpp"
#include "cpp/machine/machine.hpp"

#include <algorithm>

namespace corecast {
namespace {

constexpr std::size_t most_uops = 1024; // of one instruction; string operations are cut off there

/// Ports that no vector uop uses while 512-bit operations are in flight.
PortMask closed_ports(const Machine& machine, std::span<const Instruction* const> instructions) {
  if (machine.port_roles().closed_by_zmm == 0) return 0;
  Pattern closing;
  closing.except = machine.pipeline().back_end.zmm_closes_except;
  const bool zmm = std::any_of(instructions.begin(), instructions.end(), [&](const Instruction* instruction) {
    return instruction->traits.widest_vector_bits == 512 && fits_name(closing, *instruction);
  });
  return zmm ? machine.port_roles().closed_by_zmm : 0;
}

} // namespace

/// What 512-bit operations in flight take from the other vector uops of a region.
struct PlannedUops::Closed {
  PortMask ports = 0;
  PortMask moved = 0; // ports of those below, in their place
  Pattern movable;

  static Closed of(const Machine& machine, std::span<const Instruction* const> instructions) {
    Closed out;
    out.ports = closed_ports(machine, instructions);
    if (out.ports == 0 || machine.port_roles().moved_by_zmm == 0) return out;
    out.moved = machine.port_roles().moved_by_zmm;
    out.movable.mnemonics = machine.pipeline().back_end.zmm_moved;
    return out;
  }
};

/// The ports of an instruction's uops where the region leaves fewer than its row names.
class PlannedUops::OwnPorts {
public:
  OwnPorts(const Machine& machine, const PlannedUops::Code& code, std::uint32_t i, const Closed& closed)
      : closed_(code.instructions[i]->traits.vector ? closed.ports : 0),
        moved_(closed_ != 0 && closed.moved != 0 && fits_name(closed.movable, *code.instructions[i]) ? closed.moved
                                                                                                     : 0),
        taken_(code.jumps[i] ? machine.port_roles().taken_branch : 0) {}

  PortMask of(PortMask ports) const {
    if ((ports & closed_) != 0 && moved_ != 0)
      ports = moved_;
    else if ((ports & ~closed_) != 0)
      ports &= ~closed_;
    if ((ports & taken_) != 0) ports &= taken_;
    return ports;
  }

private:
  PortMask closed_;
  PortMask moved_;
  PortMask taken_;
};

namespace {

/// For so long a load across two lines needs the unit that joins its parts.
double crossing_unit_cycles(const MemoryParameters& memory, const Instruction& instruction) {
  return instruction.traits.widest_vector_bits == 512 ? memory.line_crossing_unit_512_bit_cycles : 1;
}

/// A core that issues in order has a row's micro-ops behind each other: where they are fewer than the cycles that its
/// ports are taken, some port is kept, and what follows does not wait for that one to be free.
bool keeps_ports(const Machine& machine, const FormEntry& entry) {
  if (!machine.pipeline().back_end.in_order || !entry.uops) return false;
  std::size_t cycles = 0;
  for (const PortUse& use : entry.ports)
    cycles += whole_uops(use.count);
  return static_cast<double>(cycles) > entry.uops->unfused;
}

} // namespace

/// Sorts the uops of one instruction after the other.
class PlannedUops::Lists {
public:
  explicit Lists(const Machine& machine)
      : memory_ports_(machine.memory_ports()), slow_256_bit_memory_(machine.pipeline().memory.slow_256_bit_memory),
        one_data_uop_(machine.pipeline().memory.one_store_data_uop) {}

  void begin(const Instruction& instruction) {
    reads_ = writes_ = wide_ = false;
    unsigned stores = 0;
    for (const MemoryAccess& access : instruction.memory) {
      reads_ = reads_ || access.read;
      writes_ = writes_ || access.write;
      stores += access.write ? (access.vector_index ? 2 : 1) : 0; // a scatter's are many
      wide_ = wide_ || access.width_bytes >= 32;
    }
    wide_ = wide_ && slow_256_bit_memory_;
    whole_ = one_data_uop_ && stores == 1;
  }

  void add(PortMask ports, double count, bool one) {
    const UopKind kind = memory_ports_.kind(ports, reads_, writes_);
    std::vector<PlannedUop>& list = of(kind);
    one = one || (whole_ && kind == UopKind::store_data);
    const std::size_t uops = one ? std::min<std::size_t>(1, whole_uops(count)) : whole_uops(count);
    double cycles = count / static_cast<double>(uops);
    if (wide_ && kind == UopKind::store_data) cycles *= 2; // 256 bits take 128-bit units twice
    for (std::size_t left = uops; left > 0 && list.size() < most_uops; --left)
      list.push_back({ports, kind, cycles, false});
  }

  /// Appends loads, operations, and stores: the address of each before its data.
  void append_to(std::vector<PlannedUop>& out) {
    // Where loads and store addresses share ports, a store's data show which of them are the latter.
    const std::size_t kept = reads_ ? 1 : 0; // one access may serve both
    while (data_.size() > addresses_.size() && loads_.size() > kept) {
      addresses_.push_back(loads_.back());
      addresses_.back().kind = UopKind::store_address;
      loads_.pop_back();
    }
    out.insert(out.end(), loads_.begin(), loads_.end());
    out.insert(out.end(), operations_.begin(), operations_.end());
    for (std::size_t s = 0; s < std::max(addresses_.size(), data_.size()); ++s) {
      if (s < addresses_.size()) out.push_back(addresses_[s]);
      if (s < data_.size()) out.push_back(data_[s]);
    }
    loads_.clear();
    operations_.clear();
    addresses_.clear();
    data_.clear();
  }

private:
  std::vector<PlannedUop>& of(UopKind kind) {
    switch (kind) {
    case UopKind::load:
      return loads_;
    case UopKind::store_address:
      return addresses_;
    case UopKind::store_data:
      return data_;
    case UopKind::operation:
      break;
    }
    return operations_;
  }

  const MemoryPorts& memory_ports_;
  bool slow_256_bit_memory_, one_data_uop_;
  bool whole_ = false; // a store's data are one uop
  bool reads_ = false, writes_ = false, wide_ = false;
  Recycled<PlannedUop> loads_;
  Recycled<PlannedUop> operations_;
  Recycled<PlannedUop> addresses_;
  Recycled<PlannedUop> data_;
};

PlannedUops::PlannedUops(const Machine& machine, const Code& code) {
  const auto count = static_cast<std::uint32_t>(code.instructions.size());
  const Closed closed = Closed::of(machine, code.instructions);
  Lists lists(machine);
  uops_.reserve(2 * std::size_t{count});
  first_.reserve(std::size_t{count} + 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(uops_.size());
    first_.push_back(first);
    const FormEntry* entry = code.entries[i];
    if (entry == nullptr) continue;
    const bool second = code.fused_seconds[i];
    if (second && !runs_beside_first(*code.instructions[i], entry)) continue; // its uop is the pair's
    plan(machine, code, i, closed, lists);
    const bool pair = i + 1 < count && code.fused_seconds[i + 1];
    if (!pair || is_absorbed(code.entries[i + 1])) continue;
    const FormEntry* other = code.entries[i + 1];
    const PortMask own = other == nullptr || other->ports.empty()
                             ? 0
                             : OwnPorts(machine, code, i + 1, closed).of(other->ports.front().mask);
    join(machine, code, i, own);
  }
  first_.push_back(static_cast<std::uint32_t>(uops_.size()));
  add_crossings(machine, code.instructions);
}

void PlannedUops::plan(const Machine& machine, const Code& code, std::uint32_t i, const Closed& closed, Lists& lists) {
  const FormEntry& entry = *code.entries[i];
  const OwnPorts ports(machine, code, i, closed);
  const bool one = keeps_ports(machine, entry);
  lists.begin(*code.instructions[i]);
  for (const PortUse& use : entry.ports)
    lists.add(ports.of(use.mask), use.count, one || (use.mask & ~entry.kept_ports) == 0);
  lists.append_to(uops_);
}

/// The pair's operation runs where the branch runs; a pair without a branch keeps the second's uops alone.
void PlannedUops::join(const Machine& machine, const Code& code, std::uint32_t i, PortMask branch_ports) {
  const Instruction& second = *code.instructions[i + 1];
  const PortMask pair = ports_of_pair(machine, *code.instructions[i], second);
  const PortMask wanted = pair != 0 ? pair : branch_ports;
  const bool branch = second.branch != Branch::none;
  const auto first = uops_.begin() + first_[i];
  auto found = std::find_if(first, uops_.end(), [&](const PlannedUop& uop) {
    return uop.kind == UopKind::operation && (uop.ports & wanted) == wanted;
  });
  if (found == uops_.end())
    found = std::find_if(first, uops_.end(), [](const PlannedUop& uop) { return uop.kind == UopKind::operation; });
  if (found != uops_.end()) {
    found->ports = branch ? wanted : 0;
    found->of_pair = branch;
  } else if (branch && wanted != 0) {
    uops_.push_back({wanted, UopKind::operation, 1, true});
  }
}

bool PlannedUops::keep_to(std::uint32_t instruction, PortMask ports) {
  for (std::uint32_t u = first_[instruction]; u < first_[instruction + 1]; ++u) {
    PlannedUop& uop = uops_[u];
    if (uop.kind != UopKind::operation || (uop.ports & ports) == 0) continue;
    uop.ports &= ports;
    return true;
  }
  return false;
}

void PlannedUops::keep_longer(std::uint32_t instruction, double cycles) {
  const auto end = uops_.begin() + first_[instruction + 1];
  const auto operation = std::find_if(uops_.begin() + first_[instruction], end, [](const PlannedUop& uop) {
    return uop.kind == UopKind::operation && uop.ports != 0;
  });
  if (operation != end) operation->port_cycles += cycles;
}

/// Accesses that go on in the next line take an address port once more.
void PlannedUops::add_crossings(const Machine& machine, std::span<const Instruction* const> instructions) {
  const MemoryParameters& memory = machine.pipeline().memory;
  if (memory.line_crossing_cycles <= 0) return;
  const std::vector<LineCrossings> crossings = find_line_crossings(instructions, memory.line_bytes);
  for (std::uint32_t i = 0; i < crossings.size(); ++i)
    for (const UopKind kind : {UopKind::load, UopKind::store_address}) {
      const double share = kind == UopKind::load ? crossings[i].loads : crossings[i].stores;
      if (share <= 0 || (kind == UopKind::store_address && memory.writes_crossing_twice())) continue;
      const std::span<PlannedUop> uops = std::span(uops_).subspan(first_[i], first_[i + 1] - first_[i]);
      const auto accesses =
          std::count_if(uops.begin(), uops.end(), [&](const PlannedUop& uop) { return uop.kind == kind; });
      for (PlannedUop& uop : uops) {
        if (uop.kind != kind) continue;
        const double each = share / static_cast<double>(accesses);
        uop.port_cycles += each * memory.line_crossing_cycles;
        if (kind == UopKind::load) uop.crossings = each * crossing_unit_cycles(memory, *instructions[i]);
      }
    }
}

bool runs_beside_first(const Instruction& second, const FormEntry* entry) {
  return second.branch == Branch::none && !is_absorbed(entry);
}

bool is_absorbed(const FormEntry* second) {
  return second != nullptr && second->ports_known && second->ports.empty() && second->latency.empty();
}

} // namespace corecast
