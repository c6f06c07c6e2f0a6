// A queue of uops by their age.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace corecast::sim {

/// Numbers since the start, smallest first. Uops become ready nearly in their order, so that one is placed from the
/// end.
class OldestFirst {
public:
  bool empty() const { return begin_ == end_; }
  std::uint64_t front() const { return sequences_[begin_]; }

  void clear() { begin_ = end_ = 0; }

  void push(std::uint64_t sequence) {
    if (end_ == sequences_.size()) make_room();
    std::size_t at = end_++;
    for (; at > begin_ && sequences_[at - 1] > sequence; --at)
      sequences_[at] = sequences_[at - 1];
    sequences_[at] = sequence;
  }

  void pop() {
    if (++begin_ == end_) clear();
  }

private:
  void make_room() {
    if (begin_ > end_ / 2) { // rather closes the gap at the front
      std::copy(sequences_.begin() + static_cast<std::ptrdiff_t>(begin_), sequences_.end(), sequences_.begin());
      end_ -= begin_;
      begin_ = 0;
      return;
    }
    sequences_.resize(std::max<std::size_t>(64, 2 * end_));
  }

  std::vector<std::uint64_t> sequences_; // [begin_, end_) are in the queue
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

} // namespace corecast::sim
