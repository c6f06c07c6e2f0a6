// The file through which QEMU's plugin reports what ran. src/corecast/collect/qemu_counts.py reads it.
//
// A header, then records of both kinds, each at a multiple of 8 bytes. One whose kind is 0 does not count: its writer
// was stopped before it was whole.
#pragma once

#include <cstdint>

namespace corecast::collect {

inline constexpr char file_magic[8] = {'c', 'c', 'o', 'u', 'n', 't', 's', '1'};
inline constexpr std::uint64_t file_bytes = std::uint64_t{1} << 34; // of address space; disk only as far as it is used

struct Header {
  char magic[8];
  std::uint64_t used;    // bytes, this header included
  std::uint32_t modules; // number of the last one
  std::uint32_t full;    // not 0: the disk was full, blocks are missing
};

struct RecordHead {
  std::uint16_t kind;
  std::uint16_t record; // bytes of this record, the head included
  std::uint32_t bytes;  // behind the record, before padding
};
inline constexpr std::uint16_t code_kind = 1, module_kind = 2;

/// A translation block; its code follows.
struct CodeRecord {
  RecordHead head;
  std::uint64_t address; // in the program
  std::uint64_t count;   // of executions
  std::uint32_t module;  // 0: of no file
  std::uint32_t unused;
};

/// A file mapped into the program; its path follows.
struct ModuleRecord {
  RecordHead head;
  std::uint64_t guest;  // where the mapping begins, as an address of the program
  std::uint64_t offset; // of that in the file
  std::uint32_t number;
  std::uint32_t unused;
};

} // namespace corecast::collect
