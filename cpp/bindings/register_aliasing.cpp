#include "cpp/bounds/worst_meeting.hpp"
// What accesses through different registers may do to each other.
#include "bindings.hpp"
#include "cpp/bounds/analyze.hpp"
#include "cpp/machine/machine.hpp"
#include "instructions_argument.hpp"
#include "interruptible.hpp"
#include "mode_arguments.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace corecast {
namespace {

/// A meeting with the assumption that it takes place.
struct BoundMeeting {
  Meeting meeting;
  Aliasing aliasing;
};

nb::object find_worst(const Machine& machine, const nb::sequence& instructions, std::string_view unknown) {
  const std::vector<const Instruction*> pointers = to_pointers(instructions);
  const UnknownPolicy policy = checked_policy(unknown);
  std::optional<Meeting> found;
  {
    const InterruptibleRelease release;
    std::vector<const FormEntry*> entries;
    for (const Costing& costing : find_costings(machine, pointers, policy, LoopMode::loop))
      entries.push_back(costing.entry);
    found = worst_meeting(machine, pointers, entries);
  }
  if (!found) return nb::none();
  BoundMeeting out{*found, {}};
  out.aliasing.frame = FrameRegisters::of(machine);
  out.aliasing.feed = found->feed;
  return nb::cast(std::move(out));
}

} // namespace

void register_aliasing(nb::module_& m) {
  nb::class_<Aliasing>(m, "Aliasing", "Which accesses through different registers meet.")
      .def_static(
          "parse",
          [](const Machine& machine, std::string_view text) {
            try {
              return parse_aliasing(machine, text);
            } catch (const AliasError& error) {
              throw nb::value_error(error.what());
            }
          },
          "machine"_a, "text"_a, "'none', 'same' or pairs of registers as 'rdi=rsi,rbx=rax+8'.\n\nRaises: ValueError.")
      .def(
          "conflict",
          [](const Aliasing& aliasing, const Machine& machine, const nb::sequence& instructions) {
            return alias_conflict(machine, to_pointers(instructions), aliasing);
          },
          "machine"_a, "instructions"_a, "Why a pair of registers cannot stay equal in a region; '' where all can.",
          nb::sig("def conflict(self, machine: Machine, instructions: collections.abc.Sequence[Instruction]) -> str"));
  nb::class_<BoundMeeting>(m, "Meeting", "A store that a later load through other registers may read.")
      .def_prop_ro(
          "store", [](const BoundMeeting& found) { return found.meeting.feed.store; }, "Instruction.")
      .def_prop_ro(
          "load", [](const BoundMeeting& found) { return found.meeting.feed.load; }, "Instruction.")
      .def_prop_ro(
          "distance", [](const BoundMeeting& found) { return found.meeting.feed.distance; }, "Iterations.")
      .def_prop_ro(
          "dependency_cycles", [](const BoundMeeting& found) { return found.meeting.dependency_cycles; },
          "Of the slowest loop-carried chain where they meet.")
      .def_prop_ro(
          "aliasing", [](const BoundMeeting& found) -> const auto& { return found.aliasing; },
          nb::rv_policy::reference_internal, "The assumption that they meet.");
  m.def("worst_meeting", &find_worst, "machine"_a, "instructions"_a, "unknown"_a = "bound",
        "The meeting of a store with a later load through other registers that makes the slowest loop-carried chain; "
        "None "
        "where no such meeting is left open.",
        nb::sig("def worst_meeting(machine: Machine, instructions: collections.abc.Sequence[Instruction], "
                "unknown: str = 'bound') -> Meeting | None"));
}

} // namespace corecast
