// A queue of uops by their age.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace corecast::sim {

/// Numbers since the start, smallest first. Uops become ready nearly in their order, so that one is placed from the end.
class OldestFirst {
public:
  bool empty() const { return begin_ == sequences_.size(); }
  std::uint64_t front() const { return sequences_[begin_]; }

  void clear() {
    sequences_.clear();
    begin_ = 0;
  }

  void push(std::uint64_t sequence) {
    sequences_.push_back(sequence);
    std::size_t at = sequences_.size() - 1;
    for (; at > begin_ && sequences_[at - 1] > sequence; --at)
      sequences_[at] = sequences_[at - 1];
    sequences_[at] = sequence;
  }

  void pop() {
    if (++begin_ == sequences_.size())
      clear();
    else if (begin_ == most_gone)
      close_gap();
  }

private:
  void close_gap() {
    sequences_.erase(sequences_.begin(), sequences_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
  }

  static constexpr std::size_t most_gone = 256;

  std::vector<std::uint64_t> sequences_; // from begin_ on
  std::size_t begin_ = 0;
};

} // namespace corecast::sim
