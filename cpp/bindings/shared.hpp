// Python objects that equal values share: a long region has few different figures and names.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace corecast {

/// Immutable objects, made when they are asked for first.
template <typename Key, typename Make> class Shared {
public:
  explicit Shared(Make make) : make_(std::move(make)) {}

  template <typename Value> const nanobind::object& of(const Key& key, const Value& value) {
    const auto [at, added] = made_.try_emplace(key);
    if (added) at->second = make_(value);
    return at->second;
  }

private:
  Make make_;
  std::unordered_map<Key, nanobind::object> made_;
};

class SharedFloats {
public:
  const nanobind::object& of(double value) { return made_.of(std::bit_cast<std::uint64_t>(value), value); }

private:
  static nanobind::object make(double value) { return nanobind::float_(value); }

  Shared<std::uint64_t, nanobind::object (*)(double)> made_{&make};
};

class SharedTexts {
public:
  /// The text must stay where it is.
  const nanobind::object& of(std::string_view text) { return made_.of(text, text); }

private:
  static nanobind::object make(std::string_view text) { return nanobind::str(text.data(), text.size()); }

  Shared<std::string_view, nanobind::object (*)(std::string_view)> made_{&make};
};

class SharedIntegers {
public:
  const nanobind::object& of(std::uint32_t value) { return made_.of(value, value); }

private:
  static nanobind::object make(std::uint32_t value) { return nanobind::int_(value); }

  Shared<std::uint32_t, nanobind::object (*)(std::uint32_t)> made_{&make};
};

} // namespace corecast
