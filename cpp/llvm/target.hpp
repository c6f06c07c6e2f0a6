// LLVM's description of one ISA, created once per process and shared read-only by all readers.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "isa.hpp"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace corecast {

/// What the text form of an operand calls a register.
enum class RegisterClass : std::uint8_t {
  none,
  x86_low8,
  x86_high8,
  x86_16,
  x86_32,
  x86_64,
  x86_mmx,
  x86_xmm,
  x86_ymm,
  x86_zmm,
  x86_mask,
  x86_stack,
  x86_segment,
  x86_control,
  x86_debug,
  x86_tile,
  x86_bound,
  other
};

class Target {
public:
  /// The one instance of an ISA. Thread-safe.
  static const Target& get(Isa isa);

  Isa isa;
  llvm::Triple triple;
  const llvm::Target* target = nullptr;
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget; // every feature that user code may use

  /// A printer of canonical text; printers hold state, so each reader owns its own.
  std::unique_ptr<llvm::MCInstPrinter> make_printer(bool aliases = true) const;

  /// A subtarget for a CPU that LLVM names (scheduling model included); nullptr where LLVM does not know it.
  std::unique_ptr<llvm::MCSubtargetInfo> make_subtarget(std::string_view cpu) const;

  /// The locations that an LLVM register stands for: one, several for register tuples, none for zero registers, program
  /// counters and control registers whose dependencies are not modelled.
  const std::vector<RegisterId>& locations(llvm::MCRegister reg) const { return locations_[reg.id()]; }
  Part part(llvm::MCRegister reg) const { return parts_[reg.id()]; }
  RegisterClass register_class(llvm::MCRegister reg) const { return classes_[reg.id()]; }

  /// What an opcode needs of a core (cpp/machine/extensions.hpp). Remembered; thread-safe.
  std::uint16_t requirement(unsigned opcode) const;

  /// The LLVM register that the canonical text calls `name` ("rax", "x0", "v8", "a0", "fa0"), 0 where none.
  /// Vector registers of AArch64 are looked up by their widest name (v3, q3, d3 give z3's location through
  /// `locations`).
  llvm::MCRegister register_named(std::string_view name) const;

  /// "rax", "zmm0", "x0", "z3", "v8", "zf", "nzcv"; "" for 0.
  std::string location_name(RegisterId location) const;
  /// The location of that name, 0 where there is none.
  RegisterId location_named(std::string_view name) const;

private:
  explicit Target(Isa isa);
  void build_register_tables();

  mutable std::vector<std::atomic<std::uint32_t>> requirements_; // by opcode
  std::vector<std::vector<RegisterId>> locations_;
  std::vector<Part> parts_;
  std::vector<RegisterClass> classes_;
  std::unordered_map<std::string, unsigned> registers_by_name_;
  std::unordered_map<RegisterId, std::string> location_names_;
  std::unordered_map<std::string, RegisterId> locations_by_name_;
};

/// Locations beyond LLVM's registers: the x86 condition flags, one each.
enum X86Flag : RegisterId { flag_cf = first_flag, flag_pf, flag_af, flag_zf, flag_sf, flag_of };
inline constexpr RegisterId x86_flags[] = {flag_cf, flag_pf, flag_af, flag_zf, flag_sf, flag_of};

} // namespace corecast
