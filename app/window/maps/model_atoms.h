// The atoms of a molecule of the scene as a density map has them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compute/density_maps/density_map.h"
#include "molecule/molecule.h"

namespace isolume {

/// Atoms of a selection in a frame, of alternate locations the first, with their Gaussians; and the residues that they
/// belong to.
struct ModelAtoms {
  std::vector<MapAtom> gaussians;
  std::vector<std::uint32_t> atoms;                  ///< numbers in the molecule
  std::vector<std::vector<std::uint32_t>> residues;  ///< numbers in `gaussians`, in the order of the file
  std::vector<std::uint32_t> first;                  ///< the first atom of each residue, a number in the molecule
};

/// Of ChimeraX's convention, weighted by atomic numbers. Throws Error (usage) where nothing is selected.
ModelAtoms model_atoms(const Molecule& molecule, std::size_t frame, const std::string& selection, double resolution);

/// What the verbs check before work: throws Error (usage) where the grid of the map, which `name` names, is not along
/// x, y and z or cannot hold the resolution, and where `meets` is wanted and no atom is within the map.
void check_model(const ModelAtoms& model, const Grid& grid, double resolution, const std::string& name, bool meets);

/// Three steps of the grid, at least 3 angstrom: the proposed resolution.
double proposed_resolution(const Grid& grid);

}  // namespace isolume
