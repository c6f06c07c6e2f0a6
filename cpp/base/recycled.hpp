// Memory that stays with its thread, for what every region needs for a moment.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace corecast {

/// An empty vector that takes the memory of one of its kind that the thread no longer needs, and leaves it to the next:
/// asking for large pieces anew for each of many short regions takes longer than filling them.
template <typename T> class Recycled : public std::vector<T> {
public:
  Recycled() : Recycled(spares()) {}
  Recycled(Recycled&&) noexcept = default;
  Recycled& operator=(Recycled&&) = delete;
  Recycled(const Recycled&) = delete;
  Recycled& operator=(const Recycled&) = delete;
  ~Recycled() {
    if (this->capacity() == 0 || this->capacity() * sizeof(T) > most_bytes) return;
    if (spares_->size() == most_spares) return;
    this->clear();
    spares_->push_back(std::move(*this));
  }

private:
  static constexpr std::size_t most_bytes = 1 << 16; // what a huge region needed is given back
  static constexpr std::size_t most_spares = 64;     // more are never needed at once

  using Spares = std::vector<std::vector<T>>;

  explicit Recycled(Spares& spares) : spares_(&spares) {
    if (spares.empty()) return;
    std::vector<T>::operator=(std::move(spares.back()));
    spares.pop_back();
  }

  /// Asked for once each time: the address of what belongs to a thread takes a call.
  static Spares& spares() {
    thread_local Spares kept = [] {
      Spares out;
      out.reserve(most_spares); // giving memory back never fails
      return out;
    }();
    return kept;
  }

  Spares* spares_; // of the thread that made this one, which destroys it, too
};

} // namespace corecast
