// Direct Coulomb summation in plain double precision.
#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/direct/direct.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

void direct_potential_reference(std::span<const PointCharge> charges, std::span<const glm::dvec3> points,
                                std::span<double> potential) {
  if (points.size() != potential.size()) throw Error("potential: as many values as points are needed");
  for (std::size_t i = 0; i < points.size(); ++i) {
    double sum = 0;
    for (const PointCharge& c : charges) {
      const double r = glm::distance(points[i], glm::dvec3(c.position));
      if (r >= coincidence) sum += static_cast<double>(c.charge) / r;
    }
    potential[i] = units::coulomb_volt_angstrom * sum;
  }
}

}  // namespace isolume
