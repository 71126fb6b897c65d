// Density maps of models: widths and heights of Gaussians, checks, and the choice of the body.
#include "compute/density_maps/density_map.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "compute/base/checks.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/density_maps/density_map_body.h"
#include "compute/density_maps/density_map_stream.h"
#include "molecule/alternates.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

/// Returns the largest width.
float check_task(const DensityMapTask& task, Job& job) {
  check_grid(task.grid, "density map");
  if (!task.grid.axis_aligned())
    throw Error("density map: the grid must be along x, y and z; that of the map is skewed", Error::Kind::usage);
  constexpr std::size_t block = 16384;
  struct Part {
    float largest = 0;
    std::size_t bad = std::numeric_limits<std::size_t>::max();
  };
  std::vector<Part> parts((task.atoms.size() + block - 1) / block);
  parallel_for(parts.size(), job, "density map", [&](std::size_t b) {
    Part& part = parts[b];
    for (std::size_t i = b * block; i < std::min(task.atoms.size(), (b + 1) * block); ++i) {
      const MapAtom& atom = task.atoms[i];
      part.largest = std::max(part.largest, atom.sigma);
      if (std::isfinite(atom.position.x + atom.position.y + atom.position.z + atom.height) && atom.sigma > 0 &&
          std::isfinite(atom.sigma))
        continue;
      part.bad = i;
      return;
    }
  });
  float largest = 0;
  for (const Part& part : parts) {
    if (part.bad < task.atoms.size())
      throw Error(fmt::format("density map: atom {}: position, width or height is not a finite number", part.bad + 1),
                  Error::Kind::usage);
    largest = std::max(largest, part.largest);
  }
  return largest;
}

ComparedSums compute(DensityMapTask task, Device device, Job& job) {
  task.largest_sigma = check_task(task, job);
  require_memory(density_map_memory(task.atoms, task.grid, device), device, "density map");
  job.check();
  if (task.grid.size() == 0) return {};
  return device.is_cuda() ? density_map_cuda(task, device, job) : density_map_cpu(task, job);
}

double weight_of(const Atom& atom, MapWeights weights) {
  if (weights == MapWeights::electrons) return static_cast<double>(atom.element);
  return weights == MapWeights::mass ? static_cast<double>(atom.mass) : 1.0;
}

}  // namespace

double map_sigma(MapConvention convention, double resolution, double radius) {
  switch (convention) {
    case MapConvention::vmd:
      return 0.2 * resolution * radius;
    case MapConvention::fwhm:
      return resolution / (2 * std::sqrt(2 * std::numbers::ln2));
    default:
      return resolution / (std::numbers::pi * std::numbers::sqrt2);
  }
}

std::vector<std::uint32_t> usual_model_atoms(const Topology& topology, const Frame& frame) {
  std::vector<std::uint32_t> atoms = Selection("not water").atoms(topology, frame);
  std::erase_if(atoms, [&](std::uint32_t i) {
    const Atom& atom = topology.atoms[i];
    return atom.altloc != ' ' && atom.altloc != first_alternate(topology, atom.residue);
  });
  return atoms;
}

std::vector<MapAtom> map_atoms(const Topology& topology, std::span<const glm::vec3> positions,
                               std::span<const std::uint32_t> atoms, double resolution, MapConvention convention,
                               MapWeights weights) {
  if (!(resolution > 0) || !std::isfinite(resolution))
    throw Error(fmt::format("density map: the resolution must be above 0 angstrom, not {}", resolution),
                Error::Kind::usage);
  std::vector<MapAtom> result;
  result.reserve(atoms.size());
  double sum = 0, last_sigma = 0, volume = 1;
  for (const std::uint32_t i : atoms) {
    const Atom& atom = topology.atoms.at(i);
    const double weight = weight_of(atom, weights);
    const double sigma = map_sigma(convention, resolution, static_cast<double>(atom.radius));
    if (!(sigma > 0))
      throw Error(
          fmt::format("density map: atom {} ({}) has no radius, which the convention vmd needs", i + 1, atom.name),
          Error::Kind::usage);
    if (sigma != last_sigma && convention != MapConvention::vmd)
      volume = std::pow(2 * std::numbers::pi * sigma * sigma, 1.5);
    last_sigma = sigma;
    result.push_back({positions[i], static_cast<float>(sigma), static_cast<float>(weight / volume)});
    sum += weight;
  }
  if (!result.empty() && !(sum > 0))
    throw Error("density map: the weights of all atoms are 0: no element or no mass is known", Error::Kind::usage);
  return result;
}

void density_map(std::span<const MapAtom> atoms, const Grid& grid, Span<float> density, Job& job) {
  check_values(grid, density, "density map");
  compute({atoms, grid, density, nullptr, 0}, density.device, job);
}

ComparedSums compared_density_map(std::span<const MapAtom> atoms, const Grid& grid, const MapComparison& comparison,
                                  Span<float> density, Job& job) {
  check_values(grid, comparison.map, "correlation");
  if (!density.empty()) check_values(grid, density, "correlation");
  check_same_device(comparison.map, density, "correlation");
  return compute({atoms, grid, density, &comparison, 0}, comparison.map.device, job);
}

Grid density_map_grid(std::span<const MapAtom> atoms, double spacing, double sigmas) {
  if (atoms.empty()) return Grid::covering(glm::dvec3(0), glm::dvec3(0), spacing);
  glm::dvec3 lower(std::numeric_limits<double>::max()), upper(std::numeric_limits<double>::lowest());
  for (const MapAtom& atom : atoms) {
    const double reach = sigmas * static_cast<double>(atom.sigma);
    lower = glm::min(lower, glm::dvec3(atom.position) - reach);
    upper = glm::max(upper, glm::dvec3(atom.position) + reach);
  }
  Grid grid = Grid::covering(lower, upper, spacing);
  grid.origin = glm::floor(lower / spacing) * spacing;
  grid.counts = glm::ivec3(glm::ceil((upper - grid.origin) / spacing)) + 1;
  return grid;
}

std::size_t density_map_memory(std::span<const MapAtom> atoms, const Grid& grid, Device device) {
  if (device.is_cuda()) return atoms.size() * sizeof(MapAtom) + density_map_workspace(atoms.size(), grid);
  double sigma = 0;
  for (const MapAtom& atom : atoms) sigma = std::max(sigma, static_cast<double>(atom.sigma));
  double copies = 1;  // tiles that an atom reaches
  for (int axis = 0; axis < 3; ++axis) {
    const double side = 16 * std::abs(grid.step[axis][axis]);
    const double most = (grid.counts[axis] + 15) / 16;
    copies *= std::min(most, 1 + 2 * static_cast<double>(map_box_sigmas) * sigma / std::max(side, 1e-9));
  }
  return atoms.size() * 24 + static_cast<std::size_t>(copies * static_cast<double>(atoms.size()) * 4) +
         grid.size() / 4096 * (sizeof(ComparedSums) + 40) + (std::size_t{1} << 16);
}

std::size_t density_map_workspace(std::size_t atoms, const Grid& grid) {
  double tiles = 1;  // of 8 x 8 x 8 points, with 18 sums of 8 bytes and an eighth more
  for (int axis = 0; axis < 3; ++axis) tiles *= (grid.counts[axis] + 7) / 8;
  return atoms * 100 + (std::size_t{1} << 20) + static_cast<std::size_t>(tiles * 162);
}

MapSums& MapSums::operator+=(const MapSums& other) {
  count += other.count;
  a += other.a;
  b += other.b;
  aa += other.aa;
  bb += other.bb;
  ab += other.ab;
  return *this;
}

double MapSums::correlation() const {
  if (count < 2) return std::numeric_limits<double>::quiet_NaN();
  const double va = aa - a * a / count, vb = bb - b * b / count;
  // Differences of that size are rounding of the sums.
  if (!(va > 1e-12 * aa) || !(vb > 1e-12 * bb)) return std::numeric_limits<double>::quiet_NaN();
  return (ab - a * b / count) / std::sqrt(va * vb);
}

double MapSums::about_zero() const {
  if (!(aa > 0) || !(bb > 0)) return std::numeric_limits<double>::quiet_NaN();
  return ab / std::sqrt(aa * bb);
}

}  // namespace isolume
