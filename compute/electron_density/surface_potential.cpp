// The potential of a density where surfaces of a volume are coloured by it: exact next to the surfaces.
#include "compute/electron_density/surface_potential.h"

#include <algorithm>
#include <cmath>

#include "compute/isosurface/marching_cubes.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr int coarse_step = 3;
constexpr double largest_value = 1e4;  // hartree/e

/// Of each point whether it has a coarse place along this axis: multiples of the step, and the last one.
bool is_coarse(int i, int count) {
  return i % coarse_step == 0 || i == count - 1;
}

/// The coarse points around a place of an axis, and the part of the second.
struct Between {
  int first, second;
  double part;
  Between(int i, int count)
      : first(is_coarse(i, count) ? i : i / coarse_step * coarse_step),
        second(is_coarse(i, count) ? i : std::min(first + coarse_step, count - 1)),
        part(second > first ? static_cast<double>(i - first) / (second - first) : 0.0) {}
};

/// Marks the points of all cells that a level passes through.
void mark_cells(const Volume& shape, std::span<const double> levels, std::vector<bool>& wanted) {
  const glm::ivec3 n = shape.grid.counts;
  for (int k = 0; k + 1 < n.z; ++k) {
    for (int j = 0; j + 1 < n.y; ++j) {
      for (int i = 0; i + 1 < n.x; ++i) {
        std::size_t corners[8];
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (int c = 0; c < 8; ++c) {
          corners[c] = shape.grid.index(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
          const double value = double{shape.values[corners[c]]};
          least = std::min(least, value);
          most = std::max(most, value);
        }
        if (std::ranges::none_of(levels, [&](double level) { return least <= level && level <= most; })) continue;
        for (const std::size_t corner : corners) wanted[corner] = true;
      }
    }
  }
}

std::vector<double> exact_at(const DensityPotential& potential, const std::vector<glm::dvec3>& angstrom, Job& job,
                             Device device) {
  std::vector<glm::dvec3> points;
  points.reserve(angstrom.size());
  for (const glm::dvec3& point : angstrom) points.push_back(units::angstrom_in_bohr * point);
  std::vector<double> sums(points.size());
  potential.at(points, sums, {}, job, device);
  for (double& sum : sums) sum = std::clamp(sum, -largest_value, largest_value);
  return sums;
}

void check_surfaces(const DensityPotential& potential, const Volume& shape, std::span<const double> levels,
                    std::size_t checks, Job& job, Device device, SurfacePotential& result) {
  std::vector<glm::dvec3> vertices;
  for (const double level : levels) {
    MarchingCubesOptions options;
    options.isovalue = static_cast<float>(level);
    options.inside_above = level > 0;
    const Span<const float> values(shape.values.data(), shape.values.size(), Device::cpu());
    for (const glm::vec3 at : marching_cubes(values, shape.grid, options, {}, job).positions) vertices.emplace_back(at);
  }
  std::vector<glm::dvec3> chosen;
  const std::size_t step = std::max<std::size_t>(1, (vertices.size() + checks - 1) / std::max<std::size_t>(1, checks));
  for (std::size_t i = 0; i < vertices.size() && checks > 0; i += step) chosen.push_back(vertices[i]);
  const std::vector<double> exact = exact_at(potential, chosen, job, device);
  const Volume map{shape.grid, result.values, {}, {}};
  double squares = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const double error = std::abs(double{interpolate(map, chosen[i])} - exact[i]);
    squares += error * error;
    result.largest = std::max(result.largest, error);
  }
  result.checked = chosen.size();
  result.rms = chosen.empty() ? 0 : std::sqrt(squares / static_cast<double>(chosen.size()));
}

}  // namespace

SurfacePotential surface_potential(const DensityPotential& potential, const Volume& shape,
                                   std::span<const double> levels, std::size_t checks, Job& job, Device device) {
  const Grid& grid = shape.grid;
  if (shape.values.size() != grid.size())
    throw Error("potential on a surface: the volume has another number of values than points", Error::Kind::usage);
  SurfacePotential result;
  result.values.resize(grid.size());
  if (grid.size() == 0) return result;
  std::vector<bool> wanted(grid.size(), false);
  mark_cells(shape, levels, wanted);
  const glm::ivec3 n = grid.counts;
  std::vector<std::size_t> places;
  std::vector<glm::dvec3> points;
  for (int k = 0; k < n.z; ++k) {
    for (int j = 0; j < n.y; ++j) {
      for (int i = 0; i < n.x; ++i) {
        const std::size_t at = grid.index(i, j, k);
        if (is_coarse(i, n.x) && is_coarse(j, n.y) && is_coarse(k, n.z)) wanted[at] = true;
        if (!wanted[at]) continue;
        places.push_back(at);
        points.push_back(grid.point(i, j, k));
      }
    }
  }
  const std::vector<double> exact = exact_at(potential, points, job, device);
  for (std::size_t p = 0; p < places.size(); ++p) result.values[places[p]] = static_cast<float>(exact[p]);
  result.exact = places.size();
  for (int k = 0; k < n.z; ++k) {
    const Between z(k, n.z);
    for (int j = 0; j < n.y; ++j) {
      const Between y(j, n.y);
      for (int i = 0; i < n.x; ++i) {
        const std::size_t at = grid.index(i, j, k);
        if (wanted[at]) continue;
        const Between x(i, n.x);
        double sum = 0;
        for (int c = 0; c < 8; ++c) {
          const bool a = c & 1, b = c >> 1 & 1, d = c >> 2;
          const double weight = (a ? x.part : 1 - x.part) * (b ? y.part : 1 - y.part) * (d ? z.part : 1 - z.part);
          if (weight == 0) continue;
          const std::size_t from = grid.index(a ? x.second : x.first, b ? y.second : y.first, d ? z.second : z.first);
          sum += weight * double{result.values[from]};
        }
        result.values[at] = static_cast<float>(sum);
      }
    }
  }
  check_surfaces(potential, shape, levels, checks, job, device, result);
  return result;
}

}  // namespace isolume
