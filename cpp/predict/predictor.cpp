#include "cpp/predict/predictor.hpp"

#include "cpp/base/error.hpp"
#include "cpp/base/interrupt.hpp"
#include "cpp/llvm/decoder.hpp"
#include "cpp/lower/code_before.hpp"
#include "cpp/lower/region.hpp"
#include "cpp/machine/machine.hpp"
#include "cpp/predict/closing.hpp"
#include "cpp/predict/hex.hpp"
#include "cpp/predict/prediction_class.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

namespace corecast {
namespace {

/// That a thread takes, and works on step by step: few enough to share the rest of a batch.
constexpr std::size_t blocks_at_once = 32;
constexpr std::size_t most_instructions_of_room = 4096; // what a huge region needed is given back

/// Encodings that a thread remembers. Programs have many; but many threads are not to fill the memory.
std::size_t most_remembered(unsigned jobs) {
  constexpr std::size_t of_one = 65536;
  constexpr std::size_t of_all = 4 * of_one;
  return std::clamp(of_all / jobs, Decoder::default_most_remembered, of_one);
}

Isa isa_of(const Machine& machine) {
  switch (machine.pipeline().architecture) {
  case Architecture::aarch64:
    return Isa::aarch64;
  case Architecture::riscv64:
    return Isa::riscv64;
  case Architecture::x86:
    break;
  }
  return Isa::x86;
}

} // namespace

std::string_view status_name(BlockStatus status) {
  switch (status) {
  case BlockStatus::ok:
    return "ok";
  case BlockStatus::bound:
    return "bound";
  case BlockStatus::unknown:
    return "unknown";
  case BlockStatus::error:
    break;
  }
  return "error";
}

/// Somebody else has ended the work.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("the prediction was stopped") {}
};

class Predictor::Worker {
public:
  Worker(const Machine& machine, LoopMode mode, const NamedMethod& method, std::size_t most_remembered,
         std::vector<std::string> mitigations)
      : machine_(machine), isa_(isa_of(machine)), decoder_(isa_, most_remembered), method_(method.make()),
        mitigations_(std::move(mitigations)) {
    options_.mode = mode;
    options_.aligned = true;
  }

  void predict(std::span<const BlockInput> blocks, std::span<BlockResult> out) {
    begun_.clear();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      poll_interrupt();
      or_failed(out[i], [&] { out[i] = begin(blocks[i], i); });
    }
    for (Begun& each : begun_) {
      poll_interrupt();
      or_failed(out[each.place], [&] { finish(each, out[each.place]); });
    }
  }

private:
  /// A block whose prediction has been begun.
  struct Begun {
    std::size_t place = 0; // among the blocks
    BegunPrediction prediction;
    std::optional<CodeClass> code_class;
  };

  /// What is the same wherever an instruction stands; without lookup where not yet asked for.
  struct Known {
    Costing costing;
    Counters counters = 0;
    InstructionClass own_class;
    bool mitigated = false;
  };

  template <typename Step> static void or_failed(BlockResult& out, const Step& step) {
    try {
      step();
    } catch (const UnsupportedError& error) {
      out = failed(error.what());
    } catch (const SimulationLimitError& error) {
      out = failed(error.what());
    }
  }

  static BlockResult failed(std::string reason, BlockStatus status = BlockStatus::error) {
    BlockResult out;
    out.status = status;
    out.reason = std::move(reason);
    return out;
  }

  BlockResult begin(const BlockInput& input, std::size_t place) {
    if (std::string fault = read(input); !fault.empty()) return failed(std::move(fault));
    options_.slots_before.reset();
    if (!input.before.empty())
      if (std::string fault = read_before(input); !fault.empty()) return failed(std::move(fault));
    if (!decoder_.decode(code_, input.address)) return failed(decoder_.problem());
    collect();
    std::string reason = without_data();
    const auto unknown = static_cast<std::size_t>(std::count_if(
        costings_.begin(), costings_.end(), [](const Costing& costing) { return costing.entry == nullptr; }));
    if (too_many_unknown(unknown, costings_.size())) return failed(std::move(reason), BlockStatus::unknown);
    const bool own_branch = instructions_.back()->branch != Branch::none;
    if (options_.mode == LoopMode::loop && isa_ == Isa::x86 && !own_branch) {
      const ClosingBranch closing = closing_branch(instructions_, counters_);
      decoder_.append(closing.code(), closing.address);
      collect();
    }
    cost_repeats(machine_, instructions_, costings_, options_.mode);
    cost_store_waits(machine_, instructions_, costings_);
    options_.start_offset = input.address;
    options_.register_step = input.register_step;
    method_->check(costings_);
    begun_.push_back({place, begin(), class_of({instructions_, classes(), options_.mode, own_branch, true})});
    BlockResult out;
    out.status = unknown > 0 ? BlockStatus::bound : BlockStatus::ok;
    out.mitigated = mitigated_;
    out.reason = std::move(reason);
    return out;
  }

  /// What was collected.
  BegunPrediction begin() {
    const Recycled<const FormEntry*> entries = entries_of(costings_);
    LowerOptions options = lower_options(options_);
    options.edges = method_->needs_edges();
    Region region(machine_, instructions_, entries, options, std::move(graph_));
    BegunPrediction out = method_->begin({machine_, region, costings_, options_});
    if (instructions_.size() <= most_instructions_of_room) graph_ = std::move(region.graph);
    return out;
  }

  void finish(Begun& begun, BlockResult& out) {
    static_cast<BlockPrediction&>(out) = method_->finish(machine_, begun.prediction);
    if (begun.code_class) out.prediction_class = class_number(*begun.code_class, out.cycles, out.bottleneck);
  }

  /// What is wrong with the input, "" where nothing is.
  std::string read(const BlockInput& input) {
    if (!input.valid) return "no code";
    if (!input.address_valid) return "the address is no number";
    if (std::string fault = read_code(input.code, input.is_text, code_); !fault.empty()) return fault;
    return code_.empty() ? "no code" : "";
  }

  static std::string read_code(std::string_view given, bool is_text, std::vector<std::uint8_t>& out) {
    if (is_text) return read_hex(given, out);
    out.assign(given.begin(), given.end());
    return "";
  }

  std::string read_before(const BlockInput& input) {
    std::vector<std::uint8_t> code;
    if (std::string fault = read_code(input.before, input.is_text, code); !fault.empty())
      return "the code before: " + fault;
    if (!decoder_.decode(code, input.address - code.size())) return "the code before: " + decoder_.problem();
    instructions_.clear();
    for (const Decoder::Item& item : decoder_.items())
      instructions_.push_back(item.instruction);
    options_.slots_before = slots_before(machine_, instructions_, input.address);
    return "";
  }

  /// Whether a row is there because a mitigation is on.
  bool is_mitigated(const FormEntry* entry) const {
    return entry != nullptr && std::any_of(mitigations_.begin(), mitigations_.end(),
                                           [&](const std::string& table) { return entry->file.ends_with(table); });
  }

  /// Which forms there are no data for, "" for none.
  std::string without_data() const {
    constexpr std::size_t most_named = 3;
    std::vector<std::string_view> forms;
    for (std::size_t i = 0; i < costings_.size(); ++i) {
      const std::string_view form = instructions_[i]->form;
      if (costings_[i].entry == nullptr && std::find(forms.begin(), forms.end(), form) == forms.end())
        forms.push_back(form);
    }
    if (forms.empty()) return "";
    std::string out = "no data for ";
    for (std::size_t i = 0; i < std::min(forms.size(), most_named); ++i)
      out.append(i == 0 ? "" : "; ").append(forms[i]);
    if (forms.size() > most_named) out += "; and " + std::to_string(forms.size() - most_named) + " more";
    return out;
  }

  /// Throws UnsupportedError where the core lacks an instruction.
  void collect() {
    if (generation_ != decoder_.generation()) {
      known_.clear();
      generation_ = decoder_.generation();
    }
    instructions_.clear();
    costings_.clear();
    counters_ = 0;
    mitigated_ = false;
    for (const Decoder::Item& item : decoder_.items()) {
      if (item.id >= known_.size()) known_.resize(item.id + 1);
      Known& known = known_[item.id];
      if (known.costing.lookup == nullptr) known = know(*item.instruction);
      instructions_.push_back(item.instruction);
      costings_.push_back(known.costing);
      counters_ |= known.counters;
      mitigated_ |= known.mitigated;
    }
  }

  Known know(const Instruction& instruction) const {
    const Costing costing = find_costing(machine_, instruction, options_.unknown);
    return {costing, counters_of(instruction), class_of(instruction, costing), is_mitigated(costing.entry)};
  }

  /// Of what was collected.
  std::span<const InstructionClass> classes() {
    classes_.clear();
    const std::span<const Decoder::Item> items = decoder_.items();
    for (std::size_t i = 0; i < costings_.size(); ++i) {
      const Known& known = known_[items[i].id];
      const bool same = known.costing.lookup == costings_[i].lookup; // else its row is one for a count, or for a wait
      classes_.push_back(same ? known.own_class : class_of(*instructions_[i], costings_[i]));
    }
    return classes_;
  }

  const Machine& machine_;
  Isa isa_;
  Decoder decoder_;
  std::unique_ptr<Method> method_;
  std::vector<std::string> mitigations_; // ends of the names of their tables
  AnalyzeOptions options_;
  std::uint64_t generation_ = 0;
  std::vector<Known> known_; // by the decoder's id
  std::vector<std::uint8_t> code_;
  std::vector<const Instruction*> instructions_;
  std::vector<Costing> costings_;
  std::vector<InstructionClass> classes_;
  DependencyGraph graph_; // that nobody needs any more
  Counters counters_ = 0; // that they use
  bool mitigated_ = false;
  std::vector<Begun> begun_;
};

Predictor::Predictor(const Machine& machine, LoopMode mode, const NamedMethod& method, unsigned jobs,
                     const std::vector<std::string>& mitigations, std::vector<IntervalRatios> intervals)
    : intervals_(std::move(intervals)) {
  std::vector<std::string> tables;
  for (const std::string& name : mitigations)
    tables.push_back("/" + name + ".tsv");
  const unsigned count = std::max(1U, jobs);
  for (unsigned i = 0; i < count; ++i)
    workers_.push_back(std::make_unique<Worker>(machine, mode, method, most_remembered(count), tables));
}

Predictor::~Predictor() = default;

void Predictor::stop() {
  stopped_ = true;
}

void Predictor::predict(std::span<const BlockInput> blocks, std::span<BlockResult> out) {
  std::atomic<std::size_t> next = 0;
  std::mutex failure_mutex;
  std::exception_ptr failure;
  std::atomic<bool> ended = false;
  // Of the threads only the caller's hears signals, and it may be none that does: the others hear from it, or stop().
  const auto work = [&](Worker& worker) {
    const std::function<void()> outer = interrupt_check();
    const InterruptScope scope([&] {
      if (stopped_ || ended) throw Stopped();
      if (outer) outer();
    });
    try {
      for (std::size_t first = 0; (first = next.fetch_add(blocks_at_once)) < blocks.size();) {
        const std::size_t count = std::min(blocks_at_once, blocks.size() - first);
        const std::span<BlockResult> results = out.subspan(first, count);
        worker.predict(blocks.subspan(first, count), results);
        for (BlockResult& result : results)
          if (const auto& place = result.prediction_class; place && *place < intervals_.size())
            result.interval = intervals_[*place];
      }
    } catch (...) {
      const std::scoped_lock lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      next = blocks.size();
      ended = true;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < workers_.size() && i * blocks_at_once < blocks.size(); ++i)
      threads.emplace_back([&work, worker = workers_[i].get()] { work(*worker); });
    work(*workers_.front());
  }
  if (failure) std::rethrow_exception(failure);
}

} // namespace corecast
