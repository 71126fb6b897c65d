// LargeVector: a vector for big lattices, on large pages and without a first pass of zeros.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace isolume {

/// Allocates from 4 MiB on in whole pages of 2 MiB, where the system has them: a lattice of 100 MB is then 50 page
/// faults instead of 25,000. Elements that are not given a value start undefined.
template <class T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}  // NOLINT

  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) throw std::bad_alloc();
    constexpr std::size_t page = std::size_t{2} << 20;
    const std::size_t bytes = count * sizeof(T);
    const bool large = bytes >= 2 * page;
    const std::size_t unit = large ? page : 64;
    void* memory = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
    if (!memory) throw std::bad_alloc();
    if (large) (void)madvise(memory, bytes, MADV_HUGEPAGE);  // a wish, no need
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }

  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) == 0 && std::is_trivially_copyable_v<U>) {
      ::new (static_cast<void*>(at)) U;
    } else {
      ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    }
  }
  template <class U>
  bool operator==(const LargeAllocator<U>&) const {
    return true;
  }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace isolume
