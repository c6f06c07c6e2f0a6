#include "decoder.hpp"

#include "recallable.hpp"
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
        [&](std::size_t offset) {
          start_ = address + offset;
          Entry* entry = recall(code.subspan(offset));
          if (entry == nullptr) return std::size_t{0};
          items.push_back({&place(*entry), entry->id});
          return entry->instruction.bytes.size();
        },
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
  static constexpr std::size_t fewest_slots = 1024; // of the table, a power of two
  static constexpr std::uint64_t described_at = std::uint64_t{1}
                                                << 40; // so that no branch leads to -1, which means none

  struct Entry : Described {
    std::uint64_t hash = 0;
    std::array<std::uint64_t, 2> head{}; // of the encoding, here rather than far away
    std::uint64_t block = 0;             // the last in which it stood
    std::uint64_t target_offset = 0;     // from its address to the branch target, modulo 2^64
    bool has_target = false;
    std::uint32_t id = 0;
    unsigned opcode = 0;
    unsigned flags = 0;
    std::uint32_t length = 0;
    bool last = false;       // a prefix that nothing follows
    bool recallable = false; // by its bytes
    Describer::State before;
    Describer::State after;
  };

  struct Slot {
    Entry* entry = nullptr;
    std::uint32_t tag = 0; // of the entry's hash: most others need not be looked at
  };

  void forget() {
    entries_.clear();
    lengths_.clear();
    table_.assign(fewest_slots, Slot{}); // grows with the entries: a large empty one would fill the caches
    ++generation;
  }

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

  static bool same_code(const Entry& entry, llvm::ArrayRef<std::uint8_t> bytes,
                        const std::array<std::uint64_t, 2>& head) {
    if (entry.length != bytes.size() || entry.head != head) return false;
    return bytes.size() <= CodeWindow::most_bytes || bytes == llvm::ArrayRef(entry.instruction.bytes);
  }

  static std::uint64_t hash_of(const std::array<std::uint64_t, 2>& head, std::size_t length,
                               const Describer::State& state) {
    constexpr std::uint64_t prime = 0x9E3779B97F4A7C15U;
    std::uint64_t hash = (length + (std::uint64_t{state.x87_top} << 32) +
                          (static_cast<std::uint64_t>(state.vector_type.element_bits +
                                                      static_cast<unsigned>(state.vector_type.lmul_log2 + 8))
                           << 40)) *
                         prime;
    for (const std::uint64_t word : head) {
      hash = (hash ^ word) * prime;
      hash ^= hash >> 32;
    }
    return hash;
  }

  /// Calls `matches` for the entries of a hash until it says true.
  template <typename Matches> Entry* search(std::uint64_t hash, const Matches& matches) const {
    for (std::size_t slot = hash & (table_.size() - 1); table_[slot].entry != nullptr;
         slot = (slot + 1) & (table_.size() - 1)) {
      if (table_[slot].tag != tag_of(hash)) continue;
      Entry& entry = *table_[slot].entry;
      if (entry.hash == hash && matches(entry)) return &entry;
    }
    return nullptr;
  }

  /// The instruction that the code begins with, where it is remembered and its bytes identify it.
  Entry* recall(std::span<const std::uint8_t> code) {
    const CodeWindow window(code);
    const Describer::State before = describer_.state();
    for (std::uint32_t lengths = lengths_.of(window); lengths != 0; lengths &= lengths - 1) {
      const auto length = static_cast<std::size_t>(std::countr_zero(lengths));
      const std::array<std::uint64_t, 2> head = window.first(length);
      Entry* entry = search(hash_of(head, length, before), [&](const Entry& each) {
        return each.recallable && each.length == length && each.head == head && each.before == before;
      });
      if (entry == nullptr) continue;
      describer_.set_state(entry->after);
      return entry;
    }
    return nullptr;
  }

  Entry& find(const llvm::MCInst& inst, llvm::ArrayRef<std::uint8_t> bytes, bool last, const std::string& prefixes) {
    const Describer::State before = describer_.state();
    const std::array<std::uint64_t, 2> head = CodeWindow(bytes).first(bytes.size());
    const std::uint64_t hash = hash_of(head, bytes.size(), before);
    Entry* known = search(hash, [&](const Entry& each) {
      return each.opcode == inst.getOpcode() && each.flags == inst.getFlags() && each.last == last &&
             each.before == before && same_code(each, bytes, head);
    });
    if (known != nullptr) {
      describer_.set_state(known->after);
      return *known;
    }
    Described described = describe_span(describer_, inst, bytes, described_at, last, prefixes);
    Entry& entry = entries_.emplace_back();
    static_cast<Described&>(entry) = std::move(described);
    entry.hash = hash;
    entry.head = head;
    entry.length = static_cast<std::uint32_t>(bytes.size());
    entry.id = static_cast<std::uint32_t>(entries_.size() - 1);
    entry.opcode = inst.getOpcode();
    entry.flags = inst.getFlags();
    entry.last = last;
    entry.before = before;
    entry.after = describer_.state();
    entry.has_target = entry.instruction.target_address != -1;
    entry.target_offset = static_cast<std::uint64_t>(entry.instruction.target_address) - described_at;
    entry.recallable = prefixes.empty() && RecallableLengths::recallable(target_.isa == Isa::x86, bytes);
    if (entry.recallable) lengths_.add(bytes);
    if (2 * entries_.size() > table_.size())
      grow();
    else
      insert(entry);
    return entry;
  }

  void insert(Entry& entry) {
    std::size_t slot = entry.hash & (table_.size() - 1);
    while (table_[slot].entry != nullptr)
      slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = {&entry, tag_of(entry.hash)};
  }

  void grow() {
    table_.assign(table_.size() * 2, Slot{});
    for (Entry& entry : entries_)
      insert(entry);
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
  RecallableLengths lengths_;
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
