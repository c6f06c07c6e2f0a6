#include "target.hpp"
#include "listing.hpp"
#include "requirements.hpp"

#include "llvm/MC/MCSchedule.h"
#include "llvm/Support/TargetSelect.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <mutex>
#include <set>
#include <stdexcept>

namespace corecast {
namespace {

struct IsaNames {
  Isa isa;
  std::string_view name;
  const char* triple;
};
constexpr std::array<IsaNames, 3> isa_table{{{Isa::x86, "x86", "x86_64-unknown-linux-gnu"},
                                             {Isa::aarch64, "aarch64", "aarch64-unknown-linux-gnu"},
                                             {Isa::riscv64, "riscv64", "riscv64-unknown-linux-gnu"}}};

void initialize_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmParser();
    LLVMInitializeX86Disassembler();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmParser();
    LLVMInitializeAArch64Disassembler();
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTargetMC();
    LLVMInitializeRISCVAsmParser();
    LLVMInitializeRISCVDisassembler();
  });
}

// RISC-V has no "all" feature, and some extensions exclude each other (zcmp and d, zfinx and f): those of RVA23 and the
// crypto, half-precision and hint extensions; what the linked LLVM does not name is left out.
constexpr std::string_view riscv_features[] = {
    "m",         "a",      "f",      "d",       "c",     "v",        "zicsr",    "zifencei", "zba",    "zbb",
    "zbc",       "zbs",    "zbkb",   "zbkc",    "zbkx",  "zicond",   "zicbom",   "zicboz",   "zicbop", "zihintpause",
    "zihintntl", "zfh",    "zfa",    "zfbfmin", "zvfh",  "zvfbfmin", "zvfbfwma", "zvbb",     "zvbc",   "zvkg",
    "zvkned",    "zvknha", "zvknhb", "zvksed",  "zvksh", "zcb",      "zacas",    "zabha",    "zawrs",  "zimop",
    "zcmop",     "zknd",   "zkne",   "zknh",    "zksed", "zksh",     "zihpm",    "zicntr"};

std::string feature_string(Isa isa, const llvm::Target& target, const llvm::Triple& triple) {
  if (isa == Isa::x86) return ""; // the x86 parser and disassembler ask for the mode only
  if (isa == Isa::aarch64) return "+all";
  std::unique_ptr<llvm::MCSubtargetInfo> base(target.createMCSubtargetInfo(triple.str(), "", ""));
  std::set<std::string, std::less<>> known;
  for (const auto& feature : base->getAllProcessorFeatures())
    known.insert(feature.Key);
  std::string result = "+64bit";
  for (std::string_view feature : riscv_features)
    if (known.contains(feature)) result += ",+" + std::string(feature);
  return result;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether an LLVM register can be a location: not a tuple, not an artificial high part, not a control register whose
/// value no forecast depends on.
bool is_simple(Isa isa, std::string_view name) {
  static const std::set<std::string_view> ignored = {
      "EFLAGS", "DF",  "MXCSR",  "FPCW", "FPSW",  "SSP",           "EIZ",   "RIZ", "IP", "EIP", "RIP", "HIP", // x86
      "XZR",    "WZR", "FPCR",   "FPSR", "VG",    "FPMR",                                                     // AArch64
      "X0",     "FRM", "FFLAGS", "VXRM", "VXSAT", "SF_VCIX_STATE", "VLENB", "FCSR"};                          // RISC-V
  const bool zero_of_other_isa = isa == Isa::aarch64 && name == "X0";
  if (ignored.contains(name) && !zero_of_other_isa) return false;
  if (isa != Isa::riscv64) return name.find('_') == std::string_view::npos;
  if (name.size() > 1 && name[0] == 'V' && std::isdigit(static_cast<unsigned char>(name[1])))
    return is_number(name.substr(1));
  if (name[0] == 'F' && name.size() > 3 && name[name.size() - 2] == '_')
    return is_number(name.substr(1, name.size() - 3));
  if (name[0] == 'X' && name.size() > 1 && std::isdigit(static_cast<unsigned char>(name[1])))
    return is_number(name.substr(1));
  return name.find('_') == std::string_view::npos;
}

RegisterClass classify_x86(std::string_view name) {
  static const std::set<std::string_view> low8 = {"AL", "BL", "CL", "DL", "SIL", "DIL", "BPL", "SPL"};
  static const std::set<std::string_view> high8 = {"AH", "BH", "CH", "DH"};
  static const std::set<std::string_view> word = {"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP"};
  static const std::set<std::string_view> dword = {"EAX", "EBX", "ECX", "EDX", "ESI", "EDI", "EBP", "ESP", "EIP"};
  static const std::set<std::string_view> qword = {"RAX", "RBX", "RCX", "RDX", "RSI", "RDI", "RBP", "RSP", "RIP"};
  static const std::set<std::string_view> segment = {"CS", "DS", "ES", "FS", "GS", "SS"};
  if (low8.contains(name)) return RegisterClass::x86_low8;
  if (high8.contains(name)) return RegisterClass::x86_high8;
  if (word.contains(name)) return RegisterClass::x86_16;
  if (dword.contains(name)) return RegisterClass::x86_32;
  if (qword.contains(name)) return RegisterClass::x86_64;
  if (segment.contains(name)) return RegisterClass::x86_segment;
  if (name.starts_with("XMM")) return RegisterClass::x86_xmm;
  if (name.starts_with("YMM")) return RegisterClass::x86_ymm;
  if (name.starts_with("ZMM")) return RegisterClass::x86_zmm;
  if (name.starts_with("TMM")) return RegisterClass::x86_tile;
  if (name.starts_with("MM")) return RegisterClass::x86_mmx;
  if (name.starts_with("ST")) return RegisterClass::x86_stack;
  if (name.starts_with("FP")) return RegisterClass::x86_stack;
  if (name.starts_with("BND")) return RegisterClass::x86_bound;
  if (name.starts_with("CR")) return RegisterClass::x86_control;
  if (name.starts_with("DR")) return RegisterClass::x86_debug;
  if (name.starts_with("K") && name.size() == 2) return RegisterClass::x86_mask;
  if (name.starts_with("R") && name.size() > 1 && std::isdigit(static_cast<unsigned char>(name[1]))) {
    switch (name.back()) {
    case 'B':
      return RegisterClass::x86_low8;
    case 'W':
      return RegisterClass::x86_16;
    case 'D':
      return RegisterClass::x86_32;
    default:
      return is_number(name.substr(1)) ? RegisterClass::x86_64 : RegisterClass::other;
    }
  }
  return RegisterClass::other;
}

Part part_of(RegisterClass kind) {
  switch (kind) {
  case RegisterClass::x86_low8:
    return Part::low8;
  case RegisterClass::x86_high8:
    return Part::high8;
  case RegisterClass::x86_16:
    return Part::low16;
  case RegisterClass::x86_32:
    return Part::low32;
  default:
    return Part::full;
  }
}

} // namespace

std::string_view isa_name(Isa isa) {
  return isa_table[static_cast<std::size_t>(isa)].name;
}

std::optional<Isa> isa_from_name(std::string_view name) {
  for (const IsaNames& entry : isa_table)
    if (entry.name == name) return entry.isa;
  return std::nullopt;
}

const Target& Target::get(Isa isa) {
  // Each is made on first use: a process that reads x86 only does not pay for the others.
  switch (isa) {
  case Isa::x86: {
    static const Target x86(Isa::x86);
    return x86;
  }
  case Isa::aarch64: {
    static const Target aarch64(Isa::aarch64);
    return aarch64;
  }
  case Isa::riscv64:
    break;
  }
  static const Target riscv64(Isa::riscv64);
  return riscv64;
}

Target::Target(Isa isa_) : isa(isa_), triple(isa_table[static_cast<std::size_t>(isa_)].triple) {
  initialize_llvm();
  std::string error;
  target = llvm::TargetRegistry::lookupTarget(triple.str(), error);
  if (target == nullptr)
    throw std::runtime_error("LLVM was built without " + std::string(isa_name(isa)) + ": " + error);
  registers.reset(target->createMCRegInfo(triple.str()));
  assembly.reset(target->createMCAsmInfo(*registers, triple.str(), options));
  instructions.reset(target->createMCInstrInfo());
  subtarget.reset(target->createMCSubtargetInfo(triple.str(), "", feature_string(isa, *target, triple)));
  requirements_ = std::vector<std::atomic<std::uint32_t>>(instructions->getNumOpcodes());
  build_register_tables();
}

std::uint16_t Target::requirement(unsigned opcode) const {
  constexpr std::uint32_t is_known = 1U << 16;
  std::uint32_t found = requirements_[opcode].load(std::memory_order_relaxed);
  if (found == 0) {
    found = is_known | requirement_of(isa, std::string_view(instructions->getName(opcode)));
    requirements_[opcode].store(found, std::memory_order_relaxed);
  }
  return static_cast<std::uint16_t>(found);
}

std::unique_ptr<llvm::MCInstPrinter> Target::make_printer(bool aliases) const {
  const unsigned variant = isa == Isa::x86 ? 1 : 0; // 1: Intel syntax
  std::unique_ptr<llvm::MCInstPrinter> printer(
      target->createMCInstPrinter(triple, variant, *assembly, *instructions, *registers));
  if (!aliases && isa != Isa::x86) printer->applyTargetSpecificCLOption("no-aliases");
  return printer;
}

std::unique_ptr<llvm::MCSubtargetInfo> Target::make_subtarget(std::string_view cpu) const {
  if (!subtarget->isCPUStringValid(llvm::StringRef(cpu.data(), cpu.size()))) return nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target->createMCSubtargetInfo(triple.str(), llvm::StringRef(cpu.data(), cpu.size()), ""));
}

void Target::build_register_tables() {
  const unsigned count = registers->getNumRegs();
  locations_.resize(count);
  parts_.assign(count, Part::full);
  classes_.assign(count, RegisterClass::other);
  std::vector<bool> simple(count, false);
  for (unsigned reg = 1; reg < count; ++reg)
    simple[reg] = is_simple(isa, registers->getName(reg));
  for (unsigned reg = 1; reg < count; ++reg) {
    const std::string_view name = registers->getName(reg);
    if (isa == Isa::x86) {
      classes_[reg] = classify_x86(name);
      parts_[reg] = part_of(classes_[reg]);
    }
    registers_by_name_.emplace(lower(name), reg);
    if (simple[reg]) {
      unsigned top = reg; // the widest register that holds this one and is not a tuple
      for (llvm::MCPhysReg super : registers->superregs(reg))
        if (simple[super] && registers->isSuperRegister(top, super)) top = super;
      locations_[reg] = {static_cast<RegisterId>(top)};
    }
  }
  for (unsigned reg = 1; reg < count; ++reg) {
    if (simple[reg] || !locations_[reg].empty()) continue;
    for (llvm::MCPhysReg sub : registers->subregs(reg)) {
      if (!simple[sub]) continue;
      const RegisterId location = locations_[sub].front();
      if (std::find(locations_[reg].begin(), locations_[reg].end(), location) == locations_[reg].end())
        locations_[reg].push_back(location);
    }
  }
  auto add_location = [&](RegisterId location, const std::string& name) {
    location_names_[location] = name;
    locations_by_name_[name] = location;
  };
  for (unsigned reg = 1; reg < count; ++reg)
    if (simple[reg] && locations_[reg].front() == reg) {
      std::string name = lower(registers->getName(reg));
      if (isa == Isa::riscv64 && name.size() > 2 && name[name.size() - 2] == '_') name.resize(name.size() - 2); // f10_d
      add_location(static_cast<RegisterId>(reg), name);
    }
  if (isa == Isa::x86) // st(i) moves through eight registers: numbers would not be those of the text
    for (unsigned number = 8; number-- > 0;)
      add_location(locations_[registers_by_name_.at("st" + std::to_string(number))].front(), "st");
  if (isa == Isa::x86) {
    constexpr const char* names[] = {"cf", "pf", "af", "zf", "sf", "of"};
    for (std::size_t i = 0; i < std::size(x86_flags); ++i)
      add_location(x86_flags[i], names[i]);
  }
  if (isa == Isa::aarch64)
    for (unsigned number = 0; number < 32; ++number) {
      const auto q = registers_by_name_.find("q" + std::to_string(number));
      if (q != registers_by_name_.end()) registers_by_name_["v" + std::to_string(number)] = q->second;
    }
  if (isa == Isa::aarch64) {
    registers_by_name_["x29"] = registers_by_name_.at("fp"); // LLVM names them by role, text by number
    registers_by_name_["x30"] = registers_by_name_.at("lr");
    add_location(locations_[registers_by_name_["x29"]].front(), "x29");
    add_location(locations_[registers_by_name_["x30"]].front(), "x30");
  }
  if (isa == Isa::riscv64) {
    constexpr const char* integer[] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
                                       "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                       "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
    constexpr const char* floating[] = {"ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0",
                                        "fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5",
                                        "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
    for (unsigned number = 0; number < 32; ++number) {
      registers_by_name_[integer[number]] = registers_by_name_.at("x" + std::to_string(number));
      const unsigned d = registers_by_name_.at("f" + std::to_string(number) + "_d");
      registers_by_name_[floating[number]] = d;
      registers_by_name_["f" + std::to_string(number)] = d;
    }
    registers_by_name_["fp"] = registers_by_name_.at("x8");
    // Reports speak of registers as the text does.
    for (unsigned number = 1; number < 32; ++number)
      add_location(locations_[registers_by_name_.at("x" + std::to_string(number))].front(), integer[number]);
    for (unsigned number = 0; number < 32; ++number)
      add_location(locations_[registers_by_name_.at("f" + std::to_string(number))].front(), floating[number]);
  }
}

llvm::MCRegister Target::register_named(std::string_view name) const {
  const auto found = registers_by_name_.find(std::string(name));
  return found == registers_by_name_.end() ? llvm::MCRegister() : llvm::MCRegister(found->second);
}

std::string Target::location_name(RegisterId location) const {
  const auto found = location_names_.find(location);
  return found == location_names_.end() ? "" : found->second;
}

RegisterId Target::location_named(std::string_view name) const {
  const auto found = locations_by_name_.find(std::string(name));
  if (found != locations_by_name_.end()) return found->second;
  const llvm::MCRegister reg = register_named(name);
  return reg.isValid() && locations(reg).size() == 1 ? locations(reg).front() : RegisterId{0};
}

std::string register_name(Isa isa, RegisterId location) {
  return Target::get(isa).location_name(location);
}
RegisterId register_number(Isa isa, std::string_view name) {
  return Target::get(isa).location_named(name);
}

} // namespace corecast
