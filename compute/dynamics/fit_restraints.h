// Restraints that keep the shape of proteins while a density map pulls them.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "molecule/force_field/force_field.h"
#include "molecule/topology.h"

namespace isolume {

struct FitRestraintOptions {
  double structure = 200;  ///< k of phi and psi of helices and strands, kcal/(mol rad^2); 0: none
  double chirality = 50;   ///< k of the centres of amino acids
  double peptides = 50;    ///< k of peptide bonds
};
struct FitRestraints {
  std::vector<ImproperTerm> terms;  ///< E = k (angle - its own at these positions)^2, to be added to a force field's
  std::size_t structure = 0, chirality = 0, peptides = 0;  ///< how many of each
  std::size_t cis = 0;                                     ///< peptide bonds that are cis, prolines aside: they stay so
  std::size_t mirrored = 0;                                ///< centres that are D: they stay so
};

/// Restraints as they are usual in flexible fitting (L. G. Trabuco et al., Structure 16 (2008) 673; E. Schreiner et
/// al., BMC Bioinformatics 12 (2011) 190, doi:10.1186/1471-2105-12-190): phi and psi of residues in helices and strands
/// and chiral centres (CA, and CB of ILE and THR) at what they are, peptide bonds at 0 or 180 degrees, whichever is
/// nearer. `structure`: a class for each residue. Residues are neighbours where C and N are within 2 angstrom.
FitRestraints fit_restraints(const Topology& topology, std::span<const SecondaryStructure> structure,
                             std::span<const glm::dvec3> positions, const FitRestraintOptions& options);

}  // namespace isolume
