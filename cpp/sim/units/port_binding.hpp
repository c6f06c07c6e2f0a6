// The port that a uop is sent to, chosen when it is renamed (pipeline facts IN-105 to IN-112).
#pragma once

#include "cpp/machine/forms/form_entry.hpp"
#include "cpp/sim/parameters.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace corecast::sim {

class PortBinding {
public:
  static constexpr std::size_t most_ports = 64;

  /// `ports`: how many the machine has.
  void reset(const CoreParameters& parameters, std::size_t ports);

  /// At the start of a cycle: what the choices of this cycle see.
  void begin_cycle();

  /// `slot`: position of the fused uop in its group.
  std::uint8_t choose(PortMask ports, std::uint32_t slot) {
    if ((ports & (ports - 1)) != 0) return choose_of_several(ports, slot);
    const auto port = static_cast<std::uint8_t>(std::countr_zero(ports));
    ++counters_[port];
    return port;
  }

  /// A uop has left for execution; it counts on for one cycle.
  void dispatched(std::size_t port) { ++leaving_[port]; }
  void end_cycle();

  std::uint32_t waiting(std::size_t port) const { return counters_[port]; }
  std::uint64_t state_hash() const;

  /// Quicker: of the uops that wait alone.
  std::uint64_t outline() const {
    std::uint64_t hash = 0;
    for (std::size_t p = 0; p < ports_; ++p)
      hash = hash * 0x9E3779B97F4A7C15ULL + counters_[p];
    return hash;
  }

private:
  /// What most machines have room in: loops of a fixed length are a few vector operations.
  static constexpr std::size_t few_ports = 16;

  template <std::size_t count> void begin_cycle();
  template <std::size_t count> void end_cycle();
  std::uint8_t choose_of_several(PortMask ports, std::uint32_t slot);
  std::uint8_t by_policy(PortMask ports, std::uint32_t slot);
  std::uint8_t paired_slots(PortMask ports, std::uint32_t slot) const;
  std::uint8_t rotating(PortMask ports, std::uint32_t slot) const;
  std::uint8_t ranked(PortMask ports, std::uint32_t slot);
  std::uint8_t alternate(PortMask ports, std::size_t set);
  std::uint8_t least(PortMask ports) const;
  std::uint8_t in_turn(PortMask ports);

  PortChoice choice_;
  PortMask alternating_ = 0; // ports of all sets that alternate
  std::size_t ports_ = 0;
  std::array<std::uint16_t, most_ports> counters_{};
  std::array<std::uint16_t, most_ports> snapshot_{};
  std::array<std::uint16_t, most_ports> previous_{};
  std::array<std::uint16_t, most_ports> leaving_{}; // dispatched in this cycle
  std::array<std::uint16_t, most_ports> left_{};    // ... in the cycle before
  std::uint64_t toggles_ = 0;                       // by alternating set: whether its second port is next
  std::array<PortMask, 64> seen_{};                 // sets chosen from in this cycle
  std::size_t seen_count_ = 0;
  std::vector<std::pair<PortMask, std::uint8_t>> turns_; // by set: the port chosen last
};

} // namespace corecast::sim
