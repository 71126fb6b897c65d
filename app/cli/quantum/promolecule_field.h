// What `isolume compute density` makes of contacts: fields of the sum of free atoms' densities, and delta-g of
// orbitals.
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

/// Whether a kind is one of the orbitals' density taken apart into Hirshfeld atoms: delta-g and delta-g-inter.
bool is_gradient_model(const std::string& kind);
/// Throws Error (usage) where options do not fit it.
void check_gradient_model(const PromoleculeOptions& options, const GridOptions& grid, const std::string& kind);
/// The same of it (compute/electron_density/gradient_model.h). The run has read the orbitals.
void run_gradient_model(Run& run, const PromoleculeOptions& options, const GridOptions& grid, const std::string& kind,
                        double margin, const Molecule& molecule, const Orbitals& orbitals, std::size_t frame);

}  // namespace isolume::cli
