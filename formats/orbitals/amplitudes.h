// Amplitudes of excited states, from JSON and from outputs.
#pragma once

#include <string>

#include "molecule/quantum/excitations.h"

namespace isolume {

/// Reads {"n_occ": 8, "n_virt": 30, "states": [{"omega_hartree": 0.147, "X": [[...], ...], "Y": [[...], ...],
/// "oscillator_strength_length": 0.17}, ...]}, or instead of "states" {"approaches": {"TDA": {"states": ...}, ...}}. X
/// and Y have a row for each occupied orbital and a column for each virtual one, in the order of the file of orbitals;
/// "Y" and the strength may be missing. Of other files, those in outputs of Gaussian, ORCA and Q-Chem
/// (amplitudes_logs.h). The file may be compressed. Throws Error (input) that names what does not fit.
Excitations read_amplitudes(const std::string& path);

}  // namespace isolume
