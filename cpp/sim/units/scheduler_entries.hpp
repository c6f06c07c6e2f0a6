// Cores with several schedulers: which of them takes a uop when it is dispatched, and whether it has room. Limits of
// what is dispatched per cycle (pipeline facts AM-9 to AM-11, AM-32, AM-33, AM-38, AM-65, AR-1, AX-11).
#pragma once

#include "cpp/sim/parameters.hpp"
#include "cpp/sim/program.hpp"
#include "cpp/sim/units/scheduler_counts.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace corecast::sim {

/// Uops of one scheduler that may run on the same ports: they leave oldest first.
struct SchedulerQueue {
  PortMask ports = 0;
  std::uint8_t scheduler = 0;
  bool shares_entries = false; // with the operations of their instructions, which start later

  bool operator==(const SchedulerQueue&) const = default;
};

class SchedulerEntries {
public:
  static constexpr std::size_t most_queues = 63;
  static constexpr std::uint8_t not_chosen = most_queues; // of a uop that waits for room in a scheduler

  void reset(const Program& program, const CoreParameters& parameters);

  /// Whether anything is limited here; else nothing below need be called.
  bool active() const { return !parts_.empty() || !groups_.empty(); }
  /// Whether ports are chosen when uops leave.
  bool late_binding() const { return !parts_.empty(); }

  void begin_cycle();

  /// Takes entries for the uops [first, end) of the program, or for none of them: false where they do not all fit.
  /// `alone`: whatever the limits (what exceeds them by itself must pass, too).
  bool take(const Program& program, std::uint32_t first, std::uint32_t end, bool alone = false);
  /// Spreads the uops that this cycle has taken: false where a scheduler that they need has no room; then all of this
  /// cycle's are given back.
  bool settle();
  /// Whether the last take() failed for want of an entry (not of a slot in this cycle).
  bool full() const { return full_; }

  /// The queue of the next uop that was given an entry, in the order of take().
  std::uint8_t next_queue() { return taken_[next_++]; }

  /// The queue of the oldest uop that waits for room in a scheduler; not_chosen while there is none.
  std::uint8_t choose(std::uint32_t uop);

  /// Of what decides later choices besides what waits now.
  std::uint64_t state_hash() const;

  /// Queue `queue` has started a uop in this cycle.
  void leave(std::size_t queue) {
    const std::size_t scheduler = queues_[queue].scheduler;
    if (!queues_[queue].shares_entries) {
      if (sees_fullest_) counts_.start(scheduler);
      --waiting_[scheduler];
    }
    for (const std::uint8_t rival : rivals_[queue])
      --rivalry_[rival];
    ++issued_[scheduler];
  }
  bool may_issue(std::size_t queue) const {
    return issued_[queues_[queue].scheduler] < parts_[queues_[queue].scheduler].issues;
  }
  const SchedulerQueue& queue(std::size_t index) const { return queues_[index]; }

private:
  struct Choice {
    PortMask ports = 0;
    bool shares_entries = false;
    std::uint32_t schedulers = 0;     // a bit each
    std::vector<std::uint8_t> queues; // one of each scheduler that has some of the ports
  };

  /// Which of the ports that take turns is next, and which have a uop of this cycle.
  struct Turn {
    std::size_t next = 0;
    PortMask taken = 0;
  };

  /// A uop whose scheduler is chosen when all of this cycle's are known.
  struct Open {
    std::size_t taken = 0; // its place there
    std::uint32_t choice = 0;
    std::uint32_t among = 0;        // schedulers that it may go to, a bit each
    std::uint32_t operation = none; // of a joined one: the place in operations_ of the uop whose scheduler it shares
  };

  bool take_one(const Uop& uop, std::uint32_t choice, bool alone);
  bool take_to_queue(bool alone);
  bool take_by_turn(const Uop& uop, bool alone);
  bool is_better(std::uint8_t queue, std::uint8_t than) const;
  bool take_spread(std::uint32_t choice, PortMask beside);
  bool take_address(std::uint32_t uop, bool joins);
  void take_joined(std::uint32_t choice);
  bool take_open(std::vector<Open>& uops, const Open& uop, std::uint32_t schedulers);
  static bool fits(std::span<const Open> uops, std::uint32_t free);
  void order_schedulers();
  bool spread_out(std::span<const Open> uops, std::uint32_t schedulers);
  bool join_operations();
  bool enter(const Open& uop, std::size_t scheduler);
  static bool has_only(const Uop& uop, PortMask ports) {
    return uop.ports != 0 && uop.waits && (uop.ports & ~ports) == 0;
  }
  std::uint32_t schedulers_of(PortMask ports) const;
  std::uint32_t choice_for(PortMask ports, bool shares_entries);

  std::vector<SchedulerPart> parts_;
  std::vector<DispatchGroup> groups_;
  std::vector<SchedulerQueue> queues_;
  std::vector<std::vector<std::uint8_t>> rivals_; // of each queue: those of its scheduler that share a port, itself too
  std::vector<std::uint32_t> rivalry_;            // uops that wait in these
  std::vector<Choice> choices_;
  std::vector<std::uint32_t> choice_of_;         // by uop of the program
  std::vector<std::uint32_t> sharing_choice_of_; // the same of an address that goes with an operation
  std::vector<std::uint32_t> waiting_;           // by scheduler
  std::vector<std::uint32_t> dispatched_;        // in this cycle
  std::vector<std::uint32_t> issued_;            // in this cycle
  std::vector<std::uint32_t> grouped_;           // in this cycle, by limit
  std::vector<std::uint8_t> taken_;              // queues, in order
  Spread spread_;
  std::vector<PortMask> turns_;             // see CoreParameters::port_turns
  std::vector<std::uint32_t> turn_choices_; // of each
  PortMask turn_ports_ = 0;
  Turn turn_, turn_before_;                                         // the latter when this cycle began
  std::uint32_t operation_schedulers_ = 0, address_schedulers_ = 0; // a bit each
  std::vector<Open> operations_, addresses_, joined_;               // of this cycle, in order; the last go with some
  std::vector<Open> crowded_;                                       // addresses that share the unit of another
  SchedulerQueueParameters before_;                                 // what waits for room in a scheduler
  std::uint32_t not_chosen_ = 0, not_chosen_before_ = 0;            // uops there, and when this cycle began
  std::uint32_t last_chosen_ = none;                                // scheduler of the last one that left it
  std::uint32_t leader_ = none;                                // of operations_: whose scheduler the next one shares
  std::uint32_t lone_addresses_ = 0;                           // of this cycle, those that go with none
  std::vector<std::uint32_t> waiting_before_, rivalry_before_; // when this cycle began
  bool sees_fullest_ = false;
  SchedulerCounts counts_;
  std::vector<std::uint8_t> order_; // schedulers, the fullest first
  std::size_t next_ = 0;
  bool full_ = false;
};

} // namespace corecast::sim
