// Excited states as rows of a table: energies, oscillator strengths, the orbitals between which electrons go.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "molecule/quantum/excitations.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

/// An occupied and a virtual orbital (indices in file order), with their part of the state.
struct OrbitalTransition {
  std::size_t from = 0, to = 0;
  double weight = 0;  ///< 2 (X^2 - Y^2); all of a state add up to its norm, 1
};

/// Those of at least `least`, largest first.
std::vector<OrbitalTransition> main_transitions(const Excitations& all, const Excitation& state, double least = 0.1);

struct StateRow {
  double energy = 0;      ///< eV
  double wavelength = 0;  ///< nm
  double strength = 0;    ///< oscillator strength: of the file, else from the transition density on atomic grids
  bool computed = false;  ///< the latter
  double norm = 1;        ///< 2 (sum X^2 - sum Y^2): below 1 where the file leaves out amplitudes
  std::vector<OrbitalTransition> transitions;
};

/// Of all states. Throws as check_amplitudes().
std::vector<StateRow> state_rows(const Orbitals& orbitals, const Excitations& all, const std::vector<int>& elements,
                                 Job& job);

/// "HOMO -> LUMO+1 93 %, HOMO-1 -> LUMO 5 %".
std::string transitions_text(const Orbitals& orbitals, const std::vector<OrbitalTransition>& transitions);

}  // namespace isolume
