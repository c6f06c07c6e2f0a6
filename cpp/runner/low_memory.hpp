// Memory below 2 GiB, as far as the system has some there: from there displacements of 32 bits reach all data.
#pragma once

#include <cstddef>

namespace corecast::runner {

/// Private memory of whole pages, with the protection that mmap takes; nullptr where there is none at all.
void* map_low(std::size_t bytes, int protection);

} // namespace corecast::runner
