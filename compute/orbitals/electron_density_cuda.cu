// Densities and many orbitals at once on CUDA: the arrays on the device, and the launches over grids and points.
#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/orbitals/density_bodies.h"
#include "compute/orbitals/density_part.cuh"
#include "compute/orbitals/density_tiles.cuh"
#include "molecule/base/units.h"

namespace isolume {

namespace {

using namespace density_tiles;

/// One or two parts on the device, and the launches over them.
class DeviceParts {
 public:
  DeviceParts(std::span<const DensityFunctions> parts, float margin, const Stream& stream) {
    for (const DensityFunctions& functions : parts) parts_.emplace_back(functions, margin, stream);
    std::size_t orbitals = 0;
    for (const DensityFunctions& functions : parts) orbitals = std::max(orbitals, functions.orbitals);
    // Evaluating the functions costs about as much as 40 orbitals.
    std::size_t least = 0;
    for (const int blocks : {1, 2, 4}) {
      const std::size_t width = 32 * static_cast<std::size_t>(blocks);
      const std::size_t cost = (orbitals + width - 1) / width * (40 + width);
      if (least != 0 && cost >= least) continue;
      least = cost;
      blocks_ = blocks;
    }
  }

  void run(const char* name, const Stream& stream, const Points& where, const Output& out, std::size_t begin,
           std::size_t tiles) const {
    Parts parts{};
    for (const DevicePart& p : parts_) parts.part[parts.count++] = p.part;
    const auto kernel = blocks_ == 1 ? density_kernel<1> : blocks_ == 2 ? density_kernel<2> : density_kernel<4>;
    launch(name, stream, kernel, {static_cast<unsigned>(tiles)}, {threads}, where, parts, out,
           static_cast<unsigned>(begin));
  }
  std::size_t functions_times_orbitals() const {
    std::size_t work = 1;
    for (const DevicePart& p : parts_) work += std::size_t{p.part.shell_count} * (p.part.orbitals + 40);
    return work;
  }

 private:
  std::vector<DevicePart> parts_;
  int blocks_ = 1;
};

Points grid_points(const Grid& grid) {
  Points p{};
  for (int axis = 0; axis < 3; ++axis) {
    p.origin[axis] = units::angstrom_in_bohr * grid.origin[axis];
    p.counts[axis] = grid.counts[axis];
    for (int c = 0; c < 3; ++c) p.step[axis][c] = units::angstrom_in_bohr * grid.step[axis][c];
  }
  p.tiles_x = static_cast<unsigned>((p.counts[0] + side - 1) / side);
  p.tiles_y = static_cast<unsigned>((p.counts[1] + side - 1) / side);
  return p;
}

/// Runs over a grid in slices.
void run_grid(std::span<const DensityFunctions> parts, const Grid& grid, Device device, const Output& out, Job& job,
              const char* what) {
  Stream stream(device);
  // Distances are compared in single precision, relative to the grid's origin.
  double extent = 0;
  for (int axis = 0; axis < 3; ++axis) {
    extent += units::angstrom_in_bohr * grid.counts[axis] * glm::length(grid.step[axis]);
    for (const DensityFunctions& functions : parts) {
      for (const DensityShell& shell : functions.shells) {
        extent = std::max(extent, std::abs(shell.centre[axis] - units::angstrom_in_bohr * grid.origin[axis]));
      }
    }
  }
  const DeviceParts on_device(parts, static_cast<float>(1e-4 + 1e-6 * extent), stream);
  const Points where = grid_points(grid);
  const std::size_t tiles =
      std::size_t{where.tiles_x} * where.tiles_y * static_cast<std::size_t>((grid.counts.z + side - 1) / side);
  const std::size_t slice = (std::size_t{1} << 28) / on_device.functions_times_orbitals();
  for_slices(tiles, slice, stream, job, what,
             [&](std::size_t begin, std::size_t n) { on_device.run(what, stream, where, out, begin, n); });
  stream.synchronize(what);
}

/// Runs over a list of points.
void run_points(std::span<const DensityFunctions> parts, std::span<const glm::dvec3> list, const Stream& stream,
                const Output& out) {
  const DeviceParts on_device(parts, 0, stream);
  static_assert(sizeof(glm::dvec3) == 3 * sizeof(double));
  const auto there = DeviceArray<glm::dvec3>::from_host(list, stream, "points of the density");
  Points where{};
  where.tiles_x = where.tiles_y = 1;
  where.list = reinterpret_cast<const double*>(there.data());
  where.list_count = static_cast<unsigned>(list.size());
  on_device.run("density: sample", stream, where, out, 0, (list.size() + points - 1) / points);
}

}  // namespace

std::vector<DensityValue> density_at_points_cuda(std::span<const DensityFunctions> parts,
                                                 std::span<const glm::dvec3> list, Device device) {
  if (list.empty()) return {};
  Stream stream(device);
  DeviceArray<DensityValue> sums(list.size(), stream, "sampled densities");
  Output out{};
  out.sums = sums.data();
  run_points(parts, list, stream, out);
  return sums.copy_to_host();
}

void density_cuda(std::span<const DensityFunctions> parts, const Grid& grid, Span<float> density, Job& job) {
  Output out{};
  out.density = density.data;
  run_grid(parts, grid, density.device, out, job, "density: tiles");
}

void amplitudes_cuda(const DensityFunctions& functions, std::size_t count, const Grid& grid, Span<float> amplitudes,
                     Job& job) {
  Output out{};
  out.amplitudes = amplitudes.data;
  out.amplitude_size = grid.size();
  out.amplitude_count = static_cast<unsigned>(count);
  run_grid({&functions, 1}, grid, amplitudes.device, out, job, "orbitals: tiles");
}

std::vector<float> amplitudes_at_points_cuda(const DensityFunctions& functions, std::size_t count,
                                             std::span<const glm::dvec3> list, Device device) {
  if (list.empty() || count == 0) return {};
  Stream stream(device);
  DeviceArray<float> values(list.size() * count, stream, "sampled orbitals");
  Output out{};
  out.amplitudes = values.data();
  out.amplitude_size = list.size();
  out.amplitude_count = static_cast<unsigned>(count);
  run_points({&functions, 1}, list, stream, out);
  return values.copy_to_host();
}

}  // namespace isolume
