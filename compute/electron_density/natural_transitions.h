// Natural transition orbitals, transition, attachment and detachment densities of excited states.
#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <vector>

#include "compute/base/job.h"
#include "molecule/quantum/excitations.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

/// Orbitals whose occupations are the weights of a density sum_i w_i psi_i^2; weights may be negative.
using DensityOrbitals = Orbitals;

/// The pairs of one state: sqrt2 X = U S V^T, hole k = C_occ U_k, particle k = C_virt V_k, weight S_k^2. Martin, J.
/// Chem. Phys. 118 (2003) 4775. The largest coefficient of each hole is positive.
struct NaturalTransitions {
  std::vector<double> weights;  ///< descending; their sum is 1 without de-excitations
  Orbitals holes, particles;    ///< one for each weight, with it as occupation
};

/// `occupied` and `virtuals` are indices of the orbitals, in the order of the amplitudes.
NaturalTransitions natural_transitions(const Orbitals& orbitals, const Excitations& all, const Excitation& state);

/// The detachment density phi_i 2(X X^T + Y Y^T)_ij phi_j by its natural orbitals, and the attachment density of the
/// virtual ones. Head-Gordon et al., J. Phys. Chem. 99 (1995) 14261; unrelaxed.
DensityOrbitals detachment(const Orbitals& orbitals, const Excitations& all, const Excitation& state);
DensityOrbitals attachment(const Orbitals& orbitals, const Excitations& all, const Excitation& state);

/// The transition density sum_ia 2 (X + Y)_ia phi_i phi_a, as squares of sums and differences of pairs.
DensityOrbitals transition(const Orbitals& orbitals, const Excitations& all, const Excitation& state);

/// What integrals over atomic grids say of a state.
struct StateMeasures {
  double norm = 0;                    ///< 2 (sum X^2 - sum Y^2): 1
  double detached = 0, attached = 0;  ///< electrons, by traces
  double transition_charge = 0;       ///< integral of the transition density: 0
  glm::dvec3 dipole{0};               ///< -integral of r times it, atomic units
  double strength = 0;                ///< 2/3 energy dipole^2
  double distance = 0;                ///< between the centres of attachment and detachment, bohr
  double overlap = 0;                 ///< integral of sqrt(attachment detachment) over the electrons
  double participation = 0;           ///< (sum w)^2 / sum w^2 of the natural transition orbitals
};
StateMeasures state_measures(const Orbitals& orbitals, const Excitations& all, const Excitation& state,
                             const std::vector<int>& elements, Job& job);

/// Throws Error (input) where the amplitudes are not those of these orbitals: an open shell, another number of occupied
/// or virtual orbitals.
void check_amplitudes(const Orbitals& orbitals, const Excitations& all);

}  // namespace isolume
