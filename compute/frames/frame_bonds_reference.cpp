// The hydrogen bonds of a frame by plain loops.
#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/frames/frame_bonds.h"

namespace isolume {

std::vector<HydrogenBond> frame_bonds_reference(const HydrogenBondSites& sites, std::span<const glm::dvec3> positions,
                                                const HydrogenBondRule& rule) {
  using Site = HydrogenBondSites::Site;
  const auto degrees = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const glm::dvec3 p = glm::normalize(positions[a] - positions[b]), q = glm::normalize(positions[c] - positions[b]);
    return glm::degrees(std::acos(std::clamp(glm::dot(p, q), -1.0, 1.0)));
  };
  const auto gives = [&](const Site& s) {
    return s.carbon == s.point ||
           glm::distance(positions[s.point], positions[s.carbon]) > static_cast<double>(carbon_oxygen_single);
  };
  const auto barred = [&](const Site& donor, std::uint32_t atom) {
    for (std::uint32_t i = donor.barred_begin; i < donor.barred_end; ++i)
      if (sites.barred()[i] == atom) return true;
    return false;
  };
  const auto apart = [&](const Site& a, const Site& b) {
    return a.altloc != b.altloc && a.altloc != ' ' && b.altloc != ' ';
  };
  const auto across = [&](const Site& a, const Site& b) {
    return !sites.between() || ((a.sets & 1) && (b.sets & 2)) || ((a.sets & 2) && (b.sets & 1));
  };
  std::vector<HydrogenBond> found;
  for (const Site& donor : sites.donors())
    for (const Site& acceptor : sites.acceptors()) {
      const double distance = glm::distance(positions[donor.point], positions[acceptor.point]);
      if (!(distance <= static_cast<double>(rule.distance)) || !gives(donor) || barred(donor, acceptor.atom) ||
          apart(donor, acceptor) || !across(donor, acceptor))
        continue;
      HydrogenBond bond{donor.atom, donor.atom, acceptor.atom, static_cast<float>(distance)};
      if (sites.hydrogens()) {
        double widest = static_cast<double>(rule.angle);
        bool points_there = false;
        for (std::uint32_t i = donor.around_begin; i < donor.around_end; ++i) {
          const double angle = degrees(donor.point, sites.around()[i], acceptor.point);
          if (angle < widest) continue;
          widest = angle;
          points_there = true;
          bond.hydrogen = sites.around_atoms()[i];
        }
        if (points_there) found.push_back(bond);
        continue;
      }
      bool wide = true;
      for (std::uint32_t i = donor.around_begin; i < donor.around_end; ++i)
        wide = wide && degrees(sites.around()[i], donor.point, acceptor.point) >= 90;
      for (std::uint32_t i = acceptor.around_begin; i < acceptor.around_end; ++i)
        wide = wide && degrees(sites.around()[i], acceptor.point, donor.point) >= 90;
      const bool both_ways = donor.both && acceptor.both && gives(acceptor);
      const bool first = std::pair(donor.element, donor.atom) < std::pair(acceptor.element, acceptor.atom);
      if (wide && (!both_ways || first)) found.push_back(bond);
    }
  return found;
}

}  // namespace isolume
