#include "schedule.hpp"

#include "describe.hpp"
#include "riscv_pseudos.hpp"
#include "target.hpp"
#include "walk_code.hpp"

#include "llvm/Config/llvm-config.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCSchedule.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

namespace corecast {

struct Schedule::State {
  explicit State(const Target& t)
      : target(t), context(t.triple, t.assembly.get(), t.registers.get(), t.subtarget.get()),
        decoder(t.target->createMCDisassembler(*t.subtarget, context)), describer(t, context) {}

  const Target& target;
  llvm::MCContext context;
  std::unique_ptr<llvm::MCDisassembler> decoder;
  mutable Describer describer;
  std::unique_ptr<llvm::MCSubtargetInfo> cpu;
  std::map<std::string, unsigned, std::less<>> opcodes; // by name, for RISC-V's pseudos per LMUL and SEW

  /// The pseudo instruction that carries the cost of an RVV opcode at a vector type.
  std::optional<unsigned> pseudo_of(std::string_view opcode, const VectorType& type, bool masked) const {
    for (const std::string& name : vector_pseudo_names(opcode, type, masked))
      if (const auto found = opcodes.find(name); found != opcodes.end()) return found->second;
    return std::nullopt;
  }

  /// Whether an RVV opcode has a pseudo instruction at any vector type.
  bool has_pseudo(std::string_view opcode) const {
    VectorType type;
    type.known = true;
    for (type.lmul_log2 = -3; type.lmul_log2 <= 3; ++type.lmul_log2)
      for (type.element_bits = 8; type.element_bits <= 64; type.element_bits *= 2)
        if (pseudo_of(opcode, type, false)) return true;
    return false;
  }
};

namespace {

/// Units of a resource, for the subset test between groups.
std::set<unsigned> leaf_units(const llvm::MCSchedModel& model, unsigned index) {
  const llvm::MCProcResourceDesc& resource = *model.getProcResource(index);
  if (resource.SubUnitsIdxBegin == nullptr) return {index};
  std::set<unsigned> units;
  for (unsigned i = 0; i < resource.NumUnits; ++i)
    units.merge(leaf_units(model, resource.SubUnitsIdxBegin[i]));
  return units;
}

std::vector<ScheduleUse> reduced_uses(const llvm::MCSchedModel& model, const llvm::MCSubtargetInfo& cpu,
                                      const llvm::MCSchedClassDesc& entry) {
  struct Use {
    unsigned index;
    std::set<unsigned> units;
    double cycles;
  };
  std::vector<Use> uses;
  for (const auto* use = cpu.getWriteProcResBegin(&entry); use != cpu.getWriteProcResEnd(&entry); ++use)
    uses.push_back({use->ProcResourceIdx, leaf_units(model, use->ProcResourceIdx),
                    static_cast<double>(use->ReleaseAtCycle) - use->AcquireAtCycle});
  std::stable_sort(uses.begin(), uses.end(),
                   [](const Use& a, const Use& b) { return a.units.size() < b.units.size(); });
  // A group's cycles include those of every resource inside it: what remains belongs to uops that the group may place.
  std::vector<ScheduleUse> result;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    double remaining = uses[i].cycles;
    if (model.getProcResource(uses[i].index)->SubUnitsIdxBegin != nullptr)
      for (std::size_t j = 0; j < i; ++j)
        if (uses[j].cycles > 0 &&
            std::includes(uses[i].units.begin(), uses[i].units.end(), uses[j].units.begin(), uses[j].units.end()))
          remaining -= uses[j].cycles;
    uses[i].cycles = std::max(0.0, remaining);
    if (uses[i].cycles > 0) result.push_back({model.getProcResource(uses[i].index)->Name, uses[i].cycles});
  }
  return result;
}

/// Operand id that reads or writes a location in the described instruction; `any` where none does.
OperandId operand_of(const Instruction& instruction, RegisterId location, bool write) {
  for (const Operand& operand : instruction.operands)
    for (const RegisterUse& use : operand.registers)
      if (use.reg == location && (write ? use.write : use.read)) return operand.id;
  return operand_id::any;
}

} // namespace

Schedule::Schedule(Isa isa, std::string_view cpu) : state_(std::make_unique<State>(Target::get(isa))) {
  state_->cpu = state_->target.make_subtarget(cpu);
  if (!state_->cpu || !state_->cpu->getSchedModel().hasInstrSchedModel())
    throw std::invalid_argument("LLVM has no scheduling model for '" + std::string(cpu) + "'");
  if (isa == Isa::riscv64)
    for (unsigned opcode = 0; opcode < state_->target.instructions->getNumOpcodes(); ++opcode)
      state_->opcodes.emplace(state_->target.instructions->getName(opcode).str(), opcode);
}

std::vector<ScheduledCpu> scheduled_cpus(Isa isa) {
  std::map<const llvm::MCSchedModel*, unsigned> numbers;
  std::vector<ScheduledCpu> result;
  for (const llvm::SubtargetSubTypeKV& cpu : Target::get(isa).subtarget->getAllProcessorDescriptions()) {
    if (cpu.SchedModel == nullptr || !cpu.SchedModel->hasInstrSchedModel()) continue;
    const unsigned next = static_cast<unsigned>(numbers.size());
    result.push_back({cpu.Key, numbers.try_emplace(cpu.SchedModel, next).first->second});
  }
  return result;
}

std::vector<std::string> cpu_features(Isa isa, std::string_view cpu) {
  std::vector<std::string> result;
  const auto subtarget = Target::get(isa).make_subtarget(cpu);
  if (subtarget == nullptr) return result;
  for (const llvm::SubtargetFeatureKV& feature : subtarget->getAllProcessorFeatures())
    if (subtarget->getFeatureBits()[feature.Value]) result.emplace_back(feature.Key);
  return result;
}

bool has_opcode(Isa isa, std::string_view start) {
  const llvm::MCInstrInfo& instructions = *Target::get(isa).instructions;
  for (unsigned opcode = 0; opcode < instructions.getNumOpcodes(); ++opcode)
    if (instructions.getName(opcode).starts_with_insensitive(llvm::StringRef(start.data(), start.size()))) return true;
  return false;
}

std::string llvm_version() {
  return LLVM_VERSION_STRING;
}

Schedule::~Schedule() = default;

unsigned Schedule::issue_width() const {
  return state_->cpu->getSchedModel().IssueWidth;
}
unsigned Schedule::micro_op_buffer_size() const {
  return state_->cpu->getSchedModel().MicroOpBufferSize;
}
unsigned Schedule::load_latency() const {
  return state_->cpu->getSchedModel().LoadLatency;
}
unsigned Schedule::mispredict_penalty() const {
  return state_->cpu->getSchedModel().MispredictPenalty;
}
unsigned Schedule::reorder_buffer_size() const {
  const llvm::MCSchedModel& model = state_->cpu->getSchedModel();
  return model.hasExtraProcessorInfo() ? model.getExtraProcessorInfo().ReorderBufferSize : 0;
}
unsigned Schedule::retire_width() const {
  const llvm::MCSchedModel& model = state_->cpu->getSchedModel();
  return model.hasExtraProcessorInfo() ? model.getExtraProcessorInfo().MaxRetirePerCycle : 0;
}

std::vector<ScheduleResource> Schedule::resources() const {
  const llvm::MCSchedModel& model = state_->cpu->getSchedModel();
  std::vector<ScheduleResource> result;
  for (unsigned i = 1; i < model.getNumProcResourceKinds(); ++i) {
    const llvm::MCProcResourceDesc& resource = *model.getProcResource(i);
    ScheduleResource out{resource.Name, resource.NumUnits, resource.BufferSize, {}};
    if (resource.SubUnitsIdxBegin != nullptr)
      for (unsigned j = 0; j < resource.NumUnits; ++j)
        out.members.push_back(model.getProcResource(resource.SubUnitsIdxBegin[j])->Name);
    result.push_back(std::move(out));
  }
  return result;
}

ScheduleEntry Schedule::entry(const std::vector<std::uint8_t>& code, std::string_view lmul,
                              unsigned element_bits) const {
  const Target& target = state_->target;
  ScheduleEntry out;
  VectorType type;
  if (!lmul.empty() && element_bits != 0) {
    type.known = true;
    type.element_bits = element_bits;
    type.lmul_log2 = lmul_log2_of(lmul);
  }
  state_->describer.set_vector_type(type);
  llvm::MCInst inst; // behind a prefix that LLVM decodes by itself (lock): that one's schedule class is its own
  Described described;
  bool complete = false;
  const llvm::ArrayRef<std::uint8_t> bytes(code);
  walk_code(
      *state_->decoder, target.isa, bytes, 0,
      [&](const llvm::MCInst& read, CodeSpan span, const std::string& prefixes) -> Described& {
        inst = read;
        return described = describe_span(state_->describer, read, bytes.slice(span.start, span.end - span.start), 0,
                                         span.last, prefixes);
      },
      [&](Described&) { complete = true; }, [](std::size_t, std::size_t, bool) { return false; });
  if (!complete) return out;
  out.instruction = std::move(described.instruction);

  unsigned opcode = inst.getOpcode();
  out.opcode = target.instructions->getName(opcode).str();
  if (type.known) { // RVV: costs hang on pseudo instructions; the instruction's own are those of the largest group
    const bool masked = out.instruction.form.find("v0.t") != std::string::npos;
    if (const std::optional<unsigned> pseudo = state_->pseudo_of(out.opcode, type, masked))
      opcode = *pseudo;
    else if (state_->has_pseudo(out.opcode))
      return out; // the instruction does not exist at this type
  }
  const llvm::MCSchedModel& model = state_->cpu->getSchedModel();
  unsigned schedule_class = target.instructions->get(opcode).getSchedClass();
  while (schedule_class != 0 && model.getSchedClassDesc(schedule_class)->isVariant())
    schedule_class =
        state_->cpu->resolveVariantSchedClass(schedule_class, &inst, target.instructions.get(), model.ProcID);
  if (schedule_class == 0) return out;
  const llvm::MCSchedClassDesc& entry = *model.getSchedClassDesc(schedule_class);
  if (!entry.isValid()) return out;
  out.known = true;
  out.micro_ops = entry.NumMicroOps;
  out.uses = reduced_uses(model, *state_->cpu, entry);

  // Latencies belong to definitions in order: explicit ones, then implicit ones.
  const llvm::MCInstrDesc& desc = target.instructions->get(inst.getOpcode());
  std::vector<RegisterId> definitions;
  for (unsigned i = 0; i < desc.getNumDefs() && i < inst.getNumOperands(); ++i)
    definitions.push_back(inst.getOperand(i).isReg() && !target.locations(inst.getOperand(i).getReg()).empty()
                              ? target.locations(inst.getOperand(i).getReg()).front()
                              : RegisterId{0});
  int same_write = -1;
  for (unsigned i = 0; i < entry.NumWriteLatencyEntries; ++i) {
    const llvm::MCWriteLatencyEntry& write = *state_->cpu->getWriteLatencyEntry(&entry, i);
    if (i == 0) same_write = write.WriteResourceID;
    OperandId destination = operand_id::any;
    if (i < definitions.size()) destination = operand_of(out.instruction, definitions[i], true);
    if (i >= definitions.size() && i > 0)
      continue; // implicit definitions share the first latency unless the table of the machine says otherwise
    out.latencies.push_back({destination, write.Cycles});
  }
  // Advances belong to register uses in order.
  unsigned use = 0;
  for (unsigned i = desc.getNumDefs(); i < inst.getNumOperands(); ++i) {
    if (!inst.getOperand(i).isReg()) continue;
    const unsigned use_index = use++;
    const llvm::MCRegister reg = inst.getOperand(i).getReg();
    if (!reg || target.locations(reg).empty()) continue;
    ScheduleAdvance advance{operand_of(out.instruction, target.locations(reg).front(), false), 0, 0};
    for (const llvm::MCReadAdvanceEntry& read : state_->cpu->getReadAdvanceEntries(entry))
      if (read.UseIdx == use_index) {
        if (read.WriteResourceID == 0)
          advance.from_any = advance.from_same = read.Cycles;
        else if (static_cast<int>(read.WriteResourceID) == same_write)
          advance.from_same = read.Cycles;
      }
    if (advance.from_any != 0 || advance.from_same != 0) out.advances.push_back(advance);
  }
  return out;
}

} // namespace corecast
