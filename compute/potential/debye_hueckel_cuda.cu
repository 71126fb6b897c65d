// Debye-Hückel on CUDA: lengths in units in which the screening is a power of two, three of eight of these by
// polynomials so that the unit for reciprocal roots and powers has less to do.
#include <cmath>

#include "compute/potential/fast_math.cuh"
#include "compute/potential/potential_bodies.h"
#include "compute/potential/row_sum.cuh"
#include "molecule/units.h"

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

struct ScreenedPair {
  static constexpr int run = debye_run;
  double scale;
  float coincident2;

  __device__ static __forceinline__ void term(int m, float r2, float amplitude, float& sum) {
    const float inverse = fast_rsqrt(r2);
    const float r = r2 * inverse;
    const bool by_polynomial = m == 1 || m == 4 || m == 6;  // three of eight
    const float screen = by_polynomial ? exp2_minus(r) : fast_exp2(-r);
    sum = fmaf(amplitude * inverse, screen, sum);
  }
};

struct Sphere {
  float x, y, z, charge, radius;
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
  const ScreenedPair pair{units::coulomb_volt_angstrom / options.permittivity, static_cast<float>(apart * apart)};
  row_sum(grids, array, pair, unit, potential.data, stream, job, "Debye-Hückel");
}

}  // namespace isolume
