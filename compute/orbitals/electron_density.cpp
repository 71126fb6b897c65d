// Electron and spin density on grids: weights, the tolerance, and the loop over tiles.
#include "compute/orbitals/electron_density.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "compute/base/checks.h"
#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "compute/base/timing.h"
#include "compute/orbitals/density_bodies.h"
#include "compute/orbitals/density_functions.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// Leaves room within the promised 1e-6 for the rounding to single precision (6e-8).
constexpr double relative_tolerance = 5e-7;
constexpr double absolute_tolerance = 1e-10;  // of the largest electron density

void set_point(FunctionTile& tile, int n, glm::dvec3 p) {
  for (int axis = 0; axis < 3; ++axis) tile.points[axis][n] = p[axis];
}

void clear_sums(FunctionTile& tile) {
  std::fill_n(tile.density, density_points, 0.0);
  std::fill_n(tile.absolute, density_points, 0.0);
}

struct Largest {
  double density = 0;   ///< of |density|
  double absolute = 0;  ///< of the sum with |weights|
};

/// The sets of orbitals whose densities are summed.
using Parts = std::span<DensityFunctions>;

/// Points (bohr) whose values are lower bounds of the largest: all over the grid, and those nearest to the nuclei.
std::vector<glm::dvec3> density_sample(std::span<const glm::dvec3> centres, const Grid& grid) {
  std::vector<glm::dvec3> points;
  for (int n = 0; n < density_points; ++n) {
    const glm::ivec3 part(n % density_side, n / density_side % density_side, n / density_side / density_side);
    const glm::dvec3 at = glm::round((glm::dvec3(part) + 0.5) / double{density_side} * glm::dvec3(grid.counts - 1));
    points.push_back(grid.point(at.x, at.y, at.z));
  }
  if (std::abs(glm::determinant(grid.step)) > 0) {
    const std::size_t stride = centres.size() / 1024 + 1;
    for (std::size_t i = 0; i < centres.size(); i += stride) {
      const glm::dvec3 at = glm::clamp(glm::round(grid.coordinates(units::bohr_in_angstrom * centres[i])),
                                       glm::dvec3(0), glm::dvec3(grid.counts - 1));
      points.push_back(grid.point(at.x, at.y, at.z));
    }
  }
  for (glm::dvec3& point : points) point *= units::angstrom_in_bohr;
  return points;
}

Largest largest_of(std::span<const DensityValue> values) {
  Largest all;
  for (const DensityValue& value : values) {
    all = {std::max(all.density, std::abs(value.density)), std::max(all.absolute, value.absolute)};
  }
  return all;
}

std::vector<DensityValue> values_at(Parts parts, std::span<const glm::dvec3> points, Job& job) {
  const std::size_t batches = (points.size() + density_points - 1) / density_points;
  std::vector<DensityValue> values(batches * density_points);
  parallel_for(batches, job, "density", [&](std::size_t batch) {
    FunctionTile tile;
    clear_sums(tile);
    const std::size_t first = batch * density_points;
    for (int n = 0; n < density_points; ++n) {
      set_point(tile, n, points[std::min(first + static_cast<std::size_t>(n), points.size() - 1)]);
    }
    for (const DensityFunctions& functions : parts) {
      tile.shells.resize(functions.shells.size());
      std::iota(tile.shells.begin(), tile.shells.end(), 0u);
      add_density(functions, tile);
    }
    for (int n = 0; n < density_points; ++n)
      values[first + static_cast<std::size_t>(n)] = {tile.density[n], tile.absolute[n]};
  });
  return values;
}

/// Squared distance of a point from the box of a tile's points.
double squared_distance(const glm::dvec3& lower, const glm::dvec3& upper, const glm::dvec3& point) {
  const glm::dvec3 d = glm::max(glm::max(lower - point, point - upper), glm::dvec3(0));
  return glm::dot(d, d);
}

/// A tile's box in bohr.
struct Box {
  glm::dvec3 lower{std::numeric_limits<double>::max()}, upper{std::numeric_limits<double>::lowest()};
};

Box place(const Grid& grid, glm::ivec3 first, glm::ivec3 counts, FunctionTile& tile) {
  Box box;
  for (int n = 0; n < density_points; ++n) {
    // Those beyond the grid's edge repeat its last points.
    const glm::ivec3 at(n % density_side, n / density_side % density_side, n / density_side / density_side);
    const glm::ivec3 p = first + glm::min(at, counts - 1);
    set_point(tile, n, units::angstrom_in_bohr * grid.point(p.x, p.y, p.z));
    const glm::dvec3 point(tile.points[0][n], tile.points[1][n], tile.points[2][n]);
    box = {glm::min(box.lower, point), glm::max(box.upper, point)};
  }
  return box;
}

void choose_shells(const DensityFunctions& functions, const Box& box, FunctionTile& tile) {
  tile.shells.clear();
  for (std::uint32_t s = 0; s < functions.shells.size(); ++s) {
    const DensityShell& shell = functions.shells[s];
    if (shell.cutoff > 0 && squared_distance(box.lower, box.upper, shell.centre) <= shell.cutoff * shell.cutoff) {
      tile.shells.push_back(s);
    }
  }
}

void sum_on_cpu(Parts parts, const Grid& grid, float* out, Job& job) {
  // A run of tiles along x is one task.
  const Tiling runs{grid.counts, {16 * density_side, density_side, density_side}};
  parallel_for(runs.size(), job, "density", [&](std::size_t r) {
    thread_local std::unique_ptr<FunctionTile> tile;
    if (!tile) tile = std::make_unique<FunctionTile>();
    const glm::ivec3 begin = runs.tile(r) * runs.side;
    const glm::ivec3 end = glm::min(begin + runs.side, grid.counts);
    for (glm::ivec3 first = begin; first.x < end.x; first.x += density_side) {
      job.check();
      const glm::ivec3 counts = glm::min(glm::ivec3(density_side), end - first);
      clear_sums(*tile);
      const Box box = place(grid, first, counts, *tile);
      for (const DensityFunctions& functions : parts) {
        choose_shells(functions, box, *tile);
        add_density(functions, *tile);
      }
      for (int k = 0; k < counts.z; ++k) {
        for (int j = 0; j < counts.y; ++j) {
          for (int i = 0; i < counts.x; ++i) {
            out[grid.index(first.x + i, first.y + j, first.z + k)] =
                static_cast<float>(tile->density[(k * density_side + j) * density_side + i]);
          }
        }
      }
    }
  });
}

/// The sum of the parts' densities; the parts' shells are cut here.
void sum_of_densities(Parts parts, std::span<const glm::dvec3> centres, const Grid& grid, Span<float> density,
                      Job& job) {
  const PhaseTimer timer("density");
  if (density.empty()) return;
  const std::vector<glm::dvec3> points = density_sample(centres, grid);
  const Largest largest = largest_of(density.device.is_cuda() ? density_at_points_cuda(parts, points, density.device)
                                                              : values_at(parts, points, job));
  const double tolerance = std::max(relative_tolerance * largest.density, absolute_tolerance * largest.absolute);
  for (DensityFunctions& functions : parts) {
    functions.cut(tolerance / static_cast<double>(parts.size()), largest.absolute);
  }
  if (density.device.is_cuda()) return density_cuda(parts, grid, density, job);
  sum_on_cpu(parts, grid, density.data, job);
}

void check_weights(const Orbitals& orbitals, std::span<const double> weights) {
  if (weights.size() == orbitals.count()) return;
  throw Error(fmt::format("density: {} weights for {} orbitals", weights.size(), orbitals.count()), Error::Kind::usage);
}

}  // namespace

DensityKind density_kind(const std::string& name) {
  if (name == "electron") return DensityKind::electron;
  if (name == "spin") return DensityKind::spin;
  throw Error("density \"" + name + "\": there are electron and spin", Error::Kind::usage);
}

std::vector<double> density_weights(const Orbitals& orbitals, DensityKind kind) {
  std::vector<double> weights;
  for (const Orbital& orbital : orbitals.orbitals) {
    const double n = orbital.occupation;
    if (kind == DensityKind::electron) {
      weights.push_back(n);
    } else if (orbitals.unrestricted) {
      weights.push_back(orbital.spin == Spin::alpha ? n : -n);
    } else {
      weights.push_back(n <= 1 ? n : std::max(0.0, 2 - n));
    }
  }
  return weights;
}

std::size_t density_memory(const Orbitals& orbitals) {
  std::size_t functions = 0, primitives = 0;
  for (const Shell& shell : orbitals.basis->shells) {
    functions += static_cast<std::size_t>((shell.l + 1) * (shell.l + 2) / 2);
    primitives += shell.exponents.size();
  }
  const std::size_t padded = (orbitals.count() + 3) / 4 * 4;
  return (functions + 1) * padded * sizeof(double) + primitives * 2 * sizeof(double) +
         orbitals.basis->shells.size() * sizeof(DensityShell);
}

void electron_density(const Orbitals& orbitals, DensityKind kind, const Grid& grid, Span<float> density, Job& job) {
  if (orbitals.electron_count() == 0) {
    throw Error("density: no orbital of this frame is occupied", Error::Kind::usage);
  }
  weighted_density(orbitals, density_weights(orbitals, kind), grid, density, job);
}

void weighted_density(const Orbitals& orbitals, std::span<const double> weights, const Grid& grid, Span<float> density,
                      Job& job) {
  check_grid(grid, "density");
  check_values(grid, density, "density");
  check_weights(orbitals, weights);
  job.check();
  DensityFunctions functions = density_functions(orbitals, weights);
  sum_of_densities({&functions, 1}, orbitals.centres, grid, density, job);
}

void density_difference(const Orbitals& a, std::span<const double> weights_a, const Orbitals& b,
                        std::span<const double> weights_b, const Grid& grid, Span<float> difference, Job& job) {
  check_grid(grid, "density difference");
  check_values(grid, difference, "density difference");
  check_weights(a, weights_a);
  check_weights(b, weights_b);
  job.check();
  std::array parts{density_functions(a, weights_a), density_functions(b, weights_b)};
  for (double& weight : parts[1].weights) weight = -weight;
  std::vector<glm::dvec3> centres = a.centres;
  centres.insert(centres.end(), b.centres.begin(), b.centres.end());
  sum_of_densities(parts, centres, grid, difference, job);
}

}  // namespace isolume
