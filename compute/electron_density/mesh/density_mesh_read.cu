// A grid from the mesh of a density's potential on CUDA: splines along one axis after the other, and what is about the
// sites.
#include <algorithm>
#include <cmath>
#include <optional>

#include "compute/base/launch.cuh"
#include "compute/electron_density/mesh/density_mesh_kernels.h"
#include "compute/electron_density/mesh/density_mesh_sites.h"
#include "compute/electron_density/mesh/density_mesh_spline.h"
#include "compute/electron_density/mesh/site_harmonics.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

constexpr unsigned threads = 128;
constexpr unsigned most_blocks = 32768;  // along y and z of a launch
constexpr int tile_x = 8, tile_y = 4, tile_z = 4;
static_assert(tile_x * tile_y * tile_z == threads);
constexpr int step_width = most_site_order + 2;

/// Points of an axis on the mesh: what the rows of weights are for.
struct AxisOnDevice {
  const int* starts;     // less the first that is read
  const float* weights;  // by place of the spline, then point
  int count;
};

/// Along x: out of rows of the mesh.
__global__ void __launch_bounds__(threads)
    read_x_kernel(AxisOnDevice axis, const float* mesh, int row, int rows_of_plane, int rows, float* out) {
  const int i = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  if (i >= axis.count) return;
  const int start = axis.starts[i];
  float weights[spline_order];
#pragma unroll
  for (int w = 0; w < spline_order; ++w) weights[w] = axis.weights[static_cast<std::size_t>(w) * axis.count + i];
  for (int y = static_cast<int>(blockIdx.y); y < rows; y += static_cast<int>(gridDim.y)) {
    const float* const from = mesh + (static_cast<std::size_t>(blockIdx.z) * rows_of_plane + y) * row + start;
    float sum = 0;
#pragma unroll
    for (int w = 0; w < spline_order; ++w) sum = fmaf(weights[w], from[w], sum);
    out[(static_cast<std::size_t>(blockIdx.z) * rows + y) * axis.count + i] = sum;
  }
}

/// Along y or z: rows of `length` numbers are mixed.
__global__ void __launch_bounds__(threads)
    read_rows_kernel(AxisOnDevice axis, const float* in, std::size_t length, int rows, float* out) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= length) return;
  for (int j = static_cast<int>(blockIdx.y); j < axis.count; j += static_cast<int>(gridDim.y)) {
    const float* const from = in + (static_cast<std::size_t>(blockIdx.z) * rows + axis.starts[j]) * length + i;
    float sum = 0;
#pragma unroll
    for (int w = 0; w < spline_order; ++w)
      sum = fmaf(axis.weights[static_cast<std::size_t>(w) * axis.count + j], from[static_cast<std::size_t>(w) * length],
                 sum);
    out[(static_cast<std::size_t>(blockIdx.z) * axis.count + j) * length + i] = sum;
  }
}

/// A slab of a grid, in bohr.
struct Slab {
  double origin[3], step[3][3];
  int counts[3];
  float* values;

  __device__ void point(int i, int j, int k, double (&to)[3]) const {
    for (int axis = 0; axis < 3; ++axis)
      to[axis] = origin[axis] + i * step[0][axis] + j * step[1][axis] + k * step[2][axis];
  }
};

/// Points of a grid that is not parallel to the mesh.
__global__ void __launch_bounds__(threads)
    read_any_kernel(const __grid_constant__ Slab slab, double x0, double y0, double z0, double per_step,
                    const float* mesh, int row, int rows_of_plane) {
  const int i = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  if (i >= slab.counts[0]) return;
  const double from[3] = {x0, y0, z0};
  for (int j = static_cast<int>(blockIdx.y); j < slab.counts[1]; j += static_cast<int>(gridDim.y)) {
    double at[3];
    slab.point(i, j, static_cast<int>(blockIdx.z), at);
    float weights[3][spline_order];
    int start[3];
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      const double place = (at[axis] - from[axis]) * per_step, below = floor(place);
      start[axis] = spline_first(static_cast<int>(below));
      set_spline_weights(static_cast<float>(place - below), weights[axis]);
    }
    float sum = 0;
    for (int c = 0; c < spline_order; ++c) {
      float of_plane = 0;
      for (int b = 0; b < spline_order; ++b) {
        const float* const of_row =
            mesh + (static_cast<std::size_t>(start[2] + c) * rows_of_plane + start[1] + b) * row + start[0];
        float part = 0;
#pragma unroll
        for (int a = 0; a < spline_order; ++a) part = fmaf(weights[0][a], of_row[a], part);
        of_plane = fmaf(weights[1][b], part, of_plane);
      }
      sum = fmaf(weights[2][c], of_plane, sum);
    }
    slab.values[(static_cast<std::size_t>(blockIdx.z) * slab.counts[1] + j) * slab.counts[0] + i] = sum;
  }
}

/// Weights of six rows a distance of 1 apart, at `u` from the first.
__device__ __forceinline__ void six_weights(float u, float (&w)[site_points]) {
  const float a = u, b = u - 1, c = u - 2, e = u - 3, f = u - 4, g = u - 5;
  w[0] = b * c * e * f * g * (-1.0f / 120);
  w[1] = a * c * e * f * g * (1.0f / 24);
  w[2] = a * b * e * f * g * (-1.0f / 12);
  w[3] = a * b * c * f * g * (1.0f / 12);
  w[4] = a * b * c * e * g * (-1.0f / 24);
  w[5] = a * b * c * e * f * (1.0f / 120);
}

/// What a site gives at a point `away` from it (centre - point) that it reaches.
__device__ __forceinline__ float of_site(const SiteOnDevice& site, const float* numbers, const float2* steps,
                                         const double (&away)[3], double r2, double per_step, float root) {
  const double r = sqrt(r2), over = r > 1e-30 ? 1 / r : 1e30;
  const double place = log1p(r / site.radius) * per_step;
  const double row = fmin(fmax(floor(place) - 2, 0.0), static_cast<double>(site.rows - site_points));
  float w[site_points];
  six_weights(static_cast<float>(place - row), w);
  const float x = static_cast<float>(away[0] * over), y = static_cast<float>(away[1] * over),
              z = static_cast<float>(away[2] * over);
  const unsigned width = site.pairs;
  const float4* table = reinterpret_cast<const float4*>(numbers + site.first) + static_cast<std::size_t>(row) * width;
  const int order = static_cast<int>(site.order);
  float cosine = 1, sine = 0, value = 0, diagonal = 1;
  for (int m = 0; m <= order; ++m) {
    const float2* const of_m = steps + m * step_width;
    diagonal *= of_m[m].x;
    float before = 0, now = diagonal, of_cosine = 0, of_sine = 0;
    for (int l = m; l <= order; l += 2, ++table) {
      float4 t = {0, 0, 0, 0};
#pragma unroll
      for (int p = 0; p < site_points; ++p) {
        const float4 part = __ldg(table + p * width);
        t.x = fmaf(w[p], part.x, t.x);
        t.y = fmaf(w[p], part.y, t.y);
        t.z = fmaf(w[p], part.z, t.z);
        t.w = fmaf(w[p], part.w, t.w);
      }
      const float2 first = of_m[l + 1];
      const float next = first.x * z * now - first.y * before;
      of_cosine = fmaf(now, t.x, fmaf(next, t.z, of_cosine));
      of_sine = fmaf(now, t.y, fmaf(next, t.w, of_sine));
      const float2 second = of_m[l + 2 < step_width ? l + 2 : l + 1];
      before = next;
      now = second.x * z * next - second.y * now;
    }
    value = fmaf(cosine, of_cosine, fmaf(sine, of_sine, value));
    const float turned = cosine * x - sine * y;
    sine = cosine * y + sine * x;
    cosine = turned;
  }
  if (site.nucleus != 0) {
    const float distance = static_cast<float>(r);
    value = fmaf(site.nucleus * erfcf(root * distance), static_cast<float>(over), value);
  }
  return value;
}

/// Adds the sites to what the splines gave, a tile of points a block.
__global__ void __launch_bounds__(threads)
    sites_kernel(const __grid_constant__ Slab slab, const SiteOnDevice* sites, unsigned count, const float* numbers,
                 const float2* steps_of_all, double per_step, double exponent, double factor) {
  __shared__ float2 steps[(most_site_order + 1) * step_width];
  __shared__ unsigned near[threads];
  __shared__ unsigned found_by[threads / 32];
  for (unsigned n = threadIdx.x; n < (most_site_order + 1) * step_width; n += threads) steps[n] = steps_of_all[n];
  const int thread = static_cast<int>(threadIdx.x);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int i0 = static_cast<int>(blockIdx.x) * tile_x, k0 = static_cast<int>(blockIdx.z) * tile_z;
  const float root = static_cast<float>(sqrt(exponent));
  for (int tile = static_cast<int>(blockIdx.y); tile * tile_y < slab.counts[1]; tile += static_cast<int>(gridDim.y)) {
    const int j0 = tile * tile_y;
    const int i = i0 + thread % tile_x, j = j0 + thread / tile_x % tile_y, k = k0 + thread / (tile_x * tile_y);
    const bool inside = i < slab.counts[0] && j < slab.counts[1] && k < slab.counts[2];
    double point[3], middle[3];
    slab.point(i, j, k, point);
    // A ball about the tile.
    float radius = 0;
    for (int axis = 0; axis < 3; ++axis) {
      middle[axis] = slab.origin[axis] + (i0 + 0.5 * (tile_x - 1)) * slab.step[0][axis] +
                     (j0 + 0.5 * (tile_y - 1)) * slab.step[1][axis] + (k0 + 0.5 * (tile_z - 1)) * slab.step[2][axis];
    }
    const int edges[3] = {tile_x, tile_y, tile_z};
    for (int of = 0; of < 3; ++of) {
      const double* step = slab.step[of];
      radius +=
          static_cast<float>(0.5 * (edges[of] - 1) * sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]));
    }
    float value = 0;
    for (unsigned begin = 0; begin < count; begin += threads) {
      bool reaches = false;
      if (begin + threadIdx.x < count) {
        const SiteOnDevice& site = sites[begin + threadIdx.x];
        double r2 = 0;
        for (int axis = 0; axis < 3; ++axis) {
          const double away = site.centre[axis] - middle[axis];
          r2 += away * away;
        }
        const double most = 1.0001 * (site.reach + radius);
        reaches = r2 <= most * most;
      }
      const unsigned who = __ballot_sync(~0u, reaches);
      __syncthreads();
      if (lane == 0) found_by[warp] = static_cast<unsigned>(__popc(who));
      __syncthreads();
      unsigned found = 0, place = static_cast<unsigned>(__popc(who & ((1u << lane) - 1)));
      for (unsigned w = 0; w < threads / 32; ++w) {
        if (w < warp) place += found_by[w];
        found += found_by[w];
      }
      if (reaches) near[place] = begin + threadIdx.x;
      __syncthreads();
      for (unsigned n = 0; n < found && inside; ++n) {
        const SiteOnDevice& site = sites[near[n]];
        double away[3], r2 = 0;
        for (int axis = 0; axis < 3; ++axis) {
          away[axis] = site.centre[axis] - point[axis];
          r2 += away[axis] * away[axis];
        }
        if (r2 >= static_cast<double>(site.reach) * site.reach) continue;
        value += of_site(site, numbers, steps, away, r2, per_step, root);
      }
    }
    if (inside) {
      float* const to = slab.values + (static_cast<std::size_t>(k) * slab.counts[1] + j) * slab.counts[0] + i;
      *to = static_cast<float>(fmin(factor * static_cast<double>(*to + value), 1e30));
    }
  }
}

unsigned blocks(int count, int edge) {
  return static_cast<unsigned>((count + edge - 1) / edge);
}

unsigned at_most(int count) {
  return std::min(static_cast<unsigned>(count), most_blocks);
}

/// The places of one axis of an aligned grid.
struct Axis {
  std::vector<int> starts;
  std::vector<float> weights;  ///< by place of the spline, then point
  int least = 0, end = 0;      ///< mesh points that are read

  Axis(double origin, double step, int count) {
    const auto points = static_cast<std::size_t>(count);
    weights.resize(spline_order * points);
    for (std::size_t i = 0; i < points; ++i) {
      const SplinePlace place(origin + static_cast<double>(i) * step);
      starts.push_back(place.start);
      for (std::size_t w = 0; w < spline_order; ++w) weights[w * points + i] = static_cast<float>(place.weights[w]);
    }
    least = *std::min_element(starts.begin(), starts.end());
    end = *std::max_element(starts.begin(), starts.end()) + spline_order;
    for (int& start : starts) start -= least;
  }
};

/// An aligned grid's axes on the device, and the reading of slabs by them.
class AlignedReader {
 public:
  AlignedReader(const DensityMeshPlan& plan, const Grid& grid, const float* mesh, const Stream& stream)
      : plan_(plan), grid_(grid), mesh_(mesh), stream_(stream) {
    for (int axis = 0; axis < 2; ++axis) {
      const Axis of(on_mesh(grid.origin[axis], axis), scaled(grid.step[axis][axis]), grid.counts[axis]);
      put(axis, of);
      least_[axis] = of.least;
      end_[axis] = of.end;
    }
  }

  void read(int first, int planes, float* values) {
    const Axis z(on_mesh(grid_.origin.z + first * grid_.step[2].z, 2), scaled(grid_.step[2].z), planes);
    put(2, z);
    const int nx = grid_.counts.x, ny = grid_.counts.y, rows = end_[1] - least_[1], depth = z.end - z.least;
    const auto row = static_cast<std::size_t>(nx), plane = row * static_cast<std::size_t>(ny);
    DeviceArray<float> by_x(row * static_cast<std::size_t>(rows) * static_cast<std::size_t>(depth), stream_,
                            "rows from the mesh");
    DeviceArray<float> by_y(plane * static_cast<std::size_t>(depth), stream_, "planes from the mesh");
    const float* const from = mesh_ +
                              (static_cast<std::size_t>(z.least) * static_cast<std::size_t>(plan_.padded.y) +
                               static_cast<std::size_t>(least_[1])) *
                                  static_cast<std::size_t>(plan_.padded.x) +
                              static_cast<std::size_t>(least_[0]);
    const char* what = "density mesh: splines";
    const CudaDim block{threads, 1, 1};
    launch(what, stream_, read_x_kernel, {blocks(nx, threads), at_most(rows), static_cast<unsigned>(depth)}, block,
           of(0, nx), from, plan_.padded.x, plan_.padded.y, rows, by_x.data());
    launch(what, stream_, read_rows_kernel, {blocks(nx, threads), at_most(ny), static_cast<unsigned>(depth)}, block,
           of(1, ny), by_x.data(), row, rows, by_y.data());
    launch(what, stream_, read_rows_kernel,
           {static_cast<unsigned>((plane + threads - 1) / threads), static_cast<unsigned>(planes), 1}, block,
           of(2, planes), by_y.data(), plane, depth, values);
  }

 private:
  double on_mesh(double angstrom, int axis) const {
    return (units::angstrom_in_bohr * angstrom - plan_.origin[axis]) / plan_.step;
  }
  double scaled(double angstrom) const { return units::angstrom_in_bohr * angstrom / plan_.step; }
  void put(int axis, const Axis& from) {
    starts_[axis] = DeviceArray<int>::from_host(from.starts, stream_, "places on the mesh");
    weights_[axis] = DeviceArray<float>::from_host(from.weights, stream_, "places on the mesh");
  }
  AxisOnDevice of(int axis, int count) const { return {starts_[axis].data(), weights_[axis].data(), count}; }

  const DensityMeshPlan& plan_;
  const Grid& grid_;
  const float* mesh_;
  const Stream& stream_;
  DeviceArray<int> starts_[3];
  DeviceArray<float> weights_[3];
  int least_[2], end_[2];
};

}  // namespace

void read_density_mesh_cuda(const DensityMeshPlan& plan, const float* mesh, const SiteTablesCuda& tables,
                            const Grid& grid, double factor, Span<float> values, Stream& stream, Job& job) {
  const char* what = "density mesh: grid";
  const bool aligned = grid.axis_aligned();
  std::optional<AlignedReader> reader;
  if (aligned) reader.emplace(plan, grid, mesh, stream);
  const std::size_t plane = static_cast<std::size_t>(grid.counts.x) * static_cast<std::size_t>(grid.counts.y);
  for (int first = 0; first < grid.counts.z; first += mesh_slab_planes) {
    const int planes = std::min(mesh_slab_planes, grid.counts.z - first);
    Slab slab{};
    const glm::dvec3 origin = grid.point(0, 0, first);
    for (int axis = 0; axis < 3; ++axis) {
      slab.origin[axis] = units::angstrom_in_bohr * origin[axis];
      for (int c = 0; c < 3; ++c) slab.step[axis][c] = units::angstrom_in_bohr * grid.step[axis][c];
    }
    slab.counts[0] = grid.counts.x;
    slab.counts[1] = grid.counts.y;
    slab.counts[2] = planes;
    slab.values = values.data + plane * static_cast<std::size_t>(first);
    if (aligned) {
      reader->read(first, planes, slab.values);
    } else {
      launch("density mesh: splines", stream, read_any_kernel,
             {blocks(grid.counts.x, threads), at_most(grid.counts.y), static_cast<unsigned>(planes)}, {threads, 1, 1},
             slab, plan.origin.x, plan.origin.y, plan.origin.z, 1 / plan.step, mesh, plan.padded.x, plan.padded.y);
    }
    launch("density mesh: about sites", stream, sites_kernel,
           {blocks(grid.counts.x, tile_x), at_most(static_cast<int>(blocks(grid.counts.y, tile_y))),
            blocks(planes, tile_z)},
           {threads, 1, 1}, slab, tables.on_device.data(), static_cast<unsigned>(tables.sites.size()),
           tables.numbers.data(), tables.steps.data(), 1 / site_step, plan.exponent, factor);
    stream.synchronize(what);
    job.progress(static_cast<double>(first + planes) / grid.counts.z, what);
    job.check();
  }
}

}  // namespace isolume
