// Moves done by renaming, and the slots that each takes until its copies are overwritten (pipeline facts IN-95 to
// IN-100).
#pragma once

#include "cpp/sim/hash.hpp"
#include "cpp/sim/parameters.hpp"
#include "cpp/sim/program.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace corecast::sim {

class MoveElimination {
public:
  /// `active`: the program has moves that may be eliminated.
  void reset(const CoreParameters& parameters, bool active) {
    active_ = active;
    files_[0] = File{parameters.move_slots_general, parameters.move_pipeline, parameters.move_slot_freed, {}, {}, {}};
    files_[1] =
        File{parameters.move_slots_vector, parameters.move_pipeline, MoveSlotFreed::one_left_in_idle_cycle, {}, {}, {}};
    cycle_ = 0;
    next_ = 1;
    held_.fill(0);
  }

  /// A cycle in which rename runs.
  void begin_cycle() {
    if (!active_) return;
    ++cycle_;
    for (File& file : files_) {
      file.eliminated[cycle_ % history] = 0;
      file.used[cycle_ % history] = 0;
    }
  }

  /// Nothing was renamed after all.
  void cancel_cycle() {
    if (active_) --cycle_;
  }

  bool try_eliminate(MoveClass move) {
    File& file = of(move);
    if (file.slots >= unlimited) return true;
    std::uint32_t taken = 0;
    for (std::uint32_t i = 0; i < file.pipeline; ++i)
      taken += file.eliminated[(cycle_ - i) % history];
    taken += file.used[(cycle_ - file.pipeline) % history];
    if (taken >= file.slots) return false;
    ++file.eliminated[cycle_ % history];
    return true;
  }

  /// Between the decisions of a cycle and their effects.
  void release_single() {
    if (!active_) return;
    for (File& file : files_) {
      if (file.freed == MoveSlotFreed::all_overwritten) continue;
      if (file.freed == MoveSlotFreed::one_left_in_idle_cycle && file.eliminated[cycle_ % history] != 0) continue;
      std::erase_if(file.sets, [](const Set& set) { return (set.names & (set.names - 1)) == 0; });
    }
  }

  void overwrite(std::uint8_t name) {
    leave(name);
    held_[name] = next_++;
  }

  void alias(MoveClass move, std::uint8_t source, std::uint8_t destination) {
    if (held_[source] == 0) held_[source] = next_++;
    if (held_[destination] != held_[source]) leave(destination);
    held_[destination] = held_[source];
    File& file = of(move);
    if (file.slots >= unlimited) return;
    const std::uint64_t names = (std::uint64_t{1} << source) | (std::uint64_t{1} << destination);
    for (Set& set : file.sets)
      if (set.value == held_[source]) {
        set.names |= names;
        return;
      }
    file.sets.push_back({held_[source], names});
  }

  void end_cycle() {
    if (!active_) return;
    for (File& file : files_) {
      std::erase_if(file.sets, [](const Set& set) { return set.names == 0; });
      file.used[cycle_ % history] = static_cast<std::uint32_t>(file.sets.size());
    }
  }

  std::uint64_t state_hash() const {
    Hash hash;
    if (!active_) return hash.value();
    for (const File& file : files_) {
      for (const Set& set : file.sets)
        hash.add(set.names);
      for (std::uint32_t i = 0; i < history; ++i)
        hash.add((std::uint64_t{file.eliminated[(cycle_ - i) % history]} << 32) | file.used[(cycle_ - i) % history]);
    }
    return hash.value();
  }

private:
  static constexpr std::uint32_t history = 8; // a power of two above the longest pipeline

  struct Set {
    std::uint32_t value;
    std::uint64_t names;
  };
  struct File {
    std::uint32_t slots = 0;
    std::uint32_t pipeline = 2;
    MoveSlotFreed freed = MoveSlotFreed::all_overwritten;
    std::array<std::uint32_t, history> eliminated{};
    std::array<std::uint32_t, history> used{};
    std::vector<Set> sets;
  };

  File& of(MoveClass move) { return files_[move == MoveClass::vector ? 1 : 0]; }

  void leave(std::uint8_t name) {
    for (File& file : files_)
      for (Set& set : file.sets)
        if (set.value == held_[name]) set.names &= ~(std::uint64_t{1} << name);
  }

  bool active_ = false;
  std::array<File, 2> files_;
  std::array<std::uint32_t, 64> held_{}; // by name: the value, 0 where it is not followed yet
  std::uint32_t cycle_ = 0;
  std::uint32_t next_ = 1;
};

} // namespace corecast::sim
