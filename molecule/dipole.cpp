// The dipole moment of point charges.
#include "molecule/dipole.h"

#include <algorithm>

#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

void require_dipole_charges(const Topology& topology) {
  if (!topology.has_charges)
    throw Error("a dipole moment needs partial charges, as in a PQR, PSF, PRMTOP or MOL2 file", Error::Kind::usage);
}

Dipole dipole(const Topology& topology, const Frame& frame, std::span<const std::uint8_t> mask, std::size_t first,
              std::size_t count) {
  require_dipole_charges(topology);
  if (frame.positions.size() != topology.atoms.size() || mask.size() != topology.atoms.size())
    throw Error("dipole moment: " + std::to_string(topology.atoms.size()) + " atoms, " +
                std::to_string(frame.positions.size()) + " positions and " + std::to_string(mask.size()) +
                " selection marks");
  Dipole result;
  double mass = 0;
  glm::dvec3 moment(0);
  const std::size_t end = first + std::min(count, mask.size() - std::min(first, mask.size()));
  for (std::size_t i = first; i < end; ++i) {
    if (!mask[i]) continue;
    const Atom& atom = topology.atoms[i];
    const glm::dvec3 place(frame.positions[i]);
    const double weight = atom.mass > 0 ? static_cast<double>(atom.mass) : 1.0;
    moment += static_cast<double>(atom.charge) * place;
    result.charge += static_cast<double>(atom.charge);
    result.centre += weight * place;
    mass += weight;
  }
  if (mass == 0) return {};
  result.centre /= mass;
  result.moment = (moment - result.charge * result.centre) * units::debye_per_e_angstrom;
  return result;
}

}  // namespace isolume
