#include "cpp/lower/load_banks.hpp"

#include "cpp/lower/address_tracker.hpp"
#include "cpp/lower/start_places.hpp"

#include <algorithm>
#include <numeric>

namespace corecast {
namespace {

std::int64_t remainder(std::int64_t value, std::int64_t of) {
  return (value % of + of) % of;
}

bool reads_memory(const Instruction& instruction) {
  return std::any_of(instruction.memory.begin(), instruction.memory.end(),
                     [](const MemoryAccess& access) { return access.read; });
}

} // namespace

LoadBanks LoadBanks::of(const MemoryParameters& memory) {
  return {memory.load_bank_bytes, static_cast<std::int64_t>(memory.load_banks),
          static_cast<unsigned>(memory.load_bank_reads)};
}

std::uint64_t BankedLoad::banks(const LoadBanks& banks, std::int64_t iteration) const {
  const std::int64_t all = banks.all_bytes();
  const std::int64_t start = remainder(constant + remainder(stride, all) * remainder(iteration, all), all);
  const std::int64_t first = start / banks.bytes;
  const std::int64_t last = std::min((start + width - 1) / banks.bytes, first + banks.count - 1);
  std::uint64_t read = 0;
  for (std::int64_t bank = first; bank <= last; ++bank)
    read |= std::uint64_t{1} << (bank % banks.count);
  return read;
}

std::vector<BankedLoad> find_banked_loads(std::span<const Instruction* const> instructions, const StartPlaces& places,
                                          const LoadBanks& banks) {
  std::vector<BankedLoad> found;
  if (banks.bytes <= 0) return found;
  const auto loads = std::count_if(instructions.begin(), instructions.end(),
                                   [](const Instruction* instruction) { return reads_memory(*instruction); });
  if (loads == 0) return found;
  for (const TrackedAccess& access : AddressTracker(instructions).run()) {
    if (!access.read || !access.width_known) continue;
    if (!found.empty() && found.back().instruction == access.instruction) continue;
    found.push_back(
        {access.instruction, places.place_of(access.address), access.repeats ? access.stride : 0, access.width});
  }
  return found;
}

std::int64_t bank_phases(std::span<const BankedLoad> loads, const LoadBanks& banks) {
  if (loads.empty()) return 1;
  // Loads that advance together meet as before once they are where they were in their banks.
  const bool together = std::all_of(loads.begin(), loads.end(),
                                    [&](const BankedLoad& load) { return load.stride == loads.front().stride; });
  const std::int64_t block = together ? banks.bytes : banks.all_bytes();
  std::int64_t phases = 1;
  for (const BankedLoad& load : loads)
    phases = std::lcm(phases, block / std::gcd(remainder(load.stride, block), block));
  return phases;
}

double bank_bound(std::span<const BankedLoad> loads, const LoadBanks& banks) {
  if (loads.empty()) return 0;
  std::vector<std::int64_t> reads(static_cast<std::size_t>(banks.count));
  std::int64_t phases = 1;
  for (const BankedLoad& load : loads)
    phases =
        std::lcm(phases, banks.all_bytes() / std::gcd(remainder(load.stride, banks.all_bytes()), banks.all_bytes()));
  for (const BankedLoad& load : loads)
    for (std::int64_t iteration = 0; iteration < phases; ++iteration) {
      const std::uint64_t read = load.banks(banks, iteration);
      for (std::size_t bank = 0; bank < reads.size(); ++bank)
        reads[bank] += read >> bank & 1;
    }
  return static_cast<double>(*std::max_element(reads.begin(), reads.end())) /
         (static_cast<double>(phases) * static_cast<double>(banks.reads));
}

} // namespace corecast
