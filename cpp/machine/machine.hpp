// A machine model: pipeline parameters and form tables, read once, asked from many threads.
#pragma once

#include "cpp/isa/register_names.hpp"
#include "cpp/machine/extensions.hpp"
#include "cpp/machine/forms/form_entry.hpp"
#include "cpp/machine/forms/form_row.hpp"
#include "cpp/machine/forms/form_table.hpp"
#include "cpp/machine/lookup.hpp"
#include "cpp/machine/memory_ports.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"
#include "cpp/machine/register_file.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace corecast {

/// Ports that pipeline.toml names by what they do, as masks.
struct PortRoles {
  PortMask integer_alu = 0;
  PortMask high8_merge = 0;
  PortMask taken_branch = 0;
  PortMask register_pair = 0; // of fused pairs whose first instruction writes a register; 0: those of the branch
  PortMask stack_synchronisation = 0; // and of the operation behind it, on the same port; 0: integer_alu, apart
  PortMask closed_by_zmm = 0;
  PortMask moved_by_zmm = 0;           // that some instructions have in place of those beside the closed one
  PortMask shared_results = 0;         // of packed integers
  PortMask shared_general_results = 0; // of what uses no vectors
  PortMask avoided_where_full = 0;
  PortMask added_flags = 0; // of additions that rename does
  PortMask late_wakeup = 0;
  PortMask long_results = 0;   // of general registers, after more than a cycle
  PortMask second_results = 0; // that multiplications with two results keep free
  PortMask vector_result = 0;  // through which results of vector uops reach general registers
  PortMask vectors = 0;
  PortMask store_writes = 0;   // of the first-level cache
  PortMask line_crossings = 0; // of loads
};

class Machine {
public:
  /// Tables in order of precedence: the first that has a key decides. Throws ModelError.
  Machine(PipelineParameters pipeline, std::vector<FormTable> tables, RegisterNames registers);
  /// The same tables under other parameters; nothing is read again. Throws ModelError.
  Machine(const Machine& other, PipelineParameters pipeline);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const PipelineParameters& pipeline() const { return pipeline_; }
  const PortNames& port_names() const { return port_names_; }
  const PortRoles& port_roles() const { return port_roles_; }
  const MemoryPorts& memory_ports() const { return memory_ports_; }
  const RegisterNames& registers() const { return registers_; }
  /// rsp on x86; 0 where no part of the core keeps track of it.
  RegisterId stack_pointer() const { return stack_pointer_; }
  /// The physical file that holds a register. Remembered.
  RegisterFile register_file(RegisterId reg) const { return files_.file_of(reg, pipeline_.architecture, registers_); }
  /// Whether it takes a register of one of the files: flags and memory do not count.
  bool writes_register(const Instruction& instruction) const;
  bool writes_general(const Instruction& instruction) const;
  std::size_t general_results(const Instruction& instruction) const; // registers that it writes
  bool is(Architecture architecture) const { return pipeline_.architecture == architecture; }

  /// Ports in display order, then units: the bits of every PortMask.
  const std::vector<std::string>& resources() const { return resources_; }

  /// The row of exactly this key, nullptr where there is none. Parsed at first use; throws ModelError where malformed.
  const FormEntry* find(std::string_view key) const;

  /// What is known about a string instruction with this row that repeats `count` times; nullptr where nothing says what
  /// that costs. Remembered.
  const Lookup* repeated(const FormEntry& row, std::int64_t count) const;

  /// What is known about a locked instruction with this row that waits for earlier stores. Remembered.
  const Lookup& behind_stores(const FormEntry& row) const;

  /// The row with all its columns, and where it stands; nothing where there is none.
  struct RowText {
    std::string text;
    std::string_view file;
    std::uint32_t line;
  };
  std::optional<RowText> row_text(std::string_view key) const;

  /// What the core lacks to execute an instruction, "AVX-512F"; nullptr where it can, or where nothing is known of it.
  const std::string* lacks(const Instruction& instruction) const {
    return extensions_.missing(instruction.requirement);
  }
  bool has(std::uint16_t requirement) const { return extensions_.missing(requirement) == nullptr; }

  /// What is known about an instruction; remembered by form. Nothing of one that the core lacks. Throws ModelError
  /// where a row that is needed is malformed.
  const Lookup& lookup(const Instruction& instruction) const;

  /// The `count` known keys nearest to `key`: the same mnemonic first, then others of the same operation. Remembered.
  std::vector<std::string> nearest_forms(std::string_view key, std::size_t count) const;

  /// The `count` known keys spelled most like `key`, whatever they do: for what may be misspelt.
  std::vector<std::string> similar_forms(std::string_view key, std::size_t count) const;

  /// Every key of the tables, in the order of the files.
  std::vector<std::string> keys() const;

  /// Parses every row; returns a "file:line: message" for each malformed one.
  std::vector<std::string> check() const;

private:
  Machine(PipelineParameters pipeline, std::shared_ptr<const std::vector<FormTable>> tables, RegisterNames registers);

  struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  /// The row that decides on a key; nothing where there is none, or an `absent` one.
  std::optional<FoundRow> row_of(std::string_view key) const;
  /// Every row that counts; found when first asked for.
  const std::vector<FoundRow>& all_rows() const;
  /// The row for this core's vector length and with what it changes.
  FormEntry parse(const FoundRow& found) const;
  std::vector<std::string> search_nearest(std::string_view key, std::size_t count) const;
  /// Keys of the same mnemonic and of those that are meant, by spelling.
  template <typename IsMeant>
  std::vector<std::string> ranked(std::string_view key, std::size_t count, IsMeant is_meant) const;

  PipelineParameters pipeline_;
  Extensions extensions_;
  std::vector<Lookup> lacking_; // by requirement
  PortNames port_names_;
  PortRoles port_roles_;
  MemoryPorts memory_ports_;
  std::shared_ptr<const std::vector<FormTable>> tables_;
  RegisterNames registers_;
  RegisterId stack_pointer_ = 0;
  RegisterFiles files_;
  std::vector<std::string> resources_;
  mutable std::vector<FoundRow> all_rows_;
  mutable std::once_flag all_rows_once_;
  mutable std::unordered_map<const char*, FormEntry> entries_; // rows that were asked for, by the place of their text
  mutable std::mutex entries_mutex_;
  mutable std::map<std::pair<const FormEntry*, std::int64_t>, Lookup> repeated_;
  mutable std::mutex repeated_mutex_;
  mutable std::unordered_map<const FormEntry*, Lookup> behind_stores_;
  mutable std::mutex behind_stores_mutex_;
  mutable std::unordered_map<std::string, std::unique_ptr<const Lookup>, StringHash, std::equal_to<>> lookups_;
  mutable std::shared_mutex lookups_mutex_;
  mutable std::unordered_map<std::string, std::vector<std::string>, StringHash, std::equal_to<>> nearest_;
  mutable std::mutex nearest_mutex_;
};

} // namespace corecast
