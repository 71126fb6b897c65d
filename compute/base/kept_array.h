// KeptArray and PinnedArray: memory that a computation keeps from frame to frame and that only grows.
#pragma once

#include <utility>

#include "compute/base/device_array.h"

namespace isolume {

/// A workspace that is allocated once and then kept: room() replaces it only where it is too small, and then takes an
/// eighth more than asked, so that something that changes a little from frame to frame allocates nothing. Contents are
/// undefined after room(). Usable on any stream; the work that uses it must be done before it grows or ends.
template <class T>
class KeptArray {
 public:
  /// At least `count` elements. Throws Error that names the bytes.
  T* room(std::size_t count, Device device, const char* what) {
    if (array_.size() < count || (!array_.empty() && array_.device() != device)) {
      array_ = {};  // first, so that both need not fit
      array_ = DeviceArray<T>(count + count / 8, device, what);
    }
    return array_.data();
  }
  T* data() { return array_.data(); }
  const T* data() const { return array_.data(); }
  std::size_t capacity() const { return array_.size(); }

 private:
  DeviceArray<T> array_;
};

/// Host memory that a CUDA device copies from at full speed and writes to in place (plain memory for the CPU); kept and
/// grown like KeptArray.
template <class T>
class PinnedArray {
 public:
  PinnedArray() = default;
  ~PinnedArray() { release(); }
  PinnedArray(PinnedArray&& other) noexcept { swap(other); }
  PinnedArray& operator=(PinnedArray&& other) noexcept {
    PinnedArray(std::move(other)).swap(*this);
    return *this;
  }

  T* room(std::size_t count, Device device, const char* what) {
    if (size_ >= count && (size_ == 0 || device_ == device)) return data_;
    release();
    const std::size_t wanted = count + count / 8;
    if (device.is_cuda()) {
      const DeviceScope scope(device);
      void* memory = nullptr;
      cuda_check(cuda_api().allocate_host(&memory, wanted * sizeof(T)), what);
      data_ = static_cast<T*>(memory);
    } else {
      data_ = static_cast<T*>(allocate_memory(wanted * sizeof(T), device, nullptr, what));
    }
    size_ = wanted;
    device_ = device;
    return data_;
  }
  T* data() { return data_; }
  std::size_t capacity() const { return size_; }

 private:
  void release() noexcept {
    if (data_ && device_.is_cuda()) {
      if (cuda_api().release_host) cuda_api().release_host(data_);
    } else {
      release_memory(data_, size_ * sizeof(T), device_, nullptr);
    }
    data_ = nullptr;
    size_ = 0;
  }
  void swap(PinnedArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(device_, other.device_);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  Device device_;
};

}  // namespace isolume
