// Displacements, immediates and targets of x86 instructions, as uop caches and rename keep them beside the uops.
#pragma once

#include "cpp/isa/instruction.hpp"

namespace corecast {

struct ExtraUop;

struct EncodedConstants {
  unsigned all = 0;
  unsigned wide = 0; // of them: of more than a byte

  bool operator==(const EncodedConstants&) const = default;
  EncodedConstants& operator+=(const EncodedConstants& other) {
    all += other.all;
    wide += other.wide;
    return *this;
  }
};

/// As an entry of a uop cache holds them: their size is that in the encoding, whatever their value; of 64 bits they are
/// two, and the target of a direct branch is one.
EncodedConstants cached_constants(const Instruction& instruction);

/// How many of them rename passes on. An access relative to the stack pointer has one even without a displacement:
/// the offset that its own unit adds.
unsigned renamed_constants(const Instruction& instruction, RegisterId stack_pointer);

/// How many more it passes on with the stack engine's uop before an instruction, `each` by
/// stack_engine.synchronization_constants: the offset, and, where there is none, again what the instruction adds to the
/// stack pointer.
unsigned offset_constants(const ExtraUop& uop, const Instruction& instruction, RegisterId stack_pointer, unsigned each);

} // namespace corecast
