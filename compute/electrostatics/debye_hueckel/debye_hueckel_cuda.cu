// Debye-Hückel on CUDA: lengths in units in which the screening is a power of two. The unit for reciprocal roots and
// powers has the least throughput, so most powers are taken from those of a neighbouring point, or by polynomials.
#include <cmath>

#include "compute/electrostatics/charges/fast_math.cuh"
#include "compute/electrostatics/debye_hueckel/debye_cells.h"
#include "compute/electrostatics/debye_hueckel/debye_hueckel_bodies.h"
#include "compute/electrostatics/direct/row_sum.cuh"
#include "molecule/base/units.h"

namespace isolume {

namespace {

/// 2^-x for x >= 0, relative error 1e-7, without the special unit: the polynomial of debye_hueckel_cpu.cpp.
__device__ __forceinline__ float exp2_minus(float x) {
  const float limited = fminf(x, 126.0f);
  const float shifted = 12582912.0f - limited;  // rounds; the integer is in the low bits
  const float f = limited + (shifted - 12582912.0f);
  float p = -1.3400289e-3f;
  p = fmaf(p, f, 9.6758920e-3f);
  p = fmaf(p, f, -5.5503275e-2f);
  p = fmaf(p, f, 2.4022110e-1f);
  p = fmaf(p, f, -6.9314721e-1f);
  p = fmaf(p, f, 1.0f);
  return __int_as_float(__float_as_int(p) + (__float_as_int(shifted) << 23));
}

/// 2^x for |x| <= screen_reach, relative error 2.4e-7: interpolated at Chebyshev's five points.
__device__ __forceinline__ float exp2_near(float x) {
  float p = 9.63547147e-3f;
  p = fmaf(p, x, 5.56542657e-2f);
  p = fmaf(p, x, 2.40226117e-1f);
  p = fmaf(p, x, 6.93143801e-1f);
  return fmaf(p, x, 1.0f);
}
constexpr double screen_reach = 0.3;

/// Screened charges at a run of points. Of each `group` of neighbours one takes its power from the special unit and the
/// others theirs from that, which asks that the group's half be no longer than screen_reach; with groups of one, points
/// may be any distance apart, and three of eight powers are polynomials.
template <int group>
struct ScreenedPair {
  static constexpr int run = debye_run;
  static_assert(run % group == 0);
  double scale;
  float coincident2;

  __device__ static __forceinline__ float one(float r2, float amplitude) {
    const float inverse = fast_rsqrt(r2);
    return amplitude * inverse * fast_exp2(-r2 * inverse);
  }

  /// Adds to sum[m] what acts at the squared distance d2 + (dx0 + m step)^2.
  __device__ static __forceinline__ void add(float dx0, float step, float d2, float amplitude, float* sum) {
    const auto square = [&](int m) {
      const float dx = m == 0 ? dx0 : fmaf(static_cast<float>(m), step, dx0);
      return fmaf(dx, dx, d2);
    };
#pragma unroll
    for (int first = 0; first < run; first += group) {
      const int middle = first + (group - 1) / 2;
      const float r2 = square(middle);
      const float inverse = fast_rsqrt(r2);
      const float r = r2 * inverse;
      const bool by_polynomial = group == 1 && (first == 1 || first == 4 || first == 6);
      const float screened = amplitude * (by_polynomial ? exp2_minus(r) : fast_exp2(-r));
      sum[middle] = fmaf(screened, inverse, sum[middle]);
#pragma unroll
      for (int m = first; m < first + group; ++m) {
        if (m == middle) continue;
        const float own2 = square(m);
        const float own = fast_rsqrt(own2);
        sum[m] = fmaf(screened * own, exp2_near(fmaf(-own2, own, r)), sum[m]);
      }
    }
  }
};

/// ChargedSphere as the device reads it.
struct Sphere {
  float x, y, z, charge, radius, permittivity;
};
static_assert(sizeof(Sphere) == sizeof(ChargedSphere));

__global__ void amplitude_kernel(const Sphere* spheres, std::uint32_t count, double kappa, double scale, float4* out) {
  const std::uint32_t n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const Sphere s = spheres[n];
  const double kr = kappa * static_cast<double>(s.radius);
  out[n] = make_float4(s.x, s.y, s.z, static_cast<float>(scale * static_cast<double>(s.charge) * exp(kr) / (1 + kr)));
}

constexpr unsigned spread_tile = 32;  // spheres in shared memory

/// Amplitudes at the places of a part's cell that act for the part's spheres. A block for a part and a layer of places
/// along z, a thread for a place.
__global__ void __launch_bounds__(DebyeCell::most* DebyeCell::most)
    spread_kernel(const DebyeCell* __restrict__ cells, const DebyePart* __restrict__ parts, int places,
                  const float4* __restrict__ spheres, float* __restrict__ sums) {
  __shared__ float along[2][spread_tile][DebyeCell::most];
  __shared__ float share[spread_tile];
  const DebyePart part = parts[blockIdx.x];
  const DebyeCell& cell = cells[part.cell];
  const unsigned n = static_cast<unsigned>(places), layer = n * n;
  const unsigned i = threadIdx.x % n, j = threadIdx.x / n;
  float sum = 0;
  for (std::uint32_t first = part.first; first < part.last; first += spread_tile) {
    const unsigned used = min(spread_tile, part.last - first);
    __syncthreads();
    for (unsigned m = threadIdx.x; m < 3 * used; m += blockDim.x) {
      const unsigned axis = m % 3, s = m / 3;
      const float4 sphere = spheres[first + s];
      const float at = axis == 0 ? sphere.x : axis == 1 ? sphere.y : sphere.z;
      float weight[DebyeCell::most];
      debye_cell_weights(cell.node[axis], cell.weight[axis], places, at, weight);
      if (axis == 2) {
        share[s] = sphere.w * weight[blockIdx.y];
      } else {
        for (int place = 0; place < places; ++place) along[axis][s][place] = weight[place];
      }
    }
    __syncthreads();
    if (threadIdx.x >= layer) continue;
    for (unsigned s = 0; s < used; ++s) sum = fmaf(share[s] * along[1][s][j], along[0][s][i], sum);
  }
  if (threadIdx.x < layer) sums[(std::size_t{blockIdx.x} * n + blockIdx.y) * layer + threadIdx.x] = sum;
}

/// The sums of a cell's parts, at its places. `first` and the number after it are of the cell's parts.
__global__ void places_kernel(const DebyeCell* __restrict__ cells, const std::uint32_t* __restrict__ first,
                              std::uint32_t count, int places, const float* __restrict__ sums,
                              float4* __restrict__ out) {
  const std::uint32_t at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= count) return;
  const std::uint32_t n = static_cast<std::uint32_t>(places), size = n * n * n;
  const std::uint32_t cell = at / size, place = at % size;
  double sum = 0;
  for (std::uint32_t part = first[cell]; part < first[cell + 1]; ++part)
    sum += static_cast<double>(sums[std::size_t{part} * size + place]);
  const DebyeCell& of = cells[cell];
  out[at] = make_float4(of.node[0][place % n], of.node[1][place / n % n], of.node[2][place / (n * n)],
                        static_cast<float>(sum));
}

/// What acts in place of the spheres, which are in the order of the plan.
DeviceArray<float4> far_spheres(const DebyeCells& plan, const DeviceArray<float4>& spheres, const Stream& stream) {
  const char* const what = "Debye-Hückel: cells";
  std::vector<std::uint32_t> first(plan.cells.size() + 1, static_cast<std::uint32_t>(plan.parts.size()));
  for (std::size_t part = plan.parts.size(); part-- > 0;)
    first[plan.parts[part].cell] = static_cast<std::uint32_t>(part);
  const auto cells = DeviceArray<DebyeCell>::from_host(plan.cells, stream, what);
  const auto parts = DeviceArray<DebyePart>::from_host(plan.parts, stream, what);
  const auto firsts = DeviceArray<std::uint32_t>::from_host(first, stream, what);
  const std::size_t size = plan.places_of_cell(), all = plan.cells.size() * size;
  DeviceArray<float> sums(plan.parts.size() * size, stream, what);
  const auto n = static_cast<unsigned>(plan.places);
  launch("Debye-Hückel: cells", stream, spread_kernel, {static_cast<unsigned>(plan.parts.size()), n, 1},
         {(n * n + 31) / 32 * 32, 1, 1}, cells.data(), parts.data(), plan.places, spheres.data(), sums.data());
  DeviceArray<float4> terms(plan.terms(), stream, what);
  launch("Debye-Hückel: cells", stream, places_kernel, blocks_for(all), {256, 1, 1}, cells.data(), firsts.data(),
         static_cast<std::uint32_t>(all), plan.places, sums.data(), terms.data());
  if (plan.replaced < plan.order.size())
    cuda_check(cuda_api().copy(terms.data() + all, spheres.data() + plan.replaced,
                               (plan.order.size() - plan.replaced) * sizeof(float4), CudaApi::device_to_device,
                               stream.handle()),
               what);
  return terms;
}

}  // namespace

void debye_hueckel_cuda(std::span<const ChargedSphere> spheres, std::span<const Grid> grids,
                        const DebyeHueckelOptions& options, Span<float> potential, Job& job) {
  const double kappa = options.inverse_debye_length();
  // Without ions the unit is so long that 2^-r is 1 to single precision.
  const double unit = kappa > 0 ? kappa * 1.4426950408889634 : 1e-12;
  Stream stream(potential.device);
  const DebyeCells cells = debye_cells(spheres, grids, kappa);
  std::vector<ChargedSphere> ordered;
  for (const std::uint32_t n : cells.order) ordered.push_back(spheres[n]);
  if (!ordered.empty()) spheres = ordered;
  const auto raw = DeviceArray<Sphere>::from_host({reinterpret_cast<const Sphere*>(spheres.data()), spheres.size()},
                                                  stream, "Debye-Hückel: spheres");
  DeviceArray<float4> array(spheres.size(), stream, "Debye-Hückel: spheres");
  launch("Debye-Hückel: amplitudes", stream, amplitude_kernel, blocks_for(spheres.size()), {256, 1, 1}, raw.data(),
         static_cast<std::uint32_t>(spheres.size()), kappa, unit, array.data());
  if (!cells.cells.empty()) array = far_spheres(cells, array, stream);
  const double apart = coincidence * unit;
  const double volts = units::coulomb_volt_angstrom / options.permittivity;
  const auto coincident2 = static_cast<float>(apart * apart);
  double step = 0;
  for (const RowBlock& block : row_blocks(grids, debye_run)) step = std::max(step, unit * block.frame.ax);
  const auto sum = [&](const auto& pair) {
    row_sum(grids, array, pair, unit, potential.data, stream, job, "Debye-Hückel");
  };
  if (2 * step <= screen_reach) {
    sum(ScreenedPair<4>{volts, coincident2});
  } else if (step <= screen_reach) {
    sum(ScreenedPair<2>{volts, coincident2});
  } else {
    sum(ScreenedPair<1>{volts, coincident2});
  }
}

}  // namespace isolume
