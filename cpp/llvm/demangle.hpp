// Symbol names as their source languages spell them: Itanium and Microsoft C++, Rust.
#pragma once

#include <string>
#include <string_view>

namespace corecast {

/// The readable name of a mangled symbol; "" where the symbol is not mangled or cannot be read.
///
/// Never throws for any input. Names of unreasonable length (above 64 KiB when written out) are treated as unreadable:
/// a short symbol can stand for a name whose length is exponential in that of the symbol.
std::string demangle(std::string_view symbol);

} // namespace corecast
