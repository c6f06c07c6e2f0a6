// The instruction-set architectures that corecast reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace corecast {

enum class Isa : std::uint8_t { x86, aarch64, riscv64 };

inline constexpr Isa all_isas[] = {Isa::x86, Isa::aarch64, Isa::riscv64};

/// "x86", "aarch64" or "riscv64".
std::string_view isa_name(Isa isa);

/// The ISA of that name, nothing where there is none.
std::optional<Isa> isa_from_name(std::string_view name);

} // namespace corecast
