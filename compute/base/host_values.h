// HostValues: the values of a map on the host, in memory or, where they do not fit there, in a file.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <thread>

#include "compute/base/large_vector.h"

namespace isolume {

/// `count` values that start undefined. Where their bytes and `next to` more are beyond
/// available_memory(Device::cpu()), among others the limit that was set, they lie in an unnamed file of the folder of
/// `near`, mapped into the address space: the system keeps of it in memory what there is room for. Move-only.
class HostValues {
 public:
  HostValues() = default;
  /// Throws Error (failed) that names the bytes where neither the memory nor the disk has room for them.
  HostValues(std::size_t count, std::size_t beside, const std::string& near, const char* what);
  ~HostValues();
  HostValues(HostValues&& other) noexcept;
  HostValues& operator=(HostValues&& other) noexcept;

  std::span<float> span() { return values_; }
  std::span<const float> span() const { return values_; }
  bool in_file() const { return mapped_ != nullptr; }

 private:
  LargeVector<float> memory_;  ///< whoever writes a page first makes it: not one thread all of them
  void* mapped_ = nullptr;
  std::size_t bytes_ = 0;
  std::span<float> values_;
  std::jthread ahead_;  ///< makes the pages while the values are computed; ends before they are given back
};

}  // namespace isolume
