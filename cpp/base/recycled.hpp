// Memory that stays with its thread, for what every region needs for a moment.
#pragma once

#include <utility>
#include <vector>

namespace corecast {

/// An empty vector that takes the memory of the thread's last one of its kind, and leaves it to the next: asking for
/// large pieces anew for each of many short regions takes longer than filling them.
/// `Which` tells those apart that are needed at once: of one kind and number, the first alone gets used memory.
template <typename T, int Which = 0> class Recycled : public std::vector<T> {
public:
  Recycled() : Recycled(spare()) {}
  Recycled(Recycled&&) noexcept = default;
  Recycled& operator=(Recycled&&) = delete;
  Recycled(const Recycled&) = delete;
  Recycled& operator=(const Recycled&) = delete;
  ~Recycled() {
    if (this->capacity() == 0 || this->capacity() * sizeof(T) > most_bytes) return;
    if (this->capacity() > spare_->capacity()) spare_->swap(*this);
  }

private:
  static constexpr std::size_t most_bytes = 1 << 20; // what one huge region needed is given back

  explicit Recycled(std::vector<T>& spare) : std::vector<T>(std::move(spare)), spare_(&spare) { this->clear(); }

  /// Asked for once each time: the address of what belongs to a thread takes a call.
  static std::vector<T>& spare() {
    thread_local std::vector<T> kept;
    return kept;
  }

  std::vector<T>* spare_; // of the thread that made this one, which destroys it, too
};

} // namespace corecast
