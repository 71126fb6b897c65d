// How a density's potential is taken apart for a mesh: sharp Gaussians to sites, smooth ones to the mesh.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/electron_density/hermite_density.h"
#include "molecule/grid.h"

namespace isolume {

/// Highest power of the expansion at a site: two i shells. Sources are moved to a site only up to the lower one.
inline constexpr int most_site_order = 12;
inline constexpr int most_moved_order = 10;

/// A point about which sharp Gaussians near it are expanded: an atom, or the middle of an overlap.
struct MeshSite {
  glm::dvec3 centre;                   ///< bohr
  double nucleus = 0;                  ///< e
  int order = 0;                       ///< of its expansion
  double sharpest = 0;                 ///< the largest exponent of its sources
  std::uint32_t first = 0, count = 0;  ///< its sources in DensityMeshPlan::members
};

/// Hermite functions of a Gaussian density on the mesh: sum of coefficients times d^t/dP_x^t d^u/dP_y^u d^v/dP_z^v of
/// (exponent/pi)^(3/2) exp(-exponent |r - P|^2).
struct MeshSource {
  glm::dvec3 centre;
  double exponent = 0;
  double reach = 0;         ///< bohr, beyond which it is left out
  std::uint32_t first = 0;  ///< of its coefficients, e
  std::int32_t order = 0;
};

/// Planes of the grid that are read from the mesh at a time on CUDA.
inline constexpr int mesh_slab_planes = 64;

/// Sources with exponents up to `exponent` are on the mesh as they are. Of sharper ones the mesh has Gaussians of this
/// exponent with the same moments; what they differ by is short-ranged, and is tabulated about the sites.
struct DensityMeshPlan {
  double exponent = 0;  ///< bohr^-2
  double accuracy = 0;  ///< hartree/e
  double step = 0;      ///< bohr, of the mesh
  glm::dvec3 origin{0.0};
  glm::ivec3 counts{0};  ///< mesh points that sources and the grid need
  glm::ivec3 padded{0};  ///< those that are transformed
  glm::ivec3 grid{0};    ///< points of the grid that was planned for
  std::vector<MeshSite> sites;
  std::vector<std::uint32_t> members;  ///< indices of the density's sources, site by site
  std::vector<MeshSource> sources;     ///< smooth ones; those of the sites come when their moments are known
  std::vector<float> coefficients;

  /// Bytes that all of the computation takes on a device, next to the values and the density themselves.
  std::size_t memory(Device device = Device::cpu()) const;
  /// Seconds of one CPU thread, or of an H200, about.
  double work(const Grid& grid, Device device = Device::cpu()) const;
};

/// The exponent of the mesh's kernel erf(sqrt(q) r) / r: each Gaussian on the mesh is narrower by it.
inline double kernel_exponent(double exponent) {
  return 2 * exponent;
}
inline double narrowed(double exponent, double mesh_exponent) {
  const double q = kernel_exponent(mesh_exponent);
  return exponent * q / (q - exponent);
}

/// Where a Hermite source on the mesh ends: what is left out there adds less than `tolerance` hartree/e.
double mesh_reach(double exponent, int order, double size, double tolerance);

/// A plan for a potential on `grid` (angstrom) with errors of about `accuracy` hartree/e. `exponent` 0 takes that of
/// the least work on a device. The plan itself is made on the CPU's threads.
DensityMeshPlan plan_density_mesh(const HermiteDensity& density, std::span<const glm::dvec3> centres,
                                  std::span<const double> charges, const Grid& grid, double accuracy, double exponent,
                                  Job& job, Device device = Device::cpu());

}  // namespace isolume
