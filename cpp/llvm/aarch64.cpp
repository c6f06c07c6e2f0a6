// AArch64: operands, memory accesses with width and write-back.
#include "aarch64_text.hpp"
#include "describe.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace corecast {
namespace {

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> stems) {
  return std::any_of(stems.begin(), stems.end(), [&](std::string_view stem) { return text.starts_with(stem); });
}

/// What memory sees of a mnemonic that has a memory operand; LLVM lists ordered and exclusive accesses as both.
struct Accesses {
  bool read = false;
  bool write = false;
};

Accesses memory_accesses(std::string_view mnemonic, const std::vector<std::string>& operands,
                         const llvm::MCInstrDesc& desc) {
  if (mnemonic.starts_with("prf") || mnemonic == "adr" || mnemonic == "ic") return {};
  if (mnemonic == "dc") // cache maintenance but for zeroing moves no data
    return {false, !operands.empty() && operands[0].find("zva") != std::string::npos};
  const bool atomic = (mnemonic.starts_with("ld") || mnemonic.starts_with("st")) &&
                      starts_with_any(mnemonic.substr(2), {"add", "clr", "eor", "set", "smax", "smin", "umax", "umin"});
  if (atomic) return {true, true};
  if (mnemonic.starts_with("ld")) return {true, false};
  if (mnemonic.starts_with("st")) return {false, true};
  return {desc.mayLoad(), desc.mayStore()};
}

/// Bytes that one access of a load or store moves; 0 where the vector length decides.
std::uint32_t access_width(std::string_view mnemonic, const std::vector<std::string>& operands, std::size_t memory_at) {
  auto register_bytes = [](std::string_view word) -> std::uint32_t {
    if (word.starts_with('{')) word = trim(word.substr(1));
    if (word.empty()) return 0;
    switch (word.front()) {
    case 'b':
      return 1;
    case 'h':
      return 2;
    case 's':
      return word.starts_with("sp") ? 8 : 4;
    case 'w':
      return 4;
    case 'd':
    case 'x':
      return 8;
    case 'q':
      return 16;
    case 'v': {
      const std::size_t dot = word.find('.');
      if (dot == std::string_view::npos) return 16;
      const std::string_view arrangement = word.substr(dot + 1, word.find_first_of("[,} ", dot) - dot - 1);
      if (arrangement == "8b" || arrangement == "4h" || arrangement == "2s" || arrangement == "1d") return 8;
      if (arrangement == "b") return 1;
      if (arrangement == "h") return 2;
      if (arrangement == "s") return 4;
      if (arrangement == "d") return 8;
      return 16;
    }
    default:
      return 0;
    }
  };
  if (mnemonic == "dc" || mnemonic.starts_with("ld64b") || mnemonic.starts_with("st64b")) return 64;
  // Memory tags belong to aligned granules of 16 bytes, whatever the register that names the tag.
  if (mnemonic == "stg" || mnemonic == "stzg") return 16;
  if (mnemonic == "st2g" || mnemonic == "stz2g") return 32;
  if (mnemonic.starts_with("ld1r") && !operands.empty() &&
      operands[0].find('z') != std::string::npos) // one element or block
    return mnemonic.starts_with("ld1rq")   ? 16
           : mnemonic.starts_with("ld1ro") ? 32
           : mnemonic.ends_with("b")       ? 1
           : mnemonic.ends_with("h")       ? 2
           : mnemonic.ends_with("w")       ? 4
                                           : 8;
  if (operands.empty() || memory_at == 0) return 0;
  const bool exclusive_store =
      starts_with_any(mnemonic, {"stx", "stlx", "sttx", "stltx"}); // stxr w, x, [x]: status first
  const std::string_view first = operands[exclusive_store && operands.size() > 2 ? 1 : 0];
  if (first.find("z") == 0 || first.starts_with("{ z") || first.starts_with("{z") || first.starts_with("p")) return 0;
  const bool vector = first.starts_with('{') || first.starts_with('v');
  if (!vector) {
    if (mnemonic.ends_with("sw") || mnemonic.ends_with("psw")) return mnemonic.starts_with("ldp") ? 8 : 4;
    if (mnemonic.starts_with("ld") || mnemonic.starts_with("st") || mnemonic.starts_with("cas") ||
        mnemonic.starts_with("swp")) {
      if (mnemonic.ends_with("b") && first.front() != 'b') return 1;
      if (mnemonic.ends_with("h") && first.front() != 'h') return 2;
    }
  }
  std::uint32_t count = 1;
  if (starts_with_any(mnemonic, {"ldp", "stp", "ldnp", "stnp", "ldtp", "sttp", "ldxp", "stxp", "ldaxp", "stlxp",
                                 "ldiapp", "stilp", "casp"}))
    count = 2;
  else if (vector)
    count = static_cast<std::uint32_t>(std::count(first.begin(), first.end(), 'v'));
  if (vector && (mnemonic.ends_with("r")) && mnemonic.size() == 4) // ld1r: one element
  {
    const std::size_t dot = first.find('.');
    const char element = dot == std::string_view::npos ? 'd' : first[first.find_first_of("bhsd", dot)];
    return (element == 'b' ? 1U : element == 'h' ? 2U : element == 's' ? 4U : 8U) * count;
  }
  return register_bytes(first) * count;
}

} // namespace

void Describer::describe_aarch64(Instruction& out, const llvm::MCInst& inst, const llvm::MCInstrDesc& desc,
                                 const PrintedInstruction& printed) {
  out.form = aarch64_form(printed);
  out.macro_prefix = printed.mnemonic == "movprfx";
  std::vector<Slot> slots = register_slots(inst, desc);
  const bool memory_mnemonic = is_memory_mnemonic(printed.mnemonic);
  const bool prefetch = printed.mnemonic.starts_with("prf");

  MemoryAccess access;
  bool has_memory = false;
  std::size_t memory_at = 0;
  for (std::size_t position = 0; position < printed.operands.size(); ++position) {
    const std::string& text = printed.operands[position];
    const bool memory = text.front() == '[' || (printed.mnemonic == "dc" && position > 0);
    if (memory) {
      has_memory = true;
      memory_at = position;
      if (text.back() == '!')
        access.write_back = WriteBack::pre;
      else if (position + 1 < printed.operands.size() && memory_mnemonic && !prefetch)
        access.write_back = WriteBack::post;
    }
    unsigned registers_seen = 0;
    Operand list; // every register of one operand
    list.id = static_cast<OperandId>(position + 1);
    std::size_t i = 0;
    std::int64_t number = 0;
    while (i < text.size()) {
      if (!is_word_char(text[i])) {
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < text.size() && (is_word_char(text[end]) || text[end] == '/'))
        ++end;
      const std::string_view word = std::string_view(text).substr(i, end - i);
      const bool amount = i > 0 && text[i - 1] == '#';
      const bool negative = i > 1 && text[i - 1] == '-' && text[i - 2] == '#';
      RegisterWord reg;
      if (!amount && !negative && read_register(word, reg)) {
        ++registers_seen;
        const llvm::MCRegister named = reg.zero ? llvm::MCRegister() : target_.register_named(reg.lookup);
        const RegisterId location =
            named && !target_.locations(named).empty() ? target_.locations(named).front() : RegisterId{0};
        const bool listed = std::any_of(list.registers.begin(), list.registers.end(),
                                        [&](const RegisterUse& use) { return use.reg == location; });
        Slot* slot = location == 0 || listed ? nullptr : take_slot(slots, location);
        if (slot != nullptr && memory) {
          const bool vector = reg.lookup.front() == 'z' || reg.lookup.front() == 'v';
          Operand operand;
          // "[z1.d, x2]": the scalar is the base though it comes second.
          operand.id = !vector && access.base == 0 ? operand_id::address : operand_id::index;
          operand.read = true;
          operand.write = slot->write;
          operand.registers.push_back({location, Part::full, true, slot->write});
          if (operand.id == operand_id::address)
            access.base = location;
          else {
            access.index = location;
            access.vector_index = vector;
          }
          out.operands.push_back(std::move(operand));
        } else if (slot != nullptr) {
          for (RegisterId each : target_.locations(slot->reg))
            list.registers.push_back({each, Part::full, slot->read, slot->write});
          list.read |= slot->read;
          list.write |= slot->write;
        }
      } else if (!memory && word.starts_with("za") &&
                 word.find_first_not_of("za0123456789hvbsdq.") == std::string_view::npos) {
        // Tiles and slices are parts of one array; what is written merges with the rest of it.
        const bool written = position == 0 && !printed.mnemonic.starts_with("st");
        const RegisterUse use{target_.location_named("za"), Part::full, printed.mnemonic != "zero", written};
        list.read |= use.read;
        list.write |= use.write;
        if (list.registers.empty()) list.registers.push_back(use);
      } else if (memory && (amount || negative)) {
        if (parse_integer(word, number)) {
          const bool scales = text.rfind("lsl #", i) != std::string::npos ||
                              text.rfind("xtw #", i) != std::string::npos ||
                              text.rfind("sxtx #", i) != std::string::npos;
          if (text.find("mul vl", i) != std::string::npos) // multiples of the vector length
            access.symbol = "vl*" + std::string(negative ? "-" : "") + std::string(word);
          else if (scales)
            access.scale = static_cast<std::uint8_t>(1U << std::min<std::int64_t>(number, 7));
          else
            access.displacement = negative ? -number : number;
        }
      } else if (memory && registers_seen > 0 && !is_shift_word(word) && word != "mul" && word != "vl") {
        access.symbol = text.substr(i, text.find(']', i) - i);
        break;
      }
      i = end;
    }
    if (!list.registers.empty()) {
      if (!memory && position > memory_at && has_memory && access.write_back == WriteBack::post) {
        list.id = operand_id::index; // register post-index
      }
      out.operands.push_back(std::move(list));
    } else if (!memory && registers_seen == 0) {
      Operand operand;
      operand.id = static_cast<OperandId>(position + 1);
      operand.kind =
          out.branch != Branch::none && position + 1 == printed.operands.size() ? OperandKind::label : OperandKind::imm;
      out.operands.push_back(std::move(operand));
    }
  }
  if (has_memory && access.write_back == WriteBack::post && memory_at + 1 < printed.operands.size())
    access.displacement = 0;
  const Accesses accesses = memory_accesses(printed.mnemonic, printed.operands, desc);
  if (!has_memory && printed.mnemonic.starts_with("ldr") && printed.operands.size() == 2) { // "ldr x0, constant"
    has_memory = true;
    memory_at = 1;
    access.pc_relative = true;
    std::int64_t distance = 0;
    if (parse_integer(printed.operands[1], distance))
      access.displacement = distance - out.length_bytes; // as on x86, from the end of the instruction
    else
      access.symbol = printed.operands[1];
    std::erase_if(out.operands, [](const Operand& operand) { return operand.id == 2; });
  }
  if (has_memory && (accesses.read || accesses.write)) {
    access.read = accesses.read;
    access.write = accesses.write;
    access.width_bytes = access_width(printed.mnemonic, printed.operands, memory_at);
    add_memory(out, access);
  }
  if (!has_memory) add_unprinted(out, slots); // lr, ffr, untied definitions
  add_implicit_registers(out, desc);
  const RegisterId array = target_.location_named("za");
  const bool array_named = std::any_of(out.operands.begin(), out.operands.end(), [&](const Operand& operand) {
    return !operand.implicit && !operand.registers.empty() && operand.registers.front().reg == array;
  });
  if (array_named)
    std::erase_if(out.operands, [&](const Operand& o) { return o.implicit && o.registers.front().reg == array; });
  if (printed.mnemonic == "mrs" || printed.mnemonic == "msr" || printed.mnemonic == "smstart" ||
      printed.mnemonic == "smstop") {
    // LLVM lists the flags with every read of a system register; only these touch them.
    const std::size_t at = printed.mnemonic == "mrs" ? 1 : 0;
    const bool flags =
        at < printed.operands.size() && (printed.operands[at] == "NZCV" || printed.operands[at] == "nzcv");
    out.operands.erase(std::remove_if(out.operands.begin(), out.operands.end(),
                                      [](const Operand& o) { return o.id == operand_id::flags; }),
                       out.operands.end());
    if (flags) {
      const bool reads = printed.mnemonic == "mrs";
      Operand operand;
      operand.id = operand_id::flags;
      operand.implicit = true;
      operand.read = reads;
      operand.write = !reads;
      operand.registers.push_back({target_.location_named("nzcv"), Part::full, reads, !reads});
      out.operands.push_back(std::move(operand));
    }
  }
}

} // namespace corecast
