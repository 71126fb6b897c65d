// The atoms of a molecule of the scene as a density map has them.
#include "app/window/maps/model_atoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/documents/frames.h"
#include "compute/density_maps/map_windows.h"
#include "molecule/alternates.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume {

ModelAtoms model_atoms(const Molecule& molecule, std::size_t frame, const std::string& selection, double resolution) {
  if (!molecule.topology || molecule.frame_count() == 0)
    throw Error("the molecule has no atoms with positions", Error::Kind::usage);
  const Topology& topology = *molecule.topology;
  const Frame now = frame_at(molecule, std::min(frame, molecule.frame_count() - 1));
  ModelAtoms model;
  model.atoms = Selection(selection).atoms(topology, now);
  std::erase_if(model.atoms, [&](std::uint32_t i) {
    const Atom& atom = topology.atoms[i];
    return atom.altloc != ' ' && atom.altloc != first_alternate(topology, atom.residue);
  });
  if (model.atoms.empty()) throw Error(fmt::format("the selection '{}' holds no atoms", selection), Error::Kind::usage);
  model.gaussians =
      map_atoms(topology, now.positions, model.atoms, resolution, MapConvention::chimerax, MapWeights::electrons);
  std::uint32_t last = UINT32_MAX;
  for (std::uint32_t i = 0; i < model.atoms.size(); ++i) {
    const std::uint32_t residue = topology.atoms[model.atoms[i]].residue;
    if (residue != last) {
      model.residues.emplace_back();
      model.first.push_back(model.atoms[i]);
    }
    last = residue;
    model.residues.back().push_back(i);
  }
  return model;
}

void check_model(const ModelAtoms& model, const Grid& grid, double resolution, const std::string& name, bool meets) {
  if (!grid.axis_aligned())
    throw Error(fmt::format("{} is on a grid that is not along x, y and z, which maps of models need", name),
                Error::Kind::usage);
  check_resolution(resolution, grid, "a resolution of", name);
  if (!meets) return;
  std::vector<glm::vec3> places;
  for (const MapAtom& atom : model.gaussians) places.push_back(atom.position);
  check_meeting(grid, places, name, "move the model by Compute: Fit in map with Search all places");
}

double proposed_resolution(const Grid& grid) {
  double step = 0;
  for (int axis = 0; axis < 3; ++axis) step = std::max(step, glm::length(grid.step[axis]));
  return std::max(3.0, std::round(30 * step) / 10);
}

}  // namespace isolume
