// Pictures of a movement, enlarged to the size of the window.
#include "app/window/viewport/enlarge.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "molecule/base/threads.h"

namespace isolume {
namespace {

/// Between which two pixels of a side one of the larger side is, and how far from the first, in parts of 256.
struct Between {
  int first, second;
  std::uint32_t part;
};

std::vector<Between> places(int from, int to) {
  std::vector<Between> result;
  result.reserve(static_cast<std::size_t>(to));
  for (int i = 0; i < to; ++i) {
    const double at = (i + 0.5) * from / to - 0.5;
    const int low = static_cast<int>(std::floor(at));
    const auto part = static_cast<std::uint32_t>(std::lround(256 * (at - low)));
    result.push_back({std::clamp(low, 0, from - 1), std::clamp(low + 1, 0, from - 1), part});
  }
  return result;
}

std::uint32_t mixed(std::uint32_t a, std::uint32_t b, std::uint32_t part) {
  // Two bytes at a time, each in 16 bits.
  constexpr std::uint32_t lanes = 0x00ff00ff, half = 0x00800080;
  const std::uint32_t even = ((a & lanes) * (256 - part) + (b & lanes) * part + half) >> 8 & lanes;
  const std::uint32_t odd = ((a >> 8 & lanes) * (256 - part) + (b >> 8 & lanes) * part + half) & ~lanes;
  return even | odd;
}

void widen(const std::uint32_t* row, const std::vector<Between>& columns, std::uint32_t* out) {
  for (std::size_t x = 0; x < columns.size(); ++x) {
    const Between& place = columns[x];
    out[x] = mixed(row[place.first], row[place.second], place.part);
  }
}

/// The compiler makes this one of vectors.
void mix_rows(const std::uint8_t* first, const std::uint8_t* second, std::uint32_t part, std::uint8_t* out,
              std::size_t bytes) {
  const auto a = static_cast<std::uint16_t>(256 - part), b = static_cast<std::uint16_t>(part);
  for (std::size_t i = 0; i < bytes; ++i)
    out[i] = static_cast<std::uint8_t>(static_cast<std::uint16_t>(first[i] * a + second[i] * b + 128) >> 8);
}

}  // namespace

QImage enlarged(const QImage& upside_down, QSize size) {
  QImage result(size, QImage::Format_RGB32);
  const int height = upside_down.height();
  if (upside_down.isNull() || result.isNull()) return result;
  const std::vector<Between> columns = places(upside_down.width(), size.width()), rows = places(height, size.height());
  std::uint8_t* const pixels = result.bits();
  const auto pitch = static_cast<std::size_t>(result.bytesPerLine());
  // In bands side by side; each keeps the two source rows around the one that is made, as wide as it.
  constexpr std::size_t band = 64;
  on_threads((rows.size() + band - 1) / band, [&](std::size_t n) {
    std::vector<std::uint32_t> first(columns.size()), second(columns.size());
    int in_first = -1, in_second = -1;
    const auto fetch = [&](int y, std::vector<std::uint32_t>& to, int& in) {
      if (in == y) return;
      widen(reinterpret_cast<const std::uint32_t*>(upside_down.constScanLine(height - 1 - y)), columns, to.data());
      in = y;
    };
    for (std::size_t y = n * band; y < std::min(rows.size(), (n + 1) * band); ++y) {
      const Between& place = rows[y];
      if (in_second == place.first && in_first != place.first) {
        std::swap(first, second);
        std::swap(in_first, in_second);
      }
      fetch(place.first, first, in_first);
      fetch(place.second, second, in_second);
      mix_rows(reinterpret_cast<const std::uint8_t*>(first.data()),
               reinterpret_cast<const std::uint8_t*>(second.data()), place.part, pixels + y * pitch,
               columns.size() * sizeof(std::uint32_t));
    }
  });
  return result;
}

}  // namespace isolume
