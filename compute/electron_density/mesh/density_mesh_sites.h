// The short-ranged part of a density's potential, as tables about its sites.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/large_vector.h"
#include "compute/electron_density/hermite_density.h"
#include "compute/electron_density/mesh/density_mesh_plan.h"

namespace isolume {

inline constexpr double site_step = 0.025;  ///< of log(1 + r / r0), between rows of a table
inline constexpr int site_points = 6;       ///< rows of an interpolation

/// r0: a part of the width of the sharpest Gaussian.
inline double site_radius(const MeshSite& site, double exponent) {
  return 0.3 / std::sqrt(std::max(site.sharpest, exponent));
}
inline std::size_t site_rows(const MeshSite& site, double exponent) {
  const double steps = std::log1p(5.5 / std::sqrt(exponent) / site_radius(site, exponent)) / site_step;
  return static_cast<std::size_t>(std::ceil(steps)) + site_points;
}
/// Numbers of a row: one for each Hermite power, one for the nucleus, and zeros up to a multiple of 16.
inline std::size_t site_width(int order) {
  return (static_cast<std::size_t>(hermite_count(order)) + 16) / 16 * 16;
}

/// V(r) = sum_h T_h(d) e^h + T_nucleus(d) / d for d = |centre - r| < reach, where e^h are the products of powers of
/// (centre - r) / d in the order of hermite_powers(). Rows are at d = radius (exp(site_step row) - 1).
struct SiteTable {
  glm::dvec3 centre;  ///< bohr
  double reach = 0;   ///< bohr
  double radius = 0;  ///< bohr
  int order = 0;
  std::size_t rows = 0, width = 0;
  std::size_t first = 0;  ///< of its numbers
};

struct SiteTables {
  std::vector<SiteTable> sites;
  LargeVector<float> numbers;
};

/// Adds what the sites give to the mesh to the sources of `plan`: their moments, nuclei included, `stride` apart.
void add_site_sources(DensityMeshPlan& plan, const double* moments, std::size_t stride);

/// The tables of all sites. What the sites give to the mesh is added to the sources of `plan`.
SiteTables site_tables(const HermiteDensity& density, DensityMeshPlan& plan, Job& job);

}  // namespace isolume
