// The measured error of forces and energies in a dielectric, those of hierarchical charge partitioning among them.
#pragma once

#include <span>

#include "compute/electrostatics/charges/dielectric.h"
#include "compute/electrostatics/energy/energy_error.h"

namespace isolume {

/// Compares forces (one per atom) with the sum over all atoms in a dielectric, excluded and scaled pairs by their
/// factors, in double precision, at `samples` atoms spread evenly. Throws Error (cancelled).
ForceError dielectric_force_error(const ElectrostaticProblem& problem, const Dielectric& dielectric,
                                  std::span<const glm::vec3> positions, std::span<const glm::vec3> forces,
                                  std::size_t samples, Job& job);

/// How far an energy is off, in kcal/mol.
struct EnergyError {
  double error = 0;           ///< the energy less the exact one
  double standard_error = 0;  ///< of `error`, by the sampling; 0 where all atoms were compared
  double relative = 0;        ///< |error| over the exact energy's magnitude
  double rms = 0;             ///< of the atoms' energies
  std::size_t atoms = 0;      ///< that were compared
};

/// The same of an energy and of the atoms' energies (half of each charge times the potential there), which add up to it
/// but for rounding. Where all atoms are compared the error is that of `energy`, else that of the sampled atoms'.
EnergyError dielectric_energy_error(const ElectrostaticProblem& problem, const Dielectric& dielectric,
                                    std::span<const glm::vec3> positions, double energy,
                                    std::span<const float> energies, std::size_t samples, Job& job);

/// How many atoms take about a second: all of 10 000, fewer of more.
std::size_t quick_energy_samples(std::size_t atoms);

}  // namespace isolume
