// Molecular orbitals on CUDA: terms, their cutoffs and tables are made on the device; then a block a tile of points.
#include <cstring>

#include "compute/device_array.h"
#include "compute/launch.cuh"
#include "compute/orbitals/orbital_bodies.h"
#include "compute/orbitals/orbital_jit.h"
#include "compute/orbitals/orbital_math.h"
#include "compute/orbitals/orbital_plan.h"
#include "compute/orbitals/orbital_tiles.cuh"
#include "compute/slices.h"
#include "molecule/units.h"

namespace isolume {

namespace {

using orbital_tiles::Meta;
using orbital_tiles::Reach;
using orbital_tiles::Tiles;

/// A term that may be more than this part of max |psi| is added in double precision: single precision loses 4e-7 of a
/// term at most and mostly far less (8e-8 of max |psi| in all, measured), which stays below 1e-6 of max |psi| together.
constexpr double single_part = 1.0;

/// Value of a term at a distance from its centre.
__device__ double term_value(int degree, double exponent, const double* __restrict__ c, double x, double y, double z) {
  double value = 0;
  double power_y = 1;
  for (int j = 0; j <= degree; ++j, power_y *= y) {
    double power_yz = power_y;
    for (int k = 0; k <= degree - j; ++k, power_yz *= z) {
      double power_xyz = power_yz;
      for (int i = 0; i <= degree - j - k; ++i, power_xyz *= x) value = fma(*c++, power_xyz, value);
    }
  }
  return value * exp(-exponent * (x * x + y * y + z * z));
}

/// What the blocks of the preparation tell each other; all 0 at the start.
struct Progress {
  unsigned long long
      largest;       // bits of the largest |psi|; positive doubles are ordered like the integers of their bits
  unsigned ticket;   // blocks that have begun
  unsigned sampled;  // points that are done
};

constexpr int prepare_threads = 128;

/// |psi| at one point.
__device__ void sample(const Tiles& g, const double* __restrict__ p, Progress* progress) {
  __shared__ double sums[prepare_threads];
  double sum = 0;
  for (unsigned n = threadIdx.x; n < g.term_count; n += prepare_threads) {
    const Meta term = g.terms[n];
    const double* c = g.centres + 3 * term.centre;
    const double x = p[0] - c[0], y = p[1] - c[1], z = p[2] - c[2];
    if (g.exponents[n] * (x * x + y * y + z * z) > 80) continue;
    sum += term_value(static_cast<int>(term.degree), g.exponents[n], g.coefficients + term.first, x, y, z);
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = prepare_threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    atomicMax(&progress->largest, static_cast<unsigned long long>(__double_as_longlong(fabs(sums[0]))));
    __threadfence();
    atomicAdd(&progress->sampled, 1u);
  }
}

/// The first blocks to begin find the largest |psi| of the points, the others wait for them; then one block a term says
/// how far the term counts and where it needs double precision, and makes its tables within that reach.
/// tolerance: as a part of max |psi|.
__global__ void __launch_bounds__(prepare_threads)
    prepare_kernel(Tiles g, const double* __restrict__ points, unsigned point_count, MonomialBounds monomials,
                   double tolerance, float margin, Progress* progress, Reach* __restrict__ reach,
                   float* __restrict__ near, double* __restrict__ axes, float* __restrict__ single_axes) {
  __shared__ double shared_cutoff;
  __shared__ unsigned ticket;
  if (threadIdx.x == 0) ticket = atomicAdd(&progress->ticket, 1u);
  __syncthreads();
  if (ticket < point_count) return sample(g, points + 3 * ticket, progress);
  const unsigned n = ticket - point_count;
  const Meta term = g.terms[n];
  const double* c = g.centres + 3 * term.centre;
  const double exponent = g.exponents[n];
  if (threadIdx.x < 2) {
    double bounds[max_degree + 1];
    const int degree = static_cast<int>(term.degree);
    bounds_by_degree(monomials, g.coefficients + term.first, degree, bounds);
    while (*static_cast<volatile unsigned*>(&progress->sampled) < point_count) {
    }
    __threadfence();
    const double scale =
        __longlong_as_double(static_cast<long long>(*static_cast<volatile unsigned long long*>(&progress->largest)));
    double distance = cut_distance(bounds, degree, exponent, (threadIdx.x == 0 ? tolerance : single_part) * scale);
    if (threadIdx.x == 0) {
      if (g.all_terms) distance = fmax(distance, 0.0);
      shared_cutoff = distance;
      reach[n] = {static_cast<float>(c[0] - g.origin[0]), static_cast<float>(c[1] - g.origin[1]),
                  static_cast<float>(c[2] - g.origin[2]),
                  distance < 0 ? -1.0f : fminf(static_cast<float>(distance) * 1.000001f + margin, 1e18f)};
    } else {
      near[n] = distance < 0 ? -1.0f : fminf(static_cast<float>(distance), 1e18f);
    }
  }
  __syncthreads();
  const double cutoff = g.all_terms ? HUGE_VAL : shared_cutoff;
  if (!g.tables || cutoff < 0) return;
  for (int axis = 0; axis < 3; ++axis) {
    const double edge = cutoff * 1.00001 + 2 * margin + orbital_tiles::side * fabs(g.step[axis]);
    const double start = g.origin[axis] - c[axis];
    const unsigned long long first = g.offset[axis] + static_cast<unsigned long long>(term.row) * g.stride[axis];
    for (int i = static_cast<int>(threadIdx.x); i < g.stride[axis]; i += prepare_threads) {
      const double d = start + i * g.step[axis];
      if (fabs(d) > edge) continue;
      double value = exp(-exponent * d * d);
      for (unsigned p = 0; p <= term.degree; ++p, value *= d) {
        const unsigned long long to = first + static_cast<unsigned long long>(p) * g.stride[axis] + i;
        axes[to] = value;
        single_axes[to] = static_cast<float>(value);
      }
    }
  }
}

template <int most, bool fine>
__global__ void __launch_bounds__(orbital_tiles::threads, orbital_tiles::blocks_at_once(most)) tiles_kernel(Tiles g) {
  __shared__ orbital_tiles::Shared<most> shared;
  orbital_tiles::compute_tile<orbital_tiles::General<most, fine>>(g, shared);
}

/// The grid in bohr.
struct BohrGrid {
  double origin[3];
  double step[3][3];
  int counts[3];
};

constexpr int point_threads = 128;

/// Grids that do not lie along the axes: a thread a point, all terms within reach of a block's points.
__global__ void __launch_bounds__(point_threads)
    points_kernel(BohrGrid grid, Tiles g, std::size_t first, std::size_t count, float* __restrict__ amplitude) {
  __shared__ float boxes[6][point_threads / 32];
  __shared__ unsigned list[point_threads];
  __shared__ unsigned votes[point_threads / 32];
  const std::size_t point = first + static_cast<std::size_t>(blockIdx.x) * point_threads + threadIdx.x;
  const std::size_t mine = point < count ? point : count - 1;
  const auto nx = static_cast<std::size_t>(grid.counts[0]);
  const auto ny = static_cast<std::size_t>(grid.counts[1]);
  const double at[3] = {static_cast<double>(mine % nx), static_cast<double>(mine / nx % ny),
                        static_cast<double>(mine / nx / ny)};
  double position[3];
  float box[6];
  for (int axis = 0; axis < 3; ++axis) {
    const double offset = at[0] * grid.step[0][axis] + at[1] * grid.step[1][axis] + at[2] * grid.step[2][axis];
    position[axis] = grid.origin[axis] + offset;
    box[axis] = static_cast<float>(offset);
    box[axis + 3] = -static_cast<float>(offset);
  }
  const int warp = static_cast<int>(threadIdx.x) / 32;
  for (int n = 0; n < 6; ++n) {
    for (int lane = 16; lane > 0; lane /= 2) box[n] = fminf(box[n], __shfl_xor_sync(~0u, box[n], lane));
    if (threadIdx.x % 32 == 0) boxes[n][warp] = box[n];
  }
  __syncthreads();
  for (int n = 0; n < 6; ++n) {
    for (int w = 0; w < point_threads / 32; ++w) box[n] = fminf(box[n], boxes[n][w]);
  }
  double sum = 0;
  for (unsigned begin = 0; begin < g.term_count; begin += point_threads) {
    bool here = false;
    if (begin + threadIdx.x < g.term_count) {
      const Reach r = g.reach[begin + threadIdx.x];
      const float x = r.x - fminf(fmaxf(r.x, box[0]), -box[3]);
      const float y = r.y - fminf(fmaxf(r.y, box[1]), -box[4]);
      const float z = r.z - fminf(fmaxf(r.z, box[2]), -box[5]);
      here = r.cutoff >= 0 && (g.all_terms || x * x + y * y + z * z <= r.cutoff * r.cutoff);
    }
    const unsigned vote = __ballot_sync(~0u, here);
    if (threadIdx.x % 32 == 0) votes[warp] = vote;
    __syncthreads();
    int listed = 0;
    for (int w = 0; w < point_threads / 32; ++w) {
      if (w == warp && here) list[listed + __popc(vote & ((1u << (threadIdx.x % 32)) - 1u))] = begin + threadIdx.x;
      listed += __popc(votes[w]);
    }
    __syncthreads();
    for (int n = 0; n < listed; ++n) {
      const Meta term = g.terms[list[n]];
      const double* c = g.centres + 3 * term.centre;
      sum += term_value(static_cast<int>(term.degree), g.exponents[list[n]], g.coefficients + term.first,
                        position[0] - c[0], position[1] - c[1], position[2] - c[2]);
    }
    __syncthreads();
  }
  if (point < count) amplitude[point] = static_cast<float>(sum);
}

/// Arrays of several types in one piece of memory, which one copy brings to the device.
class Package {
 public:
  /// Returns where the values begin, in bytes.
  template <class T>
  std::size_t add(const T* values, std::size_t count) {
    const std::size_t at = (bytes_.size() + 15) / 16 * 16;
    bytes_.resize(at + count * sizeof(T));
    if (count > 0) std::memcpy(bytes_.data() + at, values, count * sizeof(T));
    return at;
  }
  void clear() { bytes_.clear(); }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// What an orbital needs on the device, and the launches that prepare it.
class Prepared {
 public:
  Prepared(const Orbitals& orbitals, std::size_t which, const Grid& grid, const OrbitalOptions& options,
           const Stream& stream);

  const Tiles& tiles() const { return tiles_; }
  const OrbitalPlan& plan() const { return *plan_; }

 private:
  std::shared_ptr<const OrbitalPlan> plan_;
  DeviceArray<std::byte> inputs_;
  DeviceArray<std::byte> workspace_;
  Tiles tiles_{};
};

Prepared::Prepared(const Orbitals& orbitals, std::size_t which, const Grid& grid, const OrbitalOptions& options,
                   const Stream& stream)
    : plan_(orbital_plan(orbitals.basis)) {
  const OrbitalPlan& plan = *plan_;
  const std::size_t terms = plan.terms.size();
  const std::size_t coefficients = plan.coefficient_count();
  thread_local Package package;
  thread_local std::vector<Meta> metas;
  thread_local std::vector<double> exponents, in_plan_order, in_order;
  package.clear();
  metas.clear();
  exponents.clear();
  for (const PlanTerm& term : plan.terms) {
    metas.push_back({term.centre, term.first, term.row, static_cast<unsigned>(term.degree)});
    exponents.push_back(term.exponent);
  }
  in_plan_order.resize(coefficients);
  in_order.resize(coefficients);
  plan.multiply(orbitals.row(which), in_plan_order.data());
  for (std::size_t n = 0; n < coefficients; ++n) in_order[n] = in_plan_order[plan.yzx[n]];
  const std::vector<glm::dvec3> points = sample_points(orbitals.centres, grid);
  const Progress none{};
  const std::size_t at_progress = package.add(&none, 1);
  const std::size_t at_coefficients = package.add(in_order.data(), coefficients);
  const std::size_t at_centres = package.add(orbitals.centres.data(), orbitals.centres.size());
  const std::size_t at_points = package.add(points.data(), points.size());
  const std::size_t at_metas = package.add(metas.data(), terms);
  const std::size_t at_exponents = package.add(exponents.data(), terms);
  inputs_ = DeviceArray<std::byte>(package.bytes().size(), stream, "terms of the orbital");
  cuda_check(cuda_api().copy(inputs_.data(), package.bytes().data(), package.bytes().size(), CudaApi::host_to_device,
                             stream.handle()),
             "terms of the orbital");

  Tiles& g = tiles_;
  unsigned long long values = 0;
  double extent = 0;
  for (int axis = 0; axis < 3; ++axis) {
    g.origin[axis] = units::angstrom_in_bohr * grid.origin[axis];
    g.step[axis] = units::angstrom_in_bohr * grid.step[axis][axis];
    g.counts[axis] = grid.counts[axis];
    g.stride[axis] = (grid.counts[axis] + orbital_tiles::side - 1) / orbital_tiles::side * orbital_tiles::side;
    g.offset[axis] = values;
    values += static_cast<unsigned long long>(plan.rows) * static_cast<unsigned long long>(g.stride[axis]);
    extent += units::angstrom_in_bohr * grid.counts[axis] * glm::length(grid.step[axis]);
    for (const glm::dvec3& centre : orbitals.centres)
      extent = std::max(extent, std::abs(centre[axis] - g.origin[axis]));
  }
  g.tiles_x = static_cast<unsigned>(g.stride[0] / orbital_tiles::side);
  g.tiles_y = static_cast<unsigned>(g.stride[1] / orbital_tiles::side);
  g.term_count = static_cast<unsigned>(terms);
  const std::size_t table_bytes = orbital_table_bytes(plan, grid);
  g.tables = table_bytes > 0;
  if (!g.tables) values = 0;

  // One workspace: tables in both precisions, and how far terms reach.
  std::size_t size = 0;
  const auto room = [&size](std::size_t bytes) {
    const std::size_t at = size;
    size = (size + bytes + 255) / 256 * 256;
    return at;
  };
  const std::size_t at_axes = room(values * sizeof(double));
  const std::size_t at_single_axes = room(values * sizeof(float));
  const std::size_t at_reach = room(terms * sizeof(Reach));
  const std::size_t at_near = room(terms * sizeof(float));
  workspace_ = DeviceArray<std::byte>(size, stream, "tables of the orbital");
  const auto input = [this](std::size_t at) { return static_cast<void*>(inputs_.data() + at); };
  const auto work = [this](std::size_t at) { return static_cast<void*>(workspace_.data() + at); };
  g.axes = static_cast<double*>(work(at_axes));
  g.single_axes = static_cast<float*>(work(at_single_axes));
  g.reach = static_cast<Reach*>(work(at_reach));
  g.near = static_cast<float*>(work(at_near));
  g.coefficients = static_cast<double*>(input(at_coefficients));
  g.terms = static_cast<Meta*>(input(at_metas));
  g.exponents = static_cast<double*>(input(at_exponents));
  g.centres = static_cast<double*>(input(at_centres));
  if (terms == 0) return;

  const double tolerance = orbital_term_tolerance(options.accuracy);
  g.all_terms = !options.screening;
  // Distances are compared in single precision, relative to the grid's origin.
  const auto margin = static_cast<float>(1e-4 + 1e-6 * extent);
  launch("orbital: terms", stream, prepare_kernel, {static_cast<unsigned>(points.size() + terms)}, {prepare_threads}, g,
         static_cast<double*>(input(at_points)), points.size(), MonomialBounds(), tolerance, margin,
         static_cast<Progress*>(input(at_progress)), const_cast<Reach*>(g.reach), const_cast<float*>(g.near),
         const_cast<double*>(g.axes), const_cast<float*>(g.single_axes));
}

using TilesKernel = void (*)(Tiles);

TilesKernel kernel_for(int degree, bool fine) {
  if (degree <= 2) return fine ? tiles_kernel<2, true> : tiles_kernel<2, false>;
  if (degree <= 4) return fine ? tiles_kernel<4, true> : tiles_kernel<4, false>;
  return fine ? tiles_kernel<6, true> : tiles_kernel<6, false>;
}

void compute_points(const Prepared& prepared, const Grid& grid, Span<float> amplitude, Stream& stream, Job& job) {
  BohrGrid g{};
  for (int axis = 0; axis < 3; ++axis) {
    g.origin[axis] = units::angstrom_in_bohr * grid.origin[axis];
    g.counts[axis] = grid.counts[axis];
    for (int c = 0; c < 3; ++c) g.step[axis][c] = units::angstrom_in_bohr * grid.step[axis][c];
  }
  const std::size_t blocks = (grid.size() + point_threads - 1) / point_threads;
  const std::size_t first = (std::size_t{1} << 23) / (prepared.tiles().term_count + 64);
  for_slices(blocks, first, stream, job, "orbital", [&](std::size_t begin, std::size_t n) {
    launch("orbital: points", stream, points_kernel, {static_cast<unsigned>(n)}, {point_threads}, g, prepared.tiles(),
           begin * point_threads, grid.size(), amplitude.data);
  });
}

}  // namespace

void orbital_cuda(const Orbitals& orbitals, std::size_t which, const Grid& grid, Span<float> amplitude, Stream& stream,
                  bool wait, Job& job, const OrbitalOptions& options) {
  const Prepared prepared(orbitals, which, grid, options, stream);
  if (!grid.axis_aligned()) {
    compute_points(prepared, grid, amplitude, stream, job);
    if (wait) stream.synchronize("orbital: points");
    return;
  }
  Tiles g = prepared.tiles();
  g.amplitude = amplitude.data;
  const bool fine = options.accuracy == OrbitalAccuracy::fine;
  const std::size_t tiles =
      std::size_t{g.tiles_x} * g.tiles_y * static_cast<std::size_t>(g.stride[2] / orbital_tiles::side);
  // The kernel for the basis knows that there are tables.
  CompiledOrbital compiled =
      options.compiled && g.tables ? compiled_orbital(prepared.plan(), amplitude.device, fine) : CompiledOrbital();
  const void* kernel = compiled.kernel() ? compiled.kernel()
                                         : reinterpret_cast<const void*>(kernel_for(prepared.plan().max_degree, fine));
  // Small orbitals in one launch: what all terms on all points of a slice would take is far below a second.
  const std::size_t first = (std::size_t{1} << 23) / (g.term_count + 64);
  compiled.begin(stream);
  for_slices(tiles, first, stream, job, "orbital", [&](std::size_t begin, std::size_t n) {
    g.first_tile = static_cast<unsigned>(begin);
    const LaunchTimer timer("orbital: tiles", amplitude.device.index, stream.handle());
    void* arguments[] = {&g};
    cuda_check(
        cuda_api().launch(kernel, {static_cast<unsigned>(n)}, {orbital_tiles::threads}, arguments, 0, stream.handle()),
        "orbital: tiles");
  });
  compiled.end(stream);
  if (wait) stream.synchronize("orbital: tiles");
  compiled.note(tiles);
}

}  // namespace isolume
