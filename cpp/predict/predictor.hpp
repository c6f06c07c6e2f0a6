// Predicting many encoded blocks with several threads.
#pragma once

#include "cpp/llvm/isa.hpp"
#include "cpp/predict/methods.hpp"

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace corecast {

/// One block as it was given.
struct BlockInput {
  std::string_view code;
  bool is_text = true; // hexadecimal digits, else the bytes themselves
  bool valid = true;   // false: no block at all
  std::uint64_t address = 0;
  bool address_valid = true;                 // false: what was given is no address
  std::optional<std::int64_t> register_step; // StartPlaces
  std::string_view before; // the code that ends where it starts, as far as it is known; the same spelling
};

enum class BlockStatus : std::uint8_t {
  ok,      // the cost of every instruction is known, or derived from related forms
  bound,   // there are no data for some: the cycles are a lower bound
  unknown, // there are no data for too many (too_many_unknown): no prediction
  error,   // no code, or bytes that are no instruction: no prediction
};

std::string_view status_name(BlockStatus status);

/// Ends of an interval, as shares of the prediction; not a number where nothing is known.
struct IntervalRatios {
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};

struct BlockResult : BlockPrediction {
  BlockStatus status = BlockStatus::error;
  bool mitigated = false; // a row counts for some instruction because a mitigation is on
  std::string reason;     // of any status but ok: what is wrong, or which instructions have no data
  std::optional<std::uint32_t> prediction_class; // class_number()
  IntervalRatios interval;
};

/// Keeps a decoder and a table of lookups for each thread, from call to call. Results depend on nothing but the block.
class Predictor {
public:
  /// `mitigations`: names of those that are on, for BlockResult::mitigated. `intervals`: by class, for
  /// BlockResult::interval; classes beyond its end have none.
  Predictor(const Machine& machine, LoopMode mode, const NamedMethod& method, unsigned jobs,
            const std::vector<std::string>& mitigations = {}, std::vector<IntervalRatios> intervals = {});
  ~Predictor();
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;

  /// out[i] is the result of blocks[i]. Throws ModelError where a row that is needed is malformed.
  void predict(std::span<const BlockInput> blocks, std::span<BlockResult> out);

  /// Ends a predict() of another thread soon, and all that follow: they throw.
  void stop();

private:
  class Worker;
  std::atomic<bool> stopped_ = false;
  std::vector<IntervalRatios> intervals_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

} // namespace corecast
