// RISC-V: form keys, memory operands, and the vector configuration that vsetvli leaves behind.
#include "describe.hpp"
#include "requirements.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace corecast {
namespace {

constexpr std::array<std::string_view, 6> rounding_modes{"rne", "rtz", "rdn", "rup", "rmm", "dyn"};

bool is_vector_register(std::string_view text) {
  return text.size() > 1 && text[0] == 'v' && text.substr(1).find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_rounding_mode(std::string_view text) {
  return std::find(rounding_modes.begin(), rounding_modes.end(), text) != rounding_modes.end();
}

bool is_vector_type_word(std::string_view text) {
  return text.size() > 1 && text[0] == 'e' && std::isdigit(static_cast<unsigned char>(text[1])) != 0;
}

bool sets_vector_type(std::string_view mnemonic) {
  return mnemonic == "vsetvli" || mnemonic == "vsetivli";
}

std::string register_key(std::string_view text) {
  if (is_vector_register(text)) return "v";
  const bool floating = text[0] == 'f' && text != "fp";
  return floating ? "f" : "x";
}

struct MemoryText {
  bool is_memory = false;
  std::string displacement;
  std::string base;
};

/// "8(a0)", "%lo(sym)(a0)", "(a0)".
MemoryText read_memory(std::string_view text) {
  MemoryText result;
  if (text.empty() || text.back() != ')') return result;
  const std::size_t open = text.rfind('(');
  result.base = trim(text.substr(open + 1, text.size() - open - 2));
  result.displacement = trim(text.substr(0, open));
  result.is_memory = true;
  return result;
}

/// Reads "e64, m2, ta, ma" (as several operands from `first` on).
VectorType read_vector_type(const std::vector<std::string>& operands, std::size_t first) {
  VectorType type;
  type.tail_agnostic = false;
  type.mask_agnostic = false;
  for (std::size_t i = first; i < operands.size(); ++i) {
    const std::string& word = operands[i];
    if (word.size() > 1 && word[0] == 'e') {
      type.element_bits = static_cast<unsigned>(std::atoi(word.c_str() + 1));
      type.known = type.element_bits != 0;
    } else if (word.size() > 1 && word[0] == 'm' && std::isdigit(static_cast<unsigned char>(word[1])) != 0) {
      type.lmul_log2 = word[1] == '8' ? 3 : word[1] == '4' ? 2 : word[1] == '2' ? 1 : 0;
    } else if (word.size() > 2 && word[0] == 'm' && word[1] == 'f') {
      type.lmul_log2 = word[2] == '8' ? -3 : word[2] == '4' ? -2 : -1;
    } else if (word == "ta") {
      type.tail_agnostic = true;
    } else if (word == "ma") {
      type.mask_agnostic = true;
    }
  }
  return type;
}

std::string lmul_name(int log2) {
  static constexpr std::string_view names[] = {"mf8", "mf4", "mf2", "m1", "m2", "m4", "m8"};
  return log2 >= -3 && log2 <= 3 ? std::string(names[log2 + 3]) : "m1";
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> stems) {
  return std::any_of(stems.begin(), stems.end(), [&](std::string_view stem) { return text.starts_with(stem); });
}

/// Whether the last operand of the text is where a branch goes ("bexti" is none).
bool takes_target(std::string_view mnemonic) {
  constexpr std::array<std::string_view, 16> names{"beq",  "bne",  "blt",  "bge",  "bltu", "bgeu", "beqz", "bnez",
                                                   "bltz", "bgez", "blez", "bgtz", "j",    "jal",  "call", "tail"};
  return std::find(names.begin(), names.end(), mnemonic) != names.end();
}

/// Position of the control and status register in the text: "csrr a0, vlenb", "csrw fcsr, a0", "csrrw a0, fcsr, a1"; -1
/// none.
int csr_position(std::string_view mnemonic) {
  if (!mnemonic.starts_with("csr")) return -1;
  return mnemonic.starts_with("csrr") ? 1 : 0;
}

/// 32 of vle32.v, vlseg2e32ff.v and vluxei32.v; 0 where the mnemonic names no width.
unsigned element_bits(std::string_view mnemonic) {
  unsigned bits = 0;
  for (std::size_t i = 0; i + 1 < mnemonic.size(); ++i)
    if ((mnemonic[i] == 'e' || mnemonic[i] == 'i') && std::isdigit(static_cast<unsigned char>(mnemonic[i + 1])) != 0)
      std::from_chars(mnemonic.data() + i + 1, mnemonic.data() + mnemonic.size(), bits);
  return bits;
}

bool is_vector_load_store(std::string_view mnemonic) {
  return starts_with_any(mnemonic, {"vle", "vse", "vls", "vss", "vlu", "vlo", "vsu", "vso", "vl1", "vl2", "vl4", "vl8",
                                    "vs1", "vs2", "vs4", "vs8", "vlm", "vsm"}) &&
         !starts_with_any(mnemonic, {"vset", "vsext", "vslide", "vsll", "vsrl", "vsra", "vssr", "vsub", "vssub",
                                     "vsmul", "vsadd", "vsha", "vsm3", "vsm4", "vsbc"});
}

/// LMUL (as log2) of elements of `bits` where elements of `base_bits` have `log2`.
int scaled(int log2, unsigned bits, unsigned base_bits) {
  for (; base_bits < bits; base_bits *= 2)
    ++log2;
  for (; base_bits > bits && bits != 0; base_bits /= 2)
    --log2;
  return log2;
}

/// vadc.vvm, vmerge.vxm, vcompress.vm: the last operand is a mask, without ".t".
bool takes_mask_last(std::string_view mnemonic) {
  return mnemonic.ends_with(".vvm") || mnemonic.ends_with(".vxm") || mnemonic.ends_with(".vim") ||
         mnemonic.ends_with(".vfm") || mnemonic == "vcompress.vm";
}

/// Width and LMUL that a vector instruction works with: loads and stores name their own width, and the group follows it
/// (effective LMUL = LMUL * EEW / SEW); the data of indexed ones are as the configuration says.
VectorType effective_type(std::string_view mnemonic, VectorType type) {
  const unsigned bits = element_bits(mnemonic);
  const bool whole = mnemonic.size() > 2 && std::isdigit(static_cast<unsigned char>(mnemonic[2])) != 0;
  if (!type.known || bits == 0 || whole || !is_vector_load_store(mnemonic) ||
      mnemonic.find("ei") != std::string_view::npos)
    return type;
  for (; type.element_bits < bits; type.element_bits *= 2)
    ++type.lmul_log2;
  for (; type.element_bits > bits; type.element_bits /= 2)
    --type.lmul_log2;
  return type;
}

/// Registers of the group that vector operand `position` (0-based) spans: the effective LMUL of the V specification
/// (version 1.0, sections 5.2, 7, 10 to 16), at least one.
unsigned group_size(std::string_view mnemonic, std::size_t position, std::size_t operand_count, bool is_mask,
                    const VectorType& type) {
  if (is_mask) return 1;
  int log2 = type.known ? type.lmul_log2 : 0;
  unsigned fields = 1;
  const auto digit_after = [&](std::string_view stem) -> unsigned {
    const std::size_t at = mnemonic.find(stem);
    unsigned value = 0;
    if (at != std::string_view::npos)
      std::from_chars(mnemonic.data() + at + stem.size(), mnemonic.data() + mnemonic.size(), value);
    return value;
  };
  if (is_vector_load_store(mnemonic)) {
    if (mnemonic.starts_with("vlm") || mnemonic.starts_with("vsm")) return 1;
    if (std::isdigit(static_cast<unsigned char>(mnemonic[2])) != 0)
      return static_cast<unsigned>(mnemonic[2] - '0'); // whole registers
    if (mnemonic.find("seg") != std::string_view::npos) fields = std::max(1U, digit_after("seg"));
    const bool index = mnemonic.find("ei") != std::string_view::npos && position > 0;
    if (!index)
      log2 = effective_type(mnemonic, type).lmul_log2;
    else if (type.known)
      log2 = scaled(log2, element_bits(mnemonic), type.element_bits);
    if (index) fields = 1;
    if (!type.known) log2 = 0;
  } else if (starts_with_any(mnemonic, {"vmv.x.s", "vmv.s.x", "vfmv.f.s", "vfmv.s.f"}) || mnemonic.ends_with(".mm") ||
             (mnemonic.ends_with(".m") && (position > 0 || mnemonic != "viota.m"))) {
    return 1;
  } else if (takes_mask_last(mnemonic) && position + 1 == operand_count) {
    return 1;
  } else if (mnemonic.starts_with("vrgatherei16") && position == 2) {
    if (type.known) log2 = scaled(log2, 16, type.element_bits);
  } else if (mnemonic.starts_with("vmv") && mnemonic.ends_with("r.v")) {
    return static_cast<unsigned>(mnemonic[3] - '0');
  } else if (starts_with_any(mnemonic, {"vred", "vfred", "vwred", "vfwred"})) {
    if (position != 1) return 1;
  } else if (starts_with_any(mnemonic, {"vms", "vmf", "vmadc"}) && position == 0) {
    return 1; // mask results
  } else if (starts_with_any(mnemonic, {"vw", "vfw"})) {
    if (position == 0 || (position == 1 && mnemonic.find(".w") != std::string_view::npos)) ++log2;
  } else if (starts_with_any(mnemonic, {"vns", "vnc", "vfncvt"})) {
    if (position == 1) ++log2;
  } else if (starts_with_any(mnemonic, {"vzext", "vsext"}) && position == 1) {
    log2 -= mnemonic.ends_with("vf8") ? 3 : mnemonic.ends_with("vf4") ? 2 : 1;
  }
  const unsigned registers = log2 <= 0 ? 1U : 1U << std::min(log2, 3);
  return registers * fields;
}

std::uint32_t scalar_width(std::string_view mnemonic) {
  constexpr std::array<std::pair<std::string_view, std::uint32_t>, 18> widths{{{"lb", 1},
                                                                               {"lbu", 1},
                                                                               {"lh", 2},
                                                                               {"lhu", 2},
                                                                               {"lw", 4},
                                                                               {"lwu", 4},
                                                                               {"ld", 8},
                                                                               {"sb", 1},
                                                                               {"sh", 2},
                                                                               {"sw", 4},
                                                                               {"sd", 8},
                                                                               {"flh", 2},
                                                                               {"flw", 4},
                                                                               {"fld", 8},
                                                                               {"fsh", 2},
                                                                               {"fsw", 4},
                                                                               {"fsd", 8},
                                                                               {"cbo.zero", 64}}};
  for (const auto& [name, width] : widths)
    if (mnemonic == name) return width;
  if (mnemonic.starts_with("lr.") || mnemonic.starts_with("sc.") || mnemonic.starts_with("amo"))
    switch (mnemonic[mnemonic.find('.') + 1]) {
    case 'b':
      return 1;
    case 'h':
      return 2;
    case 'w':
      return 4;
    case 'd':
      return 8;
    case 'q':
      return 16;
    default:
      return 0;
    }
  return 0;
}

} // namespace

std::string riscv_form(const PrintedInstruction& printed) {
  std::string form = printed.mnemonic;
  bool first = true;
  const int csr = csr_position(printed.mnemonic);
  for (const std::string& operand : printed.operands) {
    if (is_rounding_mode(operand)) continue;
    if (sets_vector_type(printed.mnemonic) && is_vector_type_word(operand)) {
      form += ", vtype";
      break;
    }
    form += first ? " " : ", ";
    first = false;
    const MemoryText memory = read_memory(operand);
    std::int64_t number = 0;
    const Target& target = Target::get(Isa::riscv64);
    if (csr >= 0 && &operand == &printed.operands[static_cast<std::size_t>(csr)])
      form += parse_integer(operand, number) ? "i" : operand;
    else if (memory.is_memory && target.register_named(memory.base))
      form += memory.displacement.empty() ? "(x)" : "i(x)";
    else if (operand == "v0.t")
      form += operand;
    else if (is_vector_register(operand) || target.register_named(operand))
      form += register_key(operand);
    else if (parse_integer(operand, number) || operand.front() == '%' || printed.mnemonic.starts_with("fli."))
      form += "i";
    else if (printed.mnemonic.starts_with("fence"))
      form += "ordering";
    else
      form += "rel";
  }
  if (takes_target(printed.mnemonic)) { // decoded targets print as numbers
    const std::size_t last = form.rfind(", i");
    if (last != std::string::npos && last + 3 == form.size())
      form.replace(last, 3, ", rel");
    else if (form.ends_with(" i"))
      form.replace(form.size() - 1, 1, "rel");
  }
  return form;
}

void Describer::describe_riscv(Instruction& out, const llvm::MCInst& inst, const llvm::MCInstrDesc& desc,
                               const PrintedInstruction& printed) {
  out.form = riscv_form(printed);
  std::vector<Slot> slots = register_slots(inst, desc);
  const bool vector = printed.mnemonic.front() == 'v';
  const bool prefetch = printed.mnemonic.starts_with("prefetch");
  bool masked = false;
  std::size_t position_id = 0;
  for (const std::string& text : printed.operands) {
    if (is_rounding_mode(text)) continue;
    const std::size_t position = position_id++;
    const auto id = static_cast<OperandId>(position + 1);
    const MemoryText memory = read_memory(text);
    if (memory.is_memory && target_.register_named(memory.base)) {
      const llvm::MCRegister base = target_.register_named(memory.base);
      MemoryAccess access;
      if (!target_.locations(base).empty()) {
        access.base = target_.locations(base).front();
        take_slot(slots, access.base);
        Operand operand;
        operand.id = operand_id::address;
        operand.read = true;
        operand.registers.push_back({access.base, Part::full, true, false});
        out.operands.push_back(std::move(operand));
      }
      if (!memory.displacement.empty() && !parse_integer(memory.displacement, access.displacement))
        access.symbol = memory.displacement;
      access.width_bytes = scalar_width(printed.mnemonic);
      const bool cache_operation = printed.mnemonic.starts_with("cbo.") && printed.mnemonic != "cbo.zero";
      access.read = desc.mayLoad() && !cache_operation;
      access.write = desc.mayStore() && !cache_operation;
      if (vector && position_id < printed.operands.size()) { // strided or indexed: many addresses, none of them known
        const llvm::MCRegister index = target_.register_named(printed.operands[position_id]);
        if (index && !target_.locations(index).empty()) {
          access.index = target_.locations(index).front();
          access.vector_index = true;
        }
      }
      if (!prefetch && (access.read || access.write)) add_memory(out, access);
      continue;
    }
    const bool mask = text == "v0.t";
    const llvm::MCRegister named = target_.register_named(mask ? "v0" : text);
    if (!named) {
      Operand operand;
      operand.id = id;
      operand.kind = out.branch != Branch::none ? OperandKind::label : OperandKind::imm;
      out.operands.push_back(std::move(operand));
      continue;
    }
    if (target_.locations(named).empty()) continue; // zero
    masked |= mask;
    const RegisterId location = target_.locations(named).front();
    Slot* slot = take_slot(slots, location);
    Slot fixed{named, true, false, true};
    if (slot == nullptr) {
      // Compressed encodings have one operand for "add a0, a0, a1"'s first two: the second does the reading.
      slot = &fixed;
      for (Operand& earlier : out.operands)
        if (earlier.read && earlier.write && earlier.id < operand_id::memory &&
            earlier.registers.front().reg == location) {
          earlier.read = false;
          earlier.registers.front().read = false;
        }
    }
    Operand operand;
    operand.id = mask ? operand_id::mask : id;
    operand.read = slot->read;
    operand.write = slot->write;
    if (is_vector_register(mask ? "v0" : text)) {
      const unsigned count = group_size(printed.mnemonic, position, printed.operands.size(), mask, vector_type_);
      for (unsigned i = 0;
           i < count && is_vector_register(target_.location_name(static_cast<RegisterId>(location + i))); ++i)
        operand.registers.push_back({static_cast<RegisterId>(location + i), Part::full, slot->read, slot->write});
    } else {
      for (RegisterId each : target_.locations(slot->reg)) // amocas.q works on pairs
        operand.registers.push_back({each, Part::full, slot->read, slot->write});
    }
    out.operands.push_back(std::move(operand));
  }
  // Undisturbed elements keep their old value: the destination is then read too.
  const bool undisturbed =
      printed.mnemonic.starts_with("vslideup.") || // keeps the elements below the offset
      (vector_type_.known && (!vector_type_.tail_agnostic || (masked && !vector_type_.mask_agnostic)));
  if (vector && undisturbed && !sets_vector_type(printed.mnemonic))
    for (Operand& operand : out.operands)
      if (operand.write && !operand.registers.empty() && operand.id < operand_id::memory &&
          target_.location_name(operand.registers.front().reg).starts_with('v')) {
        operand.read = true;
        for (RegisterUse& use : operand.registers)
          use.read = true;
      }
  add_unprinted(out, slots); // "ret" is a jump to ra
  add_implicit_registers(out, desc);
  if (printed.mnemonic == "vsetvli" && printed.operands[0] == "zero" && printed.operands[1] == "zero") // keeps vl
    std::erase_if(out.operands, [&](const Operand& operand) {
      return operand.implicit && operand.registers.front().reg == target_.location_named("vl");
    });
  if (sets_vector_type(printed.mnemonic) && printed.operands.size() > 2) {
    vector_type_ = read_vector_type(printed.operands, 2);
    // Version 0.7.1 has the instruction, but neither agnostic elements nor fractional groups.
    static const std::uint16_t version_1 = requirement_called(Isa::riscv64, "v|zve32x");
    if (vector_type_.tail_agnostic || vector_type_.mask_agnostic || vector_type_.lmul_log2 < 0)
      out.requirement = version_1;
  } else if (printed.mnemonic == "vsetvl")
    vector_type_ = VectorType{};
  else if (vector && vector_type_.known) {
    const std::string bare = out.form;
    const VectorType type = effective_type(printed.mnemonic, vector_type_);
    const std::string lmul = " @" + lmul_name(type.lmul_log2);
    out.form = bare + lmul + ",e" + std::to_string(type.element_bits);
    out.alternative_forms.push_back(bare + lmul);
    out.alternative_forms.push_back(bare);
  }
}

} // namespace corecast
