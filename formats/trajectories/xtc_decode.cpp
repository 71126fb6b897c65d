// The compressed coordinates of XTC.
#include "formats/trajectories/xtc_decode.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "formats/trajectories/xtc_radices.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

[[noreturn]] void fail(const char* message) {
  throw Error(message, Error::Kind::input);
}

constexpr int first_index = xtc_first_index;
constexpr int last_index = xtc_last_index;
constexpr const auto& radices = xtc_radices;

/// Division by a number that stays the same: a product with 2^64 / d, right to within one for values below 2^57.
struct Divider {
  std::uint64_t by = 1;
  std::uint64_t reciprocal = 0;

  constexpr Divider() = default;
  constexpr explicit Divider(std::uint64_t d) : by(d), reciprocal(~std::uint64_t{0} / d) {}

  /// Returns the remainder and leaves the quotient in `value`.
  std::uint32_t split(std::uint64_t& value) const {
    auto quotient = static_cast<std::uint64_t>((static_cast<unsigned __int128>(value) * reciprocal) >> 64);
    std::uint64_t rest = value - quotient * by;
    if (rest >= by) {
      ++quotient;
      rest -= by;
    }
    value = quotient;
    return static_cast<std::uint32_t>(rest);
  }
};

constexpr std::array<Divider, last_index + 1> make_dividers() {
  std::array<Divider, last_index + 1> dividers{};
  for (int i = first_index; i <= last_index; ++i) {
    dividers[static_cast<std::size_t>(i)] = Divider(radices[static_cast<std::size_t>(i)]);
  }
  return dividers;
}
constexpr std::array<Divider, last_index + 1> dividers = make_dividers();

class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> bytes) : data_(bytes.data()), size_(bytes.size()) {}

  /// True where more bits were taken than there are (the missing ones read as 0).
  bool overrun() const { return position_ > 8 * size_; }

  /// The next bits, first bit most significant; 1 <= count <= 57.
  std::uint64_t bits(unsigned count) {
    const std::uint64_t value = window() >> (64 - count);
    position_ += count;
    return value;
  }

  /// An integer of 1 to 57 bits in the order of the format: whole bytes, least significant first, then the rest.
  std::uint64_t packed(unsigned count) {
    const unsigned whole = count & ~7u, rest = count & 7u;
    const std::uint64_t first = window();
    position_ += count;
    const std::uint64_t low = __builtin_bswap64(first) & ((std::uint64_t{1} << whole) - 1);
    const std::uint64_t high = ((first << whole) >> 1) >> (63 - rest);
    return low | (high << whole);
  }

  /// As packed(), for up to 72 bits.
  unsigned __int128 packed_long(unsigned count) {
    unsigned __int128 value = 0;
    unsigned done = 0;
    for (; done + 8 <= count; done += 8) value |= static_cast<unsigned __int128>(bits(8)) << done;
    if (count > done) value |= static_cast<unsigned __int128>(bits(count - done)) << done;
    return value;
  }

 private:
  /// At least 57 bits from the current position, first bit on top.
  std::uint64_t window() const {
    const std::size_t byte = position_ >> 3;
    std::uint64_t word = 0;
    if (byte + 8 <= size_) [[likely]] {
      std::memcpy(&word, data_ + byte, 8);
    } else if (byte < size_) {
      std::memcpy(&word, data_ + byte, size_ - byte);
    }
    return __builtin_bswap64(word) << (position_ & 7);
  }

  const std::byte* data_;
  std::size_t size_;
  std::size_t position_ = 0;
};

/// Bits of the number `largest` itself.
unsigned width(unsigned __int128 largest) {
  unsigned count = 0;
  while (largest != 0) {
    ++count;
    largest >>= 1;
  }
  return count;
}

using Triple = std::array<std::uint32_t, 3>;  // modulo 2^32, as damaged bits may overflow

/// Whole positions: packed in one integer, or one by one where the range is large.
class WholeReader {
 public:
  explicit WholeReader(const XtcBlock& block) {
    unsigned __int128 product = 1;
    bool large = false;
    for (std::size_t i = 0; i < 3; ++i) {
      low_[i] = static_cast<std::uint32_t>(block.low[i]);
      const std::int64_t size = std::int64_t{block.high[i]} - block.low[i] + 1;
      if (size < 1 || size > 0xffffffffLL) fail("the range of the coordinates is empty or too large");
      sizes_[i] = static_cast<std::uint64_t>(size);
      product *= sizes_[i];
      large = large || sizes_[i] > 0xffffff;
      single_[i] = width(sizes_[i]);
    }
    if (!large) {
      together_ = width(product);
      y_ = Divider(sizes_[1]);
      z_ = Divider(sizes_[2]);
    }
  }

  Triple read(BitReader& reader) const {
    Triple out;
    if (together_ == 0) {
      for (std::size_t i = 0; i < 3; ++i) out[i] = low_[i] + static_cast<std::uint32_t>(reader.bits(single_[i]));
    } else if (together_ <= 57) {
      std::uint64_t value = reader.packed(together_);
      out[2] = low_[2] + z_.split(value);
      out[1] = low_[1] + y_.split(value);
      out[0] = low_[0] + static_cast<std::uint32_t>(value);
    } else {
      unsigned __int128 value = reader.packed_long(together_);
      out[2] = low_[2] + static_cast<std::uint32_t>(value % sizes_[2]);
      value /= sizes_[2];
      out[1] = low_[1] + static_cast<std::uint32_t>(value % sizes_[1]);
      out[0] = low_[0] + static_cast<std::uint32_t>(value / sizes_[1]);
    }
    return out;
  }

 private:
  Triple low_{};
  std::array<std::uint64_t, 3> sizes_{};
  std::array<unsigned, 3> single_{};
  unsigned together_ = 0;  ///< bits of the packed triple, 0: one by one
  Divider y_, z_;
};

/// Differences to the atom before, in a range that grows and shrinks.
class DifferenceReader {
 public:
  explicit DifferenceReader(int index) { set(index); }

  void step(int by) { set(index_ + by); }

  /// Adds the next difference to `position`.
  void add(BitReader& reader, Triple& position) const {
    std::uint32_t x, y, z;
    if (index_ <= 57) {
      std::uint64_t value = reader.packed(static_cast<unsigned>(index_));
      z = divider_.split(value);
      y = divider_.split(value);
      x = static_cast<std::uint32_t>(value);
    } else {
      unsigned __int128 value = reader.packed_long(static_cast<unsigned>(index_));
      z = static_cast<std::uint32_t>(value % divider_.by);
      value /= divider_.by;
      y = static_cast<std::uint32_t>(value % divider_.by);
      x = static_cast<std::uint32_t>(value / divider_.by);
    }
    position[0] += x - half_;
    position[1] += y - half_;
    position[2] += z - half_;
  }

 private:
  void set(int index) {
    if (index < first_index || index > last_index) fail("the range of the differences is out of its table");
    index_ = index;
    divider_ = dividers[static_cast<std::size_t>(index)];
    half_ = static_cast<std::uint32_t>(divider_.by / 2);
  }

  int index_ = first_index;
  Divider divider_;
  std::uint32_t half_ = 0;
};

}  // namespace

void decode_xtc(const XtcBlock& block, std::size_t atoms, std::span<glm::vec3> out) {
  if (!(block.precision > 0) || !std::isfinite(block.precision))
    fail("the precision of the coordinates is not positive");
  const double scale = 10.0 / static_cast<double>(block.precision);
  BitReader reader(block.bits);
  const WholeReader whole(block);
  DifferenceReader differences(block.small_index);
  const auto to_angstrom = [scale](const Triple& t) {
    return glm::vec3(static_cast<float>(static_cast<std::int32_t>(t[0]) * scale),
                     static_cast<float>(static_cast<std::int32_t>(t[1]) * scale),
                     static_cast<float>(static_cast<std::int32_t>(t[2]) * scale));
  };
  unsigned run = 0;  // three times the number of differences; stays as it is where no new one is given
  std::size_t atom = 0;
  std::array<glm::vec3, 32 / 3 + 1> cut{};  // the longest run, and the atom before it
  while (atom < out.size()) {
    const Triple first = whole.read(reader);
    int change = 0;
    if (reader.bits(1) != 0) {
      const auto code = static_cast<unsigned>(reader.bits(5));
      change = static_cast<int>(code % 3) - 1;
      run = code - code % 3;
    }
    const std::size_t count = run / 3;
    if (reader.overrun() || count >= atoms - atom) {
      if (reader.overrun()) fail("the compressed coordinates end too early");
      fail("a run of compressed coordinates goes beyond the last atom");
    }
    // Of the last run that is wanted perhaps only the beginning.
    const bool is_cut = count >= out.size() - atom;
    glm::vec3* to = is_cut ? cut.data() : out.data() + atom;
    if (count == 0) {
      *to++ = to_angstrom(first);
    } else {
      Triple position = first;
      differences.add(reader, position);
      *to++ = to_angstrom(position);
      *to++ = to_angstrom(first);
      for (std::size_t k = 1; k < count; ++k) {
        differences.add(reader, position);
        *to++ = to_angstrom(position);
      }
    }
    if (is_cut) std::copy_n(cut.data(), out.size() - atom, out.data() + atom);
    atom += count + 1;
    if (change != 0) differences.step(change);
  }
  if (reader.overrun()) fail("the compressed coordinates end too early");
}

}  // namespace isolume
