// Debye-Hückel on CUDA: lengths in units in which the screening is a power of two. The unit for reciprocal roots and
// powers has the least throughput, so most powers are taken from those of a neighbouring point, or by polynomials.
#include <cmath>

#include "compute/electrostatics/charges/fast_math.cuh"
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

}  // namespace

void debye_hueckel_cuda(std::span<const ChargedSphere> spheres, std::span<const Grid> grids,
                        const DebyeHueckelOptions& options, Span<float> potential, Job& job) {
  const double kappa = options.inverse_debye_length();
  // Without ions the unit is so long that 2^-r is 1 to single precision.
  const double unit = kappa > 0 ? kappa * 1.4426950408889634 : 1e-12;
  Stream stream(potential.device);
  const auto raw = DeviceArray<Sphere>::from_host({reinterpret_cast<const Sphere*>(spheres.data()), spheres.size()},
                                                  stream, "Debye-Hückel: spheres");
  DeviceArray<float4> array(spheres.size(), stream, "Debye-Hückel: spheres");
  launch("Debye-Hückel: amplitudes", stream, amplitude_kernel, blocks_for(spheres.size()), {256, 1, 1}, raw.data(),
         static_cast<std::uint32_t>(spheres.size()), kappa, unit, array.data());
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
