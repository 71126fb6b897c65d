// Dynamics: atoms that move under a force field, step by step.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/density_maps/map_forces.h"
#include "compute/dynamics/integrator.h"
#include "compute/dynamics/molecular_forces.h"
#include "molecule/frame.h"

namespace isolume {

struct DynamicsOptions {
  bool langevin = true;      ///< else velocity Verlet: constant energy
  double time_step = 0.001;  ///< ps
  double temperature = 300;  ///< K, >= 0
  double friction = 1;       ///< 1/ps, > 0
  std::uint64_t seed = 1;    ///< the same seed gives the same run on the same device
  /// Multiple time steps (r-RESPA: Tuckerman, Berne, Martyna, J. Chem. Phys. 97, 1990 (1992), doi:10.1063/1.463137):
  /// steps between two evaluations of the near and of the far forces, which then act with that weight. Bonded terms are
  /// evaluated in every step.
  std::size_t near_every = 1;
  std::size_t far_every = 1;  ///< a multiple of near_every; the same where the electrostatics has no far part
  bool operator==(const DynamicsOptions&) const = default;
};

/// The shortest period of a bond of the force field by its force constant and reduced mass, ps; 0 without bonds.
double fastest_period(const ForceField& field);

/// Throws Error (usage): no masses, an atom without mass (a virtual site; named), temperature below 0 or not finite,
/// friction not above 0, a time step that is not positive or so long that the fastest bond is not integrated stably
/// (velocity Verlet needs less than its period over pi; the message says both), near_every or far_every of 0, far_every
/// that is no multiple of near_every, or forces evaluated less often than twice in the period of the fastest bond, with
/// which they then resonate.
void check_dynamics(const DynamicsOptions& options, const ForceField& field);

/// One moment of a run.
struct DynamicsSample {
  std::uint64_t step = 0;
  double time = 0;  ///< ps
  MolecularEnergies energies;
  double kinetic = 0;      ///< kcal/mol
  double temperature = 0;  ///< K, 2 kinetic / (degrees of freedom k)

  double total() const { return energies.potential() + kinetic; }
};

/// How total energy changes over samples once it has settled: the slope of the straight line of least squares, and the
/// RMS distance from it. At the start of a run at constant energy the total moves to a value of its own, by an amount
/// proportional to the square of the time step, which is no drift. Samples from `from` on count: the start, among the
/// first half of the samples, that makes the sum of squares about the line, over the square of their number, smallest
/// (the rule MSER: K. P. White Jr, Simulation 69 (1997) 323); of fewer than 20 samples all.
struct EnergyDrift {
  double per_atom_and_ns = 0;  ///< kcal/(mol ns) per atom
  double rms = 0;              ///< kcal/mol, of all atoms together
  double from = 0;             ///< ps, the first sample that counts
  double span = 0;             ///< ps between the first that counts and the last
};
EnergyDrift energy_drift(std::span<const DynamicsSample> samples, std::size_t atoms);

/// What minimise() did.
struct Minimised {
  std::size_t steps = 0;
  double before = 0, after = 0;  ///< potential energy, kcal/mol
  double rms_force = 0;          ///< kcal/(mol angstrom), at the end
};

/// Positions, velocities and forces on the device of the forces. Not for several threads at once.
class Dynamics {
 public:
  /// Throws Error (usage) as check_dynamics(), where there are not as many positions as atoms, and where far forces are
  /// wanted less often than near ones and the electrostatics has no far part.
  Dynamics(std::unique_ptr<MolecularForces> forces, std::span<const glm::dvec3> positions,
           const DynamicsOptions& options);

  /// Velocities from Maxwell's distribution at the temperature, without motion of the whole.
  void draw_velocities();
  /// angstrom/ps. Throws Error (usage) where there are not as many as atoms or one is not finite.
  void set_velocities(std::span<const glm::vec3> velocities);

  /// Adds the potential of a density map, with a weight for each atom (0: not pulled), from now on. Throws Error
  /// (usage) where there are not as many weights as atoms.
  void pull(std::shared_ptr<const MapPotential> map, std::vector<double> weights);

  /// Goes downhill by FIRE (Bitzek, Koskinen, Gaehler, Moseler, Gumbsch, Phys. Rev. Lett. 97, 170201 (2006),
  /// doi:10.1103/PhysRevLett.97.170201), an atom by at most 0.1 angstrom a step, until the RMS force is below `enough`
  /// or `steps` are done. Throws Error (cancelled).
  Minimised minimise(std::size_t steps, double enough, Job& job);

  /// `steps` steps. Throws Error (cancelled) between the forces of two steps, or where atoms have flown apart.
  void advance(std::size_t steps, Job& job);
  /// Energies at the present positions (an evaluation of its own where the last step had no energies). Throws Error
  /// (usage) between two evaluations of the far forces: velocities then lack their share of them.
  DynamicsSample sample(Job& job);
  /// Positions, velocities, cell and time.
  Frame frame() const;

  std::uint64_t step() const { return step_; }
  MolecularForces& forces() { return *forces_; }
  const DynamicsOptions& options() const { return options_; }

 private:
  bool has_multiple_steps() const { return options_.far_every > 1; }
  void compute_forces(bool energies, Job& job);
  void compute_step_forces(std::uint64_t at_step, bool energies, Job& job);
  void add_map(Job& job);
  MolecularEnergies energies_now() const;

  std::unique_ptr<MolecularForces> forces_;
  DynamicsOptions options_;
  std::vector<double> host_masses_;
  DeviceArray<double> masses_;
  DeviceArray<glm::dvec3> positions_, velocities_, forces_now_;
  DeviceArray<glm::dvec3> some_forces_;  ///< of near or far terms; empty without multiple time steps
  std::shared_ptr<const MapForces> map_;
  double map_energy_ = 0;  ///< kcal/mol, of the last forces
  bool have_forces_ = false, have_energies_ = false;
  std::uint64_t step_ = 0;
};

}  // namespace isolume
