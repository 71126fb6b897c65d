// Damaged copies of files, the same ones on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isolume::fuzz {

/// Numbers from a seed (splitmix64): the standard library's distributions differ between implementations.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// From 0 to below - 1; 0 for 0.
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : static_cast<std::size_t>(next() % limit); }

 private:
  std::uint64_t state_;
};

/// One of `corpus` with one to four changes: bits, bytes, words of four bytes, numbers in text, lines, ranges of bytes
/// removed, repeated or taken from another file. At most `largest` bytes. The corpus must not be empty.
std::string mutated(const std::vector<std::string>& corpus, Random& random, std::size_t largest = 1u << 16);

}  // namespace isolume::fuzz
