// Timing of machine code on this host, and the rule that makes cycles of clock readings. Nothing is computed here.
#include "bindings.hpp"
#include "cpp/runner/cycle_counter.hpp"
#include "cpp/runner/data_places.hpp"
#include "cpp/runner/host_cpuid.hpp"
#include "cpp/runner/measure.hpp"
#include "cpp/runner/stepper.hpp"
#include "cpp/runner/tiles.hpp"
#include "cpp/runner/trace.hpp"
#include "cpp/runner/wire.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <tuple>

namespace nb = nanobind;
using namespace nb::literals;

namespace corecast {
namespace {

using runner::End;

const char* end_name(End end) {
  switch (end) {
  case End::done:
    return "done";
  case End::signal:
    return "signal";
  case End::timeout:
    return "timeout";
  case End::failed:
    return "failed";
  }
  return "failed";
}

runner::Clock clock_named(const std::string& name) {
  if (name == "timer") return runner::Clock::timer;
  if (name == "counter") return runner::Clock::counter;
  throw nb::value_error("a clock is 'timer' or 'counter'");
}

template <std::size_t size>
void put(std::array<std::uint64_t, size>& values, const std::map<unsigned, std::uint64_t>& changes) {
  for (const auto& [number, value] : changes) {
    if (number >= size) throw nb::index_error("no register of that number");
    values[number] = value;
  }
}

/// Clock readings of one sample: reference, kernel, reference (each shorter, longer), disturbances.
using Readings =
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t>;

runner::RawSample to_sample(const Readings& r) {
  return {{std::get<0>(r), std::get<1>(r)},
          {std::get<2>(r), std::get<3>(r)},
          {std::get<4>(r), std::get<5>(r)},
          std::get<6>(r),
          0};
}

void register_values(nb::module_& m) {
  nb::class_<runner::StartValues>(m, "StartValues", "What registers and memory hold when a kernel starts.")
      .def(nb::init<>())
      .def_rw("memory", &runner::StartValues::memory, "Eight bytes that fill memory.")
      .def_rw("vector_bytes", &runner::StartValues::vector_bytes, "Vector registers are clean above: 16, 32 or 64.")
      .def_rw("mmx", &runner::StartValues::mmx, "Registers of MMX hold numbers, too: x87's stack is full.")
      .def_rw("x87_depth", &runner::StartValues::x87_depth, "Numbers on x87's stack.")
      .def_rw("stack", &runner::StartValues::stack, "What the stack pointer holds.")
      .def_rw("tiles", &runner::StartValues::tiles,
              "AMX's tiles are configured, and their rows hold the first vectors' numbers.")
      .def_rw("flush_subnormals", &runner::StartValues::flush_subnormals, "SIMD takes subnormal numbers for 0.")
      .def(
          "set_general", [](runner::StartValues& v, const std::map<unsigned, std::uint64_t>& c) { put(v.general, c); },
          "changes"_a)
      .def(
          "set_vector", [](runner::StartValues& v, const std::map<unsigned, std::uint64_t>& c) { put(v.vector, c); },
          "changes"_a, "Eight bytes each, repeated over the register.")
      .def(
          "set_mask", [](runner::StartValues& v, const std::map<unsigned, std::uint64_t>& c) { put(v.mask, c); },
          "changes"_a);
}

void register_estimates(nb::module_& m) {
  nb::class_<runner::Estimate>(m, "Estimate", "What samples together say, in cycles of the core for one execution.")
      .def_ro("cycles", &runner::Estimate::cycles)
      .def_ro("low", &runner::Estimate::low, "Quartiles of the samples that count.")
      .def_ro("high", &runner::Estimate::high)
      .def_ro("kept", &runner::Estimate::kept)
      .def_ro("interrupted", &runner::Estimate::interrupted)
      .def_ro("unsteady", &runner::Estimate::unsteady, "Samples whose two references disagree.")
      .def_ro("batches", &runner::Estimate::batches)
      .def_ro("clustered", &runner::Estimate::clustered)
      .def_ro("stable", &runner::Estimate::stable)
      .def_ro("ticks_per_cycle", &runner::Estimate::ticks_per_cycle, "In the batch whose references ran fastest.")
      .def_ro("witness_cycles", &runner::Estimate::witness_cycles,
              "The least that the witness took, which needs the whole width of the core.")
      .def_ro("overhead_cycles", &runner::Estimate::overhead_cycles,
              "What an iteration of the shorter unrolled loop takes beyond its copies, were all of them alike.")
      .def_ro("at_known_rate", &runner::Estimate::at_known_rate)
      .def_ro("batch_cycles", &runner::Estimate::batch_cycles);
  nb::class_<runner::Estimator>(m, "Estimator", "Collects batches of samples until they agree.")
      .def(
          "__init__",
          [](runner::Estimator* self, double known_rate) {
            new (self) runner::Estimator(runner::Tolerances{}, known_rate);
          },
          "known_rate"_a = 0.0, "known_rate: the fewest ticks per cycle that earlier measurements saw, 0: none.")
      .def(
          "add",
          [](runner::Estimator& estimator, const std::vector<Readings>& readings, double reference, double executions) {
            std::vector<runner::RawSample> samples;
            for (const Readings& each : readings)
              samples.push_back(to_sample(each));
            estimator.add(samples, {reference, executions});
          },
          "samples"_a, "reference_cycles"_a, "executions"_a,
          "samples: clock readings (reference before: shorter, longer; kernel; reference after; disturbances). The "
          "differences of the longer and shorter runs stand for reference_cycles and executions.")
      .def_prop_ro("estimate", &runner::Estimator::estimate, nb::rv_policy::copy);
}

} // namespace

runner::TimedKernel kernel_of(const nb::bytes& code, const runner::StartValues& values) {
  const auto* first = static_cast<const std::uint8_t*>(code.data());
  runner::TimedKernel kernel;
  kernel.code.assign(first, first + code.size());
  kernel.values = values;
  return kernel;
}

/// Four bytes of the code, the end of their instruction, where they lead to from every copy.
using Leading = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;

void relocate(runner::TimedKernel& kernel, const Leading& leading) {
  const auto [field, end, target] = leading;
  if (end > kernel.code.size() || field > end || end - field < 4) throw nb::index_error("no such field");
  kernel.relocations.push_back({field, end, target});
}

/// An instruction of AArch64 that gives the target's page.
void relocate_page(runner::TimedKernel& kernel, std::uint32_t field, std::uint64_t target) {
  constexpr std::uint32_t instruction_bytes = 4;
  if (field % instruction_bytes != 0 || field + instruction_bytes > kernel.code.size())
    throw nb::index_error("no such instruction");
  kernel.relocations.push_back({field, field + instruction_bytes, target, runner::Field::page});
}

runner::MeasureOptions options_of(int cpu, bool real_time, double timeout_seconds, unsigned most_batches,
                                  double known_rate, double known_witness = 0) {
  runner::MeasureOptions options;
  options.sandbox.cpu = cpu;
  options.sandbox.real_time = real_time;
  options.sandbox.timeout_seconds = timeout_seconds;
  options.most_batches = most_batches;
  options.known_rate = known_rate;
  options.known_witness = known_witness;
  return options;
}

void register_blocks(nb::module_& m) {
  nb::class_<runner::TimedKernel>(m, "TimedBlock", "A basic block as it is timed.")
      .def(
          "__init__",
          [](runner::TimedKernel* self, const nb::bytes& code, const runner::StartValues& values) {
            new (self) runner::TimedKernel(kernel_of(code, values));
          },
          "code"_a, "values"_a)
      .def_rw("counter", &runner::TimedKernel::counter, "A general register that the code leaves alone, -1: none.")
      .def_rw("is_loop", &runner::TimedKernel::is_loop)
      .def_rw("copies", &runner::TimedKernel::copies, "Of the shorter unrolled loop, 0: chosen.")
      .def_rw("offset", &runner::TimedKernel::offset, "Of the code's start from a multiple of 64 bytes.")
      .def_rw("decoded", &runner::TimedKernel::decoded,
              "Unrolled code is decoded anew whenever it runs, and starts with its values again.")
      .def_rw("most_iterations", &runner::TimedKernel::most_iterations,
              "Of a loop, until it starts with its values again.")
      .def_rw("drains", &runner::TimedKernel::drains, "The clock is read when all stores are written.")
      .def_rw("data_pages", &runner::TimedKernel::data_pages, "Of memory that the pages of addresses are in turn.")
      .def(
          "relocate",
          [](runner::TimedKernel& self, std::uint32_t field, std::uint32_t end, std::uint64_t target) {
            relocate(self, {field, end, target});
          },
          "field"_a, "end"_a, "target"_a,
          "Four bytes at `field`, relative to the end of their instruction, lead to `target` from every copy.")
      .def("relocate_page", &relocate_page, "field"_a, "target"_a,
           "AArch64's adrp at `field` gives the page of `target` in every copy.");
  nb::class_<runner::Trace>(m, "Trace", "What registers held before every instruction of a block's first executions.")
      .def_prop_ro("end", [](const runner::Trace& t) { return end_name(t.outcome.end); })
      .def_prop_ro("signal",
                   [](const runner::Trace& t) {
                     return t.outcome.signal == 0 ? std::string() : runner::signal_name(t.outcome.signal);
                   })
      .def_prop_ro(
          "address", [](const runner::Trace& t) { return t.outcome.address; }, "Of the fault.")
      .def_prop_ro("message", [](const runner::Trace& t) { return t.outcome.message; })
      .def_prop_ro("tiles_refused", [](const runner::Trace& t) { return t.outcome.tiles_refused; })
      .def_ro("complete", &runner::Trace::complete, "Whether the last copy was left at its end.")
      .def_prop_ro(
          "steps",
          [](const runner::Trace& t) {
            return nb::bytes(reinterpret_cast<const char*>(t.steps.data()), t.steps.size() * sizeof(runner::TraceStep));
          },
          "For each step the instruction's offset and 32 general registers, eight bytes each.");
  m.def(
      "trace_block",
      [](const runner::TimedKernel& block, unsigned copies, std::size_t most_steps, int cpu, double timeout_seconds) {
        runner::SandboxOptions options;
        options.cpu = cpu;
        options.timeout_seconds = timeout_seconds;
        const nb::gil_scoped_release release;
        return runner::trace(block, copies, most_steps, options);
      },
      "block"_a, "copies"_a, "most_steps"_a, "cpu"_a = -1, "timeout_seconds"_a = 5.0,
      "Executes copies of a block instruction by instruction, in a child process.");
  m.def(
      "measure_block",
      [](const runner::TimedKernel& block, int cpu, bool real_time, double timeout_seconds, unsigned most_batches,
         double known_rate, double known_witness, const std::string& clock) {
        runner::MeasureOptions options =
            options_of(cpu, real_time, timeout_seconds, most_batches, known_rate, known_witness);
        options.clock = clock_named(clock);
        const nb::gil_scoped_release release;
        return runner::measure(block, options);
      },
      "block"_a, "cpu"_a = -1, "real_time"_a = true, "timeout_seconds"_a = 5.0, "most_batches"_a = 16,
      "known_rate"_a = 0.0, "known_witness"_a = 0.0, "clock"_a = "timer",
      "Cycles of one execution of a block, timed in child processes.");
}

/// What a program of another machine is asked for and answers.
void register_wire(nb::module_& m) {
  m.def(
      "measure_request",
      [](const runner::TimedKernel& block, int cpu, bool real_time, double timeout_seconds, unsigned most_batches,
         double known_rate, double known_witness, const std::string& clock, unsigned samples, double ticks_per_cycle,
         double shorter, double longer, double witness) {
        runner::MeasureRequest request{
            block, options_of(cpu, real_time, timeout_seconds, most_batches, known_rate, known_witness)};
        request.options.clock = clock_named(clock);
        if (samples != 0) request.options.samples = samples;
        request.options.simulated = {ticks_per_cycle, shorter, longer, witness};
        return runner::to_line(request);
      },
      "block"_a, "cpu"_a = -1, "real_time"_a = true, "timeout_seconds"_a = 5.0, "most_batches"_a = 16,
      "known_rate"_a = 0.0, "known_witness"_a = 0.0, "clock"_a = "timer", "samples"_a = 0, "ticks_per_cycle"_a = 0.0,
      "shorter"_a = 0.0, "longer"_a = 0.0, "witness"_a = 0.0,
      "The line that asks a program which times code for what measure_block does. samples: a batch, 0: as many as "
      "here. "
      "ticks_per_cycle above 0: its clock tells the time of a simulated core, which takes so many cycles for an "
      "iteration of the shorter and the longer loop, and of the witness.");
  m.def(
      "trace_request",
      [](const runner::TimedKernel& block, unsigned copies, std::size_t most_steps, int cpu, double timeout_seconds) {
        runner::TraceRequest request{block, copies, most_steps, {}};
        request.sandbox.cpu = cpu;
        request.sandbox.timeout_seconds = timeout_seconds;
        return runner::to_line(request);
      },
      "block"_a, "copies"_a, "most_steps"_a, "cpu"_a = -1, "timeout_seconds"_a = 5.0,
      "The line that asks for what trace_block does.");
  m.def("measurement_of", &runner::measurement_of, "line"_a,
        "The answer to measure_request. Raises ValueError for another line.");
  m.def("trace_of", &runner::trace_of, "line"_a, "The answer to trace_request. Raises ValueError for another line.");
}

/// Addresses in ascending order, or their counts, as packed numbers of 64 bits.
nb::bytes packed(const runner::SteppedImage& image, bool counts) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found(image.counts.begin(), image.counts.end());
  std::sort(found.begin(), found.end());
  std::vector<std::uint64_t> numbers;
  for (const auto& [address, count] : found)
    numbers.push_back(counts ? count : address);
  return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::uint64_t));
}

void register_stepper(nb::module_& m) {
  nb::class_<runner::SteppedImage>(m, "SteppedImage", "What one process executed of one program.")
      .def_prop_ro(
          "maps", [](const runner::SteppedImage& i) { return nb::bytes(i.maps.data(), i.maps.size()); },
          "Its mappings, as last read from /proc/PID/maps.")
      .def_prop_ro(
          "addresses", [](const runner::SteppedImage& i) { return packed(i, false); },
          "Of executed instructions, ascending, eight bytes each.")
      .def_prop_ro("counts", [](const runner::SteppedImage& i) { return packed(i, true); }, "Their executions.");
  nb::class_<runner::Stepped>(m, "Stepped", "A program that was run instruction by instruction.")
      .def_ro("problem", &runner::Stepped::problem, "Why nothing ran.")
      .def_ro("status", &runner::Stepped::status, "Exit code; below 0: the signal that ended it.")
      .def_ro("timed_out", &runner::Stepped::timed_out)
      .def_ro("images", &runner::Stepped::images, nb::rv_policy::reference_internal);
  m.def("can_step_programs", &runner::can_step_programs, "Whether step_program works on this system.");
  m.def(
      "step_program",
      [](const std::vector<std::string>& arguments, double seconds) {
        if (arguments.empty()) throw nb::value_error("a program is needed");
        const nb::gil_scoped_release release;
        return runner::step_program(arguments, seconds);
      },
      "arguments"_a, "seconds"_a = 0.0,
      "Runs a program, and all that it starts, instruction by instruction. seconds: after which it is ended, 0: "
      "never.");
}

void register_runner(nb::module_& m) {
  runner::reserve_data_places();
  register_values(m);
  register_estimates(m);
  nb::class_<runner::Measurement>(m, "Measurement", "One kernel, timed on this host.")
      .def_ro("estimate", &runner::Measurement::estimate)
      .def_prop_ro(
          "end", [](const runner::Measurement& r) { return end_name(r.outcome.end); },
          "done; signal, timeout: what ended the code; failed: it could not be run.")
      .def_prop_ro("signal",
                   [](const runner::Measurement& r) {
                     return r.outcome.signal == 0 ? std::string() : runner::signal_name(r.outcome.signal);
                   })
      .def_prop_ro(
          "address", [](const runner::Measurement& r) { return r.outcome.address; }, "Of the fault.")
      .def_prop_ro("message", [](const runner::Measurement& r) { return r.outcome.message; })
      .def_prop_ro(
          "tiles_refused", [](const runner::Measurement& r) { return r.outcome.tiles_refused; },
          "Whether it failed since code cannot use AMX's tiles here.")
      .def_ro("fault_offset", &runner::Measurement::fault_offset,
              "Bytes from the kernel's start to the instruction that faulted, -1: none.")
      .def_prop_ro("pinned", [](const runner::Measurement& r) { return r.outcome.pinned; })
      .def_prop_ro("real_time", [](const runner::Measurement& r) { return r.outcome.real_time; })
      .def_prop_ro("confined", [](const runner::Measurement& r) { return r.outcome.confined; })
      .def_ro("short_copies", &runner::Measurement::short_copies)
      .def_ro("long_copies", &runner::Measurement::long_copies)
      .def_ro("iterations", &runner::Measurement::iterations)
      .def_prop_ro(
          "samples",
          [](const runner::Measurement& r) {
            std::vector<Readings> readings;
            for (const runner::RawSample& each : r.samples)
              readings.emplace_back(each.before.shorter, each.before.longer, each.kernel.shorter, each.kernel.longer,
                                    each.after.shorter, each.after.longer, each.disturbances);
            return readings;
          },
          "Clock readings of all samples, as Estimator.add takes them.")
      .def_ro("x87_status", &runner::Measurement::x87_status, "Bits of x87's status word that were set.")
      .def_ro("simd_status", &runner::Measurement::simd_status, "Bits of MXCSR that were set.");
  m.def(
      "measurable_isa", [] { return runner::host_obstacle().empty() ? runner::host_isa() : ""; },
      "The instruction set that can be timed on this host, '' where none.");
  m.def("decoded_bytes", &runner::decoded_bytes,
        "Bytes of unrolled code that this host decodes anew in every execution; twice as many follow them.");
  m.def(
      "host_cpuid",
      [] {
        std::vector<
            std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>>
            found;
        for (const runner::CpuidLeaf& each : runner::host_cpuid())
          found.emplace_back(each.leaf, each.subleaf, each.eax, each.ebx, each.ecx, each.edx);
        return found;
      },
      "What CPUID says of vendor, model, extensions and caches: leaf, subleaf, eax, ebx, ecx, edx each. Empty where "
      "the "
      "core is not x86.");
  m.def(
      "tile_features", [] { return runner::tile_features(runner::host_tile_report()); },
      "Of amx_tile, amx_int8, amx_bf16 and amx_fp16 what CPUID names.");
  m.def(
      "missing_tiles", [] { return runner::missing_tiles(runner::host_tile_report()); },
      "Why this core has no tiles such as timed code uses, '' where it has.");
  m.def(
      "refused_tiles", [] { return runner::refused_tiles(runner::host_tile_report()); },
      "Why the system does not let programs use AMX's tiles, '' where it does.");
  m.def(
      "tile_setup",
      [](std::uint32_t offset) {
        const auto code = runner::tile_setup(offset);
        return nb::bytes(reinterpret_cast<const char*>(code.data()), code.size());
      },
      "offset"_a, "Code that configures and loads AMX's tiles, from rcx + offset; rdx is 0.");
  m.def(
      "tile_release",
      [] {
        const auto code = runner::tile_release();
        return nb::bytes(reinterpret_cast<const char*>(code.data()), code.size());
      },
      "Code that gives AMX's tiles back.");
  m.def(
      "tile_image",
      [](const runner::StartValues& values) {
        const auto image = runner::tile_image(values);
        return nb::bytes(reinterpret_cast<const char*>(image.data()), image.size());
      },
      "values"_a, "What that code loads: 64 bytes of configuration, and a row for each tile.");
  m.def("measuring_obstacle", &runner::host_obstacle, "Why this host cannot be measured, '' where it can.");
  m.def(
      "measuring_clock", [](const std::string& clock) { return runner::clock_name(clock_named(clock)); },
      "clock"_a = "timer", "What timed code reads the 'timer' with, or the system's 'counter' of cycles.");
  m.def("counter_obstacle", &runner::counter_obstacle,
        "Why timed code cannot read a counter of cycles here, '' where it can.");
  m.def(
      "block_data_places",
      [] {
        const runner::DataPlaces& places = runner::data_places();
        return std::tuple(places.registers, places.step, places.stack, places.pages);
      },
      "Addresses that blocks are timed with, beside this process's heap: the general registers' first, how far apart "
      "they are by number, the stack pointer's, and where pages begin that code names relative to itself.");
  m.attr("measuring_data_address") = runner::data_address;
  m.attr("measuring_number") = runner::number_pattern;
  m.def(
      "measure",
      [](const nb::bytes& code, const runner::StartValues& values, int counter, bool is_loop, unsigned copies, int cpu,
         bool real_time, double timeout_seconds, unsigned most_batches, double known_rate, double known_witness,
         const nb::bytes& setting, bool keeps_flags, const std::string& clock, const std::vector<Leading>& relocations,
         std::uint64_t most_iterations, bool drains, unsigned data_pages) {
        const auto* before = static_cast<const std::uint8_t*>(setting.data());
        runner::TimedKernel kernel = kernel_of(code, values);
        kernel.counter = counter;
        kernel.is_loop = is_loop;
        kernel.copies = copies;
        kernel.keeps_flags = keeps_flags;
        if (most_iterations != 0) kernel.most_iterations = most_iterations;
        kernel.drains = drains;
        kernel.data_pages = std::max(1U, data_pages);
        kernel.setting.assign(before, before + setting.size());
        for (const Leading& each : relocations)
          relocate(kernel, each);
        runner::MeasureOptions options =
            options_of(cpu, real_time, timeout_seconds, most_batches, known_rate, known_witness);
        options.clock = clock_named(clock);
        const nb::gil_scoped_release release;
        return runner::measure(kernel, options);
      },
      "code"_a, "values"_a, "counter"_a = -1, "is_loop"_a = false, "copies"_a = 0, "cpu"_a = -1, "real_time"_a = true,
      "timeout_seconds"_a = 5.0, "most_batches"_a = 16, "known_rate"_a = 0.0, "known_witness"_a = 0.0,
      "setting"_a = nb::bytes("", 0), "keeps_flags"_a = false, "clock"_a = "timer",
      "relocations"_a = std::vector<Leading>{}, "most_iterations"_a = 0, "drains"_a = false, "data_pages"_a = 1,
      "Cycles of one execution of machine code, timed in child processes. counter: a general register that the code "
      "leaves alone, -1: none; copies: of the shorter unrolled loop, 0: chosen; known_rate, known_witness: see "
      "Estimator; setting: an "
      "instruction that is executed once, before; keeps_flags: what closes the loop leaves all flags alone; clock: "
      "see measuring_clock; relocations: (field, end, target) as TimedBlock.relocate takes them; most_iterations, "
      "drains, "
      "data_pages: as of TimedBlock, 0: no limit.");
  register_blocks(m);
  register_wire(m);
  register_stepper(m);
}

} // namespace corecast
