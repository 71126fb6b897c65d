// Cutoff summation in plain double precision.
#include <cmath>

#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/pairs/cutoff.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

void cutoff_potential_reference(std::span<const PointCharge> charges, std::span<const glm::dvec3> points,
                                const CutoffOptions& options, std::span<double> potential) {
  if (points.size() != potential.size()) throw Error("cutoff sum: as many values as points are needed");
  const double rc = options.cutoff;
  const double rs = options.switching;
  for (std::size_t i = 0; i < points.size(); ++i) {
    double sum = 0;
    for (const PointCharge& c : charges) {
      const double r = glm::distance(points[i], glm::dvec3(c.position));
      if (r < coincidence || r >= rc) continue;
      double window = 1;
      if (options.form == CutoffForm::shifted) {
        window = (1 - r * r / (rc * rc)) * (1 - r * r / (rc * rc));
      } else if (options.form == CutoffForm::switched && r > rs) {
        const double t = rc * rc - r * r;
        window = t * t * (rc * rc + 2 * r * r - 3 * rs * rs) / std::pow(rc * rc - rs * rs, 3);
      }
      sum += static_cast<double>(c.charge) * window / (r * options.dielectric(r));
    }
    potential[i] = units::coulomb_volt_angstrom * sum;
  }
}

}  // namespace isolume
