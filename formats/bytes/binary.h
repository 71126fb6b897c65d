// Numbers at byte offsets of a file, in either byte order and never beyond its end.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "formats/bytes/byte_source.h"
#include "molecule/base/error.h"

namespace isolume {

/// a * b, or the largest value where that overflows: compared with what a file holds it is then "too much".
inline std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::uint64_t>::max() : product;
}

/// A number of `T` read from possibly unaligned memory, with its bytes reversed where `swap`.
template <class T>
T load_number(const std::byte* at, bool swap) {
  if constexpr (sizeof(T) == 1) {
    return std::bit_cast<T>(*at);
  } else if constexpr (sizeof(T) == 2) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, at, 2);
    return std::bit_cast<T>(swap ? static_cast<std::uint16_t>(__builtin_bswap16(bits)) : bits);
  } else if constexpr (sizeof(T) == 4) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, at, 4);
    return std::bit_cast<T>(swap ? __builtin_bswap32(bits) : bits);
  } else {
    static_assert(sizeof(T) == 8);
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, 8);
    return std::bit_cast<T>(swap ? __builtin_bswap64(bits) : bits);
  }
}

/// A cursor over the bytes of a source. Reading beyond the end throws Error (input) that names what was sought.
class BinaryCursor {
 public:
  BinaryCursor(const ByteSource& source, bool swap, std::uint64_t offset = 0)
      : source_(&source), swap_(swap), offset_(offset) {}

  std::uint64_t offset() const { return offset_; }
  std::uint64_t left() const {
    return source_->bytes().size() - std::min<std::uint64_t>(offset_, source_->bytes().size());
  }
  bool swapped() const { return swap_; }

  template <class T>
  T get(const char* what) {
    need(sizeof(T), what);
    const T value = load_number<T>(source_->bytes().data() + offset_, swap_);
    offset_ += sizeof(T);
    return value;
  }

  /// The next `count` bytes, and steps over them.
  const std::byte* take(std::uint64_t count, const char* what) {
    need(count, what);
    const std::byte* at = source_->bytes().data() + offset_;
    offset_ += count;
    return at;
  }

  void need(std::uint64_t count, const char* what) const {
    if (count > left()) {
      fail("the file ends inside " + std::string(what) + " (" + std::to_string(count) + " bytes sought, " +
           std::to_string(left()) + " left)");
    }
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw Error::in_file(source_->name(), 0, message, static_cast<std::int64_t>(offset_));
  }

 private:
  const ByteSource* source_;
  bool swap_;
  std::uint64_t offset_;
};

}  // namespace isolume
