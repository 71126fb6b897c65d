// Hierarchical charge partitioning in plain double precision, straight from its definition.
#include "compute/electrostatics/hcp/hcp_parts.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

void hcp_reference(std::span<const PointCharge> charges, const HcpHierarchy& hierarchy,
                   std::span<const glm::dvec3> points, const HcpOptions& options, std::span<glm::dvec4> values) {
  if (points.size() != values.size()) throw Error("potential: as many values as points are needed");
  const HcpParts parts(charges, hierarchy, options);
  for (std::size_t i = 0; i < points.size(); ++i) {
    glm::dvec4 sum(0);
    parts.at(points[i], [&](const HcpPart& part) {
      sum += hcp_charge_at(part.place, part.charge, points[i], options.dielectric);
    });
    values[i] = units::coulomb_volt_angstrom * sum;
  }
}

}  // namespace isolume
