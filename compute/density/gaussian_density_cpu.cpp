// Gaussian density on the CPU: atoms are added to tiles that stay in the cache, from tables of one axis each.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "compute/density/gaussian_density.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/density/gaussian_density_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#ifndef ISOLUME_DENSITY_TILE
#define ISOLUME_DENSITY_TILE
namespace isolume {

constexpr int density_tile_x = 32;
constexpr int density_tile_yz = 16;
constexpr int density_row = density_tile_x + 16;  // room for a vector that begins at the last point
constexpr int density_tile_size = density_row * density_tile_yz * density_tile_yz;

/// One tile's sums: density, and red, green, blue times density.
struct DensityTile {
  glm::ivec3 counts;  ///< points that are in the grid
  float step[3];
  alignas(64) float rho[density_tile_size];
  alignas(64) float red[density_tile_size];
  alignas(64) float green[density_tile_size];
  alignas(64) float blue[density_tile_size];
};

/// One atom as a tile sees it: position relative to the tile's first point.
struct TileAtom {
  float position[3];
  float exponent;  ///< -1 / (2 sigma^2)
  float cutoff;
  float colour[3];
};

/// Points first .. last of an axis that lie within the cutoff, or a few more.
inline bool axis_range(float position, float cutoff, float step, int count, int& first, int& last) {
  const float a = (position - cutoff) / step;
  const float b = (position + cutoff) / step;
  const float lower = std::ceil(std::min(a, b) - 0.01f);
  const float upper = std::floor(std::max(a, b) + 0.01f);
  if (!(lower <= static_cast<float>(count - 1)) || !(upper >= 0)) return false;
  first = lower > 0 ? static_cast<int>(lower) : 0;
  last = upper < static_cast<float>(count - 1) ? static_cast<int>(upper) : count - 1;
  return first <= last;
}

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Squared distances and exponentials along one axis from point `first` on, `count` of them or a few more.
HWY_ATTR void axis_table(float position, float exponent, float step, int first, int count, float* squares,
                         float* values) {
  const hn::CappedTag<float, 16> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto at = hn::Set(d, position);
  for (int i = 0; i < count; i += lanes) {
    const auto point = hn::Mul(hn::Iota(d, static_cast<float>(first + i)), hn::Set(d, step));
    const auto difference = hn::Sub(point, at);
    const auto square = hn::Mul(difference, difference);
    hn::StoreU(square, d, squares + i);
    hn::StoreU(hn::Exp(d, hn::Mul(square, hn::Set(d, exponent))), d, values + i);
  }
}

template <bool coloured>
HWY_ATTR void add_atom(DensityTile& tile, const TileAtom& atom) {
  const hn::CappedTag<float, 16> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int first[3];
  int last[3];
  for (int axis = 0; axis < 3; ++axis) {
    if (!axis_range(atom.position[axis], atom.cutoff, tile.step[axis], tile.counts[axis], first[axis], last[axis]))
      return;
  }
  HWY_ALIGN float square_x[density_row], value_x[density_row];
  HWY_ALIGN float square_y[density_tile_yz + 16], value_y[density_tile_yz + 16];
  HWY_ALIGN float square_z[density_tile_yz + 16], value_z[density_tile_yz + 16];
  const int length = last[0] - first[0] + 1;
  axis_table(atom.position[0], atom.exponent, tile.step[0], first[0], length, square_x, value_x);
  axis_table(atom.position[1], atom.exponent, tile.step[1], first[1], last[1] - first[1] + 1, square_y, value_y);
  axis_table(atom.position[2], atom.exponent, tile.step[2], first[2], last[2] - first[2] + 1, square_z, value_z);
  const float cutoff2 = atom.cutoff * atom.cutoff;
  for (int k = first[2]; k <= last[2]; ++k) {
    const float square_k = square_z[k - first[2]];
    const float value_k = value_z[k - first[2]];
    for (int j = first[1]; j <= last[1]; ++j) {
      const float rest = cutoff2 - (square_k + square_y[j - first[1]]);
      if (rest < 0) continue;
      const auto limit = hn::Set(d, rest);
      const auto scale = hn::Set(d, value_k * value_y[j - first[1]]);
      const int row = (k * density_tile_yz + j) * density_row + first[0];
      for (int i = 0; i < length; i += lanes) {
        const auto inside = hn::Le(hn::LoadU(d, square_x + i), limit);
        const auto value = hn::IfThenElseZero(inside, hn::Mul(hn::LoadU(d, value_x + i), scale));
        hn::StoreU(hn::Add(hn::LoadU(d, tile.rho + row + i), value), d, tile.rho + row + i);
        if constexpr (coloured) {
          const auto add = [&](float* to, float colour)
                               HWY_ATTR { hn::StoreU(hn::MulAdd(value, hn::Set(d, colour), hn::LoadU(d, to)), d, to); };
          add(tile.red + row + i, atom.colour[0]);
          add(tile.green + row + i, atom.colour[1]);
          add(tile.blue + row + i, atom.colour[2]);
        }
      }
    }
  }
}

HWY_ATTR void add_plain(DensityTile& tile, const TileAtom* atoms, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) add_atom<false>(tile, atoms[i]);
}

HWY_ATTR void add_coloured(DensityTile& tile, const TileAtom* atoms, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) add_atom<true>(tile, atoms[i]);
}

/// A row of values as halves or as 8 bits.
HWY_ATTR void narrow_row(const float* from, int count, Storage element, void* to) {
  const hn::CappedTag<float, 16> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int i = 0;
  if (element == Storage::half) {
    auto* halves = static_cast<Half*>(to);
    const hn::Rebind<hwy::float16_t, decltype(d)> dh;
    for (; i + lanes <= count; i += lanes) {
      hn::StoreU(hn::DemoteTo(dh, hn::LoadU(d, from + i)), dh, reinterpret_cast<hwy::float16_t*>(halves + i));
    }
    for (; i < count; ++i) halves[i] = from_float<Half>(from[i]);
  } else {
    auto* bytes = static_cast<Unorm8*>(to);
    const hn::RebindToSigned<decltype(d)> di;
    const hn::Rebind<std::uint8_t, decltype(d)> db;
    for (; i + lanes <= count; i += lanes) {
      const auto part = hn::Min(hn::LoadU(d, from + i), hn::Set(d, 1.0f));
      const auto scaled = hn::MulAdd(part, hn::Set(d, 255.0f), hn::Set(d, 0.5f));
      hn::StoreU(hn::DemoteTo(db, hn::ConvertTo(di, scaled)), db, reinterpret_cast<std::uint8_t*>(bytes + i));
    }
    for (; i < count; ++i) bytes[i] = from_float<Unorm8>(from[i]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <memory>

#include "compute/backends.h"
#include "compute/density/density_workspace.h"
#include "compute/parallel_for.h"
#include "compute/tiles.h"
#include "compute/timing.h"

namespace isolume {

HWY_EXPORT(add_plain);
HWY_EXPORT(add_coloured);
HWY_EXPORT(narrow_row);

namespace {

struct AtomAt {
  const DensityAtomView& view;
  const float* position(std::size_t i) const { return view.positions + i * view.position_stride; }
  const float* look(std::size_t i) const { return view.looks + i * view.look_stride; }
};

/// The tiles of the layers that each atom's cutoff sphere may touch.
void tile_ranges(const DensityTask& task, const Tiling& tiling, Job& job, std::vector<TileRange>& ranges) {
  const AtomAt atoms{task.atoms};
  const Grid& grid = task.grid;
  ranges.resize(task.atoms.count);
  constexpr std::size_t block = 16384;
  parallel_for((ranges.size() + block - 1) / block, job, "sorting", [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(ranges.size(), (b + 1) * block); ++i) {
      const float* position = atoms.position(i);
      const double cutoff =
          double{task.options.cutoff_sigmas} * double{task.options.radius_scale} * double{atoms.look(i)[0]};
      TileRange& range = ranges[i];
      for (int axis = 0; axis < 3; ++axis) {
        if (!std::isfinite(position[axis])) {
          throw Error(fmt::format("atom {}: a coordinate is not a finite number", i + 1), Error::Kind::usage);
        }
        const double step = grid.step[axis][axis];
        const int first = axis == 2 ? task.layers.first : 0;
        const double at = (double{position[axis]} - grid.origin[axis]) / step - first;
        const double reach = std::abs(cutoff / step) + 0.01;
        const double lower = std::ceil(at - reach);
        const double upper = std::floor(at + reach);
        if (lower > tiling.points[axis] - 1 || upper < 0) {
          range = {};
          break;
        }
        range.lower[axis] = static_cast<int>(std::max(lower, 0.0)) / tiling.side[axis];
        range.upper[axis] = static_cast<int>(std::min(upper, tiling.points[axis] - 1.0)) / tiling.side[axis];
      }
    }
  });
}

void store_colours(const DensityTile& tile, int row, std::size_t to, const Colours& colours) {
  for (int i = 0; i < tile.counts.x; ++i, ++to) {
    const float rho = tile.rho[row + i];
    const float scale = rho > 0 ? 1 / rho : 0.0f;
    const glm::vec3 colour = glm::vec3(tile.red[row + i], tile.green[row + i], tile.blue[row + i]) * scale;
    if (colours.element == Storage::float32) {
      static_cast<glm::vec3*>(colours.data)[to] = colour;
    } else if (colours.element == Storage::half) {
      static_cast<HalfColour*>(colours.data)[to] = {
          from_float<Half>(colour.x), from_float<Half>(colour.y), from_float<Half>(colour.z), {}};
    } else {
      static_cast<glm::u8vec4*>(colours.data)[to] = {
          from_float<Unorm8>(colour.x).bits, from_float<Unorm8>(colour.y).bits, from_float<Unorm8>(colour.z).bits, 255};
    }
  }
}

/// Writes a tile's sums to the outputs; `first` counts layers from the first that is asked for.
void store(const DensityTile& tile, glm::ivec3 first, const DensityTask& task) {
  for (int k = 0; k < tile.counts.z; ++k) {
    for (int j = 0; j < tile.counts.y; ++j) {
      const int row = (k * density_tile_yz + j) * density_row;
      const std::size_t to = task.grid.index(first.x, first.y + j, first.z + k);
      if (task.density.element == Storage::float32) {
        std::copy_n(tile.rho + row, tile.counts.x, static_cast<float*>(task.density.data) + to);
      } else {
        HWY_DYNAMIC_DISPATCH(narrow_row)
        (tile.rho + row, tile.counts.x, task.density.element,
         static_cast<std::byte*>(task.density.data) + to * value_bytes(task.density.element));
      }
      if (!task.colours.empty()) store_colours(tile, row, to, task.colours);
    }
  }
}

}  // namespace

void gaussian_density_cpu(const DensityTask& task, Job& job, DensityWorkspace::Memory& memory) {
  const Grid& grid = task.grid;
  const AtomAt atoms{task.atoms};
  const glm::ivec3 points(grid.counts.x, grid.counts.y, task.layers.count);
  const Tiling tiling{points, {density_tile_x, density_tile_yz, density_tile_yz}};
  {
    const PhaseTimer timer("surface density: sorting atoms");
    tile_ranges(task, tiling, job, memory.ranges);
    memory.lists = tile_lists(tiling, memory.ranges, job);
  }
  const PhaseTimer timer("surface density: tiles");
  const bool coloured = !task.colours.empty();
  parallel_for(tiling.size(), job, "surface density", [&](std::size_t t) {
    thread_local std::unique_ptr<DensityTile> tile;
    if (!tile) tile = std::make_unique<DensityTile>();
    const glm::ivec3 first = tiling.tile(t) * tiling.side;
    tile->counts = glm::min(tiling.side, points - first);
    for (int axis = 0; axis < 3; ++axis) tile->step[axis] = static_cast<float>(grid.step[axis][axis]);
    const std::size_t used = static_cast<std::size_t>(density_row * density_tile_yz * tile->counts.z);
    std::fill_n(tile->rho, used, 0.0f);
    if (coloured) {
      for (float* sums : {tile->red, tile->green, tile->blue}) std::fill_n(sums, used, 0.0f);
    }
    const glm::dvec3 corner = grid.point(first.x, first.y, first.z + task.layers.first);
    std::array<TileAtom, 64> batch;
    const std::span<const std::uint32_t> list = memory.lists.of(t);
    for (std::size_t begin = 0; begin < list.size(); begin += batch.size()) {
      job.check();
      const std::size_t count = std::min(batch.size(), list.size() - begin);
      for (std::size_t n = 0; n < count; ++n) {
        const float* position = atoms.position(list[begin + n]);
        const float* look = atoms.look(list[begin + n]);
        const glm::vec3 p(glm::dvec3(position[0], position[1], position[2]) - corner);
        const double sigma = double{task.options.radius_scale} * double{look[0]};
        batch[n] = {{p.x, p.y, p.z},
                    static_cast<float>(-0.5 / (sigma * sigma)),
                    static_cast<float>(double{task.options.cutoff_sigmas} * sigma),
                    {look[1], look[2], look[3]}};
      }
      if (coloured) {
        HWY_DYNAMIC_DISPATCH(add_coloured)(*tile, batch.data(), count);
      } else {
        HWY_DYNAMIC_DISPATCH(add_plain)(*tile, batch.data(), count);
      }
    }
    store(*tile, first, task);
  });
}

}  // namespace isolume
#endif  // HWY_ONCE
