#include "decoder.hpp"

#include "walk_code.hpp"

#include "llvm/MC/MCContext.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <vector>

namespace corecast {

class Decoder::Implementation {
public:
  Implementation(Isa isa, std::size_t most_remembered)
      : target_(Target::get(isa)),
        context_(target_.triple, target_.assembly.get(), target_.registers.get(), target_.subtarget.get()),
        decoder_(target_.target->createMCDisassembler(*target_.subtarget, context_)), describer_(target_, context_),
        most_remembered_(std::max<std::size_t>(1, most_remembered)) {
    forget();
  }

  bool decode(std::span<const std::uint8_t> code, std::uint64_t address) {
    if (entries_.size() > most_remembered_) forget();
    ++block_;
    items.clear();
    copies_used_ = 0;
    if (copies_.size() > most_copies) copies_.clear();
    describer_.set_state({});
    return append(code, address);
  }

  bool append(std::span<const std::uint8_t> code, std::uint64_t address) {
    const llvm::ArrayRef<std::uint8_t> all(code.data(), code.size());
    problem.clear();
    walk_code(
        *decoder_, target_.isa, all, address,
        [&](const llvm::MCInst& inst, CodeSpan span, const std::string& prefixes) -> Entry& {
          start_ = address + span.start;
          const llvm::ArrayRef<std::uint8_t> bytes = all.slice(span.start, span.end - span.start);
          Entry& entry = find(inst, bytes, false, prefixes);
          return entry.lone_prefix && span.last ? find(inst, bytes, true, prefixes) : entry;
        },
        [&](Entry& entry) { items.push_back({&place(entry), entry.id}); },
        [&](std::size_t start, std::size_t end, bool undecodable) {
          if (undecodable) problem = undecodable_text(all.slice(start, end - start), start);
          return !undecodable;
        });
    return problem.empty();
  }

  std::vector<Item> items;
  std::string problem;
  std::uint64_t generation = 0;

private:
  static constexpr std::size_t most_copies = 1024;  // kept for later blocks
  static constexpr std::size_t bytes_in_place = 16; // x86 instructions are shorter, but for useless prefixes
  static constexpr std::uint64_t described_at = std::uint64_t{1}
                                                << 40; // so that no branch leads to -1, which means none

  struct Entry : Described {
    std::uint64_t hash = 0;
    std::array<std::uint8_t, bytes_in_place> head{}; // of the encoding, here rather than far away
    std::uint64_t block = 0;                         // the last in which it stood
    std::uint64_t target_offset = 0;                 // from its address to the branch target, modulo 2^64
    bool has_target = false;
    std::uint32_t id = 0;
    unsigned opcode = 0;
    unsigned flags = 0;
    bool last = false; // a prefix that nothing follows
    Describer::State before;
    Describer::State after;
  };

  struct Slot {
    Entry* entry = nullptr;
    std::uint32_t tag = 0; // of the entry's hash: most others need not be looked at
  };

  void forget() {
    entries_.clear();
    table_.assign(std::bit_ceil(std::min<std::size_t>(most_remembered_, 1U << 20) * 2), Slot{});
    ++generation;
  }

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

  static bool same_code(const Entry& entry, llvm::ArrayRef<std::uint8_t> bytes) {
    const std::vector<std::uint8_t>& own = entry.instruction.bytes;
    if (own.size() != bytes.size()) return false;
    if (own.size() <= bytes_in_place) return std::equal(bytes.begin(), bytes.end(), entry.head.begin());
    return std::equal(bytes.begin(), bytes.end(), own.begin());
  }

  static std::uint64_t hash_of(const llvm::MCInst& inst, llvm::ArrayRef<std::uint8_t> bytes,
                               const Describer::State& state) {
    constexpr std::uint64_t prime = 0x9E3779B97F4A7C15U;
    std::uint64_t hash = (inst.getOpcode() + (std::uint64_t{state.x87_top} << 32) +
                          (static_cast<std::uint64_t>(state.vector_type.element_bits +
                                                      static_cast<unsigned>(state.vector_type.lmul_log2 + 8))
                           << 40)) *
                         prime;
    for (const std::uint8_t byte : bytes)
      hash = (hash ^ byte) * prime;
    return hash ^ hash >> 29;
  }

  Entry& find(const llvm::MCInst& inst, llvm::ArrayRef<std::uint8_t> bytes, bool last, const std::string& prefixes) {
    const Describer::State before = describer_.state();
    const std::uint64_t hash = hash_of(inst, bytes, before);
    if (2 * entries_.size() > table_.size()) grow();
    std::size_t slot = hash & (table_.size() - 1);
    for (; table_[slot].entry != nullptr; slot = (slot + 1) & (table_.size() - 1)) {
      if (table_[slot].tag != tag_of(hash)) continue;
      Entry& entry = *table_[slot].entry;
      if (entry.hash == hash && entry.opcode == inst.getOpcode() && entry.flags == inst.getFlags() &&
          entry.last == last && entry.before == before && same_code(entry, bytes)) {
        describer_.set_state(entry.after);
        return entry;
      }
    }
    Described described = describe_span(describer_, inst, bytes, described_at, last, prefixes);
    Entry& entry = entries_.emplace_back();
    table_[slot] = {&entry, tag_of(hash)};
    static_cast<Described&>(entry) = std::move(described);
    entry.hash = hash;
    std::copy_n(bytes.begin(), std::min(bytes.size(), bytes_in_place), entry.head.begin());
    entry.id = static_cast<std::uint32_t>(entries_.size() - 1);
    entry.opcode = inst.getOpcode();
    entry.flags = inst.getFlags();
    entry.last = last;
    entry.before = before;
    entry.after = describer_.state();
    entry.has_target = entry.instruction.target_address != -1;
    entry.target_offset = static_cast<std::uint64_t>(entry.instruction.target_address) - described_at;
    return entry;
  }

  void grow() {
    table_.assign(table_.size() * 2, Slot{});
    for (Entry& entry : entries_) {
      std::size_t slot = entry.hash & (table_.size() - 1);
      while (table_[slot].entry != nullptr)
        slot = (slot + 1) & (table_.size() - 1);
      table_[slot] = {&entry, tag_of(entry.hash)};
    }
  }

  /// The instruction at the address in `start_`; a copy where the block holds it already at another.
  const Instruction& place(Entry& entry) {
    Instruction* out = &entry.instruction;
    if (entry.block == block_) {
      if (copies_used_ == copies_.size()) copies_.emplace_back();
      out = &copies_[copies_used_++];
      *out = entry.instruction;
    }
    entry.block = block_;
    out->address = start_;
    if (entry.has_target) out->target_address = static_cast<std::int64_t>(start_ + entry.target_offset);
    return *out;
  }

  const Target& target_;
  llvm::MCContext context_;
  std::unique_ptr<llvm::MCDisassembler> decoder_;
  Describer describer_;
  std::size_t most_remembered_;
  std::deque<Entry> entries_; // which stay where they are
  std::vector<Slot> table_;   // entry by hash, open addressing
  std::deque<Instruction> copies_;
  std::size_t copies_used_ = 0;
  std::uint64_t block_ = 0;
  std::uint64_t start_ = 0;
};

Decoder::Decoder(Isa isa, std::size_t most_remembered)
    : implementation_(std::make_unique<Implementation>(isa, most_remembered)) {}
Decoder::~Decoder() = default;
bool Decoder::decode(std::span<const std::uint8_t> code, std::uint64_t address) {
  return implementation_->decode(code, address);
}
bool Decoder::append(std::span<const std::uint8_t> code, std::uint64_t address) {
  return implementation_->append(code, address);
}
const std::string& Decoder::problem() const {
  return implementation_->problem;
}
std::span<const Decoder::Item> Decoder::items() const {
  return implementation_->items;
}
std::uint64_t Decoder::generation() const {
  return implementation_->generation;
}

} // namespace corecast
