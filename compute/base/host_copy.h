// host_copy: values of a device in memory of the host that is quick to come by.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <vector>

#include "compute/base/device_array.h"

namespace isolume {

/// DeviceArray::copy_to_host() for maps: from 4 MiB on the vector is in pages of 2 MiB, where the system has them. A
/// map of 100 MB is then 50 page faults instead of 25,000, which take longer than the copy.
template <class T>
std::vector<T> host_copy(const DeviceArray<T>& from) {
  std::vector<T> result;
  result.reserve(from.size());
  constexpr std::size_t least = std::size_t{4} << 20;
  constexpr std::uintptr_t page = 4096;
  const auto begin = reinterpret_cast<std::uintptr_t>(result.data());
  const std::uintptr_t first = (begin + page - 1) / page * page, end = (begin + from.size() * sizeof(T)) / page * page;
  if (from.size() * sizeof(T) >= least)
    (void)madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);  // a wish, no need
  result.resize(from.size());
  copy_memory(result.data(), Device::cpu(), from.data(), from.device(), from.size() * sizeof(T));
  return result;
}

}  // namespace isolume
