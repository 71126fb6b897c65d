// Counts what a test allocates in host memory: the program's operator new, with a counter.
#include "tests/support/allocations.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define ISOLUME_OTHER_ALLOCATOR
#endif

namespace isolume::test {
namespace {
std::atomic<std::size_t> smallest{std::numeric_limits<std::size_t>::max()};
std::atomic<int> counted{0};
std::atomic<std::ptrdiff_t> held{0}, most{0};
}  // namespace

void count_allocations(std::size_t least) {
  counted = 0;
  smallest = least;
}

int counted_allocations() {
  smallest = std::numeric_limits<std::size_t>::max();
#ifdef ISOLUME_OTHER_ALLOCATOR
  return -1;
#else
  return counted;
#endif
}

std::ptrdiff_t held_bytes() {
#ifdef ISOLUME_OTHER_ALLOCATOR
  return -1;
#else
  return held;
#endif
}

void watch_bytes() {
  most = held.load();
}

std::ptrdiff_t most_bytes() {
#ifdef ISOLUME_OTHER_ALLOCATOR
  return -1;
#else
  return most;
#endif
}

#ifndef ISOLUME_OTHER_ALLOCATOR
namespace {
void* taken(std::size_t size, std::size_t alignment) noexcept {
  if (size == 0) size = 1;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size);
  if (size > std::numeric_limits<std::size_t>::max() - alignment) return nullptr;
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* take(std::size_t size, std::size_t alignment) noexcept {
  if (size >= smallest.load(std::memory_order_relaxed)) ++counted;
  void* const memory = taken(size, alignment);
  if (memory == nullptr) return nullptr;
  const std::ptrdiff_t now = held += static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  std::ptrdiff_t before = most;
  while (now > before && !most.compare_exchange_weak(before, now)) {
  }
  return memory;
}

void give_back(void* memory) noexcept {
  if (memory != nullptr) held -= static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  std::free(memory);
}
}  // namespace
#endif

}  // namespace isolume::test

#ifndef ISOLUME_OTHER_ALLOCATOR
// The forms that the others call. NOLINTBEGIN
void* operator new(std::size_t size) {
  if (void* memory = isolume::test::take(size, 1)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  if (void* memory = isolume::test::take(size, static_cast<std::size_t>(alignment))) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return isolume::test::take(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return isolume::test::take(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  isolume::test::give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  isolume::test::give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  isolume::test::give_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  isolume::test::give_back(memory);
}
// NOLINTEND
#endif
