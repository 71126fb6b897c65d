// Gaussian density of atoms in plain double precision.
#include <cmath>

#include "compute/base/checks.h"
#include "compute/density/gaussian_density.h"

namespace isolume {

void gaussian_density_reference(std::span<const DensityAtom> atoms, const Grid& grid,
                                const GaussianDensityOptions& options, std::span<double> density,
                                std::span<glm::dvec3> colours) {
  check_grid(grid, "surface density");
  if (density.size() != grid.size() || (!colours.empty() && colours.size() != grid.size())) {
    throw Error("surface density: as many values as grid points are needed", Error::Kind::usage);
  }
  std::size_t at = 0;
  for (int k = 0; k < grid.counts.z; ++k) {
    for (int j = 0; j < grid.counts.y; ++j) {
      for (int i = 0; i < grid.counts.x; ++i, ++at) {
        double rho = 0;
        glm::dvec3 colour(0);
        for (const DensityAtom& atom : atoms) {
          const double sigma = double{options.radius_scale} * double{atom.radius};
          const glm::dvec3 d = grid.point(i, j, k) - glm::dvec3(atom.position);
          const double r2 = glm::dot(d, d);
          const double cutoff = double{options.cutoff_sigmas} * sigma;
          if (r2 > cutoff * cutoff) continue;
          const double value =
              std::exp(-r2 / (2 * sigma * sigma)) - gaussian_at_cutoff(options) * r2 / (cutoff * cutoff);
          rho += value;
          colour += value * glm::dvec3(atom.colour);
        }
        density[at] = rho;
        if (!colours.empty()) colours[at] = rho > 0 ? colour / rho : glm::dvec3(0);
      }
    }
  }
}

}  // namespace isolume
