// Searches for critical points on CUDA: a block of threads takes one start, or one walker of a bond path, from step to
// step, so that the host waits for none of them.
#include <algorithm>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/electron_density/topology/critical_point_math.h"
#include "compute/electron_density/topology/critical_points_bodies.h"
#include "compute/electron_density/topology/point_sums.cuh"
#include "compute/orbitals/density_part.cuh"

namespace isolume {

namespace {

using namespace critical_math;
using namespace point_sums;

// Steps of one launch: a search that takes longer goes on in the next, so that no launch is long on a slow device.
constexpr int newton_steps = 16;
constexpr int walking_steps = 16;
constexpr std::size_t first_searches = 256;  // of the first launch

enum State : int { running, converged, left };

struct Search {
  double position[3];
  int state;
};

struct Walker {
  double position[3], length;
  int maximum;
  int done;
};

__global__ void __launch_bounds__(threads)
    newton_kernel(const __grid_constant__ Part part, Search* searches, int steps, double least_density) {
  __shared__ Room<10> room;
  __shared__ Search next;
  Search& search = searches[blockIdx.x];
  if (search.state != running) return;
  if (threadIdx.x == 0) next = search;
  __syncthreads();
  for (int step = 0; step < steps && next.state == running; ++step) {
    const double position[3] = {next.position[0], next.position[1], next.position[2]};
    sum_at<10>(part, position, room);
    if (threadIdx.x == 0) {
      if (room.sums[0] < least_density) {
        next.state = left;
      } else {
        double gradient[3], hessian[6], move[3];
        for (int axis = 0; axis < 3; ++axis) gradient[axis] = room.sums[1 + axis];
        for (int k = 0; k < 6; ++k) hessian[k] = room.sums[5 + k];
        if (newton_step(gradient, hessian, move) < last_step) next.state = converged;
        for (int axis = 0; axis < 3; ++axis) next.position[axis] += move[axis];
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) search = next;
}

__global__ void __launch_bounds__(threads)
    sums_kernel(const __grid_constant__ Part part, const double* points, double* sums) {
  __shared__ Room<10> room;
  const double* const from = points + 3 * static_cast<std::size_t>(blockIdx.x);
  const double position[3] = {from[0], from[1], from[2]};
  sum_at<10>(part, position, room);
  constexpr int count = Room<10>::sum_count;
  if (threadIdx.x < count) sums[count * static_cast<std::size_t>(blockIdx.x) + threadIdx.x] = room.sums[threadIdx.x];
}

/// The direction of the gradient.
__device__ void direction_at(const Part& part, const double (&position)[3], Room<4>& room, double (&to)[3]) {
  sum_at<4>(part, position, room);
  const double length = sqrt(room.sums[1] * room.sums[1] + room.sums[2] * room.sums[2] + room.sums[3] * room.sums[3]);
  for (int axis = 0; axis < 3; ++axis) to[axis] = length > 0 ? room.sums[1 + axis] / length : 0.0;
}

__global__ void __launch_bounds__(threads) follow_kernel(const __grid_constant__ Part part, const double* maxima,
                                                         unsigned maximum_count, Walker* walkers, int steps) {
  __shared__ Room<4> room;
  __shared__ double nearest_of[warps];
  __shared__ int which_of[warps];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  Walker walker = walkers[blockIdx.x];  // every thread has the same
  if (walker.done) return;
  for (int n = 0; n < steps && !walker.done; ++n) {
    // The nearest maximum, the first of those that are equally near.
    double nearest = 1e300;
    int which = -1;
    const auto take = [&](double distance, int index) {
      if (index < 0 || distance > nearest || (distance == nearest && which >= 0 && index > which)) return;
      nearest = distance;
      which = index;
    };
    for (unsigned m = threadIdx.x; m < maximum_count; m += threads) {
      double d2 = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const double d = maxima[3 * static_cast<std::size_t>(m) + axis] - walker.position[axis];
        d2 = fma(d, d, d2);
      }
      take(sqrt(d2), static_cast<int>(m));
    }
    for (int other = 16; other > 0; other /= 2) {
      const double distance = __shfl_xor_sync(~0u, nearest, other);
      const int index = __shfl_xor_sync(~0u, which, other);
      take(distance, index);
    }
    if (lane == 0) {
      nearest_of[warp] = nearest;
      which_of[warp] = which;
    }
    __syncthreads();
    nearest = nearest_of[0];
    which = which_of[0];
    for (int w = 1; w < warps; ++w) take(nearest_of[w], which_of[w]);
    if (nearest < path_end) {
      walker.length += nearest;
      walker.maximum = which;
      walker.done = 1;
      break;
    }
    // Runge-Kutta of order 4.
    const double step = fmin(path_step, 0.5 * nearest);
    double k[4][3];
    direction_at(part, walker.position, room, k[0]);
    for (int stage = 1; stage < 4; ++stage) {
      double at[3];
      for (int axis = 0; axis < 3; ++axis)
        at[axis] = walker.position[axis] + (stage == 3 ? 1.0 : 0.5) * step * k[stage - 1][axis];
      direction_at(part, at, room, k[stage]);
    }
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double move = step / 6 * (k[0][axis] + 2.0 * k[1][axis] + 2.0 * k[2][axis] + k[3][axis]);
      walker.position[axis] += move;
      square += move * move;
    }
    const double length = sqrt(square);
    walker.length += length;
    if (length < 1e-8) walker.done = 1;
  }
  if (threadIdx.x == 0) walkers[blockIdx.x] = walker;
}

class SearchOnDevice : public DensitySearch {
 public:
  SearchOnDevice(const DensityFunctions& functions, Device device) : stream_(device), set_(functions, 0.0f, stream_) {}

  std::vector<glm::dvec3> converge(std::vector<glm::dvec3> starts, double least_density, Job& job) const override {
    std::vector<Search> searches;
    searches.reserve(starts.size());
    for (const glm::dvec3& at : starts) searches.push_back({{at.x, at.y, at.z}, running});
    auto there = DeviceArray<Search>::from_host(searches, stream_, "critical points");
    for_slices(
        searches.size(), first_searches, stream_, job, "critical points", [&](std::size_t begin, std::size_t count) {
          for (int step = 0; step < most_steps; step += newton_steps) {
            launch("critical points: Newton", stream_, newton_kernel, {static_cast<unsigned>(count)}, {threads},
                   set_.part, there.data() + begin, std::min(newton_steps, most_steps - step), 0.1 * least_density);
          }
        });
    stream_.synchronize("critical points");
    std::vector<glm::dvec3> found;
    for (const Search& search : there.copy_to_host()) {
      if (search.state == converged) found.emplace_back(search.position[0], search.position[1], search.position[2]);
    }
    return found;
  }

  std::vector<DensityDerivatives> at(std::span<const glm::dvec3> points, Job& job) const override {
    std::vector<DensityDerivatives> values(points.size());
    if (points.empty()) return values;
    static_assert(sizeof(glm::dvec3) == 3 * sizeof(double));
    constexpr std::size_t numbers = Room<10>::sum_count;
    const auto there = DeviceArray<glm::dvec3>::from_host(points, stream_, "points of the density");
    DeviceArray<double> sums(numbers * points.size(), stream_, "sums of the density");
    for_slices(points.size(), first_searches, stream_, job, "critical points",
               [&](std::size_t begin, std::size_t count) {
                 launch("critical points: values", stream_, sums_kernel, {static_cast<unsigned>(count)}, {threads},
                        set_.part, &there.data()[begin].x, sums.data() + numbers * begin);
               });
    stream_.synchronize("critical points");
    const std::vector<double> back = sums.copy_to_host();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double* const from = back.data() + numbers * i;
      values[i].density = from[0];
      values[i].gradient = {from[1], from[2], from[3]};
      values[i].tau = from[4];
      std::copy_n(from + 5, 6, values[i].hessian.begin());
    }
    return values;
  }

  void follow(std::span<const glm::dvec3> maxima, std::vector<PathWalker>& walkers, Job& job) const override {
    if (walkers.empty()) return;
    std::vector<Walker> now;
    now.reserve(walkers.size());
    for (const PathWalker& walker : walkers) {
      const glm::dvec3 at = walker.position;
      now.push_back({{at.x, at.y, at.z}, walker.length, walker.maximum, walker.done ? 1 : 0});
    }
    const auto ends = DeviceArray<glm::dvec3>::from_host(maxima, stream_, "maxima of the density");
    auto there = DeviceArray<Walker>::from_host(now, stream_, "bond paths");
    for (int step = 0; step < most_path_steps; step += walking_steps) {
      job.check();
      launch("critical points: bond paths", stream_, follow_kernel, {static_cast<unsigned>(now.size())}, {threads},
             set_.part, reinterpret_cast<const double*>(ends.data()), static_cast<unsigned>(maxima.size()),
             there.data(), std::min(walking_steps, most_path_steps - step));
      stream_.synchronize("bond paths");
      now = there.copy_to_host();
      if (std::ranges::all_of(now, [](const Walker& walker) { return walker.done != 0; })) break;
    }
    for (std::size_t i = 0; i < walkers.size(); ++i) {
      walkers[i].position = {now[i].position[0], now[i].position[1], now[i].position[2]};
      walkers[i].length = now[i].length;
      walkers[i].maximum = now[i].maximum;
      walkers[i].done = now[i].done != 0;
    }
  }

 private:
  mutable Stream stream_;
  density_tiles::DevicePart set_;
};

}  // namespace

std::unique_ptr<DensitySearch> density_search_cuda(const DensityFunctions& functions, Device device) {
  return std::make_unique<SearchOnDevice>(functions, device);
}

}  // namespace isolume
