// Gaussian density of atoms: checks, and the choice of the body.
#include "compute/density/gaussian_density.h"
#include "compute/density/gaussian_density_bodies.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "compute/base/checks.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/density/density_tile.h"
#include "compute/density/density_workspace.h"

namespace isolume {

namespace {

void check(const GaussianDensityOptions& options) {
  if (!(options.radius_scale > 0) || !(options.cutoff_sigmas > 0) || !std::isfinite(options.radius_scale) ||
      !std::isfinite(options.cutoff_sigmas)) {
    throw Error(fmt::format("electron density: radius scale {} and cutoff {} sigmas must be positive",
                            options.radius_scale, options.cutoff_sigmas),
                Error::Kind::usage);
  }
}

void check_layers(const Grid& grid, LayerRange layers, const Values& density, const Colours& colours) {
  check_grid(grid, "surface density");
  if (!grid.axis_aligned()) throw Error("surface density: the grid must lie along x, y and z", Error::Kind::usage);
  if (layers.first < 0 || layers.count < 0 || layers.first > grid.counts.z - layers.count) {
    throw Error(fmt::format("surface density: layers {} to {} of a grid of {}", layers.first,
                            layers.first + layers.count - 1, grid.counts.z),
                Error::Kind::usage);
  }
  const std::size_t points = static_cast<std::size_t>(grid.counts.x) * static_cast<std::size_t>(grid.counts.y) *
                             static_cast<std::size_t>(layers.count);
  if (density.size != points || (!colours.empty() && colours.size != points)) {
    throw Error(
        fmt::format("surface density: {} values and {} colours for {} points", density.size, colours.size, points),
        Error::Kind::usage);
  }
  if (!density.empty() && !colours.empty() && density.device != colours.device) {
    throw Error(fmt::format("surface density: memory on {} and on {} in one computation", to_string(density.device),
                            to_string(colours.device)),
                Error::Kind::usage);
  }
}

void compute(const DensityAtomView& atoms, Device atoms_on, const Grid& grid, LayerRange layers,
             const GaussianDensityOptions& options, const Values& density, const Colours& colours, Job& job,
             DensityWorkspace& workspace) {
  job.check();
  if (density.empty()) return;
  const DensityTask task{atoms, atoms_on, grid, layers, options, density, colours};
  if (density.device.is_cuda()) {
    Stream stream(density.device);
    start_gaussian_density_cuda(task, stream, job, workspace.memory());
    stream.synchronize("surface density: tiles");
    finish_gaussian_density_cuda(workspace.memory());
  } else {
    gaussian_density_cpu(task, job, workspace.memory());
  }
}

}  // namespace

DensityWorkspace::DensityWorkspace() : memory_(std::make_unique<Memory>()) {}
DensityWorkspace::~DensityWorkspace() = default;
DensityWorkspace::DensityWorkspace(DensityWorkspace&&) noexcept = default;
DensityWorkspace& DensityWorkspace::operator=(DensityWorkspace&&) noexcept = default;

void gaussian_density(std::span<const DensityAtom> atoms, const Grid& grid, const GaussianDensityOptions& options,
                      Values density, Colours colours, Job& job) {
  const LayerRange all{0, grid.counts.z};
  check_layers(grid, all, density, colours);
  check(options);
  check_density_atoms(atoms);
  require_memory(gaussian_density_memory(atoms.size(), grid, density.device), density.device, "surface density");
  DensityWorkspace workspace;
  compute(view_of(atoms), Device::cpu(), grid, all, options, density, colours, job, workspace);
}

void gaussian_density(const DensityAtoms& atoms, const Grid& grid, const GaussianDensityOptions& options,
                      Values density, Colours colours, Job& job, DensityWorkspace& workspace) {
  gaussian_density_layers(atoms, grid, {0, grid.counts.z}, options, density, colours, job, workspace);
}

void gaussian_density_layers(const DensityAtoms& atoms, const Grid& grid, LayerRange layers,
                             const GaussianDensityOptions& options, Values density, Colours colours, Job& job,
                             DensityWorkspace& workspace) {
  check_layers(grid, layers, density, colours);
  check(options);
  if (atoms.size() != 0 && !density.empty() && atoms.device() != density.device) {
    throw Error(fmt::format("surface density: atoms on {} and values on {}", to_string(atoms.device()),
                            to_string(density.device)),
                Error::Kind::usage);
  }
  compute(atoms.view(), atoms.device(), grid, layers, options, density, colours, job, workspace);
}

void start_gaussian_density(const DensityAtoms& atoms, const Grid& grid, const GaussianDensityOptions& options,
                            Values density, Colours colours, Stream& stream, Job& job, DensityWorkspace& workspace) {
  const LayerRange all{0, grid.counts.z};
  check_layers(grid, all, density, colours);
  check(options);
  if (!density.device.is_cuda() || stream.device() != density.device || atoms.device() != density.device) {
    throw Error(fmt::format("surface density: atoms on {}, values on {} and a stream on {}", to_string(atoms.device()),
                            to_string(density.device), to_string(stream.device())),
                Error::Kind::usage);
  }
  job.check();
  if (density.empty()) return;
  start_gaussian_density_cuda({atoms.view(), atoms.device(), grid, all, options, density, colours}, stream, job,
                              workspace.memory());
}

void finish_gaussian_density(DensityWorkspace& workspace) {
  finish_gaussian_density_cuda(workspace.memory());
}

Grid gaussian_density_grid(std::span<const DensityAtom> atoms, const GaussianDensityOptions& options, double spacing) {
  if (atoms.empty()) return Grid::covering(glm::dvec3(0), glm::dvec3(0), spacing);
  check(options);
  // One spacing beyond the cutoff every value is 0, so that any surface is closed.
  const double sigmas = double{options.cutoff_sigmas} * double{options.radius_scale};
  constexpr std::size_t block = std::size_t{1} << 13;
  std::vector<std::pair<glm::dvec3, glm::dvec3>> bounds((atoms.size() + block - 1) / block);
  std::atomic<bool> fine{true};
  Job job;
  parallel_for(bounds.size(), job, "extent of the atoms", [&](std::size_t b) {
    const auto part = atoms.subspan(b * block, std::min(block, atoms.size() - b * block));
    glm::dvec3 low(std::numeric_limits<double>::max());
    glm::dvec3 high(std::numeric_limits<double>::lowest());
    for (const DensityAtom& atom : part) {
      const double reach = sigmas * double{atom.radius} + spacing;
      low = glm::min(low, glm::dvec3(atom.position) - reach);
      high = glm::max(high, glm::dvec3(atom.position) + reach);
      const float sum = atom.position.x + atom.position.y + atom.position.z + atom.radius;
      if (!(atom.radius > 0) || !std::isfinite(sum)) fine = false;
    }
    bounds[b] = {low, high};
  });
  if (!fine) check_density_atoms(atoms);  // names the first
  glm::dvec3 lower = bounds.front().first;
  glm::dvec3 upper = bounds.front().second;
  for (const auto& [low, high] : bounds) {
    lower = glm::min(lower, low);
    upper = glm::max(upper, high);
  }
  return Grid::covering(lower, upper, spacing);
}

std::size_t gaussian_density_memory(std::size_t atoms, const Grid& grid, Device device, int layers) {
  if (device.is_cuda()) {
    // Atoms as given and as sorted, keys and numbers twice, the sort's own workspace, cell starts; an eighth to grow.
    const std::size_t bytes = atoms * (28 + 32 + 4 * sizeof(std::uint32_t)) + atoms * 16 + (std::size_t{1} << 20) +
                              sizeof(std::uint32_t) * std::min<std::size_t>(4 * atoms + 66, std::size_t{1} << 24);
    return bytes + bytes / 8;
  }
  // Atoms, ranges of tiles, and the lists of a tile's atoms, with 4 angstrom as the
  // usual cutoff; 17 counters a tile, and where the surface is.
  double copies = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double side = density_tile_side * std::abs(grid.step[axis][axis]);
    if (side > 0) copies *= 1 + 8 / side;
  }
  const double part = layers > 0 && layers < grid.counts.z ? static_cast<double>(layers) / grid.counts.z : 1.0;
  return atoms * (sizeof(TileAtom) + 24) +
         static_cast<std::size_t>(std::min(part * copies * static_cast<double>(atoms) * 4, 1e18)) +
         static_cast<std::size_t>(part * static_cast<double>(grid.size()) / 4096) *
             (17 * sizeof(std::size_t) + sizeof(DensityTileInside) + sizeof(std::uint64_t));
}

}  // namespace isolume
