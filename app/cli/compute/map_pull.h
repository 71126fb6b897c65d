// compute dynamics --map: the options of a density map that pulls the model into it, and what is said of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/cli/command.h"
#include "compute/dynamics/map_pull.h"

namespace isolume::cli {

struct MapPullChoice {
  std::string map, selection = "not water and not hydrogen", restraints = "all";
  double resolution = 0;
  MapPullOptions options;
};
void add_map_pull_options(Verb command, MapPullChoice& choice);
/// Throws Error (usage) where options of a map have none.
void check_map_pull(const MapPullChoice& choice);

/// The map of a run, read and checked; notes are said. `facts` is what the report says of map and restraints.
std::optional<MapPull> make_map_pull(Run& run, const MapPullChoice& choice, const Molecule& molecule,
                                     const Frame& frame, nlohmann::ordered_json& facts);

}  // namespace isolume::cli
