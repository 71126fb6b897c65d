// Generalised Born on CUDA: a thread an atom against a part of the others, which pass through shared memory.
#include <algorithm>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/electrostatics/generalised_born/generalised_born_bodies.h"
#include "compute/electrostatics/generalised_born/generalised_born_math.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr int threads = 128;
constexpr std::size_t most_parts = 64;

/// x, y, z and the scaled radius (radii) or the charge (energies); and the atom's own: its reduced radius, or Born's.
struct Atoms {
  const float4* __restrict__ places;
  const float* __restrict__ own;
  int count;
  int run;  ///< others of a part, a multiple of the threads
};

/// sums[part * count + i] = sum of term(r^2, own radius, other's fourth value, other's radius) over the others of a
/// part.
template <class Term>
__device__ void sum_part(Atoms atoms, double* __restrict__ sums, const Term& term) {
  __shared__ float4 places[threads];
  __shared__ float radii[threads];
  const int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.y) * atoms.run, end = min(atoms.count, first + atoms.run);
  const float4 at = atoms.places[min(i, atoms.count - 1)];
  const float own = atoms.own[min(i, atoms.count - 1)];
  double sum = 0;
  for (int tile = first; tile < end; tile += threads) {
    __syncthreads();
    const int mine = min(tile + static_cast<int>(threadIdx.x), atoms.count - 1);
    places[threadIdx.x] = atoms.places[mine];
    radii[threadIdx.x] = atoms.own[mine];
    __syncthreads();
    float part = 0;
    const int used = min(threads, end - tile);
    for (int m = 0; m < used; ++m) {
      const float4 other = places[m];
      const float dx = at.x - other.x, dy = at.y - other.y, dz = at.z - other.z;
      const float value = term(dx * dx + dy * dy + dz * dz, own, other.w, radii[m], tile + m == i);
      part += value;
    }
    sum += static_cast<double>(part);
  }
  if (i < atoms.count) sums[static_cast<std::size_t>(blockIdx.y) * static_cast<std::size_t>(atoms.count) + i] = sum;
}

__global__ void __launch_bounds__(threads) integral_kernel(Atoms atoms, double* __restrict__ sums) {
  sum_part(atoms, sums, [](float r2, float rho, float scaled, float, bool self) {
    return self ? 0.0f : born_integral(sqrtf(fmaxf(r2, 1e-8f)), rho, scaled);
  });
}

__global__ void __launch_bounds__(threads)
    energy_kernel(Atoms atoms, float kappa, float inside, float outside, double* __restrict__ sums) {
  sum_part(atoms, sums, [=](float r2, float own, float charge, float radius, bool) {
    const float product = own * radius;
    const float f = sqrtf(r2 + product * expf(-r2 / (4 * product)));
    return charge * (inside - outside * expf(-kappa * f)) / f;
  });
}

/// The sums over the parts of every atom.
std::vector<double> gathered(const DeviceArray<double>& sums, std::size_t count) {
  const std::vector<double> parts = sums.copy_to_host();
  std::vector<double> total(count, 0.0);
  for (std::size_t at = 0; at < parts.size(); ++at) total[at % count] += parts[at];
  return total;
}

}  // namespace

void generalised_born_cuda(std::span<const GeneralisedBornAtom> atoms, const GeneralisedBornOptions& o,
                           GeneralisedBornResult& result, Device device, Job& job) {
  Stream stream(device);
  const std::size_t count = atoms.size();
  const std::size_t tiles = (count + threads - 1) / threads;
  const std::size_t run = (tiles + most_parts - 1) / most_parts * threads;
  const std::size_t parts = (count + run - 1) / run;
  glm::dvec3 middle(0);
  for (const GeneralisedBornAtom& atom : atoms) middle += glm::dvec3(atom.position);
  middle /= static_cast<double>(count);
  std::vector<float4> places;
  std::vector<float> own;
  for (const GeneralisedBornAtom& atom : atoms) {
    const glm::vec3 at(glm::dvec3(atom.position) - middle);
    own.push_back(atom.radius - static_cast<float>(o.offset));
    places.push_back({at.x, at.y, at.z, atom.scale * own.back()});
  }
  DeviceArray<double> sums(parts * count, device, "generalised Born: sums");
  const CudaDim blocks{static_cast<unsigned>(tiles), static_cast<unsigned>(parts), 1};
  const auto packed = [&](const DeviceArray<float4>& p, const DeviceArray<float>& r) {
    return Atoms{p.data(), r.data(), static_cast<int>(count), static_cast<int>(run)};
  };
  {
    const auto p = DeviceArray<float4>::from_host(places, stream, "generalised Born: atoms");
    const auto r = DeviceArray<float>::from_host(own, stream, "generalised Born: radii");
    launch("Born radii", stream, integral_kernel, blocks, {threads}, packed(p, r), sums.data());
    stream.synchronize("Born radii");
  }
  const std::vector<double> integrals = gathered(sums, count);
  for (std::size_t i = 0; i < count; ++i) {
    result.radii[i] =
        born_radius(integrals[i], static_cast<double>(atoms[i].radius), o.offset, o.alpha, o.beta, o.gamma);
    own[i] = static_cast<float>(result.radii[i]);
    places[i].w = atoms[i].charge;
  }
  job.check();
  job.progress(0.5, "generalised Born");
  const auto p = DeviceArray<float4>::from_host(places, stream, "generalised Born: atoms");
  const auto r = DeviceArray<float>::from_host(own, stream, "generalised Born: radii");
  launch("generalised Born", stream, energy_kernel, blocks, {threads}, packed(p, r),
         static_cast<float>(o.inverse_debye_length()), static_cast<float>(1 / o.solute_permittivity),
         static_cast<float>(1 / o.solvent_permittivity), sums.data());
  stream.synchronize("generalised Born");
  const std::vector<double> potential = gathered(sums, count);
  for (std::size_t i = 0; i < count; ++i)
    result.energies[i] = -0.5 * units::coulomb_kcal_angstrom * static_cast<double>(atoms[i].charge) * potential[i];
}

}  // namespace isolume
