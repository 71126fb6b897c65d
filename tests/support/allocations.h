// Counts what a test allocates in host memory; allocations.cpp is to be linked.
#pragma once

#include <cstddef>

namespace isolume::test {

/// From now on blocks of at least `least` bytes count, of all threads.
void count_allocations(std::size_t least);
/// How many there were since, and no counting any more. -1 where a sanitizer has the allocator.
int counted_allocations();

/// Bytes that all threads hold by operator new now; the most at a time since watch_bytes(). -1 where a sanitizer has
/// the allocator.
std::ptrdiff_t held_bytes();
void watch_bytes();
std::ptrdiff_t most_bytes();

}  // namespace isolume::test
