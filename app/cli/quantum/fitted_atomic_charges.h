// Charges of the atoms fitted to the potential of the density.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "molecule/molecule.h"

namespace isolume::cli {

struct AtomicChargeOptions {
  std::vector<std::string> files;
  std::optional<std::size_t> frame;
  std::string kind = "resp";
  std::string at;  ///< points of the potential in place of those of the kind
  std::vector<std::string> equal;
  std::vector<std::string> cores;
  int stages = 2;
  double restraint = 0.0005;
  double spacing = 0;  ///< angstrom, of the grid of bader; 0 where it is not given
  std::string out;
  bool force = false;
};

/// What charges are computed of.
struct ChargeProblem {
  std::shared_ptr<const Molecule> molecule;
  std::shared_ptr<const Orbitals> orbitals;
  std::size_t frame = 0;
  std::vector<int> elements;
  std::vector<double> nuclei;
  double charge = 0;
};

/// Charges fitted to the potential of the density, restrained where the kind is resp; e.
std::vector<double> fitted(Run& run, const AtomicChargeOptions& options, const ChargeProblem& problem);

}  // namespace isolume::cli
