#include "cpp/predict/prediction_class.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace corecast {
namespace {

enum Kind : std::uint8_t { block, array, loop, unplaced, unroll };
enum Memory : std::uint8_t { no_access, loads, stores, reloads };

constexpr std::array<std::string_view, 5> kinds = {"block", "array", "loop", "unplaced", "unroll"};
constexpr std::array<std::string_view, 2> data_kinds = {"general", "vector"};
constexpr std::array<std::string_view, 4> confidences = {"measured", "documented", "derived", "assumed"};
constexpr std::array<std::string_view, 5> bottlenecks = {"ports", "dependency", "frontend", "unit", "other"};
constexpr std::array<std::string_view, 4> memories = {"none", "loads", "stores", "reloads"};
constexpr std::array<std::string_view, 3> sizes = {"short", "medium", "long"};
constexpr std::array<double, 2> size_limits = {1.5, 4};

constexpr std::array<ClassFeature, 6> features = {{{"kind", kinds},
                                                   {"data", data_kinds},
                                                   {"confidence", confidences},
                                                   {"bottleneck", bottlenecks},
                                                   {"memory", memories},
                                                   {"cycles", sizes}}};

std::size_t place_of(std::span<const std::string_view> values, std::string_view value) {
  return std::min<std::size_t>(
      static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin()), values.size() - 1);
}

/// A register that addresses contain, and how these instructions change it.
struct AddressRegister {
  RegisterId reg = 0;
  bool steps = false; // by constants
  bool other = false;
};

void add_register(std::vector<AddressRegister>& found, RegisterId reg) {
  if (reg != 0 && std::none_of(found.begin(), found.end(), [&](const auto& each) { return each.reg == reg; }))
    found.push_back({reg});
}

bool adds_constant(const Instruction& instruction, RegisterId reg) {
  return !instruction.traits.moves_stack_pointer &&
         std::any_of(instruction.affine.begin(), instruction.affine.end(), [&](const AffineValue& value) {
           return value.reg == reg && value.terms.size() == 1 && value.terms[0].reg == reg &&
                  value.terms[0].coefficient == 1;
         });
}

/// Whether some access goes to another place in each iteration, as those of loops over arrays do.
bool moves_on(std::span<const Instruction* const> instructions) {
  std::vector<AddressRegister> found;
  for (const Instruction* instruction : instructions)
    for (const MemoryAccess& access : instruction->memory) {
      add_register(found, access.base);
      add_register(found, access.index);
    }
  const auto steps = [&](const AddressRegister& each) {
    return std::any_of(instructions.begin(), instructions.end(),
                       [&](const Instruction* instruction) { return adds_constant(*instruction, each.reg); });
  };
  if (std::none_of(found.begin(), found.end(), steps)) return false; // mostly; quicker than all that is written
  for (const Instruction* instruction : instructions)
    for (const Operand& operand : instruction->operands)
      for (const RegisterUse& use : operand.registers)
        for (AddressRegister& each : found)
          if (use.write && use.reg == each.reg)
            (adds_constant(*instruction, each.reg) ? each.steps : each.other) = true;
  return std::any_of(found.begin(), found.end(), [](const auto& each) { return each.steps && !each.other; });
}

Kind kind_of(const ClassedCode& code) {
  if (code.mode == LoopMode::unroll) return Kind::unroll;
  if (!code.own_branch) return moves_on(code.instructions) ? Kind::array : Kind::block;
  return code.placed ? Kind::loop : Kind::unplaced;
}

auto address_of(const MemoryAccess& access) {
  return std::tie(access.base, access.index, access.segment, access.scale, access.displacement, access.symbol);
}

/// Whether some load names the address of some store.
bool reloads_any(std::span<const Instruction* const> instructions) {
  std::vector<const MemoryAccess*> stores;
  for (const Instruction* instruction : instructions)
    for (const MemoryAccess& access : instruction->memory)
      if (access.write) stores.push_back(&access);
  const auto less = [](const MemoryAccess* a, const MemoryAccess* b) { return address_of(*a) < address_of(*b); };
  std::sort(stores.begin(), stores.end(), less);
  return std::any_of(instructions.begin(), instructions.end(), [&](const Instruction* instruction) {
    return std::any_of(instruction->memory.begin(), instruction->memory.end(), [&](const MemoryAccess& access) {
      return access.read && std::binary_search(stores.begin(), stores.end(), &access, less);
    });
  });
}

Memory memory_of(const ClassedCode& code) {
  const auto any = [&](bool InstructionClass::* does) {
    return std::any_of(code.classes.begin(), code.classes.end(), [&](const auto& each) { return each.*does; });
  };
  const bool reads = any(&InstructionClass::reads);
  if (!any(&InstructionClass::writes)) return reads ? Memory::loads : Memory::no_access;
  return reads && reloads_any(code.instructions) ? Memory::reloads : Memory::stores;
}

} // namespace

std::span<const ClassFeature> class_features() {
  return features;
}

std::size_t class_count() {
  std::size_t count = 1;
  for (const ClassFeature& feature : features)
    count *= feature.values.size();
  return count;
}

InstructionClass class_of(const Instruction& instruction, const Costing& costing) {
  constexpr std::size_t derived = 2;
  InstructionClass out;
  out.known = costing.entry != nullptr;
  out.vectors = instruction.traits.vector;
  for (const MemoryAccess& access : instruction.memory) {
    out.reads |= access.read;
    out.writes |= access.write;
  }
  if (!out.known) return out;
  std::size_t confidence = place_of(confidences, costing.entry->confidence);
  if (costing.lookup->status == LookupStatus::derived) confidence = std::max(confidence, derived);
  if (costing.lookup->status == LookupStatus::unknown) confidence = confidences.size() - 1; // another form stands in
  out.confidence = static_cast<std::uint8_t>(confidence);
  return out;
}

std::optional<CodeClass> class_of(const ClassedCode& code) {
  CodeClass out;
  for (const InstructionClass& each : code.classes) {
    if (!each.known) return std::nullopt;
    out.vectors |= each.vectors;
    out.confidence = std::max<std::size_t>(out.confidence, each.confidence);
  }
  out.kind = kind_of(code);
  out.memory = memory_of(code);
  return out;
}

std::uint32_t class_number(const CodeClass& code, double cycles, std::string_view bottleneck) {
  const auto size = std::upper_bound(size_limits.begin(), size_limits.end(), cycles) - size_limits.begin();
  const std::array<std::size_t, features.size()> places = {code.kind,       code.vectors ? 1U : 0U,
                                                           code.confidence, place_of(bottlenecks, bottleneck),
                                                           code.memory,     static_cast<std::size_t>(size)};
  std::size_t number = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    number = number * features[i].values.size() + places[i];
  return static_cast<std::uint32_t>(number);
}

} // namespace corecast
