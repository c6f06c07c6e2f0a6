// Agreement of predictions with measurements.
#include "bindings.hpp"
#include "cpp/base/statistics.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <stdexcept>

namespace nb = nanobind;
using namespace nb::literals;

namespace corecast {
namespace {

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const double> view(const Doubles& values) {
  return {values.data(), values.size()};
}

void check(const Doubles& x, const Doubles& y) {
  if (x.size() != y.size()) throw std::invalid_argument("both columns must have the same length");
}

double kendall_tau(const Doubles& x, const Doubles& y) {
  check(x, y);
  const nb::gil_scoped_release released;
  const std::vector<std::uint32_t> once(x.size(), 1);
  return RankCorrelation(view(x), view(y)).tau(once);
}

using Pair = std::pair<double, double>;

std::tuple<Pair, Pair, Pair> intervals(const Doubles& measured, const Doubles& predicted,
                                       const Doubles& rounded_measured, const Doubles& rounded_predicted,
                                       std::uint32_t samples, std::uint32_t tau_samples, std::uint32_t seed) {
  check(measured, predicted);
  check(measured, rounded_measured);
  check(measured, rounded_predicted);
  const nb::gil_scoped_release released;
  const RankCorrelation ranks(view(rounded_measured), view(rounded_predicted));
  const BootstrapIntervals found = bootstrap(view(measured), view(predicted), ranks, {samples, tau_samples, seed});
  const auto pair = [](const Interval& interval) { return Pair{interval.low, interval.high}; };
  return {pair(found.mean_absolute_error), pair(found.mean_error), pair(found.tau)};
}

} // namespace

void register_statistics(nb::module_& m) {
  m.def("kendall_tau", &kendall_tau, "x"_a, "y"_a,
        "Kendall's tau-b of two columns (array('d'), NumPy); nan where one is constant.",
        nb::sig("def kendall_tau(x: collections.abc.Sequence[float], y: collections.abc.Sequence[float]) -> float"));
  m.def(
      "bootstrap_intervals", &intervals, "measured"_a, "predicted"_a, "rounded_measured"_a, "rounded_predicted"_a,
      "samples"_a = 1000, "tau_samples"_a = 200, "seed"_a = 1,
      "95 % intervals (low, high) by the percentile bootstrap: mean absolute and mean relative error of the first two "
      "columns, tau of the other two.",
      nb::sig("def bootstrap_intervals(measured: collections.abc.Sequence[float], predicted: "
              "collections.abc.Sequence[float], rounded_measured: collections.abc.Sequence[float], rounded_predicted: "
              "collections.abc.Sequence[float], samples: int = 1000, tau_samples: int = 200, seed: int = 1) -> "
              "tuple[tuple[float, float], tuple[float, float], tuple[float, float]]"));
}

} // namespace corecast
