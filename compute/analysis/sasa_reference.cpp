// Solvent-accessible area in plain double precision.
#include "compute/analysis/sasa_body.h"
#include "molecule/base/error.h"

namespace isolume {

void solvent_accessible_area_reference(std::span<const SasaAtom> atoms, const SasaOptions& options,
                                       std::span<double> areas) {
  if (areas.size() != atoms.size())
    throw Error("solvent-accessible area: as many values as atoms are needed", Error::Kind::usage);
  const std::vector<glm::dvec3> points = sphere_points(options.points);
  const double probe = static_cast<double>(options.probe_radius);
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const double radius = static_cast<double>(atoms[i].radius) + probe;
    std::size_t open = 0;
    for (const glm::dvec3& point : points) {
      const glm::dvec3 place = glm::dvec3(atoms[i].position) + radius * point;
      bool covered = false;
      for (std::size_t j = 0; j < atoms.size() && !covered; ++j)
        covered = j != i &&
                  glm::distance(place, glm::dvec3(atoms[j].position)) < static_cast<double>(atoms[j].radius) + probe;
      open += !covered;
    }
    areas[i] = sphere_area * radius * radius * static_cast<double>(open) / static_cast<double>(points.size());
  }
}

}  // namespace isolume
