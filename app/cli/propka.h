// States of residues by PROPKA, where it is installed.
#pragma once

#include <vector>

#include "compute/base/job.h"
#include "compute/preparation/prepared_charges.h"

namespace isolume::cli {

/// Runs propka3 (Olsson et al. 2011, doi:10.1021/ct100578z) on the positions of `frame` and gives each residue whose
/// pKa it predicts the state at `ph`; neutral histidines keep the choice of their tautomer. Throws Error where the
/// program is not installed or fails.
std::vector<ProtonationChoice> propka_states(const Molecule& molecule, std::size_t frame, double ph, Job& job);

/// The states in the summary of a .pka file at `ph`.
std::vector<ProtonationChoice> states_of_summary(const std::string& text, double ph);

}  // namespace isolume::cli
