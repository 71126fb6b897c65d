// What `isolume compute density --promolecular` makes: fields of the sum of free atoms' densities.
#pragma once

#include <string>
#include <vector>

#include "app/cli/compute/compute.h"

namespace isolume::cli {

/// As given.
struct PromoleculeOptions {
  bool wanted = false;
  std::string selection = "all";
  std::string between;     ///< the second selection, of delta-g-inter
  std::string signed_out;  ///< sign(lambda2) rho on the same grid
  std::string scatter;     ///< a table of the field against sign(lambda2) rho
  std::string frames;      ///< "A:B:STEP", empty for one
  std::string cell;        ///< --pbc
};

void add_promolecule_options(Verb command, PromoleculeOptions& options);

/// Computes, checks against the formula and writes the field `kind`, frame by frame. `margin`: angstrom of the grid
/// around the selected atoms. Throws Error.
void run_promolecule(Run& run, const PromoleculeOptions& options, const GridOptions& grid, const std::string& kind,
                     double margin);

}  // namespace isolume::cli
