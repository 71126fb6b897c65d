// A tile of the Gaussian density on the CPU: which atoms reach which brick, and their sums from tables of each axis.
#include "compute/density/density_tile.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/density/density_tile_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "compute/base/packed_lanes.h"
#include "compute/density/density_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

constexpr int groups = 16 / lanes;  // vectors of a layer of a brick

/// 2^x for x <= 0, to 1e-7; about 0 below 2^-125.
HWY_INLINE V power_of_two(D d, V x) {
  const hn::RebindToSigned<D> di;
  // Adding 1.5 * 2^23 rounds to an integer, which is then in the lowest bits.
  const V magic = hn::Set(d, 12582912.0f);
  x = hn::Max(x, hn::Set(d, -125.0f));
  const V moved = hn::Add(x, magic);
  const V part = hn::Sub(x, hn::Sub(moved, magic));
  // The polynomial of degree 5 with the least relative error, 7.5e-8, from -1/2 to 1/2.
  V sum = hn::Set(d, 0.0013276472f);
  sum = hn::MulAdd(sum, part, hn::Set(d, 0.00967554133f));
  sum = hn::MulAdd(sum, part, hn::Set(d, 0.0555071327f));
  sum = hn::MulAdd(sum, part, hn::Set(d, 0.240221197f));
  sum = hn::MulAdd(sum, part, hn::Set(d, 0.693146967f));
  sum = hn::MulAdd(sum, part, hn::Set(d, 1.00000007f));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, sum), hn::ShiftLeft<23>(hn::BitCast(di, moved))));
}

/// Squared distance along an axis from the interval `centre` +- `half`.
HWY_INLINE V gap_square(D d, V at, float centre, float half) {
  const V gap = hn::Max(hn::Sub(hn::Abs(hn::Sub(at, hn::Set(d, centre))), hn::Set(d, half)), hn::Zero(d));
  return hn::Mul(gap, gap);
}

/// The middle of a brick along an axis, and half its length.
struct BrickSpan {
  float centre, half;
  BrickSpan(int brick, float step)
      : centre((static_cast<float>(density_brick_side * brick) + 1.5f) * step),
        half(1.5f * (step < 0 ? -step : step) * 1.0001f) {}
};

/// Of the atoms of the tile, those that reach the row of bricks at (y, z).
HWY_ATTR std::size_t find_row(DensityTile& tile, const DensityTilePlace& place, std::size_t count, int y, int z) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const BrickSpan along_y(y, place.step[1]);
  const BrickSpan along_z(z, place.step[2]);
  std::size_t found = 0;
  auto numbers = hn::Iota(du, 0);
  for (std::size_t i = 0; i < count; i += lanes, numbers = hn::Add(numbers, hn::Set(du, lanes))) {
    const V gaps = hn::Add(gap_square(d, hn::LoadU(d, &tile.y[i]), along_y.centre, along_y.half),
                           gap_square(d, hn::LoadU(d, &tile.z[i]), along_z.centre, along_z.half));
    const V rest = hn::Sub(hn::LoadU(d, &tile.limit[i]), gaps);
    const auto reaches = hn::Ge(rest, hn::Zero(d));
    if (hn::AllFalse(d, reaches)) continue;
    hn::StoreU(packed(hn::LoadU(d, &tile.x[i]), reaches), d, &tile.row_x[found]);
    hn::StoreU(packed(rest, reaches), d, &tile.row_rest[found]);
    hn::StoreU(packed(numbers, hn::RebindMask(du, reaches)), du, &tile.row_numbers[found]);
    found += hn::CountTrue(d, reaches);
  }
  // A vector that begins at the last is full of such as reach nothing.
  hn::StoreU(hn::Set(d, -1.0f), d, &tile.row_rest[found]);
  return found;
}

/// Of those, the ones that reach the row's brick `x`.
HWY_ATTR std::size_t find_brick(DensityTile& tile, const DensityTilePlace& place, std::size_t row, int x) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const BrickSpan along(x, place.step[0]);
  std::size_t found = 0;
  for (std::size_t i = 0; i < row; i += lanes) {
    const V gap = gap_square(d, hn::LoadU(d, &tile.row_x[i]), along.centre, along.half);
    const auto reaches = hn::Ge(hn::LoadU(d, &tile.row_rest[i]), gap);
    const auto numbers = hn::LoadU(du, &tile.row_numbers[i]);
    hn::StoreU(packed(numbers, hn::RebindMask(du, reaches)), du, &tile.numbers[found]);
    found += hn::CountTrue(d, reaches);
  }
  return found;
}

/// Tables of an atom in a brick: 4 Gaussians along x, 4 along y, 4 along z, whose products are Gaussians of points, and
/// as many squares of distances times the atom's slope, whose sums are what is taken off.
struct AtomTable {
  alignas(64) float value[16];
  alignas(64) float off[16];
};

/// Lane i of vector g of a layer has x = i % 4 and y = i / 4, counted through the layer: the values along x as it needs
/// them, of four.
HWY_INLINE V spread_x(D d, const float* from, int g) {
  if constexpr (lanes >= 4) {
    return hn::LoadDup128(d, from);
  } else {
    return hn::LoadU(d, from + lanes * g % 4);
  }
}

/// The same along y, of those from number `first` on; a whole vector is read at `from`.
HWY_INLINE V spread_y(D d, const float* from, int first, int g) {
  if constexpr (lanes > 4) {
    const hn::RebindToSigned<D> di;
    const auto which = hn::Add(hn::ShiftRight<2>(hn::Iota(di, 0)), hn::Set(di, first + g * lanes / 4));
    return hn::TableLookupLanes(hn::LoadU(d, from), hn::IndicesFromVec(d, which));
  } else {
    return hn::Set(d, from[first + g * lanes / 4]);
  }
}

HWY_INLINE void make_table(D d, const TileAtom& atom, float atom_slope, const float* points, AtomTable& table) {
  const V slope = hn::Set(d, atom_slope);
  const V power = hn::Set(d, atom.power);
  for (int g = 0; g < groups; ++g) {
    // Four lanes along each axis; what comes after the third is not used.
    const V difference = hn::Sub(hn::Load(d, points + g * lanes), spread_y(d, atom.position, 0, g));
    const V square = hn::Mul(difference, difference);
    hn::Store(power_of_two(d, hn::Mul(square, power)), d, table.value + g * lanes);
    hn::Store(hn::Mul(square, slope), d, table.off + g * lanes);
  }
}

/// A vector's sums.
struct Sums {
  V rho, red, green, blue;
};

template <bool coloured>
HWY_INLINE void add_layer(D d, Sums& to, V values, V off, const AtomTable& table, int z, const TileAtom& atom) {
  // Beyond the cutoff more is taken off than is there.
  const V taken = hn::Add(off, hn::Set(d, table.off[8 + z]));
  const V value = hn::Max(hn::MulSub(values, hn::Set(d, table.value[8 + z]), taken), hn::Zero(d));
  to.rho = hn::Add(to.rho, value);
  if constexpr (coloured) {
    to.red = hn::MulAdd(value, hn::Set(d, atom.colour[0]), to.red);
    to.green = hn::MulAdd(value, hn::Set(d, atom.colour[1]), to.green);
    to.blue = hn::MulAdd(value, hn::Set(d, atom.colour[2]), to.blue);
  }
}

/// Adds the atoms tile.numbers[0 ... count - 1] to a brick.
template <bool coloured>
HWY_ATTR void add_to_brick(DensityTile& tile, std::size_t count, const float* points, int brick) {
  const D d;
  constexpr std::size_t chunk = 32;
  AtomTable tables[chunk];
  float(*sums)[density_brick_points] = tile.sums[brick];
  for (std::size_t begin = 0; begin < count; begin += chunk) {
    const TileAtom* atoms = tile.atoms.data();
    const std::uint32_t* numbers = tile.numbers.data() + begin;
    const std::size_t size = std::min(chunk, count - begin);
    for (std::size_t n = 0; n < size; ++n) {
      make_table(d, atoms[numbers[n]], tile.slope[numbers[n]], points, tables[n]);
    }
    for (int g = 0; g < groups; ++g) {
      // A group is the same rows of all four layers.
      const auto load = [&](int z) HWY_ATTR {
        const int at = 16 * z + lanes * g;
        Sums s{hn::Load(d, sums[0] + at), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
        if constexpr (coloured) {
          s.red = hn::Load(d, sums[1] + at);
          s.green = hn::Load(d, sums[2] + at);
          s.blue = hn::Load(d, sums[3] + at);
        }
        return s;
      };
      Sums s0 = load(0), s1 = load(1), s2 = load(2), s3 = load(3);
      for (std::size_t n = 0; n < size; ++n) {
        const AtomTable& table = tables[n];
        const TileAtom& atom = atoms[numbers[n]];
        const V values = hn::Mul(spread_x(d, table.value, g), spread_y(d, table.value, 4, g));
        const V off = hn::Add(spread_x(d, table.off, g), spread_y(d, table.off, 4, g));
        add_layer<coloured>(d, s0, values, off, table, 0, atom);
        add_layer<coloured>(d, s1, values, off, table, 1, atom);
        add_layer<coloured>(d, s2, values, off, table, 2, atom);
        add_layer<coloured>(d, s3, values, off, table, 3, atom);
      }
      const auto store = [&](int z, const Sums& s) HWY_ATTR {
        const int at = 16 * z + lanes * g;
        hn::Store(s.rho, d, sums[0] + at);
        if constexpr (coloured) {
          hn::Store(s.red, d, sums[1] + at);
          hn::Store(s.green, d, sums[2] + at);
          hn::Store(s.blue, d, sums[3] + at);
        }
      };
      store(0, s0);
      store(1, s1);
      store(2, s2);
      store(3, s3);
    }
  }
}

HWY_ATTR void add_atoms(DensityTile& tile, const DensityTilePlace& place, std::size_t count, bool coloured,
                        std::uint64_t wanted) {
  const D d;
  for (std::size_t i = 0; i < count; ++i) {
    const TileAtom& atom = tile.atoms[i];
    tile.x[i] = atom.position[0];
    tile.y[i] = atom.position[1];
    tile.z[i] = atom.position[2];
    tile.limit[i] = atom.limit * 1.0001f;
    tile.slope[i] = tile.at_cutoff / atom.limit;
  }
  hn::StoreU(hn::Set(d, -1.0f), d, &tile.limit[count]);
  const glm::ivec3 bricks = (place.counts + (density_brick_side - 1)) / density_brick_side;
  alignas(64) float points[16] = {};
  for (int z = 0; z < bricks.z; ++z) {
    for (int y = 0; y < bricks.y; ++y) {
      if ((wanted >> (4 * (y + 4 * z)) & 15u) == 0) continue;
      const std::size_t row = find_row(tile, place, count, y, z);
      if (row == 0) continue;
      for (int i = 0; i < 4; ++i) {
        points[4 + i] = static_cast<float>(density_brick_side * y + i) * place.step[1];
        points[8 + i] = static_cast<float>(density_brick_side * z + i) * place.step[2];
      }
      for (int x = 0; x < bricks.x; ++x) {
        if ((wanted >> (x + 4 * (y + 4 * z)) & 1u) == 0) continue;
        const std::size_t found = find_brick(tile, place, row, x);
        if (found == 0) continue;
        for (int i = 0; i < 4; ++i) points[i] = static_cast<float>(density_brick_side * x + i) * place.step[0];
        const int brick = x + 4 * (y + 4 * z);
        if (coloured) {
          add_to_brick<true>(tile, found, points, brick);
        } else {
          add_to_brick<false>(tile, found, points, brick);
        }
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(add_atoms);

void DensityTile::clear(bool coloured, std::uint64_t bricks) {
  for (int b = 0; b < density_tile_bricks; ++b) {
    if (bricks >> b & 1u) std::fill_n(&sums[b][0][0], (coloured ? 4 : 1) * density_brick_points, 0.0f);
  }
}

void DensityTile::add(const DensityTilePlace& place, std::size_t count, bool coloured, std::uint64_t bricks) {
  HWY_DYNAMIC_DISPATCH(add_atoms)(*this, place, count, coloured, bricks);
}

}  // namespace isolume
#endif  // HWY_ONCE
