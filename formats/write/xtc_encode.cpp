// Compressing coordinates as XTC does.
#include "formats/write/xtc_encode.h"

#include <algorithm>
#include <cstdlib>

#include "formats/trajectories/xtc_radices.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using Wide = unsigned __int128;

/// Bits, the first one most significant in its byte.
class BitWriter {
 public:
  explicit BitWriter(std::vector<std::byte>& bytes) : bytes_(bytes) { bytes_.clear(); }

  /// The lower `count` bits of a value, at most 32.
  void bits(std::uint32_t value, unsigned count) {
    waiting_ = waiting_ << count | (value & ((std::uint64_t{1} << count) - 1));
    pending_ += count;
    while (pending_ >= 8) {
      pending_ -= 8;
      bytes_.push_back(static_cast<std::byte>(waiting_ >> pending_));
    }
  }
  /// An integer in the order of the format: whole bytes, least significant first, then the rest.
  void packed(Wide value, unsigned count) {
    for (; count >= 8; count -= 8, value >>= 8) bits(static_cast<std::uint32_t>(value & 0xff), 8);
    if (count > 0) bits(static_cast<std::uint32_t>(value & 0xff), count);
  }
  void finish() {
    if (pending_ > 0) bits(0, 8 - pending_);
  }

 private:
  std::vector<std::byte>& bytes_;
  std::uint64_t waiting_ = 0;
  unsigned pending_ = 0;  ///< bits of waiting_ that are not written, fewer than 8
};

unsigned width(Wide largest) {
  unsigned count = 0;
  for (; largest != 0; largest >>= 1) ++count;
  return count;
}

/// The largest difference along an axis.
std::int64_t distance(const XtcPosition& a, const XtcPosition& b) {
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < 3; ++i) largest = std::max(largest, std::abs(std::int64_t{a[i]} - b[i]));
  return largest;
}

std::int64_t half(int index) {
  return xtc_radices[static_cast<std::size_t>(index)] / 2;
}

/// Whole positions: packed in one integer, or one by one where the range is large.
class WholeWriter {
 public:
  explicit WholeWriter(const XtcBlock& block) : low_(block.low) {
    Wide product = 1;
    bool large = false;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int64_t size = std::int64_t{block.high[i]} - block.low[i] + 1;
      if (size > 0x7fffffff) throw Error("XTC cannot hold coordinates so far apart", Error::Kind::usage);
      sizes_[i] = static_cast<std::uint64_t>(size);
      single_[i] = width(sizes_[i]);
      large = large || sizes_[i] > 0xffffff;
      product *= sizes_[i];
    }
    if (!large) together_ = width(product);
  }

  void write(BitWriter& out, const XtcPosition& position) const {
    std::array<std::uint64_t, 3> from{};
    for (std::size_t i = 0; i < 3; ++i) from[i] = static_cast<std::uint64_t>(std::int64_t{position[i]} - low_[i]);
    if (together_ > 0) {
      out.packed((Wide{from[0]} * sizes_[1] + from[1]) * sizes_[2] + from[2], together_);
    } else {
      for (std::size_t i = 0; i < 3; ++i) out.bits(static_cast<std::uint32_t>(from[i]), single_[i]);
    }
  }

 private:
  std::array<std::int32_t, 3> low_;
  std::array<std::uint64_t, 3> sizes_{};
  std::array<unsigned, 3> single_{};
  unsigned together_ = 0;  ///< bits of the packed triple, 0: one by one
};

constexpr std::size_t longest_run = 8;
constexpr int reach = 4;  ///< steps of the table that a range grows by at most, about a factor of 2.5

void write_difference(BitWriter& out, const XtcPosition& to, const XtcPosition& from, int index) {
  const auto radix = static_cast<std::uint64_t>(xtc_radices[static_cast<std::size_t>(index)]);
  std::array<std::uint64_t, 3> digits{};
  for (std::size_t i = 0; i < 3; ++i)
    digits[i] = static_cast<std::uint64_t>(std::int64_t{to[i]} - from[i] + half(index));
  out.packed((Wide{digits[0]} * radix + digits[1]) * radix + digits[2], static_cast<unsigned>(index));
}

/// Codes positions with ranges from `least` on.
void code(std::span<const XtcPosition> positions, const WholeWriter& whole, int least, BitWriter& out) {
  int index = least;
  const int most = std::min(xtc_last_index, least + reach);
  std::size_t known_run = 0;  // readers keep the last one
  std::array<XtcPosition, longest_run + 1> group;
  for (std::size_t next = 0; next < positions.size();) {
    group[0] = positions[next++];
    std::size_t run = 0;
    const auto follows = [&] {
      return next < positions.size() && run < longest_run && distance(positions[next], group[run]) < half(index);
    };
    // The first two change places: both hydrogens of a water, whose oxygen is first, are then coded near it.
    if (follows()) {
      group[1] = group[0];
      group[0] = positions[next++];
      run = 1;
    }
    while (run > 0 && follows()) group[++run] = positions[next++];
    bool narrow = run > 0 && index > least;
    for (std::size_t k = 1; narrow && k <= run; ++k) narrow = distance(group[k], group[k - 1]) < half(index - 1);
    const bool wide = run < longest_run && index < most && next < positions.size() &&
                      distance(positions[next], positions[next - 1]) < half(most);
    const int change = wide ? 1 : narrow ? -1 : 0;
    whole.write(out, group[0]);
    if (run != known_run || change != 0) {
      out.bits(1, 1);
      out.bits(static_cast<std::uint32_t>(3 * static_cast<int>(run) + change + 1), 5);
      known_run = run;
    } else {
      out.bits(0, 1);
    }
    for (std::size_t k = 1; k <= run; ++k) write_difference(out, group[k], group[k - 1], index);
    index += change;
  }
  out.finish();
}

/// The smallest range with the fewest bits, tried on pieces of the positions.
int best_range(std::span<const XtcPosition> positions, const WholeWriter& whole) {
  constexpr std::size_t pieces = 8, length = 1000;
  std::vector<std::byte> bits;
  std::size_t fewest = ~std::size_t{0};
  int best = xtc_first_index;
  for (int index = xtc_first_index; index <= xtc_last_index; ++index) {
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < pieces; ++k) {
      const std::size_t at = positions.size() / pieces * k;
      if (k > 0 && positions.size() <= length) break;
      BitWriter out(bits);
      code(positions.subspan(at, std::min(length, positions.size() - at)), whole, index, out);
      bytes += bits.size();
    }
    if (bytes < fewest) best = index;
    if (bytes > 2 * fewest) break;
    fewest = std::min(fewest, bytes);
  }
  return best;
}

}  // namespace

XtcBlock encode_xtc(std::span<const XtcPosition> positions, std::vector<std::byte>& bits, int least) {
  XtcBlock block;
  block.low = block.high = positions.front();
  for (const XtcPosition& p : positions) {
    for (std::size_t i = 0; i < 3; ++i) {
      block.low[i] = std::min(block.low[i], p[i]);
      block.high[i] = std::max(block.high[i], p[i]);
    }
  }
  const WholeWriter whole(block);
  block.small_index = least > 0 ? least : best_range(positions, whole);
  BitWriter out(bits);
  code(positions, whole, block.small_index, out);
  block.bits = bits;
  return block;
}

}  // namespace isolume
