// What the mesh of a density's potential does on CUDA: tables about the sites, sources onto the mesh, waves, a grid.
#pragma once

#include <complex>
#include <glm/glm.hpp>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/job.h"
#include "compute/base/stream.h"
#include "compute/electron_density/hermite_density.h"
#include "compute/electron_density/mesh/density_mesh_plan.h"
#include "molecule/grid.h"

namespace isolume {

/// A site on the device. Its table has `rows` rows of 4 `pairs` numbers (harmonic_place()).
struct SiteOnDevice {
  double centre[3];  ///< bohr
  double radius;     ///< bohr, as that of SiteTable
  float nucleus;     ///< e
  float reach;       ///< bohr
  unsigned order, rows, pairs;
  unsigned first_group, groups;
  std::size_t first;  ///< of its numbers
};

/// V(r) = sum_lm T_lm(d) Y_lm(e) + Z erfc(sqrt(exponent) d) / d for d = |centre - r| < reach, e = (centre - r) / d.
struct SiteTablesCuda {
  std::vector<SiteOnDevice> sites;
  DeviceArray<SiteOnDevice> on_device;
  DeviceArray<float> numbers;
  DeviceArray<float2> steps;  ///< of the recursion of harmonics: harmonic_steps()
};

/// Of the recursion Q_lm = a z Q_(l-1)m - b Q_(l-2)m: (a, b) at [m (most_site_order + 2) + l]; at l = m the ratio of
/// Q_mm to Q_(m-1)(m-1) and 0.
std::vector<float2> harmonic_steps();

/// The tables of all sites. What the sites give to the mesh is added to the sources of `plan`.
SiteTablesCuda site_tables_cuda(const HermiteDensity& density, DensityMeshPlan& plan, Stream& stream, Job& job);

/// Sums the sources of `plan` on the mesh, plan.padded numbers without gaps, which is cleared first.
void spread_density_cuda(const DensityMeshPlan& plan, float* mesh, Stream& stream, Job& job);

/// erf(sqrt(q) r) / r between all points of the mesh, q = kernel_exponent(); the padding has the negative distances.
void mesh_kernel_cuda(const DensityMeshPlan& plan, float* mesh, Stream& stream);

/// What each wave is multiplied by: the kernel's, over those of the splines and the number of points; 0 for waves
/// beyond those of a ball.
void mesh_factors_cuda(const DensityMeshPlan& plan, const std::complex<float>* kernel, float* factors, Stream& stream);
void multiply_waves_cuda(const DensityMeshPlan& plan, const float* factors, std::complex<float>* waves, Stream& stream);

/// Reads a grid from the splines and the tables.
void read_density_mesh_cuda(const DensityMeshPlan& plan, const float* mesh, const SiteTablesCuda& tables,
                            const Grid& grid, double factor, Span<float> values, Stream& stream, Job& job);

}  // namespace isolume
