// MolecularForces: checks, and the choice of the body.
#include "compute/dynamics/molecular_forces.h"

#include <fmt/core.h>

#include <cmath>

#include "compute/base/memory.h"
#include "compute/dynamics/correction_math.h"
#include "compute/dynamics/dynamics_bodies.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

ElectrostaticProblem force_field_problem(const ForceField& field, const Cell& cell) {
  const double scale = std::sqrt(field.coulomb_constant / units::coulomb_kcal_angstrom);
  ElectrostaticProblem problem;
  problem.charges.reserve(field.atom_count());
  for (const double charge : field.charges) problem.charges.push_back(static_cast<float>(scale * charge));
  problem.exclusions = force_field_exclusions(field);
  problem.cell = cell;
  return problem;
}

ElectrostaticPart MolecularForces::electrostatic_part(ForceTerms terms) const {
  if (terms == ForceTerms::far) {
    if (has_far()) return ElectrostaticPart::far;
    throw Error(fmt::format("dynamics: electrostatics by {} has no far part", electrostatics_->name()),
                Error::Kind::usage);
  }
  return has_far() ? ElectrostaticPart::near : ElectrostaticPart::all;
}

std::unique_ptr<MolecularForces> MolecularForces::create(std::shared_ptr<const ForceField> field,
                                                         std::unique_ptr<Electrostatics> electrostatics,
                                                         const Cell& cell, const LennardJonesOptions& options) {
  if (electrostatics->problem().atoms() != field->atom_count()) {
    throw Error(fmt::format("dynamics: a force field of {} atoms and electrostatics of {}", field->atom_count(),
                            electrostatics->problem().atoms()),
                Error::Kind::usage);
  }
  if (!(options.switching >= 0 && options.switching <= options.cutoff)) {
    throw Error(fmt::format("Lennard-Jones: switched off from {} to {} angstrom; expected 0 to the cutoff",
                            options.switching, options.cutoff),
                Error::Kind::usage);
  }
  // Neighbours at the density of water, from both sides; twice while they are built.
  const double listed = 4.19 * std::pow(options.cutoff + options.margin, 3) * 0.1;
  const double partners = std::min(listed, static_cast<double>(field->atom_count()));
  std::size_t bytes = static_cast<std::size_t>(static_cast<double>(field->atom_count()) * (8 * partners + 1200));
  bytes += field->corrections.size() * (sizeof(PackedCorrection) + 8 * (sizeof(Vector3) + sizeof(std::uint32_t)));
  for (const CorrectionMap& map : field->maps) bytes += map.energies.size() * sizeof(CorrectionNode);
  require_memory(bytes, Device::cpu(), "dynamics");
  const Device device = electrostatics->device();
  if (device.is_cuda()) {
    require_memory(bytes, device, "dynamics");
    return molecular_forces_cuda(std::move(field), std::move(electrostatics), cell, options);
  }
  return molecular_forces_cpu(std::move(field), std::move(electrostatics), cell, options);
}

}  // namespace isolume
