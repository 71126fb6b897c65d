// CorrectionTerms: energy and forces of a force field's correction maps, on the CPU.
#include "compute/dynamics/correction_terms.h"

#include "compute/dynamics/bonded_math.h"
#include "compute/parallel_for.h"

namespace isolume {

CorrectionTerms::CorrectionTerms(const ForceField& field) : terms_(field.corrections), parts_(terms_.size()) {
  if (terms_.empty()) return;
  for (const CorrectionMap& map : field.maps) surfaces_.emplace_back(map);
}

double CorrectionTerms::add(std::span<const glm::dvec3> positions, const ImageBox& box, std::span<glm::dvec3> forces,
                            Job& job) {
  constexpr std::size_t chunk = 64;
  const auto at = [&](std::uint32_t atom) {
    const glm::dvec3 p = positions[atom];
    return Vector3{p.x, p.y, p.z};
  };
  parallel_for((terms_.size() + chunk - 1) / chunk, job, "correction maps", [&](std::size_t part) {
    for (std::size_t t = part * chunk; t < std::min(terms_.size(), (part + 1) * chunk); ++t) {
      const CorrectionTerm& term = terms_[t];
      double angles[2];
      Vector3 gradients[2][4];
      for (std::size_t half = 0; half < 2; ++half) {
        const auto* const atoms = term.atoms.data() + 4 * half;
        angles[half] =
            dihedral_angle(box.nearest(at(atoms[0]) - at(atoms[1])), box.nearest(at(atoms[1]) - at(atoms[2])),
                           box.nearest(at(atoms[3]) - at(atoms[2])), gradients[half]);
      }
      const CorrectionSurface::Value value = surfaces_[term.map].at(angles[0], angles[1]);
      parts_[t].energy = value.energy;
      for (int k = 0; k < 4; ++k) {
        parts_[t].forces[k] = -value.by_phi * gradients[0][k];
        parts_[t].forces[k + 4] = -value.by_psi * gradients[1][k];
      }
    }
  });
  double energy = 0;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    energy += parts_[t].energy;
    for (std::size_t k = 0; k < 8; ++k) {
      const Vector3 f = parts_[t].forces[k];
      forces[terms_[t].atoms[k]] += glm::dvec3(f.x, f.y, f.z);
    }
  }
  return energy;
}

}  // namespace isolume
