// Excited states with their main transitions and charge transfers, as the window lists and writes them.
#pragma once

#include <string>
#include <vector>

#include "compute/base/job.h"
#include "compute/electron_density/state_table.h"
#include "compute/electron_density/states/charge_transfer.h"
#include "molecule/molecule.h"

namespace isolume::cli {

struct StateList {
  std::vector<StateRow> rows;
  std::vector<std::string> texts;   ///< main transitions
  std::vector<std::string> labels;  ///< of the fragments, empty where there are none
  std::vector<ChargeTransfer> transfers;
  std::string fault;  ///< of the fragments
};

/// Of a file of amplitudes between the molecule's orbitals; `fragments` are selections. Throws Error for amplitudes
/// that cannot be read, or are not of these orbitals.
StateList state_list(const Molecule& molecule, const std::string& amplitudes, const std::vector<std::string>& fragments,
                     Job& job);

/// A line for each state, below one that names the columns.
std::string state_list_table(const StateList& list);

}  // namespace isolume::cli
