// Hirshfeld's charges on CUDA: an atom's grid at a time, a thread for each point.
#include <algorithm>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/electron_density/becke_math.h"
#include "compute/electron_density/density_bodies_cuda.h"
#include "compute/electron_density/hirshfeld_bodies.h"

namespace isolume {

namespace {

constexpr int threads = 128, warps = threads / 32;

/// Atoms and their free densities on the device.
struct Atoms {
  const double* centres;  // three numbers each
  const double* inverse;  // 1 / their distances from each other
  const unsigned* kinds;
  const double* logarithms;  // by kind
  RadialTable mesh;          // of all kinds; its own table is not used
  unsigned count;

  __device__ double distance(const double (&point)[3], unsigned atom) const {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double d = point[axis] - centres[3 * static_cast<std::size_t>(atom) + axis];
      square = fma(d, d, square);
    }
    return sqrt(square);
  }
  __device__ double density(unsigned atom, double r) const {
    RadialTable table = mesh;
    table.logarithms = logarithms + static_cast<std::size_t>(kinds[atom]) * static_cast<std::size_t>(mesh.count);
    return table.density(r);
  }
};

/// Becke's share of `centre` in points about it. `room` has a number for each point and atom.
__global__ void __launch_bounds__(threads)
    share_kernel(const __grid_constant__ Atoms atoms, unsigned centre, const double* points, unsigned count,
                 double* room, double* shares) {
  const unsigned n = blockIdx.x * threads + threadIdx.x;
  if (n >= count) return;
  double point[3];
  for (int axis = 0; axis < 3; ++axis)
    point[axis] =
        points[3 * static_cast<std::size_t>(n) + axis] + atoms.centres[3 * static_cast<std::size_t>(centre) + axis];
  for (unsigned a = 0; a < atoms.count; ++a) room[static_cast<std::size_t>(a) * count + n] = atoms.distance(point, a);
  shares[n] = becke_math::share(room + n, count, atoms.inverse, atoms.count, centre);
}

/// Adds over the points of a block what each atom has of the density, and the density (the last number of a block).
/// densities: `stride` numbers a point. The order of the sums is fixed.
__global__ void __launch_bounds__(threads)
    hirshfeld_kernel(const __grid_constant__ Atoms atoms, const double* points, const double* weights,
                     const double* densities, unsigned stride, unsigned count, double* room, double* sums) {
  __shared__ double of_warps[warps];
  const unsigned n = blockIdx.x * threads + threadIdx.x, held = min(n, count - 1);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  double point[3];
  for (int axis = 0; axis < 3; ++axis) point[axis] = points[3 * static_cast<std::size_t>(held) + axis];
  const double amount = n < count ? weights[n] * densities[static_cast<std::size_t>(n) * stride] : 0.0;
  double all = 0;
  for (unsigned a = 0; a < atoms.count; ++a) {
    const double density = atoms.density(a, atoms.distance(point, a));
    if (n < count) room[static_cast<std::size_t>(a) * count + n] = density;
    all += density;
  }
  const double scale = all > 0 ? amount / all : 0.0;
  double* const to = sums + static_cast<std::size_t>(blockIdx.x) * (atoms.count + 1);
  for (unsigned a = 0; a <= atoms.count; ++a) {
    double sum = a == atoms.count ? amount : n < count ? scale * room[static_cast<std::size_t>(a) * count + n] : 0.0;
    for (int other = 16; other > 0; other /= 2) sum += __shfl_xor_sync(~0u, sum, other);
    __syncthreads();
    if (lane == 0) of_warps[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      sum = 0;
      for (int w = 0; w < warps; ++w) sum += of_warps[w];
      to[a] = sum;
    }
  }
}

/// Adds the blocks' sums to those of all, in their order: a thread for each number.
__global__ void __launch_bounds__(threads)
    add_kernel(const double* sums, unsigned blocks, unsigned numbers, double* to) {
  const unsigned a = blockIdx.x * threads + threadIdx.x;
  if (a >= numbers) return;
  double sum = to[a];
  for (unsigned b = 0; b < blocks; ++b) sum += sums[static_cast<std::size_t>(b) * numbers + a];
  to[a] = sum;
}

unsigned blocks_of(std::size_t count) {
  return static_cast<unsigned>((count + threads - 1) / threads);
}

/// The atoms' arrays.
struct AtomsOnDevice {
  AtomsOnDevice(const HirshfeldProblem& problem, const Stream& stream) {
    const RadialTable& mesh = problem.free.front();
    std::vector<double> logarithms;
    for (const RadialTable& free : problem.free)
      logarithms.insert(logarithms.end(), free.logarithms, free.logarithms + free.count);
    const std::vector<unsigned> kinds(problem.kinds.begin(), problem.kinds.end());
    centres_ = DeviceArray<glm::dvec3>::from_host(problem.centres, stream, "atoms");
    inverse_ = DeviceArray<double>::from_host(problem.inverse, stream, "distances of atoms");
    kinds_ = DeviceArray<unsigned>::from_host(kinds, stream, "atoms");
    logarithms_ = DeviceArray<double>::from_host(logarithms, stream, "free atoms");
    atoms = {&centres_.data()->x,
             inverse_.data(),
             kinds_.data(),
             logarithms_.data(),
             mesh,
             static_cast<unsigned>(problem.centres.size())};
    atoms.mesh.logarithms = nullptr;
  }
  Atoms atoms{};

 private:
  DeviceArray<glm::dvec3> centres_;
  DeviceArray<double> inverse_, logarithms_;
  DeviceArray<unsigned> kinds_;
};

}  // namespace

HirshfeldSums hirshfeld_sums_cuda(const HirshfeldProblem& problem, Device device, Job& job) {
  HirshfeldSums result;
  const std::size_t count = problem.centres.size(), numbers = count + 1;
  result.electrons.assign(count, 0.0);
  if (count == 0) return result;
  Stream stream(device);
  const AtomsOnDevice there(problem, stream);
  const DerivativesCuda derivatives(problem.density.functions(), stream);
  std::vector<DeviceArray<glm::dvec3>> grids;
  std::size_t most = 0;
  for (const AtomicGrid& grid : problem.grids) {
    grids.push_back(DeviceArray<glm::dvec3>::from_host(grid.points, stream, "points of an atom"));
    most = std::max(most, grid.points.size());
  }
  // So many points at a time that their distances from all atoms take 64 MB at most.
  const std::size_t part = std::min(most, std::max<std::size_t>(threads, (std::size_t{1} << 23) / count));
  DeviceArray<double> room(part * count, stream, "distances of atoms"), shares(part, stream, "shares of atoms");
  DeviceArray<double> densities(DerivativesCuda::numbers * part, stream, "sums of the density");
  DeviceArray<double> block_sums(blocks_of(part) * numbers, stream, "charges");
  auto sums = DeviceArray<double>::from_host(std::vector<double>(numbers, 0.0), stream, "charges");
  for (std::size_t centre = 0; centre < count; ++centre) {
    const AtomicGrid& grid = problem.grids[problem.kinds[centre]];
    const DeviceArray<glm::dvec3>& on_device = grids[problem.kinds[centre]];
    for (std::size_t first = 0; first < grid.points.size(); first += part) {
      job.progress(static_cast<double>(centre) / static_cast<double>(count), "Hirshfeld charges");
      job.check();
      const std::size_t here = std::min(part, grid.points.size() - first);
      launch("Hirshfeld: cells", stream, share_kernel, {blocks_of(here)}, {threads}, there.atoms,
             static_cast<unsigned>(centre), &on_device.data()[first].x, static_cast<unsigned>(here), room.data(),
             shares.data());
      std::vector<double> share(here);
      copy_memory(share.data(), Device::cpu(), shares.data(), device, here * sizeof(double), stream.handle());
      // More than half of the points belong to other atoms.
      std::vector<glm::dvec3> points;
      std::vector<double> weights;
      for (std::size_t i = 0; i < here; ++i) {
        if (share[i] < becke_math::least_share) continue;
        points.push_back(problem.centres[centre] + grid.points[first + i]);
        weights.push_back(share[i] * grid.weights[first + i]);
      }
      if (points.empty()) continue;
      result.points += points.size();
      const auto list = DeviceArray<glm::dvec3>::from_host(points, stream, "points of an atom");
      const auto of_points = DeviceArray<double>::from_host(weights, stream, "weights of points");
      derivatives.at_points(&list.data()->x, points.size(), DensityOrder::value, densities.data(), stream, job);
      const unsigned blocks = blocks_of(points.size());
      launch("Hirshfeld: charges", stream, hirshfeld_kernel, {blocks}, {threads}, there.atoms, &list.data()->x,
             of_points.data(), densities.data(), static_cast<unsigned>(DerivativesCuda::numbers),
             static_cast<unsigned>(points.size()), room.data(), block_sums.data());
      launch("Hirshfeld: sums", stream, add_kernel, {blocks_of(numbers)}, {threads}, block_sums.data(), blocks,
             static_cast<unsigned>(numbers), sums.data());
    }
  }
  stream.synchronize("Hirshfeld charges");
  job.check();
  const std::vector<double> back = sums.copy_to_host();
  std::copy_n(back.begin(), count, result.electrons.begin());
  result.all = back[count];
  return result;
}

}  // namespace isolume
