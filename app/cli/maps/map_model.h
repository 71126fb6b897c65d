// What the verbs of density maps share: the model with its Gaussians, the experimental map, and their checks.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "compute/density_maps/density_map.h"
#include "molecule/frame.h"
#include "molecule/grid.h"
#include "molecule/molecule.h"

namespace isolume::cli {

/// How a model becomes a map.
struct ModelOptions {
  std::vector<std::string> files;
  std::string selection, cell;
  double resolution = 0;
  std::string convention = "chimerax", weights = "electrons";
  const char* selected_by = "--select";  ///< the option of the selection, for messages
};
/// FILE, --resolution, --convention, --weights, --select and --pbc.
void add_model_options(Verb command, ModelOptions& options);
/// The convention and the weights by name.
MapConvention map_convention(const ModelOptions& options);
MapWeights map_weights(const ModelOptions& options);
/// What the report says of it: convention, resolution, sigma, weights, selection.
nlohmann::ordered_json describe(const ModelOptions& options, std::size_t atoms);

/// The atoms that are meant: those selected; without a selection all but water and all but the first alternate
/// location (blank or A). Throws Error (usage) where there are none.
std::vector<std::uint32_t> model_atoms(const ModelOptions& options, const Topology& topology, const Frame& frame);

/// The molecule with its frames. Throws Error (usage) where it has no positions.
std::shared_ptr<const Molecule> read_model(Run& run, const ModelOptions& options);

/// The first volume of a file, with its grid along x, y and z. Throws Error (usage).
std::shared_ptr<const Volume> read_map(Run& run, const std::string& path);

/// Throws Error (usage) where the resolution is finer than two steps of the grid (Nyquist's limit).
void check_resolution(double resolution, const Grid& grid, const std::string& whose);

/// Throws Error (usage) where none of the atoms is in the map's box; says how many are outside.
void check_meeting(Run& run, const Grid& grid, std::span<const glm::vec3> positions, const std::string& path);

/// Positions of some atoms.
std::vector<glm::vec3> positions_of(const Frame& frame, std::span<const std::uint32_t> atoms);

}  // namespace isolume::cli
