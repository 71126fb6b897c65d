// A checksum of bytes that notices damage; it is no signature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace isolume {

/// FNV-1a over words of 8 bytes, and the bytes that are left.
class Checksum {
 public:
  void add(const void* data, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(data);
    for (; bytes >= 8; at += 8, bytes -= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, 8);
      put(word);
    }
    for (; bytes > 0; ++at, --bytes) put(*at);
  }
  std::uint64_t value() const { return value_; }

 private:
  void put(std::uint64_t word) {
    value_ = (value_ ^ word) * 1099511628211ULL;
    value_ ^= value_ >> 29;
  }
  std::uint64_t value_ = 14695981039346656037ULL;
};

}  // namespace isolume
