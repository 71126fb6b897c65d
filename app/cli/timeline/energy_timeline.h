// isolume compute timeline --of energy: the energies that a simulation program wrote, over time.
#pragma once

#include <string>
#include <vector>

#include "app/cli/commands.h"

namespace isolume::cli {

/// What the verb takes for it.
struct EnergyTimelineOptions {
  std::vector<std::string> files;  ///< energy files, and perhaps a structure with its trajectory
  std::vector<std::string> terms;  ///< empty: all
  std::string unit = "kcal/mol";   ///< of energies, or kJ/mol
  std::string frames = ":", out;
};

/// A CSV table with a row for each row of the energy files, or for each frame where a trajectory is given.
void run_energy_timeline(const Common& common, const EnergyTimelineOptions& options);

}  // namespace isolume::cli
