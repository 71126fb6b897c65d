// compute dynamics --map: a density map that pulls the model into it, with restraints that keep its shape.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "compute/density_maps/density_map.h"
#include "compute/density_maps/map_potential.h"
#include "compute/dynamics/dynamics.h"
#include "molecule/force_field/force_field.h"
#include "molecule/molecule.h"

namespace isolume::cli {

struct MapPullOptions {
  std::string map, selection = "not water and not hydrogen", restraints = "all";
  double scale = 0.3, threshold = 0, resolution = 0;
};
void add_map_pull_options(Verb command, MapPullOptions& options);
/// Throws Error (usage) where options of a map have none.
void check_map_pull(const MapPullOptions& options);

/// The map of a run, read and checked.
class MapPull {
 public:
  MapPull(Run& run, const MapPullOptions& options, const Molecule& molecule, const Frame& frame);

  /// The force field with the restraints added; `facts` is what the report says of map and restraints.
  std::shared_ptr<const ForceField> restrained(const ForceField& field, Run& run, nlohmann::ordered_json& facts) const;
  void apply(Dynamics& dynamics) const;
  /// Of the model's map at the resolution that was given.
  double correlation(const std::vector<glm::vec3>& positions, Job& job) const;

 private:
  const MapPullOptions& options_;
  const Molecule& molecule_;
  const Frame& frame_;
  std::shared_ptr<const Volume> volume_;
  std::shared_ptr<const MapPotential> potential_;
  std::vector<std::uint32_t> atoms_;  ///< that are pulled
  std::vector<double> weights_;       ///< of all atoms
};

}  // namespace isolume::cli
