// The potential at the sites of ions on CUDA: one kernel adds an ion, closes sites and finds the lowest energy.
#include <algorithm>
#include <limits>
#include <numeric>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/sampling/ion_placement_bodies.h"

namespace isolume {
namespace {

constexpr int threads = 256;
constexpr unsigned most_blocks = 1024;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// Sites: points of a lattice by number (z fastest), or places where there are no points.
struct SitesView {
  const unsigned* points;
  const double3* places;
  double3 origin, step;
  unsigned nx, ny, nz;

  __device__ void at(std::size_t site, unsigned& i, unsigned& j, unsigned& k) const {
    const unsigned number = points[site], row = number / nz;
    k = number - row * nz;
    i = row / ny;
    j = row - i * ny;
  }
  __device__ double3 place(std::size_t site) const {
    if (points == nullptr) return places[site];
    unsigned i, j, k;
    at(site, i, j, k);
    return {origin.x + i * step.x, origin.y + j * step.y, origin.z + k * step.z};
  }
};

/// The potential of a map (x fastest) at the sites.
__global__ void __launch_bounds__(threads)
    ion_values_kernel(SitesView sites, const float* __restrict__ map, std::size_t count, double* __restrict__ values) {
  for (std::size_t n = blockIdx.x * std::size_t{threads} + threadIdx.x; n < count;
       n += std::size_t{threads} * gridDim.x) {
    unsigned i, j, k;
    sites.at(n, i, j, k);
    values[n] = map[i + std::size_t{sites.nx} * (j + std::size_t{sites.ny} * k)];
  }
}

__global__ void __launch_bounds__(threads)
    ion_pick_kernel(const float* __restrict__ map, const std::size_t* __restrict__ at, unsigned count,
                    float* __restrict__ values) {
  const unsigned n = blockIdx.x * threads + threadIdx.x;
  if (n < count) values[n] = map[at[n]];
}

__device__ double lowest_of_block(double value, double* shared) {
  for (int step = 16; step > 0; step /= 2) value = fmin(value, __shfl_down_sync(0xffffffffu, value, step));
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  for (int w = 0; w < threads / 32; ++w) value = fmin(value, shared[w]);
  return value;  // whole in thread 0
}

/// Adds the ion, closes what is near it (NaN), and leaves a block's lowest charge * value and its open sites.
__global__ void __launch_bounds__(threads)
    ion_step_kernel(SitesView sites, double* __restrict__ values, std::size_t count, IonUpdate update, double charge,
                    double* __restrict__ lowest, unsigned long long* __restrict__ open) {
  __shared__ double shared[threads / 32];
  __shared__ unsigned opened;
  if (threadIdx.x == 0) opened = 0;
  __syncthreads();
  double best = infinite;
  unsigned mine = 0;
  for (std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x; i < count;
       i += std::size_t{threads} * gridDim.x) {
    double value = values[i];
    if (isnan(value)) continue;
    if (update.closest2 >= 0) {
      const double3 p = sites.place(i);
      const double dx = p.x - update.x, dy = p.y - update.y, dz = p.z - update.z;
      const double r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < update.closest2 || r2 == 0) {
        values[i] = nan("");
        continue;
      }
      value += update.strength / sqrt(r2);
      values[i] = value;
    }
    best = fmin(best, charge * value);
    ++mine;
  }
  atomicAdd(&opened, mine);
  best = lowest_of_block(best, shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    lowest[blockIdx.x] = best;
    open[blockIdx.x] = opened;
  }
}

/// Lists the sites with charge * value <= limit (as many as there is room for; `found` counts all), and leaves a
/// block's lowest energy above it.
__global__ void __launch_bounds__(threads)
    ion_within_kernel(const double* __restrict__ values, std::size_t count, double limit, double charge, unsigned room,
                      unsigned* __restrict__ sites, unsigned* __restrict__ found, double* __restrict__ next) {
  __shared__ double shared[threads / 32];
  double above = infinite;
  for (std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x; i < count;
       i += std::size_t{threads} * gridDim.x) {
    const double value = values[i];
    if (isnan(value)) continue;
    const double energy = charge * value;
    if (energy <= limit) {
      const unsigned slot = atomicAdd(found, 1u);
      if (slot < room) sites[slot] = static_cast<unsigned>(i);
    } else {
      above = fmin(above, energy);
    }
  }
  above = lowest_of_block(above, shared);
  if (threadIdx.x == 0) next[blockIdx.x] = above;
}

__global__ void __launch_bounds__(threads)
    ion_gather_kernel(const double* __restrict__ values, const unsigned* __restrict__ sites, unsigned count,
                      double* __restrict__ gathered) {
  const unsigned n = blockIdx.x * threads + threadIdx.x;
  if (n < count) gathered[n] = values[sites[n]];
}

class IonFieldCuda final : public IonField {
 public:
  IonFieldCuda(const IonSites& sites, Device device)
      : stream_(device),
        count_(sites.size()),
        blocks_(std::clamp<unsigned>(static_cast<unsigned>((count_ + threads - 1) / threads), 1, most_blocks)),
        points_(DeviceArray<unsigned>::from_host({sites.points.data(), sites.points.size()}, stream_, "ions: sites")),
        places_(DeviceArray<double3>::from_host(
            {reinterpret_cast<const double3*>(sites.places.data()), sites.points.empty() ? sites.places.size() : 0},
            stream_, "ions: sites")),
        values_(sites.map ? DeviceArray<double>(count_, stream_, "ions: potential")
                          : DeviceArray<double>::from_host(sites.potential, stream_, "ions: potential")),
        lowest_(blocks_, stream_, "ions: lowest"),
        open_(blocks_, stream_, "ions: open sites"),
        found_(1, stream_, "ions: number of sites") {
    static_assert(sizeof(glm::dvec3) == sizeof(double3));
    const Grid& g = sites.lattice;
    view_ = {points_.empty() ? nullptr : points_.data(), places_.data(),
             {g.origin.x, g.origin.y, g.origin.z},       {g.step[0][0], g.step[1][1], g.step[2][2]},
             static_cast<unsigned>(g.counts.x),          static_cast<unsigned>(g.counts.y),
             static_cast<unsigned>(g.counts.z)};
    if (sites.map)
      launch("ions: potential of the sites", stream_, ion_values_kernel, {blocks_, 1, 1}, {threads, 1, 1}, view_,
             sites.map->data(), count_, values_.data());
  }

  IonBest step(const IonUpdate& update, double charge, Job& job) override {
    job.check();
    launch("ions: update and search", stream_, ion_step_kernel, {blocks_, 1, 1}, {threads, 1, 1}, view_, values_.data(),
           count_, update, charge, lowest_.data(), open_.data());
    const std::vector<double> lowest = lowest_.copy_to_host();
    const std::vector<unsigned long long> open = open_.copy_to_host();
    return {*std::min_element(lowest.begin(), lowest.end()),
            static_cast<std::size_t>(std::accumulate(open.begin(), open.end(), 0ull))};
  }

  IonHits within(double limit, double charge, Job& job) override {
    unsigned room = 4096;
    for (;;) {
      job.check();
      DeviceArray<unsigned> sites(room, stream_, "ions: best sites");
      const unsigned zero = 0;
      copy_memory(found_.data(), stream_.device(), &zero, Device::cpu(), sizeof zero, stream_.handle());
      launch("ions: best sites", stream_, ion_within_kernel, {blocks_, 1, 1}, {threads, 1, 1}, values_.data(), count_,
             limit, charge, room, sites.data(), found_.data(), lowest_.data());
      const unsigned found = found_.copy_to_host()[0];
      if (found > room) {
        room = found;
        continue;
      }
      IonHits hits;
      const std::vector<double> next = lowest_.copy_to_host();
      hits.next = *std::min_element(next.begin(), next.end());
      if (found == 0) return hits;
      std::vector<unsigned> listed = sites.copy_to_host();
      listed.resize(found);
      std::sort(listed.begin(), listed.end());
      const auto sorted = DeviceArray<unsigned>::from_host(listed, stream_, "ions: best sites");
      DeviceArray<double> gathered(found, stream_, "ions: potential of the best sites");
      launch("ions: potential of the best sites", stream_, ion_gather_kernel, blocks_for(found, threads),
             {threads, 1, 1}, values_.data(), sorted.data(), found, gathered.data());
      hits.sites.assign(listed.begin(), listed.end());
      hits.values = gathered.copy_to_host();
      return hits;
    }
  }

 private:
  Stream stream_;
  std::size_t count_;
  unsigned blocks_;
  DeviceArray<unsigned> points_;
  DeviceArray<double3> places_;
  SitesView view_{};
  DeviceArray<double> values_;
  DeviceArray<double> lowest_;
  DeviceArray<unsigned long long> open_;
  DeviceArray<unsigned> found_;
};

}  // namespace

std::vector<float> ion_map_values_cuda(Span<const float> map, std::span<const std::size_t> at) {
  if (at.empty()) return {};
  Stream stream(map.device);
  const auto places = DeviceArray<std::size_t>::from_host(at, stream, "ions: sampled sites");
  DeviceArray<float> values(at.size(), stream, "ions: sampled sites");
  launch("ions: sampled sites", stream, ion_pick_kernel, blocks_for(at.size(), threads), {threads, 1, 1}, map.data,
         places.data(), static_cast<unsigned>(at.size()), values.data());
  return values.copy_to_host();
}

std::unique_ptr<IonField> ion_field_cuda(const IonSites& sites, Device device) {
  return std::make_unique<IonFieldCuda>(sites, device);
}

}  // namespace isolume
