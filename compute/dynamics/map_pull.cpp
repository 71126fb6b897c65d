// A density map that pulls a model into it during dynamics, with restraints that keep its shape (MDFF).
#include "compute/dynamics/map_pull.h"

#include "compute/density_maps/density_map.h"
#include "compute/density_maps/map_windows.h"
#include "molecule/base/error.h"
#include "molecule/secondary_structure.h"

namespace isolume {

MapPull::MapPull(std::shared_ptr<const Volume> map, const Molecule& molecule, const Frame& frame,
                 std::vector<std::uint32_t> atoms, const MapPullOptions& options, const std::string& name,
                 const std::string& remedy)
    : molecule_(molecule), volume_(std::move(map)), atoms_(std::move(atoms)), name_(name) {
  potential_ = std::make_shared<const MapPotential>(volume_->grid, volume_->values, options.threshold, options.scale);
  if (atoms_.empty()) throw Error("a map that pulls: no atoms are selected", Error::Kind::usage);
  weights_.assign(molecule.topology->atoms.size(), 0.0);
  std::vector<glm::vec3> places;
  for (const std::uint32_t i : atoms_) {
    weights_[i] = static_cast<double>(molecule.topology->atoms[i].mass);
    places.push_back(frame.positions[i]);
  }
  const MapMeeting meeting = check_meeting(volume_->grid, places, name, remedy);
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

void MapPull::measure(double resolution, Device device) {
  check_resolution(resolution, volume_->grid, "a resolution of", name_);
  const std::vector<glm::vec3> places(molecule_.topology->atoms.size(), glm::vec3(0));
  const auto atoms =
      map_atoms(*molecule_.topology, places, atoms_, resolution, MapConvention::chimerax, MapWeights::electrons);
  series_ = std::make_unique<MapSeries>(MapSeries::Task{atoms, atoms_, volume_->grid, volume_->values}, device);
}

double MapPull::correlation(std::span<const glm::vec3> positions, Job& job) const {
  series_->put(positions, job);
  return series_->take(job).all.correlation();
}

}  // namespace isolume
