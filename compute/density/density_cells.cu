// Sorts atoms into cells on CUDA: keys, CUB's radix sort, and the atoms in their places.
#include <algorithm>
#include <cmath>

#include "compute/base/launch.cuh"
#include "compute/density/density_cells.cuh"

namespace isolume {

namespace {

__global__ void key_kernel(DensityAtomView atoms, DensityCells cells, double3 reach, std::uint32_t* __restrict__ keys,
                           std::uint32_t* __restrict__ numbers, std::uint32_t* fault) {
  const std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= atoms.count) return;
  const float* position = atoms.positions + n * atoms.position_stride;
  const double along[3] = {reach.x, reach.y, reach.z};
  bool inside = true;
  int cell[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double at = static_cast<double>(position[axis]);
    if (!isfinite(position[axis])) *fault = static_cast<std::uint32_t>(n) + 1;
    inside = inside && at >= cells.origin[axis] && at <= cells.origin[axis] + along[axis];
    cell[axis] = cells.along(axis, at);
  }
  keys[n] =
      inside ? static_cast<unsigned>(cell[0] + cells.counts[0] * (cell[1] + cells.counts[1] * cell[2])) : cells.total;
  numbers[n] = static_cast<std::uint32_t>(n);
}

/// Puts the atoms into the order of their cells.
__global__ void place_kernel(DensityAtomView atoms, const std::uint32_t* __restrict__ numbers, float radius_scale,
                             float cutoff_sigmas, CellAtom* __restrict__ sorted) {
  const std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= atoms.count) return;
  const std::size_t from = numbers[n];
  const float* position = atoms.positions + from * atoms.position_stride;
  const float* look = atoms.looks + from * atoms.look_stride;
  CellAtom atom;
  for (int c = 0; c < 3; ++c) {
    atom.position[c] = position[c];
    atom.colour[c] = look[1 + c];
  }
  const double sigma = static_cast<double>(radius_scale) * static_cast<double>(look[0]);
  atom.scale = static_cast<float>(0.84932180028801905 / sigma);
  atom.cutoff = static_cast<float>(static_cast<double>(cutoff_sigmas) * sigma);
  sorted[n] = atom;
}

/// The first atom of every cell, by halving.
__global__ void start_kernel(const std::uint32_t* __restrict__ keys, std::uint32_t count, std::uint32_t total,
                             std::uint32_t* __restrict__ starts) {
  const std::uint32_t cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell > total) return;
  std::uint32_t low = 0;
  std::uint32_t high = count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (__ldg(keys + middle) < cell) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  starts[cell] = low;
}

/// Cells over everything that can reach the grid, about one cutoff wide, and no more than a few for each atom.
DensityCells make_cells(const Grid& grid, double cutoff, std::size_t atoms) {
  DensityCells cells{};
  double extent[3];
  double side_length = std::max(cutoff, 1e-3);
  for (int axis = 0; axis < 3; ++axis) {
    const double a = grid.origin[axis];
    const double b = a + (grid.counts[axis] - 1) * grid.step[axis][axis];
    cells.origin[axis] = std::min(a, b) - cutoff * 1.0001;
    extent[axis] = std::abs(b - a) + 2 * cutoff * 1.0001;
  }
  const double most = std::min(4.0 * static_cast<double>(atoms) + 64, 16777000.0);
  double total = 0;
  do {
    total = 1;
    for (int axis = 0; axis < 3; ++axis) total *= std::floor(extent[axis] / side_length) + 1;
    if (total > most) side_length *= std::cbrt(total / most) * 1.01;
  } while (total > most);
  cells.total = 1;
  for (int axis = 0; axis < 3; ++axis) {
    cells.counts[axis] = static_cast<int>(extent[axis] / side_length) + 1;
    cells.inverse[axis] = 1 / side_length;
    cells.total *= static_cast<unsigned>(cells.counts[axis]);
  }
  return cells;
}

}  // namespace

SortedAtoms sort_density_atoms(const DensityTask& task, Stream& stream, DensityWorkspace::Memory& memory) {
  const CudaApi& api = cuda_api();
  const Device device = stream.device();
  const Grid& grid = task.grid;
  const std::size_t n = task.atoms.count;
  SortedAtoms sorted;
  sorted.largest_cutoff =
      double{task.options.cutoff_sigmas} * double{task.options.radius_scale} * double{task.atoms.largest_radius};
  sorted.cells = make_cells(grid, sorted.largest_cutoff, n);
  const DensityCells& cells = sorted.cells;
  std::uint32_t* starts = memory.starts.room(cells.total + 1u, device, "surface density: cells");
  std::uint32_t* fault = memory.fault.room(1, device, "surface density: atoms");
  *fault = 0;
  sorted.starts = starts;
  if (n == 0) {
    cuda_check(api.set_bytes(starts, 0, (cells.total + 1u) * sizeof(std::uint32_t), stream.handle()),
               "surface density: cells");
    return sorted;
  }
  DensityAtomView atoms = task.atoms;
  if (!task.atoms_on.is_cuda()) {
    // The view of a call: one array of atoms.
    const std::size_t floats = n * atoms.position_stride;
    float* raw = memory.raw.room(floats, device, "surface density: atoms");
    cuda_check(api.copy(raw, atoms.positions, floats * sizeof(float), CudaApi::host_to_device, stream.handle()),
               "surface density: atoms");
    atoms.looks = raw + (atoms.looks - atoms.positions);
    atoms.positions = raw;
  }
  std::uint32_t* keys = memory.keys.room(n, device, "surface density: keys");
  std::uint32_t* numbers = memory.numbers.room(n, device, "surface density: keys");
  std::uint32_t* sorted_keys = memory.sorted_keys.room(n, device, "surface density: keys");
  std::uint32_t* sorted_numbers = memory.sorted_numbers.room(n, device, "surface density: keys");
  auto* placed = reinterpret_cast<CellAtom*>(memory.sorted.room(2 * n, device, "surface density: atoms"));
  sorted.atoms = placed;
  double reach[3];
  for (int axis = 0; axis < 3; ++axis) {
    reach[axis] = std::abs((grid.counts[axis] - 1) * grid.step[axis][axis]) + 2 * sorted.largest_cutoff * 1.0001;
  }
  launch("surface density: keys", stream, key_kernel, blocks_for(n), {256}, atoms, cells,
         double3{reach[0], reach[1], reach[2]}, keys, numbers, fault);
  int bits = 1;
  while (bits < 32 && (cells.total >> bits) != 0) ++bits;
  std::size_t bytes = 0;
  const auto sort = [&](void* temporary) {
    cuda_check(api.sort_pairs(temporary, &bytes, keys, sorted_keys, numbers, sorted_numbers, n, bits, stream.handle()),
               "surface density: sort");
  };
  sort(nullptr);
  void* temporary = memory.temporary.room(std::max<std::size_t>(bytes, 1), device, "surface density: sort");
  {
    const LaunchTimer timer("surface density: sort", device.index, stream.handle());
    sort(temporary);
  }
  launch("surface density: order", stream, place_kernel, blocks_for(n), {256}, atoms, sorted_numbers,
         task.options.radius_scale, task.options.cutoff_sigmas, placed);
  launch("surface density: cells", stream, start_kernel, blocks_for(cells.total + 1u), {256}, sorted_keys,
         static_cast<std::uint32_t>(n), cells.total, starts);
  return sorted;
}

}  // namespace isolume
