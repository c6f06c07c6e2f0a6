#include "cpp/sim/steady_state.hpp"

#include "cpp/base/error.hpp"
#include "cpp/sim/busy_cycles.hpp"
#include "cpp/sim/hash.hpp"
#include "cpp/sim/state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace corecast::sim {
namespace {

constexpr std::uint64_t fewest_iterations = 10;
constexpr std::int32_t most_cycles = 200000; // whatever the region, once an iteration is done
// Landmarks are set, and compared in vain, ever less often, so that the work stays in proportion to the cycles.
constexpr std::int32_t landmark_spacing = 12; // cycles
constexpr std::int32_t landmark_part = 3;     // of the cycles so far
constexpr std::int32_t comparison_spacing = 2;
constexpr std::int32_t comparison_part = 16;
// Front ends known by widths: large buffers fill slowly, and a window that ends with more in flight than it began with
// is no steady state.
constexpr std::int32_t fewest_level_cycles = 800;
constexpr std::size_t level_spacing = 8; // iterations between two looks
constexpr std::size_t level_candidates = 32;

// Without a period: what is left once the buffers have filled is cut into parts, and settles the matter when the rates
// of these scatter little and what buffers hold shows no trend. Irregular chains never repeat. Their mean errs the less
// the longer it is taken, but ever more slowly, so that the parts may scatter more the longer it took. These figures
// were chosen by 9,000 blocks of 13 cores, followed for 12,000 cycles or to their period: the result errs by 0.19 % for
// random forms and 0.09 % for code of programs. Half as much scatter again (0.010 in place of 0.007) takes 8 to 11 %
// fewer cycles for random forms; their results err by 0.21 % then on Skylake-X and 0.30 % on Granite Rapids (0.19 and
// 0.24 before), and are as near to measured blocks, within 0.01 points, as when they are followed for longer. How soon
// the buffers have filled differs: to try three beginnings takes 10 and 5 % fewer cycles than the last of them alone,
// with the same errors. What waits in schedulers or to be written must not grow, as where pushes fill the store queue
// for hundreds of cycles before it slows them down; where rename waits for room, uops in flight come and go by dozens.
// To wait for the state itself is no way out: of 186 random blocks on Skylake-X that end here, 147 repeat within
// 100,000 cycles, none of them sooner than here and half of them not before 4.7 times the cycles. Nor is it enough that
// the pace is that of a proven bound: buffers that fill behind it slow it down later, by up to a quarter on some cores.
constexpr std::int32_t fewest_settled_cycles = 512; // who asks for a shorter measurement gets it whole
constexpr std::int32_t first_settled_look = 160;    // cycles
constexpr std::int32_t settled_part = 16;           // of the cycles so far, until the next look
constexpr std::array settled_after{0.1, 0.25, 0.4}; // of the cycles so far, what is measured begins
constexpr std::size_t settled_iterations = 16;      // fewest of all parts together
constexpr std::size_t settled_ends = 8;             // samples at either end that may be its ends
// At the first look; later on more.
constexpr double settled_scatter = 0.01;    // standard deviation of the parts' rates to their mean
constexpr double settled_trend = 0.15;      // of that: between the rates of both halves
constexpr double settled_level = 2;         // uops between the emptiest part and the fullest
constexpr double settled_level_no_room = 8; // the same in flight where rename waits for room
constexpr double least_pace = 0.999;        // of the cycles that what is busiest takes: no steady state is faster
constexpr std::int32_t patience = 8;     // times the cycles of a measurement, for what lags behind to fill the buffers
constexpr double imbalance_weight = 0.1; // of uops in flight against cycles, where the windows' ends are chosen

// Loads that may be late never repeat: so many are drawn, which leaves about one percent of chance in their mean.
constexpr std::uint64_t enough_draws = 20000;
constexpr std::int32_t enough_drawn_cycles = 100000;

} // namespace

void SteadyState::reset(const Core& core, std::int32_t fewest_cycles, CycleSpan span) {
  samples_.reset(core.program->resources);
  landmarks_.clear();
  fewest_cycles_ = fewest_cycles;
  busy_cycles_ = most_busy_cycles(*core.program);
  span_ = span;
  seen_ = 0;
  last_cycle_ = 0;
  next_look_ = span.empty() ? most_cycles_of_first + 1 : 0;
  next_landmark_ = landmark_spacing;
  next_comparison_ = 0;
  windows_.fill({});
  next_settled_look_ = fewest_cycles < fewest_settled_cycles ? most_cycles : first_settled_look;
  periodic_ = false;
  from_ = to_ = 0;
}

/// Where retirement stands, and what buffers hold: moments that differ here differ.
std::uint64_t SteadyState::place(const Core& core) {
  return std::uint64_t{core.reorder_buffer.size} << 48 ^ std::uint64_t{core.scheduler.occupancy()} << 32 ^
         core.reorder_buffer.head.index;
}

/// The same of what takes a little longer to look at.
std::uint64_t SteadyState::outline(const Core& core) {
  Hash hash;
  hash.add(place(core));
  hash.add(core.front_end.uops.size() << 48 ^
           core.scheduler.outline(core.reorder_buffer.head_uop, core.renamer.next_uop, core.now));
  hash.add(core.ports.outline());
  return hash.value();
}

/// A landmark is passed with a look at the outline alone. Where that comes again, the whole state is looked at, and
/// this moment is a landmark whose state is known: the next time tells. Most code never repeats.
bool SteadyState::repeats(const Core& core) {
  if (core.now < next_comparison_) return false;
  const std::uint64_t now_place = place(core);
  const auto in_place = [&](const Landmark& each) { return each.place == now_place; };
  const bool due = core.now >= next_landmark_;
  if (!due && std::none_of(landmarks_.begin(), landmarks_.end(), in_place)) return false;
  const std::uint64_t now_outline = outline(core);
  const auto looks_alike = [&](const Landmark& each) { return each.outline == now_outline; };
  const bool comes_again = std::any_of(landmarks_.begin(), landmarks_.end(), looks_alike);
  if (!due && !comes_again) return false;
  std::optional<std::uint64_t> now_state;
  if (comes_again) {
    now_state = state_of(core);
    for (const Landmark& each : landmarks_)
      if (looks_alike(each) && each.state == now_state) {
        from_ = each.sample;
        to_ = samples_.size() - 1;
        return true;
      }
  }
  landmarks_.push_back({now_place, now_outline, now_state, samples_.size() - 1});
  next_landmark_ = core.now + landmark_spacing + core.now / landmark_part;
  next_comparison_ = core.now + comparison_spacing + core.now / comparison_part;
  return false;
}

bool SteadyState::look(const Core& core) {
  const bool last = core.now > (seen_ > 0 ? most_cycles : most_cycles_of_first);
  if (core.reorder_buffer.head.iteration != seen_) {
    seen_ = core.reorder_buffer.head.iteration;
    last_cycle_ = core.now;
    if (span_.empty()) {
      next_look_ = most_cycles + 1;
      samples_.add(core, seen_);
      periodic_ = core.program->draws == 0 && repeats(core);
      if (periodic_) return true;
    }
  }
  if (!span_.empty()) return measured_span(core) || last;
  if (core.program->draws != 0 && !last) return measured_draws(core);
  if (core.front_end.supplier == Supplier::generic && core.now >= fewest_level_cycles && last_cycle_ == core.now &&
      samples_.size() % level_spacing == 0 && take_level_window())
    return true;
  if (last_cycle_ == core.now && core.now >= next_settled_look_ && take_settled_window(core)) return true;
  if (!last && (core.now < fewest_cycles_ || seen_ < fewest_iterations || last_cycle_ != core.now)) return false;
  take_window();
  return last || core.now >= patience * fewest_cycles_ || to_ <= from_ ||
         sustainable(samples_.cycles_per_iteration(from_, to_));
}

bool SteadyState::sustainable(double pace) const {
  return pace >= least_pace * busy_cycles_;
}

bool SteadyState::measured_span(const Core& core) {
  if (core.now != span_.first && core.now != span_.last) return false;
  samples_.add(core, seen_);
  from_ = to_;
  to_ = samples_.size() - 1;
  return core.now == span_.last;
}

/// All but the first eighth, in which the buffers fill.
bool SteadyState::measured_draws(const Core& core) {
  if (last_cycle_ != core.now || seen_ < fewest_iterations || core.now < fewest_cycles_) return false;
  if (seen_ * core.program->draws < enough_draws && core.now < enough_drawn_cycles) return false;
  to_ = samples_.size() - 1;
  from_ = 1 + to_ / 8;
  return true;
}

/// A window between two moments with as many uops in flight.
bool SteadyState::take_level_window() {
  const std::size_t count = samples_.size();
  if (count <= fewest_iterations) return false;
  for (std::size_t first = count / 3; first < count / 3 + level_candidates && first < count; ++first)
    for (std::size_t last = count - 1; last > first && last + level_candidates > count; --last) {
      if (samples_.cycle(last) - samples_.cycle(first) < fewest_level_cycles) break;
      if (samples_.level(last) != samples_.level(first) || samples_.slot(last) != samples_.slot(first)) continue;
      if (!sustainable(samples_.cycles_per_iteration(first, last))) return false;
      from_ = first;
      to_ = last;
      return true;
    }
  return false;
}

/// Whether the rates of both halves are the same, as far as rates that scatter so much can be.
bool SteadyState::has_no_trend(const Parts& parts, double scatter) const {
  const double first = samples_.roughly_fitted_cycles_per_iteration(parts.front(), parts[settled_parts / 2]);
  const double second = samples_.roughly_fitted_cycles_per_iteration(parts[settled_parts / 2], parts.back());
  return std::abs(first - second) <= settled_trend * scatter * second && sustainable(second);
}

/// Whether the rates of the parts scatter no more.
bool SteadyState::has_steady_rate(const Parts& parts, double scatter) const {
  double sum = 0;
  double squares = 0;
  for (std::size_t part = 0; part < settled_parts; ++part) {
    if (parts[part] == parts[part + 1]) return false;
    const double rate = samples_.cycles_per_iteration(parts[part], parts[part + 1]);
    sum += rate;
    squares += rate * rate;
  }
  return squares * settled_parts <= sum * sum * (1 + scatter * scatter);
}

/// Whether the buffers hold as much in all parts.
bool SteadyState::is_level(const Parts& parts, double longer) const {
  struct Range {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    void add(double level) {
      least = std::min(least, level);
      most = std::max(most, level);
    }
    double width() const { return most - least; }
  };
  Range waiting;
  Range in_flight;
  for (std::size_t part = 0; part < settled_parts; ++part) {
    const SampleLog::Level level = samples_.mean_level(parts[part], parts[part + 1]);
    waiting.add(level.waiting);
    in_flight.add(level.in_flight);
  }
  const std::size_t middle = parts[settled_parts / 2];
  const bool no_room = samples_.had_no_room(parts.front(), middle) && samples_.had_no_room(middle, parts.back());
  return waiting.width() <= settled_level * longer &&
         in_flight.width() <= (no_room ? settled_level_no_room : settled_level) * longer;
}

/// What is behind the time in which the buffers fill: that may be short or long.
bool SteadyState::take_settled_window(const Core& core) {
  next_settled_look_ = core.now + core.now / settled_part;
  const double longer = static_cast<double>(core.now) / first_settled_look; // than at the first look
  const double scatter = settled_scatter * std::sqrt(longer * std::sqrt(longer));
  static_assert(settled_after.size() == std::tuple_size_v<decltype(windows_)>);
  for (std::size_t window = 0; window < settled_after.size(); ++window) {
    Parts& parts = windows_[window];
    const double after = settled_after[window];
    const auto find = [&](std::size_t part) {
      samples_.advance_to(parts[part],
                          static_cast<std::int32_t>(core.now * (after + (1 - after) * part / settled_parts)));
    };
    find(0);
    find(settled_parts / 2);
    parts.back() = samples_.size() - 1;
    if (parts.back() - parts.front() < settled_iterations) return false;
    if (!has_no_trend(parts, scatter)) continue; // quick to look at, and mostly there is one
    for (std::size_t part = 1; part < settled_parts; ++part)
      find(part);
    if (!has_steady_rate(parts, scatter) || !is_level(parts, longer)) continue;
    take_fitted_window(parts.front(), parts.back());
    return true;
  }
  return false;
}

/// Between the two samples near the ends whose rate is that of all between them: then both stand at the same place of a
/// pattern of several iterations, and everything else that is counted between them is counted over whole ones.
void SteadyState::take_fitted_window(std::size_t begin, std::size_t end) {
  const double rate = samples_.fitted_cycles_per_iteration(begin, end);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t first = begin; first < begin + settled_ends; ++first)
    for (std::size_t last = end; last > end - settled_ends; --last) {
      const double off = std::abs(samples_.cycles_per_iteration(first, last) / rate - 1) +
                         imbalance_weight * samples_.imbalance(first, last);
      if (off >= least) continue;
      least = off;
      from_ = first;
      to_ = last;
    }
}

/// The later half, ended where retirement stands in its group as at the start.
void SteadyState::take_window() {
  if (samples_.size() == 1)
    throw SimulationLimitError("an iteration takes more than " + std::to_string(most_cycles_of_first) +
                               " cycles, too many to simulate: use the method bounds");
  const std::size_t count = samples_.size() - 1; // without the start
  to_ = count;
  if (count < 4) return;
  from_ = 1 + count / 2;
  to_ = count > 4 ? count - 1 : count;
  if (to_ - from_ <= 10) return;
  for (std::size_t back = 0; back < 5; ++back)
    if (samples_.slot(to_ - back) == samples_.slot(from_)) {
      to_ -= back;
      return;
    }
}

} // namespace corecast::sim
