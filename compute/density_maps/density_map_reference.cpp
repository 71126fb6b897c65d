// Density maps in plain double precision, without a cutoff.
#include <cmath>

#include "compute/density_maps/density_map.h"
#include "molecule/base/error.h"

namespace isolume {

void density_map_reference(std::span<const MapAtom> atoms, std::span<const glm::dvec3> points,
                           std::span<double> values) {
  if (points.size() != values.size())
    throw Error("density map: as many values as points are needed", Error::Kind::usage);
  for (std::size_t p = 0; p < points.size(); ++p) {
    double sum = 0;
    for (const MapAtom& atom : atoms) {
      const glm::dvec3 d = points[p] - glm::dvec3(atom.position);
      const double sigma = static_cast<double>(atom.sigma);
      sum += static_cast<double>(atom.height) * std::exp(-glm::dot(d, d) / (2 * sigma * sigma));
    }
    values[p] = sum;
  }
}

}  // namespace isolume
