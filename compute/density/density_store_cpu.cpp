// Writes a tile of the Gaussian density on the CPU to the volume: rows from bricks, as floats, halves or 8 bits.
#include <algorithm>
#include <cstring>

#include "compute/density/density_tile.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/density/density_store_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "compute/density/density_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

/// Four rows of the tile's points along x, of one layer: a channel of them.
HWY_INLINE void gather_rows(const DensityTile& tile, int channel, int y, int z, float (*rows)[16]) {
  for (int x = 0; x < 4; ++x) {
    const float* brick = tile.sums[x + y + 16 * (z / 4)][channel] + 16 * (z % 4);
    for (int row = 0; row < 4; ++row) std::memcpy(rows[row] + 4 * x, brick + 4 * row, 4 * sizeof(float));
  }
}

/// The first `n` of 16 elements of 4 bytes.
template <class T>
HWY_INLINE void copy_row(const T* from, int n, T* to) {
  const hn::CappedTag<T, 16> d;
  if (n == 16) {
    for (int i = 0; i < 16; i += lanes) hn::StoreU(hn::Load(d, from + i), d, to + i);
  } else {
    for (int i = 0; i < n; ++i) to[i] = from[i];
  }
}

/// A row of values as halves or as 8 bits.
HWY_ATTR void narrow_row(const float* from, int count, Storage element, void* to) {
  const D d;
  int i = 0;
  if (element == Storage::half) {
    auto* halves = static_cast<Half*>(to);
    const hn::Rebind<hwy::float16_t, D> dh;
    for (; i + lanes <= count; i += lanes) {
      hn::StoreU(hn::DemoteTo(dh, hn::LoadU(d, from + i)), dh, reinterpret_cast<hwy::float16_t*>(halves + i));
    }
    for (; i < count; ++i) halves[i] = from_float<Half>(from[i]);
  } else {
    auto* bytes = static_cast<Unorm8*>(to);
    const hn::RebindToSigned<D> di;
    const hn::Rebind<std::uint8_t, D> db;
    for (; i + lanes <= count; i += lanes) {
      const auto part = hn::Min(hn::LoadU(d, from + i), hn::Set(d, 1.0f));
      const auto scaled = hn::MulAdd(part, hn::Set(d, 255.0f), hn::Set(d, 0.5f));
      hn::StoreU(hn::DemoteTo(db, hn::ConvertTo(di, scaled)), db, reinterpret_cast<std::uint8_t*>(bytes + i));
    }
    for (; i < count; ++i) bytes[i] = from_float<Unorm8>(from[i]);
  }
}

/// Colours of a row as 8 bits each, alpha 255; 16 are written.
HWY_ATTR void pack_row(const float* red, const float* green, const float* blue, std::uint32_t* packed) {
  const D d;
  const hn::RebindToSigned<D> di;
  const auto bits = [&](const float* from) HWY_ATTR {
    const V part = hn::Min(hn::Max(hn::LoadU(d, from), hn::Zero(d)), hn::Set(d, 1.0f));
    return hn::ConvertTo(di, hn::MulAdd(part, hn::Set(d, 255.0f), hn::Set(d, 0.5f)));
  };
  for (int i = 0; i < 16; i += lanes) {
    const auto all = hn::Or(hn::Or(bits(red + i), hn::ShiftLeft<8>(bits(green + i))),
                            hn::Or(hn::ShiftLeft<16>(bits(blue + i)), hn::Set(di, static_cast<int>(0xff000000u))));
    hn::StoreU(all, di, reinterpret_cast<std::int32_t*>(packed) + i);
  }
}

/// Colours times density become colours, 0 where there is no density.
HWY_INLINE void divide_row(const float* rho, float* const channels[3]) {
  const D d;
  for (int i = 0; i < 16; i += lanes) {
    const V density = hn::Load(d, rho + i);
    const V scale = hn::IfThenElseZero(hn::Gt(density, hn::Zero(d)), hn::Div(hn::Set(d, 1.0f), density));
    for (int c = 0; c < 3; ++c) hn::Store(hn::Mul(hn::Load(d, channels[c] + i), scale), d, channels[c] + i);
  }
}

/// Colours of a row, from number `at` on: those of the bricks whose bits are set, of `n` points.
HWY_ATTR void store_colours(float* const colour[3], int n, unsigned bricks, const DensityTileOutput& to,
                            std::size_t at) {
  // Runs of points.
  const auto runs = [&](const auto& store) HWY_ATTR {
    for (int b = 0; b < 4; ++b) {
      if ((bricks >> b & 1u) == 0) continue;
      const int begin = density_brick_side * b;
      while (b < 3 && (bricks >> (b + 1) & 1u) != 0) ++b;
      store(begin, std::min(n, density_brick_side * (b + 1)));
    }
  };
  if (to.colour_element == Storage::float32) {
    auto* out = static_cast<glm::vec3*>(to.colours) + at;
    runs([&](int begin, int end) HWY_ATTR {
      for (int i = begin; i < end; ++i) out[i] = {colour[0][i], colour[1][i], colour[2][i]};
    });
  } else if (to.colour_element == Storage::half) {
    auto* out = static_cast<HalfColour*>(to.colours) + at;
    Half parts[3][16];
    for (int c = 0; c < 3; ++c) narrow_row(colour[c], 16, Storage::half, parts[c]);
    runs([&](int begin, int end) HWY_ATTR {
      for (int i = begin; i < end; ++i) out[i] = {parts[0][i], parts[1][i], parts[2][i], {}};
    });
  } else {
    alignas(64) std::uint32_t packed[16];
    pack_row(colour[0], colour[1], colour[2], packed);
    auto* out = static_cast<std::uint32_t*>(to.colours) + at;
    runs([&](int begin, int end) HWY_ATTR {
      if (begin == 0 && end == 16) return copy_row(packed, 16, out);
      for (int i = begin; i < end; ++i) out[i] = packed[i];
    });
  }
}

HWY_ATTR void store_tile(const DensityTile& tile, const DensityTilePlace& place, const DensityTileOutput& to) {
  // All four rows before the first is used: a vector of what was just written part by part would wait for it.
  alignas(64) float rows[4][4][16];
  const int n = place.counts.x;
  for (int z = 0; z < place.counts.z; ++z) {
    for (int first = 0; first < place.counts.y; first += 4) {
      const unsigned bricks = to.colours ? static_cast<unsigned>(to.coloured >> (first + 16 * (z / 4)) & 15u) : 0u;
      if (!to.density && bricks == 0) continue;
      for (int channel = 0; channel < (bricks ? 4 : 1); ++channel) gather_rows(tile, channel, first, z, rows[channel]);
      for (int y = first; y < std::min(first + 4, place.counts.y); ++y) {
        const std::size_t at = to.first + static_cast<std::size_t>(y) * to.row + static_cast<std::size_t>(z) * to.layer;
        const float* rho = rows[0][y - first];
        if (!to.density) {
          // Is there already.
        } else if (to.element == Storage::float32) {
          copy_row(rho, n, static_cast<float*>(to.density) + at);
        } else {
          narrow_row(rho, n, to.element, static_cast<std::byte*>(to.density) + at * value_bytes(to.element));
        }
        if (bricks == 0) continue;
        float* const colour[3] = {rows[1][y - first], rows[2][y - first], rows[3][y - first]};
        divide_row(rho, colour);
        store_colours(colour, n, bricks, to, at);
      }
    }
  }
}

/// Points of a row above the isovalue.
HWY_INLINE unsigned row_inside(const float* rho, V isovalue) {
  const D d;
  unsigned bits = 0;
  for (int i = 0; i < 16; i += lanes) {
    std::uint8_t part[8] = {};
    hn::StoreMaskBits(d, hn::Gt(hn::Load(d, rho + i), isovalue), part);
    bits |= (part[0] | static_cast<unsigned>(part[1]) << 8) << i;
  }
  return bits;
}

HWY_ATTR void find_inside(const DensityTile& tile, const DensityTilePlace& place, Storage element, float isovalue,
                          DensityTileInside& result) {
  alignas(64) float rows[4][16];
  const V level = hn::Set(D(), isovalue);
  const unsigned there = (1u << place.counts.x) - 1u;
  for (int z = 0; z < place.counts.z; ++z) {
    for (int first = 0; first < place.counts.y; first += 4) {
      gather_rows(tile, 0, first, z, rows);
      for (int y = first; y < std::min(first + 4, place.counts.y); ++y) {
        float* row = rows[y - first];
        // As it is stored.
        if (element == Storage::half) {
          for (int i = 0; i < 16; ++i) row[i] = to_float(from_float<Half>(row[i]));
        } else if (element == Storage::unorm8) {
          for (int i = 0; i < 16; ++i) row[i] = to_float(from_float<Unorm8>(row[i]));
        }
        result.inside[z][y] = static_cast<std::uint16_t>(row_inside(row, level) & there);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(store_tile);
HWY_EXPORT(find_inside);

void store_density_tile(const DensityTile& tile, const DensityTilePlace& place, const DensityTileOutput& to) {
  HWY_DYNAMIC_DISPATCH(store_tile)(tile, place, to);
}

DensityTileInside density_inside(const DensityTile& tile, const DensityTilePlace& place, Storage element,
                                 float isovalue) {
  DensityTileInside result;
  HWY_DYNAMIC_DISPATCH(find_inside)(tile, place, element, isovalue, result);
  return result;
}

}  // namespace isolume
#endif  // HWY_ONCE
