// What the stages of a Poisson-Boltzmann computation share on all devices.
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"

#include <algorithm>

#include "compute/electrostatics/coulomb_sum/coulomb_sum.h"
#include "molecule/base/units.h"

namespace isolume {

Grid PbBox::grid() const {
  Grid grid;
  grid.origin = origin;
  grid.step = glm::dmat3(0.0);
  for (int axis = 0; axis < 3; ++axis) grid.step[axis][axis] = step[axis];
  grid.counts = counts;
  return grid;
}

double pb_bjerrum(const PoissonBoltzmannOptions& o) {
  return units::coulomb_volt_angstrom / units::thermal_voltage(o.temperature);
}

double pb_ion_radius(const PoissonBoltzmannOptions& o) {
  double most = 0;
  for (const IonSpecies& ion : o.ions)
    if (ion.concentration > 0 && ion.charge != 0) most = std::max(most, ion.radius);
  return most;
}

std::vector<ChargedSphere> pb_face_spheres(std::span<const ChargedSphere> atoms,
                                           const PoissonBoltzmannOptions& options) {
  std::vector<ChargedSphere> spheres;
  spheres.reserve(atoms.size());
  for (const ChargedSphere& atom : atoms)
    if (atom.charge != 0)
      spheres.push_back({atom.position, atom.charge, atom.radius + static_cast<float>(pb_ion_radius(options))});
  return spheres;
}

DebyeHueckelOptions pb_face_solvent(const PoissonBoltzmannOptions& options) {
  DebyeHueckelOptions solvent;
  solvent.ionic_strength = options.ionic_strength();
  solvent.temperature = options.temperature;
  solvent.permittivity = options.solvent_permittivity;
  return solvent;
}

PbNodes pb_nodes(const PbBox& box) {
  PbNodes nodes;
  for (int axis = 0; axis < 3; ++axis) {
    nodes.counts[axis] = box.counts[axis];
    nodes.origin[axis] = box.origin[axis];
    nodes.step[axis] = box.step[axis];
  }
  return nodes;
}

PbSoluteSum pb_solute_sum(std::size_t charges, std::size_t nodes) {
  if (coulomb_sum_by_lattices(charges, nodes)) return PbSoluteSum::lattices;
  constexpr double many = 2e11;  // pairs that are summed one by one
  return static_cast<double>(nodes) * static_cast<double>(charges) > many ? PbSoluteSum::map : PbSoluteSum::pairs;
}

std::vector<DensityAtom> pb_surface_atoms(std::span<const ChargedSphere> atoms) {
  std::vector<DensityAtom> spheres;
  spheres.reserve(atoms.size());
  for (const ChargedSphere& atom : atoms)
    if (atom.radius > 0) spheres.push_back({atom.position, atom.radius, {}});
  return spheres;
}

MolecularSurfaceOptions pb_dielectric_surface(const PoissonBoltzmannOptions& options) {
  if (options.boundary == DielectricBoundary::van_der_waals) return {SolventSurface::accessible, 0};
  return {SolventSurface::excluded, static_cast<float>(options.probe_radius)};
}

MolecularSurfaceOptions pb_ion_surface(const PoissonBoltzmannOptions& options) {
  return {SolventSurface::accessible, static_cast<float>(pb_ion_radius(options))};
}

}  // namespace isolume
