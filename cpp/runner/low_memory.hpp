// Memory below 2 GiB, as far as the system has some there: from there displacements of 32 bits reach all data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace corecast::runner {

/// Measured code has its data behind here, and below 4 GiB. What the process that starts it has there it would read and
/// write in place of them.
inline constexpr std::uint64_t first_data_address = 0x1100'0000;

/// Private memory of whole pages, with the protection that mmap takes; nullptr where there is none at all.
void* map_low(std::size_t bytes, int protection);

/// Keeps this process's heap from growing to the data of measured code, as that of a program that is not
/// position-independent does after some hundred megabytes: call it early. The allocator goes on elsewhere.
void keep_heap_from_data();

/// Why a heap that ends here is in the way of measured code's data; "" where it is not.
std::string heap_obstacle(std::uint64_t heap_end);
/// The same of this process's.
std::string heap_obstacle();

} // namespace corecast::runner
