// Volume maps of one frame: how much of a selection is where.
#include "compute/over_time/volume_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "compute/over_time/atoms_in_grid.h"
#include "compute/over_time/gaussian_map.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// The lattice images of points that lie in a box.
class ImagesInBox {
 public:
  ImagesInBox(const Cell& cell, const Grid& grid) : periodic_(cell.exists()) {
    lower_ = grid.origin;
    upper_ = grid.point(grid.counts.x - 1, grid.counts.y - 1, grid.counts.z - 1);
    if (!periodic_) return;
    vectors_ = cell.vectors;
    inverse_ = glm::inverse(cell.vectors);
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column) sizes_[column][row] = std::abs(inverse_[column][row]);
  }

  /// Calls body(place) for every image at most `margin` outside the box along an axis.
  template <class Body>
  void visit(glm::dvec3 place, double margin, const Body& body) const {
    const glm::dvec3 lower = lower_ - margin, upper = upper_ + margin;
    const auto inside = [&](glm::dvec3 p) {
      return glm::all(glm::greaterThanEqual(p, lower)) && glm::all(glm::lessThanEqual(p, upper));
    };
    if (!periodic_) {
      if (inside(place)) body(place);
      return;
    }
    const glm::dvec3 from = inverse_ * (0.5 * (lower + upper) - place), half = sizes_ * (0.5 * (upper - lower));
    const auto first = whole_up(from - half), last = -whole_up(-from - half);
    for (std::int64_t k = first.z; k <= last.z; ++k) {
      const glm::dvec3 layer = place + vectors_[2] * static_cast<double>(k);
      for (std::int64_t j = first.y; j <= last.y; ++j) {
        const glm::dvec3 row = layer + vectors_[1] * static_cast<double>(j);
        for (std::int64_t i = first.x; i <= last.x; ++i) {
          const glm::dvec3 image = row + vectors_[0] * static_cast<double>(i);
          if (inside(image)) body(image);
        }
      }
    }
  }

 private:
  /// ceil(), which is a call of a function where processors need not have an instruction for it. Atoms are less than
  /// 1e15 cells away.
  static glm::i64vec3 whole_up(glm::dvec3 v) {
    const glm::i64vec3 cut(glm::clamp(v, -1e15, 1e15));
    return cut + glm::i64vec3(glm::greaterThan(v, glm::dvec3(cut)));
  }

  bool periodic_;
  glm::dvec3 lower_{0.0}, upper_{0.0};
  glm::dmat3 vectors_{1.0}, inverse_{1.0}, sizes_{1.0};
};

void check(const Grid& grid, std::size_t values) {
  if (!grid.axis_aligned() || grid.step[0].x <= 0 || grid.step[1].y <= 0 || grid.step[2].z <= 0)
    throw Error("a volume map needs a grid whose steps are along x, y and z", Error::Kind::usage);
  if (values != grid.size())
    throw Error(fmt::format("a volume map of {} points has {} values", grid.size(), values), Error::Kind::usage);
}

void check_radii(std::span<const WeightedAtom> atoms) {
  for (const WeightedAtom& atom : atoms)
    if (!(atom.radius > 0))
      throw Error("a volume map needs atoms with radii above 0 (--radius gives one to all)", Error::Kind::usage);
}

/// The points of an axis within `reach` of a place, [first, last].
struct Range {
  int first, last;
};
Range range_of(double place, double origin, double step, int count, double reach) {
  const double low = std::ceil((place - reach - origin) / step), high = std::floor((place + reach - origin) / step);
  return {static_cast<int>(std::clamp(low, 0.0, static_cast<double>(count))),
          static_cast<int>(std::clamp(high, -1.0, static_cast<double>(count - 1)))};
}

struct Spheres {
  const Grid& grid;
  glm::dvec3 step;

  explicit Spheres(const Grid& given) : grid(given), step(given.step[0].x, given.step[1].y, given.step[2].z) {}

  Range range(glm::dvec3 place, int axis, double reach) const {
    return range_of(place[axis], grid.origin[axis], step[axis], grid.counts[axis], reach);
  }

  /// Calls body(index, squared distance) for the points at most `reach` from a place.
  template <class Body>
  void visit(glm::dvec3 place, double reach, const Body& body) const {
    const double most = reach * reach;
    const Range z = range(place, 2, reach), y = range(place, 1, reach), x = range(place, 0, reach);
    for (int k = z.first; k <= z.last; ++k) {
      const double dz = grid.origin.z + step.z * k - place.z;
      for (int j = y.first; j <= y.last; ++j) {
        const double dy = grid.origin.y + step.y * j - place.y, plane = dz * dz + dy * dy;
        if (plane > most) continue;
        const std::size_t row = grid.index(0, j, k);
        for (int i = x.first; i <= x.last; ++i) {
          const double dx = grid.origin.x + step.x * i - place.x, squared = plane + dx * dx;
          if (squared <= most) body(row + static_cast<std::size_t>(i), squared);
        }
      }
    }
  }
};

}  // namespace

void volume_map(std::span<const WeightedAtom> atoms, const Cell& cell, const Grid& grid, VolumeSpread spread,
                double reach, std::span<float> values) {
  check(grid, values.size());
  if (spread == VolumeSpread::gaussian || spread == VolumeSpread::inside) check_radii(atoms);
  if (spread != VolumeSpread::gaussian)
    std::fill(values.begin(), values.end(), spread == VolumeSpread::distance ? static_cast<float>(reach) : 0.0f);
  const ImagesInBox images(cell, grid);
  const Spheres spheres(grid);
  switch (spread) {
    case VolumeSpread::gaussian: {
      GaussianMap map(grid);
      for (const WeightedAtom& atom : atoms) {
        const double per_width = 1 / atom.radius;
        images.visit(atom.position, gaussian_reach * atom.radius,
                     [&](glm::dvec3 place) { map.add(place, per_width, atom.weight); });
      }
      map.fill(values);
      return;
    }
    case VolumeSpread::voxel: {
      const glm::dvec3 step = spheres.step;
      const double volume = step.x * step.y * step.z;
      for (const WeightedAtom& atom : atoms)
        images.visit(atom.position, 0.5 * std::max({step.x, step.y, step.z}), [&](glm::dvec3 place) {
          const glm::dvec3 at = glm::floor((place - grid.origin) / step + 0.5);
          if (glm::any(glm::lessThan(at, glm::dvec3(0))) ||
              glm::any(glm::greaterThanEqual(at, glm::dvec3(grid.counts))))
            return;
          values[grid.index(static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z))] +=
              static_cast<float>(atom.weight / volume);
        });
      return;
    }
    case VolumeSpread::inside:
      for (const WeightedAtom& atom : atoms)
        images.visit(atom.position, atom.radius, [&](glm::dvec3 place) {
          spheres.visit(place, atom.radius, [&](std::size_t at, double) { values[at] = 1; });
        });
      return;
    case VolumeSpread::distance:
      for (const WeightedAtom& atom : atoms)
        images.visit(atom.position, reach, [&](glm::dvec3 place) {
          spheres.visit(place, reach, [&](std::size_t at, double squared) {
            values[at] = std::min(values[at], static_cast<float>(std::sqrt(squared)));
          });
        });
      return;
  }
}

std::vector<std::uint8_t> atoms_in_grid(std::span<const WeightedAtom> atoms, const Cell& cell, const Grid& grid) {
  check(grid, grid.size());
  const ImagesInBox images(cell, grid);
  const glm::dvec3 step = Spheres(grid).step;
  std::vector<std::uint8_t> inside(atoms.size(), 0);
  for (std::size_t i = 0; i < atoms.size(); ++i)
    images.visit(atoms[i].position, 0.5 * std::max({step.x, step.y, step.z}), [&](glm::dvec3 place) {
      const glm::dvec3 at = glm::floor((place - grid.origin) / step + 0.5);
      if (glm::all(glm::greaterThanEqual(at, glm::dvec3(0))) && glm::all(glm::lessThan(at, glm::dvec3(grid.counts))))
        inside[i] = 1;
    });
  return inside;
}

void nearest_inside(std::span<const WeightedAtom> atoms, const Cell& cell, const Grid& grid,
                    std::span<std::int32_t> nearest) {
  check(grid, nearest.size());
  check_radii(atoms);
  std::fill(nearest.begin(), nearest.end(), -1);
  std::vector<float> squares(grid.size(), std::numeric_limits<float>::max());
  const ImagesInBox images(cell, grid);
  const Spheres spheres(grid);
  for (std::size_t a = 0; a < atoms.size(); ++a)
    images.visit(atoms[a].position, atoms[a].radius, [&](glm::dvec3 place) {
      spheres.visit(place, atoms[a].radius, [&](std::size_t at, double squared) {
        if (static_cast<float>(squared) >= squares[at]) return;
        squares[at] = static_cast<float>(squared);
        nearest[at] = static_cast<std::int32_t>(a);
      });
    });
}

void volume_map_reference(std::span<const WeightedAtom> atoms, const Cell& cell, int images, const Grid& grid,
                          VolumeSpread spread, double reach, std::span<float> values) {
  const glm::dvec3 step(grid.step[0].x, grid.step[1].y, grid.step[2].z);
  const int n = cell.exists() ? images : 0;
  for (int z = 0; z < grid.counts.z; ++z)
    for (int y = 0; y < grid.counts.y; ++y)
      for (int x = 0; x < grid.counts.x; ++x) {
        const glm::dvec3 point = grid.point(x, y, z);
        double value = spread == VolumeSpread::distance ? reach : 0;
        for (const WeightedAtom& atom : atoms)
          for (int k = -n; k <= n; ++k)
            for (int j = -n; j <= n; ++j)
              for (int i = -n; i <= n; ++i) {
                const glm::dvec3 d = atom.position + cell.vectors * glm::dvec3(i, j, k) - point;
                const double squared = glm::dot(d, d), width = atom.radius;
                switch (spread) {
                  case VolumeSpread::gaussian:
                    value += atom.weight * std::pow(2 * std::numbers::pi * width * width, -1.5) *
                             std::exp(-0.5 * squared / (width * width));
                    break;
                  case VolumeSpread::voxel:
                    if (glm::all(glm::greaterThanEqual(d, -0.5 * step)) && glm::all(glm::lessThan(d, 0.5 * step)))
                      value += atom.weight / (step.x * step.y * step.z);
                    break;
                  case VolumeSpread::inside:
                    if (squared <= width * width) value = 1;
                    break;
                  case VolumeSpread::distance:
                    value = std::min(value, std::sqrt(squared));
                    break;
                }
              }
        values[grid.index(x, y, z)] = static_cast<float>(value);
      }
}

}  // namespace isolume
