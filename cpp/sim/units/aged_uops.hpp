// Which of the uops that wait have many younger ones behind them (pipeline facts AM-60).
#pragma once

#include <cstdint>
#include <vector>

namespace corecast::sim {

/// Uops that wait, without those that are old: a uop is old once more than `most` younger ones wait, and remains so.
class AgedUops {
public:
  static constexpr std::uint32_t no_place = ~std::uint32_t{0};

  /// `places`: uops are known by numbers below.
  void reset(std::uint32_t most, std::uint64_t places) {
    most_ = most;
    if (links_.size() < places) links_.resize(places);
    oldest_ = youngest_ = no_place;
    young_ = 0;
  }

  /// Takes the youngest uop. Returns the one that is old now, or no_place.
  std::uint32_t add(std::uint32_t place) {
    links_[place] = {youngest_, no_place};
    (youngest_ == no_place ? oldest_ : links_[youngest_].younger) = place;
    youngest_ = place;
    if (++young_ <= most_ + 1) return no_place;
    const std::uint32_t old = oldest_;
    remove(old);
    return old;
  }

  /// One that is not old starts.
  void remove(std::uint32_t place) {
    const auto [older, younger] = links_[place];
    (older == no_place ? oldest_ : links_[older].younger) = younger;
    (younger == no_place ? youngest_ : links_[younger].older) = older;
    --young_;
  }

private:
  struct Links {
    std::uint32_t older = no_place, younger = no_place;
  };

  std::vector<Links> links_; // by place
  std::uint32_t oldest_ = no_place, youngest_ = no_place;
  std::uint32_t young_ = 0, most_ = 0;
};

} // namespace corecast::sim
