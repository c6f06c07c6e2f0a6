// Lists that are mostly short.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace corecast {

/// A vector with room for a few elements in itself: asking for memory takes longer than filling it with two or three.
template <typename T, std::size_t room = 8> class Few {
  static_assert(std::is_trivially_destructible_v<T> && std::is_nothrow_copy_constructible_v<T>);

public:
  using value_type = T;

  Few() = default;
  Few(std::size_t count, const T& value) { resize(count, value); }
  Few(std::initializer_list<T> list) { append(list.begin(), list.end()); }
  Few(const Few& other) { append(other.begin(), other.end()); }
  Few(Few&& other) noexcept { take(other); }
  Few& operator=(const Few& other) {
    if (this == &other) return *this;
    clear();
    append(other.begin(), other.end());
    return *this;
  }
  Few& operator=(Few&& other) noexcept {
    if (this == &other) return *this;
    release();
    take(other);
    return *this;
  }
  ~Few() { release(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  auto rbegin() { return std::make_reverse_iterator(end()); }
  auto rend() { return std::make_reverse_iterator(begin()); }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& front() { return data_[0]; }
  const T& front() const { return data_[0]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }

  bool operator==(const Few& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

  void clear() { size_ = 0; }
  void reserve(std::size_t count) {
    if (count > capacity_) grow(count);
  }
  void push_back(const T& value) {
    const T copy = value; // which may be one of ours
    if (size_ == capacity_) grow(size_ + 1);
    std::construct_at(data_ + size_++, copy);
  }
  template <typename... Arguments> void emplace_back(Arguments&&... arguments) {
    push_back(T(std::forward<Arguments>(arguments)...));
  }
  void pop_back() { --size_; }
  void resize(std::size_t count, const T& value = T()) {
    reserve(count);
    while (size_ < count)
      push_back(value);
    size_ = count;
  }
  /// [first, last) is not part of it.
  template <typename Iterator> void append(Iterator first, Iterator last) {
    reserve(size_ + static_cast<std::size_t>(std::distance(first, last)));
    for (; first != last; ++first)
      push_back(*first);
  }
  void erase(T* at) {
    std::move(at + 1, end(), at);
    --size_;
  }

private:
  T* inside() { return reinterpret_cast<T*>(inside_); }

  void grow(std::size_t least) {
    const std::size_t capacity = std::max(least, 2 * capacity_);
    T* const larger = std::allocator<T>().allocate(capacity);
    std::uninitialized_copy_n(data_, size_, larger);
    release();
    data_ = larger;
    capacity_ = capacity;
  }

  void release() {
    if (data_ != inside()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = inside();
    capacity_ = room;
  }

  /// Of one that has nothing yet, but for its size.
  void take(Few& other) {
    size_ = std::exchange(other.size_, 0);
    if (other.data_ == other.inside()) {
      std::uninitialized_copy_n(other.data_, size_, data_);
      return;
    }
    data_ = std::exchange(other.data_, other.inside());
    capacity_ = std::exchange(other.capacity_, room);
  }

  alignas(T) std::byte inside_[room * sizeof(T)];
  T* data_ = inside();
  std::size_t size_ = 0;
  std::size_t capacity_ = room;
};

} // namespace corecast
