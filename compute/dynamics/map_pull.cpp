// A density map that pulls a model into it during dynamics, with restraints that keep its shape (MDFF).
#include "compute/dynamics/map_pull.h"

#include <fmt/core.h>

#include "compute/density_maps/density_map.h"
#include "compute/density_maps/map_windows.h"
#include "molecule/base/error.h"
#include "molecule/secondary_structure.h"

namespace isolume {

MapPull::MapPull(std::shared_ptr<const Volume> map, const Molecule& molecule, const Frame& frame,
                 std::vector<std::uint32_t> atoms, const MapPullOptions& options, const std::string& name,
                 const std::string& remedy)
    : molecule_(molecule), volume_(std::move(map)), atoms_(std::move(atoms)) {
  potential_ = std::make_shared<const MapPotential>(volume_->grid, volume_->values, options.threshold, options.scale);
  if (atoms_.empty()) throw Error("a map that pulls: no atoms are selected", Error::Kind::usage);
  weights_.assign(molecule.topology->atoms.size(), 0.0);
  std::vector<glm::vec3> places;
  for (const std::uint32_t i : atoms_) {
    weights_[i] = static_cast<double>(molecule.topology->atoms[i].mass);
    places.push_back(frame.positions[i]);
  }
  const MapMeeting meeting = meeting_of(volume_->grid, places);
  if (meeting.inside == 0)
    throw Error(fmt::format("{} and the model do not meet: none of the {} atoms is in the map's box; {}", name,
                            atoms_.size(), remedy),
                Error::Kind::usage);
  outside_ = atoms_.size() - meeting.inside;
  FitRestraintOptions how;
  if (options.restraints != MapRestraints::all) how.structure = 0;
  if (options.restraints == MapRestraints::none) how.chirality = how.peptides = 0;
  const Topology& topology = *molecule.topology;
  const std::vector<glm::dvec3> positions(frame.positions.begin(), frame.positions.end());
  restraints_ = fit_restraints(topology, secondary_structure(topology, frame), positions, how);
}

std::shared_ptr<const ForceField> MapPull::restrained(const ForceField& field) const {
  auto result = std::make_shared<ForceField>(field);
  result->impropers.insert(result->impropers.end(), restraints_.terms.begin(), restraints_.terms.end());
  return result;
}

void MapPull::apply(Dynamics& dynamics) const {
  dynamics.pull(potential_, weights_);
}

double MapPull::correlation(std::span<const glm::vec3> positions, double resolution, Job& job) const {
  const auto atoms =
      map_atoms(*molecule_.topology, positions, atoms_, resolution, MapConvention::chimerax, MapWeights::electrons);
  const MapComparison comparison{{volume_->values.data(), volume_->values.size(), Device::cpu()}, 0, 0};
  return compared_density_map(atoms, volume_->grid, comparison, {}, job).all.correlation();
}

}  // namespace isolume
