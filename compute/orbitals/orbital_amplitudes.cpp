// Many orbitals at once: one by one where they are few, else as a product of their coefficients and the functions.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "compute/base/checks.h"
#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "compute/base/timing.h"
#include "compute/orbitals/density_bodies.h"
#include "compute/orbitals/orbital.h"
#include "compute/orbitals/orbital_plan.h"
#include "compute/orbitals/orbital_terms.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

/// Below this number the tables of single orbitals on grids along the axes win.
constexpr std::size_t few = 6;

/// Leaves a margin within the promised 1e-6 (5e-4) for rounding to single precision.
double relative_tolerance(OrbitalAccuracy accuracy) {
  return accuracy == OrbitalAccuracy::fine ? 5e-7 : 2.5e-4;
}

void place(FunctionTile& tile, int n, glm::dvec3 bohr) {
  for (int axis = 0; axis < 3; ++axis) tile.points[axis][n] = bohr[axis];
}

/// Amplitudes at one batch of points, over the shells that the tile names.
void evaluate(const DensityFunctions& functions, FunctionTile& tile) {
  tile.psi.resize(functions.orbitals * density_points);
  add_density(functions, tile);
}

std::vector<float> values_at(const DensityFunctions& functions, std::size_t count, std::span<const glm::dvec3> points,
                             Job& job) {
  std::vector<float> values(count * points.size());
  const std::size_t batches = (points.size() + density_points - 1) / density_points;
  parallel_for(batches, job, "orbitals", [&](std::size_t batch) {
    FunctionTile tile{};
    const std::size_t first = batch * density_points;
    const std::size_t here = std::min<std::size_t>(density_points, points.size() - first);
    for (std::size_t n = 0; n < density_points; ++n)
      place(tile, static_cast<int>(n), points[first + std::min(n, here - 1)]);
    tile.shells.resize(functions.shells.size());
    std::iota(tile.shells.begin(), tile.shells.end(), 0u);
    evaluate(functions, tile);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t n = 0; n < here; ++n) {
        values[i * points.size() + first + n] = static_cast<float>(tile.psi[i * density_points + n]);
      }
    }
  });
  return values;
}

/// Leaving out functions below t changes psi_i by at most t sum_mu |C_mu,i|.
void cut(DensityFunctions& functions, std::span<const float> sampled, std::size_t count, double relative) {
  double least = std::numeric_limits<double>::max();
  const std::size_t points = sampled.size() / count;
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0, largest = 0;
    for (std::size_t f = 0; f < functions.functions; ++f) {
      sum += std::abs(functions.coefficients[f * functions.orbitals + i]);
    }
    for (std::size_t n = 0; n < points; ++n) largest = std::max(largest, std::abs(double{sampled[i * points + n]}));
    if (sum > 0) least = std::min(least, relative * largest / sum);
  }
  functions.cut_below(least);
}

void amplitudes_cpu(const DensityFunctions& functions, std::size_t count, const Grid& grid, float* out, Job& job) {
  const PhaseTimer timer("orbitals: tiles");
  const Tiling tiles{grid.counts, glm::ivec3(density_side)};
  parallel_for(tiles.size(), job, "orbitals", [&](std::size_t at) {
    thread_local std::unique_ptr<FunctionTile> tile;
    if (!tile) tile = std::make_unique<FunctionTile>();
    const glm::ivec3 first = tiles.tile(at) * density_side;
    const glm::ivec3 counts = glm::min(glm::ivec3(density_side), grid.counts - first);
    glm::dvec3 lower(std::numeric_limits<double>::max()), upper(std::numeric_limits<double>::lowest());
    for (int n = 0; n < density_points; ++n) {
      // Those beyond the grid's edge repeat its last points.
      const glm::ivec3 in_tile(n % density_side, n / density_side % density_side, n / density_side / density_side);
      const glm::ivec3 p = first + glm::min(in_tile, counts - 1);
      const glm::dvec3 bohr = units::angstrom_in_bohr * grid.point(p.x, p.y, p.z);
      place(*tile, n, bohr);
      lower = glm::min(lower, bohr);
      upper = glm::max(upper, bohr);
    }
    tile->shells.clear();
    for (std::uint32_t s = 0; s < functions.shells.size(); ++s) {
      const DensityShell& shell = functions.shells[s];
      const glm::dvec3 d = shell.centre - glm::clamp(shell.centre, lower, upper);
      if (shell.cutoff > 0 && glm::dot(d, d) <= shell.cutoff * shell.cutoff) tile->shells.push_back(s);
    }
    evaluate(functions, *tile);
    for (std::size_t i = 0; i < count; ++i) {
      const double* psi = tile->psi.data() + i * density_points;
      float* to = out + i * grid.size();
      for (int k = 0; k < counts.z; ++k) {
        for (int j = 0; j < counts.y; ++j) {
          for (int n = 0; n < counts.x; ++n) {
            to[grid.index(first.x + n, first.y + j, first.z + k)] =
                static_cast<float>(psi[(k * density_side + j) * density_side + n]);
          }
        }
      }
    }
  });
}

}  // namespace

void orbital_amplitudes(const Orbitals& orbitals, std::span<const std::size_t> which, const Grid& grid,
                        Span<float> amplitudes, Job& job, const OrbitalOptions& options) {
  check_grid(grid, "orbitals");
  if (amplitudes.size != which.size() * grid.size()) {
    throw Error(fmt::format("orbitals: {} values for {} orbitals on a grid of {} points", amplitudes.size, which.size(),
                            grid.size()),
                Error::Kind::usage);
  }
  for (const std::size_t one : which) check_orbital(orbitals, one);
  if (amplitudes.empty()) return;
  if (which.size() < few) {
    for (std::size_t n = 0; n < which.size(); ++n) {
      orbital(orbitals, which[n], grid, {amplitudes.data + n * grid.size(), grid.size(), amplitudes.device}, job,
              options);
    }
    return;
  }
  job.check();
  DensityFunctions functions = density_functions(orbitals, which);
  const bool cuda = amplitudes.device.is_cuda();
  if (options.screening) {
    const std::vector<glm::dvec3> points = sample_points(orbitals.centres, grid);
    const std::vector<float> sampled =
        cuda ? amplitudes_at_points_cuda(functions, which.size(), points, amplitudes.device)
             : values_at(functions, which.size(), points, job);
    cut(functions, sampled, which.size(), relative_tolerance(options.accuracy));
  } else {
    functions.cut_below(0);
  }
  if (cuda) {
    amplitudes_cuda(functions, which.size(), grid, amplitudes, job);
  } else {
    amplitudes_cpu(functions, which.size(), grid, amplitudes.data, job);
  }
}

}  // namespace isolume
