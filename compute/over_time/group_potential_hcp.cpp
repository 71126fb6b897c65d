// What groups of charges add to the potential of hierarchical charge partitioning.
#include <algorithm>
#include <vector>

#include "compute/electrostatics/hcp/hcp_parts.h"
#include "compute/over_time/group_potential_bodies.h"
#include "molecule/base/units.h"

namespace isolume {

void group_potentials_hcp(std::span<const ChargedSphere> charges, const ChargeGroups& groups, const HcpMethod& method,
                          std::span<const glm::dvec3> points, std::span<GroupShare> shares, Job& job) {
  const std::vector<PointCharge> atoms = point_charges_of(charges);
  const HcpParts parts(atoms, *method.parts, method.hcp);
  std::vector<std::uint32_t> group(charges.size());
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::uint32_t i = groups.starts[g]; i < groups.starts[g + 1]; ++i)
      group[groups.order[i]] = static_cast<std::uint32_t>(g);
  for (std::size_t p = 0; p < points.size(); ++p) {
    job.check();
    const std::span<GroupShare> own = shares.subspan(p * groups.size(), groups.size());
    std::fill(own.begin(), own.end(), GroupShare{});
    parts.at(points[p], [&](const HcpPart& part) {
      const glm::dvec4 unit =
          units::coulomb_volt_angstrom * hcp_charge_at(part.place, 1, points[p], method.hcp.dielectric);
      for (std::uint32_t a = part.begin; a < part.end; ++a) {
        const double q = atoms[a].charge;
        if (q * part.sign < 0) continue;
        GroupShare& share = own[group[a]];
        share.potential += q * unit.w;
        share.field += q * glm::dvec3(unit);
      }
    });
  }
}

}  // namespace isolume
