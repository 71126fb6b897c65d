// Span: memory that somebody else owns, and where it is.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "compute/base/device.h"

namespace isolume {

/// `size` elements at `data`, which is an address of `device`: host memory for the CPU; for CUDA device memory, which
/// may be a mapped OpenGL buffer. The caller owns it.
template <class T>
struct Span {
  T* data = nullptr;
  std::size_t size = 0;
  Device device;

  Span() = default;
  Span(T* data_, std::size_t size_, Device device_) : data(data_), size(size_), device(device_) {}
  /// Host memory.
  Span(std::vector<std::remove_const_t<T>>& values) : data(values.data()), size(values.size()) {}  // NOLINT
  /// Read-only from writable.
  template <class U>
  requires std::same_as<const U, T> Span(const Span<U>& other)
      : data(other.data), size(other.size), device(other.device) {}  // NOLINT
  bool empty() const { return size == 0; }
  std::size_t bytes() const { return size * sizeof(T); }
};

}  // namespace isolume
