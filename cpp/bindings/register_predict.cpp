// Predicting many blocks. The work is done without the interpreter's lock; see cpp/predict.
#include "bindings.hpp"
#include "cpp/llvm/listing.hpp"
#include "cpp/machine/machine.hpp"
#include "cpp/predict/closing.hpp"
#include "cpp/predict/hex.hpp"
#include "cpp/predict/prediction_class.hpp"
#include "cpp/predict/predictor.hpp"
#include "instructions_argument.hpp"
#include "interruptible.hpp"
#include "mode_arguments.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace nb = nanobind;
using namespace nb::literals;

namespace corecast {
namespace {

/// The text of a str, or the bytes of a bytes object; false for anything else and for text that is not Unicode.
bool view_of(nb::handle object, std::string_view& out) {
  Py_ssize_t size = 0;
  if (PyUnicode_Check(object.ptr())) {
    const char* text = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
    if (text == nullptr) PyErr_Clear();
    out = text == nullptr ? std::string_view() : std::string_view(text, static_cast<std::size_t>(size));
    return text != nullptr;
  }
  char* bytes = nullptr;
  if (!PyBytes_Check(object.ptr()) || PyBytes_AsStringAndSize(object.ptr(), &bytes, &size) != 0) return false;
  out = {bytes, static_cast<std::size_t>(size)};
  return true;
}

bool address_of(nb::handle object, std::uint64_t& out) {
  if (object.is_none()) return true;
  std::string_view text;
  if (view_of(object, text)) {
    const auto address = read_address(text);
    out = address.value_or(0);
    return address.has_value();
  }
  PyObject* number = PyNumber_Index(object.ptr());
  if (number != nullptr) out = PyLong_AsUnsignedLongLong(number);
  Py_XDECREF(number);
  const bool failed = PyErr_Occurred() != nullptr;
  PyErr_Clear();
  return !failed;
}

/// Results of a batch, in the order of its blocks.
struct BlockResults {
  std::vector<BlockResult> rows;

  nb::bytes doubles(double (*value)(const BlockResult&)) const {
    std::vector<double> out(rows.size());
    std::transform(rows.begin(), rows.end(), out.begin(), value);
    return nb::bytes(out.data(), out.size() * sizeof(double));
  }
};

bool has_prediction(const BlockResult& row) {
  return row.status == BlockStatus::ok || row.status == BlockStatus::bound;
}

double cycles_of(const BlockResult& row) {
  return !has_prediction(row) ? std::numeric_limits<double>::quiet_NaN() : row.cycles;
}

double low_of(const BlockResult& row) {
  return cycles_of(row) * row.interval.low;
}

double high_of(const BlockResult& row) {
  return cycles_of(row) * row.interval.high;
}

/// Cycles per iteration were the bottleneck infinitely fast.
double relieved_of(const BlockResult& row) {
  double most = 0;
  for (std::size_t i = 0; i < row.bounds.size(); ++i)
    if (row.bottleneck != Prediction::bound_names[i]) most = std::max(most, row.bounds[i]);
  return most;
}

void append_number(std::string& out, double value) {
  char text[32];
  if (std::isfinite(value)) out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

nb::list endings(const BlockResults& results, bool with_bounds) {
  nb::list out;
  std::string text;
  for (const BlockResult& row : results.rows) {
    text = ",";
    append_number(text, cycles_of(row));
    append_number(text += ',', low_of(row));
    append_number(text += ',', high_of(row));
    text.append(",").append(row.bottleneck).append(",").append(status_name(row.status));
    if (with_bounds) {
      for (const double bound : row.bounds) {
        text += ',';
        append_number(text, bound);
      }
      text += ',';
      if (has_prediction(row) && !row.simulated) append_number(text, relieved_of(row));
    }
    out.append(nb::bytes(text.data(), text.size()));
  }
  return out;
}

BlockResults run(Predictor& predictor, const nb::sequence& blocks, const nb::object& addresses, bool bytes_are_text,
                 const std::optional<std::vector<std::int64_t>>& register_steps, const nb::object& codes_before) {
  // Tuples, so that nobody changes them while other threads run; they keep the texts alive.
  const nb::tuple items(blocks);
  const nb::tuple starts = addresses.is_none() ? nb::tuple() : nb::tuple(addresses);
  const nb::tuple before = codes_before.is_none() ? nb::tuple() : nb::tuple(codes_before);
  std::vector<BlockInput> inputs(items.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    inputs[i].valid = view_of(items[i], inputs[i].code);
    inputs[i].is_text = bytes_are_text || !PyBytes_Check(items[i].ptr());
    if (i < starts.size()) inputs[i].address_valid = address_of(starts[i], inputs[i].address);
    if (register_steps && i < register_steps->size()) inputs[i].register_step = (*register_steps)[i];
    if (i < before.size() && !before[i].is_none()) inputs[i].valid &= view_of(before[i], inputs[i].before);
  }
  BlockResults out{std::vector<BlockResult>(inputs.size())};
  const InterruptibleRelease release;
  predictor.predict(inputs, out.rows);
  return out;
}

void make(Predictor* self, const Machine& machine, std::string_view mode, std::string_view method, unsigned jobs,
          const std::vector<std::string>& mitigations, const std::vector<std::pair<double, double>>& intervals) {
  if (mode != "loop" && mode != "unroll") throw nb::value_error("mode is 'loop' or 'unroll'");
  const auto methods = all_methods();
  const auto found =
      std::find_if(methods.begin(), methods.end(), [&](const auto& each) { return each.name == method; });
  if (found == methods.end()) throw nb::value_error("there is no such method");
  std::vector<IntervalRatios> ratios;
  for (const auto& [low, high] : intervals)
    ratios.push_back({low, high});
  new (self) Predictor(machine, mode == "loop" ? LoopMode::loop : LoopMode::unroll, *found, jobs, mitigations,
                       std::move(ratios));
}

} // namespace

void register_predict(nb::module_& m) {
  nb::class_<BlockResults>(m, "BlockResults", "Results of a batch of blocks, in their order.")
      .def("__len__", [](const BlockResults& results) { return results.rows.size(); })
      .def_prop_ro(
          "cycles", [](const BlockResults& results) { return results.doubles(cycles_of); },
          "Predicted cycles per iteration as the bytes of doubles; NaN where there is no prediction.")
      .def_prop_ro(
          "lows", [](const BlockResults& results) { return results.doubles(low_of); },
          "Lower ends of the intervals, in cycles as the bytes of doubles; NaN where there is none.")
      .def_prop_ro(
          "highs", [](const BlockResults& results) { return results.doubles(high_of); }, "Upper ends, likewise.")
      .def_prop_ro(
          "classes",
          [](const BlockResults& results) {
            nb::list out;
            for (const BlockResult& row : results.rows)
              out.append(nb::cast(row.prediction_class));
            return out;
          },
          "What prediction_class() says of each block.", nb::sig("def classes(self) -> list[int | None]"))
      .def_prop_ro(
          "bottlenecks",
          [](const BlockResults& results) {
            nb::list out;
            for (const BlockResult& row : results.rows)
              out.append(row.bottleneck);
            return out;
          },
          nb::sig("def bottlenecks(self) -> list[str]"))
      .def_prop_ro(
          "statuses",
          [](const BlockResults& results) {
            nb::list out;
            for (const BlockResult& row : results.rows)
              out.append(status_name(row.status));
            return out;
          },
          "ok | bound | unknown | error.", nb::sig("def statuses(self) -> list[str]"))
      .def(
          "count",
          [](const BlockResults& results, std::string_view status) {
            return std::count_if(results.rows.begin(), results.rows.end(),
                                 [&](const BlockResult& row) { return status_name(row.status) == status; });
          },
          "status"_a, "Number of blocks of that status.")
      .def_prop_ro(
          "mitigated",
          [](const BlockResults& results) {
            return std::count_if(results.rows.begin(), results.rows.end(),
                                 [](const BlockResult& row) { return row.mitigated; });
          },
          "Number of blocks with an instruction that a microcode mitigation slows.")
      .def(
          "reasons",
          [](const BlockResults& results) {
            nb::dict out;
            for (std::size_t i = 0; i < results.rows.size(); ++i)
              if (!results.rows[i].reason.empty()) out[nb::int_(i)] = nb::cast(results.rows[i].reason);
            return out;
          },
          "By place in the batch, why a block has another status than ok.",
          nb::sig("def reasons(self) -> dict[int, str]"))
      .def("endings", &endings, "bounds"_a = false,
           "For each block ',predicted_cycles,low,high,bottleneck,status'; with `bounds` each bound's cycles follow, "
           "and, not "
           "simulated, the cycles were the bottleneck infinitely fast.",
           nb::sig("def endings(self, bounds: bool = False) -> list[bytes]"));
  nb::class_<Predictor>(m, "Predictor", "Predicts many encoded blocks; for one caller at a time.")
      .def("__init__", &make, "machine"_a, "mode"_a = "loop", "method"_a = "bounds", "jobs"_a = 1,
           "mitigations"_a = std::vector<std::string>(), "intervals"_a = std::vector<std::pair<double, double>>(),
           nb::keep_alive<1, 2>(),
           "jobs: threads that work on a batch; mitigations: names of those that are on, for BlockResults.mitigated; "
           "intervals: by class, their ends as shares of the prediction.")
      .def("stop", &Predictor::stop, "Ends a predict() that runs in another thread.")
      .def("predict", &run, "blocks"_a, "addresses"_a = nb::none(), "bytes_are_text"_a = false,
           "register_steps"_a = nb::none(), "codes_before"_a = nb::none(),
           "blocks: hexadecimal digits (str), or code (bytes; digits too where bytes_are_text). addresses: where the "
           "code starts, a number or its digits; 0 without. Anything else is a block of status error. "
           "register_steps: of each block the bytes by which a general register's place in a line of the cache lies "
           "behind that of the register before, in the order of their encoding (x86; not the stack pointer), of blocks "
           "that were timed on memory that holds one address; without, registers point to starts of lines, and to what "
           "is not known. codes_before: the code that ends where each starts, spelt as the blocks are; empty where "
           "nothing is known of it.\n\n"
           "Raises: MachineModelError.",
           nb::sig("def predict(self, blocks: collections.abc.Sequence[object], addresses: "
                   "collections.abc.Sequence[object] | None = None, bytes_are_text: bool = False, "
                   "register_steps: collections.abc.Sequence[int] | None = None, codes_before: "
                   "collections.abc.Sequence[object] | None = None) -> BlockResults"));
  m.def(
      "class_features",
      [] {
        nb::list out;
        for (const ClassFeature& feature : class_features()) {
          nb::list values;
          for (const std::string_view value : feature.values)
            values.append(value);
          out.append(nb::make_tuple(feature.name, values));
        }
        return out;
      },
      "What the class of a prediction depends on, the most important first, with the values of each. The number of a "
      "class has their places as digits.",
      nb::sig("def class_features() -> list[tuple[str, list[str]]]"));
  m.def(
      "prediction_class",
      [](const Machine& machine, const nb::sequence& instructions, std::string_view mode, std::string_view unknown,
         bool own_branch, bool placed, double cycles, std::string_view bottleneck) {
        const std::vector<const Instruction*> pointers = to_pointers(instructions);
        const LoopMode checked = checked_mode(mode);
        const std::vector<Costing> costings = find_costings(machine, pointers, checked_policy(unknown), checked);
        std::vector<InstructionClass> classes;
        for (std::size_t i = 0; i < pointers.size(); ++i)
          classes.push_back(class_of(*pointers[i], costings[i]));
        std::optional<std::uint32_t> out;
        if (const auto code = class_of({pointers, classes, checked, own_branch, placed}))
          out = class_number(*code, cycles, bottleneck);
        return out;
      },
      "machine"_a, "instructions"_a, "mode"_a, "unknown"_a, "own_branch"_a, "placed"_a, "cycles"_a, "bottleneck"_a,
      "The number of a prediction's class; None where an instruction has no data. own_branch: the code closes its loop "
      "itself. placed: it is known where it starts.\n\n"
      "Raises: UnknownFormError (unknown='error'), MachineModelError.",
      nb::sig("def prediction_class(machine: Machine, instructions: collections.abc.Sequence[Instruction], mode: str, "
              "unknown: str, own_branch: bool, placed: bool, cycles: float, bottleneck: str) -> int | None"));
  m.def(
      "predicted_bounds",
      [] { return std::vector<std::string>(Prediction::bound_names.begin(), Prediction::bound_names.end()); },
      "Names of the bounds, in the order of BlockResults.endings.");
  m.def(
      "closing_branch",
      [](const nb::sequence& block) {
        const ClosingBranch closing = closing_branch(to_pointers(block));
        return disassemble(Isa::x86, closing.bytes.data(), closing.size, closing.address).instructions;
      },
      "block"_a,
      "`dec` of a register that an x86 block leaves alone and `jnz` to its start; empty where all are taken.",
      nb::sig("def closing_branch(block: collections.abc.Sequence[Instruction]) -> list[Instruction]"));
}

} // namespace corecast
