// Sorting atoms into cells on CUDA: counted, summed, placed.
#include "compute/electrostatics/energy/energy_sort_cuda.h"

#include "compute/base/launch.cuh"

namespace isolume {

namespace {

/// Each atom's fractions, its cell, and how many of the cell came before it.
__global__ void locate_kernel(const float* positions, const float* charges, std::uint32_t atoms, CellView cell,
                              SortedCells grid, FractionalCharge* placed, std::uint32_t* home, std::uint32_t* rank,
                              std::uint32_t* counts) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= atoms) return;
  const double x = static_cast<double>(positions[3 * i]);
  const double y = static_cast<double>(positions[3 * i + 1]);
  const double z = static_cast<double>(positions[3 * i + 2]);
  FractionalCharge p;
  p.charge = charges[i];
  int c[3];
  for (int a = 0; a < 3; ++a) {
    double f = cell.inverse[a] * x + cell.inverse[3 + a] * y + cell.inverse[6 + a] * z;
    f -= floor(f);
    if (!(f >= 0)) f = 0;  // not a number: reported by the sums, but never an index out of range
    p.u[a] = static_cast<std::uint32_t>(static_cast<unsigned long long>(f * 4294967296.0));
    if (grid.bricks) {
      const int at = static_cast<int>(__umulhi(p.u[a], static_cast<unsigned>(grid.n[a])));
      c[a] = ((at + 1) * grid.count[a] - 1) / grid.n[a];
    } else {
      c[a] = static_cast<int>(__umulhi(p.u[a], static_cast<unsigned>(grid.count[a])));
    }
  }
  if (!(isfinite(x) && isfinite(y) && isfinite(z))) p.charge = nanf("");
  const auto at = static_cast<std::uint32_t>((c[2] * grid.count[1] + c[1]) * grid.count[0] + c[0]);
  placed[i] = p;
  home[i] = at;
  rank[i] = atomicAdd(counts + at, 1u);
}

constexpr int scan_threads = 1024;

/// first[i] = counts[0] + ... + counts[i - 1], by one block; the counts become 0 for the next time.
__global__ void __launch_bounds__(scan_threads)
    scan_kernel(std::uint32_t* counts, std::uint32_t* first, std::uint32_t cells) {
  __shared__ std::uint32_t parts[32];
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t warp = threadIdx.x / 32;
  std::uint32_t before = 0;
  constexpr int each = 4;
  for (std::uint32_t begin = 0; begin < cells; begin += scan_threads * each) {
    const std::uint32_t at = begin + threadIdx.x * each;
    std::uint32_t value[each];
    std::uint32_t own = 0;
    for (int k = 0; k < each; ++k) {
      value[k] = at + k < cells ? counts[at + k] : 0;
      own += value[k];
    }
    std::uint32_t sum = own;
    for (int step = 1; step < 32; step *= 2) {
      const std::uint32_t other = __shfl_up_sync(~0u, sum, step);
      if (lane >= step) sum += other;
    }
    if (lane == 31) parts[warp] = sum;
    __syncthreads();
    if (warp == 0) {
      std::uint32_t part = parts[lane];
      for (int step = 1; step < 32; step *= 2) {
        const std::uint32_t other = __shfl_up_sync(~0u, part, step);
        if (lane >= step) part += other;
      }
      parts[lane] = part;
    }
    __syncthreads();
    std::uint32_t offset = before + (warp ? parts[warp - 1] : 0) + sum - own;
    for (int k = 0; k < each; ++k) {
      if (at + k >= cells) break;
      first[at + k] = offset;
      counts[at + k] = 0;
      offset += value[k];
    }
    before += parts[31];
    __syncthreads();
  }
  if (threadIdx.x == 0) first[cells] = before;
}

__global__ void place_kernel(const FractionalCharge* placed, const std::uint32_t* home, const std::uint32_t* rank,
                             const std::uint32_t* first, std::uint32_t atoms, FractionalCharge* sorted,
                             std::uint32_t* atom) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= atoms) return;
  const std::uint32_t to = first[home[i]] + rank[i];
  sorted[to] = placed[i];
  atom[to] = i;
}

}  // namespace

AtomSort::AtomSort(std::size_t atoms, const SortedCells& grid, Device device)
    : atoms_(atoms),
      grid_(grid),
      placed_(atoms, device, "sorting"),
      sorted_(atoms, device, "sorting"),
      home_(atoms, device, "sorting"),
      rank_(atoms, device, "sorting"),
      atom_(atoms, device, "sorting"),
      counts_(DeviceArray<std::uint32_t>::from_host(std::vector<std::uint32_t>(grid.size(), 0), device, "sorting")),
      first_(grid.size() + 1, device, "sorting") {}

void AtomSort::sort(const float* positions, const float* charges, const CellView& cell, Stream& stream) {
  const auto atoms = static_cast<std::uint32_t>(atoms_);
  launch("atoms: cells", stream, locate_kernel, blocks_for(atoms_, 128), CudaDim{128, 1, 1}, positions, charges, atoms,
         cell, grid_, placed_.data(), home_.data(), rank_.data(), counts_.data());
  launch("atoms: counts", stream, scan_kernel, CudaDim{1, 1, 1}, CudaDim{scan_threads, 1, 1}, counts_.data(),
         first_.data(), grid_.size());
  launch("atoms: order", stream, place_kernel, blocks_for(atoms_, 128), CudaDim{128, 1, 1}, placed_.data(),
         home_.data(), rank_.data(), first_.data(), atoms, sorted_.data(), atom_.data());
}

}  // namespace isolume
