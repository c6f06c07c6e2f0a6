// From clock readings to cycles: drift cancels, what was disturbed is dropped and counted.
#include "cpp/runner/sampling.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace corecast::runner;

namespace {

constexpr SampleScale scale{10'000, 1'000};
constexpr double overhead = 300; // cycles of every run beside what is measured

/// A kernel of `cycles` on a core whose clock makes `rate` ticks a cycle.
RawSample sample(double cycles, double rate) {
  const auto ticks = [&](double of) { return static_cast<std::uint64_t>(std::llround((of + overhead) * rate)); };
  const Pair reference{ticks(10'000), ticks(20'000)};
  return {reference, {ticks(1'000 * cycles), ticks(2'000 * cycles)}, reference, 0};
}

std::vector<RawSample> samples(double cycles, double rate, unsigned count = 20) {
  return std::vector<RawSample>(count, sample(cycles, rate));
}

} // namespace

TEST_CASE("cycles do not depend on the clock's rate, nor on overhead") {
  for (const double rate : {0.3, 0.7, 1.0, 2.5}) {
    const Batch batch = to_cycles(samples(3.5, rate), scale, {});
    REQUIRE(batch.cycles.size() == 20);
    CHECK(batch.cycles.front() == doctest::Approx(3.5).epsilon(0.001));
    CHECK(batch.ticks_per_cycle == doctest::Approx(rate).epsilon(0.001));
  }
}

TEST_CASE("a clock that drifts from sample to sample does no harm") {
  std::vector<RawSample> drifting;
  for (int i = 0; i < 40; ++i)
    drifting.push_back(sample(2, 0.70 + 0.0001 * i));
  const Batch batch = to_cycles(drifting, scale, {});
  CHECK(batch.cycles.size() == 40);
  CHECK(lowest_cluster(batch.cycles, {}).value == doctest::Approx(2).epsilon(0.001));
}

TEST_CASE("samples that were interrupted are dropped and counted") {
  std::vector<RawSample> readings = samples(2, 0.7);
  readings[3].disturbances = 1;
  readings[7].kernel.longer *= 3; // nobody told of this one
  readings[9].before.shorter *= 2;
  const Batch batch = to_cycles(readings, scale, {});
  CHECK(batch.interrupted == 3);
  CHECK(batch.cycles.size() == 17);
  CHECK(*std::max_element(batch.cycles.begin(), batch.cycles.end()) == doctest::Approx(2).epsilon(0.001));
}

TEST_CASE("samples whose references disagree are dropped and counted") {
  std::vector<RawSample> readings = samples(2, 0.7);
  readings[0].after = {readings[0].after.shorter, readings[0].after.longer * 105 / 100};
  const Batch batch = to_cycles(readings, scale, {});
  CHECK(batch.unsteady == 1);
  CHECK(batch.interrupted == 0);
  CHECK(batch.cycles.size() == 19);
}

TEST_CASE("a neighbour that slows most samples down does not change the value") {
  std::mt19937 random(5);
  std::normal_distribution<double> noise(0, 0.001);
  std::vector<double> values;
  for (int i = 0; i < 100; ++i)
    values.push_back((i % 3 == 0 ? 0.25 : 0.40) * (1 + noise(random)));
  const Centre centre = lowest_cluster(values, {});
  CHECK(centre.clustered);
  CHECK(centre.value == doctest::Approx(0.25).epsilon(0.005));
}

TEST_CASE("one value that is too low makes no cluster, and values all over the place have none") {
  CHECK(lowest_cluster({1.0, 4.0, 4.001, 4.002, 4.003, 4.004}, {}).value == doctest::Approx(4.002));
  const Centre spread = lowest_cluster({1, 2, 3, 4, 5, 6, 7, 8, 9}, {});
  CHECK_FALSE(spread.clustered);
  CHECK(spread.value == 5);
}

TEST_CASE("low values beside many more do not pull the value down") {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 0.002);
  for (const double low : {0.982, 0.988, 0.994}) {
    std::vector<double> values;
    for (int i = 0; i < 200; ++i)
      values.push_back((i % 10 < 3 ? low : 1.0) * (1 + noise(random)));
    CHECK(lowest_cluster(values, {}).value == doctest::Approx(1).epsilon(0.006));
  }
}

TEST_CASE("an estimate lies within its own quartiles") {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> part(0, 1);
  for (int round = 0; round < 50; ++round) {
    Estimator estimator({});
    for (int batch = 0; batch < 3; ++batch) {
      std::vector<RawSample> readings;
      for (int i = 0; i < 40; ++i)
        readings.push_back(sample(part(random) < 0.25 ? 2 : 2 + part(random), 0.7));
      estimator.add(readings, scale);
    }
    CHECK(estimator.estimate().low <= estimator.estimate().cycles);
    CHECK(estimator.estimate().cycles <= estimator.estimate().high);
  }
}

TEST_CASE("a neighbour that slows the reference more than the kernel does not change the value") {
  // The reference of every third sample ran 6 % slow, the kernel not: by itself it would say 4.7 in place of 5.
  std::vector<RawSample> mixed;
  for (int i = 0; i < 48; ++i) {
    RawSample each = sample(5, 0.7);
    if (i % 3 != 0) each.before = each.after = sample(5, 0.7 * 1.06).before;
    mixed.push_back(each);
  }
  const Batch batch = to_cycles(mixed, scale, {});
  CHECK(batch.unsteady == 32);
  CHECK(lowest_cluster(batch.cycles, {}).value == doctest::Approx(5).epsilon(0.001));

  std::vector<RawSample> slow = samples(5, 0.7); // a whole batch of such samples
  for (RawSample& each : slow)
    each.before = each.after = sample(5, 0.7 * 1.06).before;
  Estimator estimator({});
  estimator.add(slow, scale);
  estimator.add(samples(5, 0.7), scale);
  CHECK_FALSE(estimator.estimate().stable); // the first is no witness
  estimator.add(samples(5, 0.7), scale);
  CHECK(estimator.estimate().stable);
  CHECK(estimator.estimate().cycles == doctest::Approx(5).epsilon(0.001));
  CHECK(estimator.estimate().unsteady == 20);
}

TEST_CASE("a measurement whose reference never ran as fast as before is not stable") {
  Estimator slower({}, 0.7);
  Estimator as_fast({}, 0.7);
  for (int batch = 0; batch < 3; ++batch) {
    slower.add(samples(5, 0.72), scale);
    as_fast.add(samples(5, 0.7), scale);
  }
  CHECK_FALSE(slower.estimate().stable);
  CHECK_FALSE(slower.estimate().at_known_rate);
  CHECK(slower.estimate().cycles == doctest::Approx(5).epsilon(0.001));
  CHECK(as_fast.estimate().stable);
  CHECK(as_fast.estimate().at_known_rate);
}

TEST_CASE("a clock that became slower for good says the same") {
  Estimator estimator({});
  estimator.add(samples(5, 0.7), scale);
  estimator.add(samples(5, 0.9), scale);
  CHECK(estimator.estimate().stable);
  CHECK(estimator.estimate().cycles == doctest::Approx(5).epsilon(0.001));
}

TEST_CASE("an estimate is stable once two batches in succession say the same") {
  Estimator estimator({});
  estimator.add(samples(5, 0.7), scale);
  CHECK_FALSE(estimator.estimate().stable);
  estimator.add(samples(4, 0.7), scale); // the first was slowed down
  CHECK_FALSE(estimator.estimate().stable);
  estimator.add(samples(4, 0.7), scale);
  CHECK(estimator.estimate().stable);
  CHECK(estimator.estimate().cycles == doctest::Approx(4).epsilon(0.001));
  CHECK(estimator.estimate().kept == 60);
  CHECK(estimator.estimate().batches == 3);
  CHECK(estimator.estimate().high == doctest::Approx(5).epsilon(0.001));
}

TEST_CASE("what a loop takes beyond its copies is reported") {
  constexpr double iterations = 10;
  const auto overhead = [](std::uint64_t shorter, std::uint64_t longer) {
    Estimator estimator({});
    estimator.add(std::vector<RawSample>(20, {{1000, 2000}, {shorter, longer}, {1000, 2000}}),
                  {1000, 1000, iterations});
    return estimator.estimate().overhead_cycles;
  };
  CHECK(overhead(1010, 2010) == doctest::Approx(1));   // both loops close alike: a cycle for each of ten iterations
  CHECK(overhead(2000, 2330) == doctest::Approx(167)); // copies of the shorter take six times as long
  CHECK(overhead(1000, 3000) == doctest::Approx(-100));
}

TEST_CASE("what a loop takes beyond its copies is reported for the samples that make the value") {
  std::vector<RawSample> mixed(20, {{1000, 2000}, {1010, 2010}, {1000, 2000}});
  for (std::size_t i = 0; i < 8; ++i)
    mixed[i].kernel.longer = 1410; // the longer loop ran in another way than the shorter
  Estimator estimator({});
  estimator.add(mixed, {1000, 1000, 10});
  CHECK(estimator.estimate().cycles == doctest::Approx(0.4));
  CHECK(estimator.estimate().overhead_cycles == doctest::Approx(61));
}

TEST_CASE("no samples at all give no estimate") {
  Estimator estimator({});
  estimator.add({}, scale);
  CHECK(estimator.estimate().kept == 0);
  CHECK_FALSE(estimator.estimate().stable);
}

TEST_CASE("samples whose witness was slow do not count") {
  std::vector<RawSample> samples;
  for (unsigned i = 0; i < 40; ++i) {
    const bool shared = i % 2 == 1;
    const std::uint64_t kernel = shared ? 2000 : 1000; // a neighbour takes half of the core
    samples.push_back({{1000, 2000}, {500, 500 + kernel}, {1000, 2000}, 0, shared ? 900U : 500U});
  }
  Estimator estimator({});
  estimator.add(samples, {1000, 1000});
  CHECK(estimator.estimate().cycles == doctest::Approx(1));
  CHECK(estimator.estimate().kept == 20);
  CHECK(estimator.estimate().witness_cycles == doctest::Approx(500));

  std::vector<RawSample> all_shared;
  for (unsigned i = 1; i < 40; i += 2)
    all_shared.push_back(samples[i]);
  Estimator knowing({}, 0, 500);
  knowing.add(all_shared, {1000, 1000});
  CHECK(knowing.estimate().kept == 0);
}

TEST_CASE("a core is shared where most witnesses took longer than alone, whatever the references say") {
  const SampleScale thousand{1000, 1000};
  std::vector<RawSample> samples;
  for (unsigned i = 0; i < 40; ++i)
    samples.push_back({{1000, 2000}, {500, 1500}, {1000, 2000}, 0, i % 2 == 1 ? 900U : 500U});
  CHECK_FALSE(is_shared(samples, thousand, {}, 500));                   // half of them
  samples.push_back({{1000, 2000}, {500, 1500}, {1000, 2500}, 0, 900}); // the references disagree, too
  CHECK(is_shared(samples, thousand, {}, 500));
  CHECK_FALSE(is_shared(samples, thousand, {}, 900)); // it never took less
  CHECK_FALSE(is_shared(samples, thousand, {}, 0));   // nothing is known
  CHECK_FALSE(is_shared({}, thousand, {}, 500));
}

TEST_CASE("a reference right behind the kernel detects a clock that follows it") {
  // Beside the kernel it runs 6 % slower than beside the references before and behind.
  std::vector<RawSample> licensed;
  for (int i = 0; i < 20; ++i) {
    RawSample each = sample(4, 0.7);
    each.kernel = sample(4, 0.7 * 1.06).kernel;
    each.near = 1060, each.far = 1000;
    licensed.push_back(each);
  }
  CHECK(lowest_cluster(to_cycles(licensed, scale, {}).cycles, {}).value == doctest::Approx(4).epsilon(0.001));
  for (RawSample& each : licensed) // a clock's steps are no licence
    each.kernel = sample(4, 0.7).kernel, each.near = 1004;
  CHECK(lowest_cluster(to_cycles(licensed, scale, {}).cycles, {}).value == doctest::Approx(4).epsilon(0.001));
}

TEST_CASE("a clock that sways evenly to both sides does not change the value") {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i)
    values.push_back(1 + 0.007 * std::sin(0.7 * i));
  CHECK(lowest_cluster(values, {}).value == doctest::Approx(1).epsilon(0.001));
}

TEST_CASE("where a witness says that nobody shared the core a slower clock does no harm") {
  Estimator estimator({}, 0.7, 1000);
  for (const double rate : {0.72, 0.74}) {
    std::vector<RawSample> slower = samples(5, rate);
    for (RawSample& each : slower)
      each.witness = static_cast<std::uint64_t>(1000 * rate);
    estimator.add(slower, scale);
  }
  CHECK(estimator.estimate().stable);
  CHECK(estimator.estimate().kept == 40);
  CHECK(estimator.estimate().cycles == doctest::Approx(5).epsilon(0.001));
}
