// Molecular surfaces on CUDA: a warp a ball for the arcs, a thread a grid point for the depths.
#include <algorithm>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/molecular_surface/arcs.h"
#include "compute/molecular_surface/device_surfaces.h"
#include "compute/molecular_surface/molecular_surface_body.h"

namespace isolume {
namespace {

/// Balls on the device in the order of their cells.
struct DeviceCells {
  CellGrid grid;
  const Ball* balls;
  const std::uint32_t* starts;
};

struct DepthGrid {
  double origin[3];
  double step[3];
  int counts[3];
};

/// The cells that the cube of half side `reach` about a place touches: visit(ball, index) until it returns true.
template <class Visit>
__device__ bool visit_near(const DeviceCells& cells, const double at[3], double reach, const Visit& visit) {
  int lower[3], upper[3];
  for (int axis = 0; axis < 3; ++axis) {
    lower[axis] = cells.grid.along(axis, at[axis] - reach);
    upper[axis] = cells.grid.along(axis, at[axis] + reach);
  }
  for (int k = lower[2]; k <= upper[2]; ++k) {
    for (int j = lower[1]; j <= upper[1]; ++j) {
      const std::uint32_t end = cells.starts[cells.grid.index(upper[0], j, k) + 1];
      for (std::uint32_t i = cells.starts[cells.grid.index(lower[0], j, k)]; i < end; ++i)
        if (visit(cells.balls[i], i)) return true;
    }
  }
  return false;
}

__device__ void place_of(const Ball& ball, double at[3]) {
  at[0] = static_cast<double>(ball.x);
  at[1] = static_cast<double>(ball.y);
  at[2] = static_cast<double>(ball.z);
}

constexpr unsigned arcs_block = 128, arcs_list = 320;

/// A ball as ball i sees it.
struct Neighbour {
  float at[3];  ///< from the centre of ball i
  float radius;
  std::uint32_t index;
};

/// Samples of the arcs of ball i with those after it. `written` counts all samples, kept or not, so that a second run
/// has room.
__global__ void __launch_bounds__(arcs_block)
    arcs_kernel(DeviceCells cells, std::size_t first, std::size_t count, double largest, float spacing, Ball* samples,
                std::uint32_t capacity, std::uint32_t* written) {
  __shared__ Neighbour lists[arcs_block / 32][arcs_list];
  const std::size_t warp = (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  if (warp >= count) return;
  Neighbour* list = lists[threadIdx.x / 32];
  const auto i = static_cast<std::uint32_t>(first + warp);
  const Ball a = cells.balls[i];
  double at_a[3];
  place_of(a, at_a);
  const float origin[3] = {0, 0, 0};
  const double reach = static_cast<double>(a.radius) + largest;
  const auto meets = [&](const Ball& ball, std::uint32_t index, Neighbour& seen) {
    seen = {{ball.x - a.x, ball.y - a.y, ball.z - a.z}, ball.radius, index};
    const float both = a.radius + ball.radius;
    const float square = seen.at[0] * seen.at[0] + seen.at[1] * seen.at[1] + seen.at[2] * seen.at[2];
    return index != i && square < both * both;
  };
  // The balls that meet i, in the order of their index.
  unsigned listed = 0;
  int lower[3], upper[3];
  for (int axis = 0; axis < 3; ++axis) {
    lower[axis] = cells.grid.along(axis, at_a[axis] - reach);
    upper[axis] = cells.grid.along(axis, at_a[axis] + reach);
  }
  for (int k = lower[2]; k <= upper[2]; ++k) {
    for (int j = lower[1]; j <= upper[1]; ++j) {
      const std::uint32_t end = cells.starts[cells.grid.index(upper[0], j, k) + 1];
      for (std::uint32_t from = cells.starts[cells.grid.index(lower[0], j, k)]; from < end; from += 32) {
        Neighbour seen;
        const bool met = from + lane < end && meets(cells.balls[from + lane], from + lane, seen);
        const unsigned all = __ballot_sync(~0u, met);
        const unsigned to = listed + __popc(all & ((1u << lane) - 1));
        if (met && to < arcs_list) list[to] = seen;
        listed += __popc(all);
      }
    }
  }
  __syncwarp();
  const auto arcs_with = [&](const Neighbour& b, const auto& visit_others) {
    CreaseCircle<float> circle;
    if (!crease_circle(origin, a.radius, b.at, b.radius, circle)) return;
    ExposedAngles<float> exposed;
    visit_others([&](const Neighbour& c) {
      if (c.index == b.index) return false;
      float middle = 0;
      float half = 0;
      const Cover cover = covered(circle, c.at, c.radius, middle, half);
      if (cover == Cover::all) exposed.count = 0;
      if (cover == Cover::part) exposed.cover(middle, half);
      return exposed.count == 0;
    });
    const bool whole = exposed.whole();
    for (int arc = 0; arc < exposed.count; ++arc) {
      const float begin = exposed.begin[arc];
      const float end = exposed.end[arc];
      const int points = arc_points((end - begin) * circle.radius, spacing, whole);
      const std::uint32_t to = atomicAdd(written, static_cast<std::uint32_t>(points));
      for (int n = 0; n < points && to + static_cast<std::uint32_t>(n) < capacity; ++n) {
        float p[3];
        circle_point(circle, arc_angle(begin, end, n, points, whole), p);
        samples[to + static_cast<std::uint32_t>(n)] = {a.x + p[0], a.y + p[1], a.z + p[2], 0.0f};
      }
    }
  };
  if (listed <= arcs_list) {
    unsigned after = 0;
    while (after < listed && list[after].index < i) ++after;
    for (unsigned n = after + lane; n < listed; n += 32)
      arcs_with(list[n], [&](const auto& visit) {
        for (unsigned m = 0; m < listed; ++m)
          if (visit(list[m])) return;
      });
    return;
  }
  // More than the list holds, as where balls are many times as large as others: each lane looks for its own.
  unsigned number = 0;
  visit_near(cells, at_a, reach, [&](const Ball& ball, std::uint32_t j) {
    Neighbour b;
    if (j <= i || !meets(ball, j, b) || number++ % 32 != lane) return false;
    arcs_with(b, [&](const auto& visit) {
      visit_near(cells, at_a, reach, [&](const Ball& other, std::uint32_t k) {
        Neighbour c;
        return meets(other, k, c) && visit(c);
      });
    });
    return false;
  });
}

__global__ void ball_key_kernel(const Ball* balls, std::size_t count, CellGrid grid, std::uint32_t* keys,
                                std::uint32_t* numbers) {
  const std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  keys[n] = grid.index(grid.along(0, static_cast<double>(balls[n].x)), grid.along(1, static_cast<double>(balls[n].y)),
                       grid.along(2, static_cast<double>(balls[n].z)));
  numbers[n] = static_cast<std::uint32_t>(n);
}

/// Puts the balls into the order of their cells and notes where each cell begins; starts[total] is the end.
__global__ void ball_place_kernel(const Ball* balls, std::size_t count, const std::uint32_t* keys,
                                  const std::uint32_t* numbers, std::uint32_t total, Ball* sorted,
                                  std::uint32_t* starts) {
  const std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  sorted[n] = balls[numbers[n]];
  const std::int64_t before = n == 0 ? -1 : static_cast<std::int64_t>(keys[n - 1]);
  const std::int64_t key = static_cast<std::int64_t>(keys[n]);
  for (std::int64_t cell = before + 1; cell <= key; ++cell) starts[cell] = static_cast<std::uint32_t>(n);
  if (n + 1 == count)
    for (std::int64_t cell = key + 1; cell <= static_cast<std::int64_t>(total); ++cell)
      starts[cell] = static_cast<std::uint32_t>(count);
}

__host__ __device__ constexpr int depth_block(int axis) {
  return axis == 0 ? 8 : 4;
}  ///< points along an axis
__host__ __device__ int depth_blocks(int points, int axis) {
  return (points + depth_block(axis) - 1) / depth_block(axis);
}

/// What the depths follow from.
struct DepthRules {
  double largest;  ///< radius of the largest ball
  float probe, reach;
  float more;  ///< radius of the other surface's probe less that of the balls
};

__global__ void depth_kernel(DepthGrid g, DeviceCells cells, DeviceCells samples, const std::uint32_t* order,
                             const float* atom_colours, bool any_samples, DepthRules rules, std::size_t first,
                             float* depth, float* other_depth, float* colours) {
  // The points of a block are near each other, so that they look at the same cells.
  std::size_t block = first + blockIdx.x;
  const unsigned within[3] = {threadIdx.x, threadIdx.y, threadIdx.z};
  std::size_t point = 0, row = 1;
  double at[3];
  for (int axis = 0; axis < 3; ++axis) {
    const auto blocks = static_cast<std::size_t>(depth_blocks(g.counts[axis], axis));
    const std::size_t index = block % blocks * depth_block(axis) + within[axis];
    if (index >= static_cast<std::size_t>(g.counts[axis])) return;
    block /= blocks;
    point += row * index;
    row *= static_cast<std::size_t>(g.counts[axis]);
    at[axis] = g.origin[axis] + static_cast<double>(index) * g.step[axis];
  }
  // In single precision from a place near by: the difference of two large coordinates would lose digits.
  const float place[3] = {static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])};
  float rest[3];
  for (int axis = 0; axis < 3; ++axis) rest[axis] = static_cast<float>(at[axis] - static_cast<double>(place[axis]));
  const auto offset = [&](const Ball& ball, float v[3]) {
    v[0] = place[0] - ball.x + rest[0];
    v[1] = place[1] - ball.y + rest[1];
    v[2] = place[2] - ball.z + rest[2];
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  };
  const float reach = rules.reach, far = reach + fmaxf(rules.more, 0.0f);
  float deepest = -far;
  std::int64_t which = -1;
  const auto look = [&](const Ball& ball, std::uint32_t i) {
    float v[3];
    // Roots are taken of those alone that are deeper than all before.
    const float square = offset(ball, v), room = ball.radius - deepest;
    if (room > 0 && square < room * room) {
      deepest = ball.radius - sqrtf(square);
      which = i;
    }
    return false;
  };
  // Within a ball no farther one is deeper.
  visit_near(cells, at, rules.largest, look);
  if (deepest <= 0) visit_near(cells, at, rules.largest + static_cast<double>(far), look);
  if (colours != nullptr)
    for (int c = 0; c < 3; ++c) colours[3 * point + c] = which < 0 ? 0.0f : atom_colours[3 * order[which] + c];
  if (other_depth != nullptr) other_depth[point] = fminf(fmaxf(deepest + rules.more, -reach), reach);
  deepest = fmaxf(deepest, -reach);
  const float most = rules.probe + reach;
  if (rules.probe > 0 && deepest > 0 && deepest < most) {
    const Ball ball = cells.balls[which];
    float v[3];
    const float length = sqrtf(offset(ball, v));
    const float scale = length > 0 ? ball.radius / length : 0;
    const float foot[3] = {length > 0 ? v[0] * scale : ball.radius, v[1] * scale, v[2] * scale};  // from its centre
    double foot_at[3];
    place_of(ball, foot_at);
    for (int axis = 0; axis < 3; ++axis) foot_at[axis] += static_cast<double>(foot[axis]);
    const bool covered_foot = visit_near(cells, foot_at, rules.largest, [&](const Ball& other, std::uint32_t) {
      const float x = foot[0] + (ball.x - other.x);
      const float y = foot[1] + (ball.y - other.y);
      const float z = foot[2] + (ball.z - other.z);
      const float inner = other.radius - 2e-5f;
      return x * x + y * y + z * z < inner * inner;
    });
    if (covered_foot) {
      float nearest = most * most;
      if (any_samples)
        visit_near(samples, at, static_cast<double>(most), [&](const Ball& sample, std::uint32_t) {
          float w[3];
          nearest = fminf(nearest, offset(sample, w));
          return false;
        });
      deepest = fmaxf(deepest, sqrtf(nearest));
    }
  }
  depth[point] = fminf(deepest, most) - rules.probe;
}

/// Balls or samples on the device in the order of their cells.
struct Sorted {
  CellGrid grid{{0, 0, 0}, 1, {1, 1, 1}};
  DeviceArray<Ball> balls;
  DeviceArray<std::uint32_t> starts, order;

  DeviceCells cells() const { return {grid, balls.data(), starts.data()}; }
};

Sorted sort_on_device(const Ball* raw, std::uint32_t count, const CellGrid& grid, Stream& stream) {
  const CudaApi& api = cuda_api();
  constexpr const char* name = "molecular surface: cells";
  Sorted result;
  result.grid = grid;
  const std::uint32_t total = grid.total();
  result.starts = DeviceArray<std::uint32_t>(total + 1u, stream, name);
  result.balls = DeviceArray<Ball>(std::max<std::uint32_t>(count, 1), stream, name);
  result.order = DeviceArray<std::uint32_t>(std::max<std::uint32_t>(count, 1), stream, name);
  if (count == 0) {
    cuda_check(api.set_bytes(result.starts.data(), 0, (total + 1u) * sizeof(std::uint32_t), stream.handle()), name);
    return result;
  }
  DeviceArray<std::uint32_t> keys(count, stream, name), numbers(count, stream, name), sorted_keys(count, stream, name);
  launch(name, stream, ball_key_kernel, blocks_for(count), {256}, raw, count, grid, keys.data(), numbers.data());
  int bits = 1;
  while (bits < 32 && (total >> bits) != 0) ++bits;
  std::size_t bytes = 0;
  const auto sort = [&](void* temporary) {
    cuda_check(api.sort_pairs(temporary, &bytes, keys.data(), sorted_keys.data(), numbers.data(), result.order.data(),
                              count, bits, stream.handle()),
               name);
  };
  sort(nullptr);
  DeviceArray<unsigned char> temporary(std::max<std::size_t>(bytes, 1), stream, name);
  {
    const LaunchTimer timer("molecular surface: sort", stream.device().index, stream.handle());
    sort(temporary.data());
  }
  launch(name, stream, ball_place_kernel, blocks_for(count), {256}, raw, count, sorted_keys.data(), result.order.data(),
         total, result.balls.data(), result.starts.data());
  return result;
}

/// Samples of all arcs, in no order.
struct Samples {
  DeviceArray<Ball> balls;
  std::uint32_t count = 0;
  double spacing = 0;  ///< the most that they are apart; 0: none are there yet
};

Samples sample_arcs(const DeviceCells& cells, std::size_t atoms, double largest, double spacing, Stream& stream,
                    Job& job) {
  DeviceArray<std::uint32_t> written(1, stream, "surface arcs: count");
  Samples samples;
  samples.spacing = spacing;
  auto capacity = static_cast<std::uint32_t>(std::min<std::size_t>(atoms * 64 + 1024, 1u << 30));
  for (;;) {
    samples.balls = DeviceArray<Ball>(capacity, stream, "surface arcs");
    cuda_check(cuda_api().set_bytes(written.data(), 0, sizeof(std::uint32_t), stream.handle()), "surface arcs");
    for_slices(atoms, std::size_t{1} << 14, stream, job, "arcs of the surface", [&](std::size_t begin, std::size_t n) {
      launch("molecular surface: arcs", stream, arcs_kernel, blocks_for(n * 32, arcs_block), {arcs_block}, cells, begin,
             n, largest, static_cast<float>(spacing), samples.balls.data(), capacity, written.data());
    });
    samples.count = written.copy_to_host().front();
    if (samples.count <= capacity) return samples;
    capacity = samples.count;
  }
}

}  // namespace

struct DeviceSurfaces::Found {
  MolecularSurfaceOptions options;
  std::vector<Ball> balls;
  Sorted sorted;
  Samples samples;
};

DeviceSurfaces::DeviceSurfaces(std::span<const DensityAtom> atoms, const MolecularSurfaceOptions& options,
                               double finest_step, Stream& stream)
    : found_(std::make_unique<Found>()), finest_step_(finest_step), stream_(stream) {
  found_->options = options;
  found_->balls = expanded_balls(atoms, options);
  double largest = 0;
  for (const Ball& ball : found_->balls) largest = std::max(largest, static_cast<double>(ball.radius));
  const auto raw = DeviceArray<Ball>::from_host(found_->balls, stream, "molecular surface: atoms");
  found_->sorted = sort_on_device(raw.data(), static_cast<std::uint32_t>(found_->balls.size()),
                                  make_cells(found_->balls, 0.75 * largest), stream);
}

DeviceSurfaces::~DeviceSurfaces() = default;

void DeviceSurfaces::depths(const Grid& grid, float* depth, const OtherSurface& other, const float* atom_colours,
                            float* colours, Job& job) const {
  const SurfacePlan plan = surface_plan(found_->balls, grid, found_->options);
  const DeviceCells cells = found_->sorted.cells();
  Sorted samples;
  if (plan.probe > 0 && !found_->balls.empty()) {
    Samples& all = found_->samples;
    if (all.spacing == 0 || all.spacing > plan.arc_spacing) {
      all = {};  // first, so that both need not fit
      const double finest = surface_plan(found_->balls, finest_step_, found_->options).arc_spacing;
      all = sample_arcs(cells, found_->balls.size(), plan.largest, std::min(finest, plan.arc_spacing), stream_, job);
    }
    // The samples lie on the balls, so that a box of the atoms, with wide outer cells, holds them.
    samples = sort_on_device(all.balls.data(), all.count, make_cells(found_->balls, 0.5 * (plan.probe + plan.reach)),
                             stream_);
  }
  DepthGrid g{};
  for (int axis = 0; axis < 3; ++axis) {
    g.origin[axis] = grid.origin[axis];
    g.step[axis] = grid.step[axis][axis];
    g.counts[axis] = grid.counts[axis];
  }
  const float more = other.depth != nullptr ? other.probe - found_->options.probe_radius : 0.0f;
  const DepthRules rules{plan.largest, static_cast<float>(plan.probe), static_cast<float>(plan.reach), more};
  std::size_t blocks = 1;
  for (int axis = 0; axis < 3; ++axis) blocks *= static_cast<std::size_t>(depth_blocks(g.counts[axis], axis));
  for_slices(blocks, std::size_t{1} << 15, stream_, job, "molecular surface",
             [&](std::size_t begin, std::size_t count) {
               launch("molecular surface: depth", stream_, depth_kernel, {static_cast<unsigned>(count), 1, 1},
                      {8, 4, 4}, g, cells, samples.cells(), found_->sorted.order.data(), atom_colours,
                      samples.balls.size() > 0, rules, begin, depth, other.depth, colours);
             });
}

void molecular_surface_cuda(std::span<const DensityAtom> atoms, const Grid& grid,
                            const MolecularSurfaceOptions& options, Span<float> depth, Span<glm::vec3> colours,
                            Job& job) {
  Stream stream(depth.device);
  const DeviceSurfaces surfaces(atoms, options, molecular_surface_reach(grid) / 2, stream);
  DeviceArray<float> atom_colours;
  if (!colours.empty()) {
    std::vector<float> values;
    values.reserve(3 * atoms.size());
    for (const DensityAtom& atom : atoms)
      for (int c = 0; c < 3; ++c) values.push_back(atom.colour[c]);
    atom_colours = DeviceArray<float>::from_host(values, stream, "molecular surface: colours");
  }
  surfaces.depths(grid, depth.data, {}, atom_colours.data(), reinterpret_cast<float*>(colours.data), job);
  stream.synchronize("molecular surface: depth");
}

}  // namespace isolume
