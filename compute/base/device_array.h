// DeviceArray: memory on a device that has one owner.
#pragma once

#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "compute/base/memory.h"
#include "compute/base/span.h"
#include "compute/base/stream.h"
#include "molecule/base/error.h"

namespace isolume {

/// `size` elements of a trivially copyable type on a device (CPU: aligned to 64 bytes). Move-only; contents start
/// undefined; copies have names. Work on it must be done before it is destroyed, except where it was made on the
/// stream that the work runs in.
template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceArray() = default;
  /// Usable on any stream and by any thread. Throws Error that names the bytes.
  DeviceArray(std::size_t size, Device device, const char* what = "array") : DeviceArray(size, device, nullptr, what) {}
  /// A workspace of the computation that runs in `stream`, allocated and freed in its order.
  DeviceArray(std::size_t size, const Stream& stream, const char* what)
      : DeviceArray(size, stream.device(), stream.handle(), what) {}
  ~DeviceArray() { release_memory(data_, size_ * sizeof(T), device_, stream_); }

  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    DeviceArray(std::move(other)).swap(*this);
    return *this;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Device device() const { return device_; }
  Span<T> span() { return {data_, size_, device_}; }
  Span<const T> span() const { return {data_, size_, device_}; }

  /// A copy of host memory on `device`.
  static DeviceArray from_host(std::span<const T> values, Device device, const char* what = "array") {
    DeviceArray result(values.size(), device, what);
    copy_memory(result.data_, device, values.data(), Device::cpu(), values.size_bytes());
    return result;
  }
  /// The same as a workspace; returns when `values` has been read.
  static DeviceArray from_host(std::span<const T> values, const Stream& stream, const char* what) {
    DeviceArray result(values.size(), stream, what);
    copy_memory(result.data_, stream.device(), values.data(), Device::cpu(), values.size_bytes(), stream.handle());
    return result;
  }
  std::vector<T> copy_to_host() const {
    std::vector<T> result(size_);
    copy_memory(result.data(), Device::cpu(), data_, device_, size_ * sizeof(T), stream_);
    return result;
  }

  void swap(DeviceArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(device_, other.device_);
    std::swap(stream_, other.stream_);
  }

 private:
  DeviceArray(std::size_t size, Device device, void* stream, const char* what) : device_(device), stream_(stream) {
    if (size > std::numeric_limits<std::size_t>::max() / sizeof(T))
      throw Error(std::string(what) + ": too many elements");
    data_ = static_cast<T*>(allocate_memory(size * sizeof(T), device, stream, what));
    size_ = size;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  Device device_;
  void* stream_ = nullptr;
};

/// Host copy of a span on any device.
template <class T>
std::vector<std::remove_const_t<T>> copy_to_host(Span<T> from) {
  std::vector<std::remove_const_t<T>> result(from.size);
  copy_memory(result.data(), Device::cpu(), from.data, from.device, from.bytes());
  return result;
}

}  // namespace isolume
