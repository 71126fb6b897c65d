// What the verbs of density maps share: the model with its Gaussians, the experimental map, and their checks.
#include "app/cli/maps/map_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/cell_option.h"
#include "compute/density_maps/map_windows.h"
#include "formats/file_patterns.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/missing.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {

void add_model_options(Verb command, ModelOptions& options) {
  command.option("FILE", options.files, "the model: a structure, perhaps with its trajectory").required();
  command.option("--resolution", options.resolution, "of the map that is made of the model, angstrom")
      .range(0.1, 1000.0)
      .type_name("A");
  command
      .option(
          "--convention", options.convention,
          "width of a Gaussian: chimerax (sigma 0.225 of the resolution), fwhm (full width at half maximum), or vmd "
          "(0.2 of the resolution times the atom's radius)")
      .one_of({"chimerax", "vmd", "fwhm"});
  command.option("--weights", options.weights, "of atoms: electrons (atomic number), mass, or one")
      .one_of({"electrons", "mass", "one"});
  command.option("--select", options.selection,
                 "atoms of the model (default: all but water and second alternate locations)");
  add_cell_option(command, options.cell);
}

MapConvention map_convention(const ModelOptions& options) {
  return options.convention == "vmd"    ? MapConvention::vmd
         : options.convention == "fwhm" ? MapConvention::fwhm
                                        : MapConvention::chimerax;
}

MapWeights map_weights(const ModelOptions& options) {
  return options.weights == "mass"  ? MapWeights::mass
         : options.weights == "one" ? MapWeights::one
                                    : MapWeights::electrons;
}

nlohmann::ordered_json describe(const ModelOptions& options, std::size_t atoms) {
  nlohmann::ordered_json json{
      {"convention", options.convention},
      {"resolution", options.resolution},
      {"weights", options.weights},
      {"selection", options.selection.empty() ? "all but water and second alternate locations" : options.selection},
      {"atoms", atoms},
      {"box_sigmas", map_box_sigmas}};
  if (map_convention(options) == MapConvention::vmd) {
    json["sigma_per_radius"] = map_sigma(MapConvention::vmd, options.resolution, 1);
  } else {
    json["sigma"] = map_sigma(map_convention(options), options.resolution, 1);
  }
  return json;
}

std::vector<std::uint32_t> model_atoms(const ModelOptions& options, const Topology& topology, const Frame& frame) {
  if (!options.selection.empty()) {
    std::vector<std::uint32_t> atoms = Selection(options.selection).atoms(topology, frame);
    if (atoms.empty())
      throw Error(fmt::format("{} \"{}\": no atoms are selected", options.selected_by, options.selection),
                  Error::Kind::usage);
    return atoms;
  }
  std::vector<std::uint32_t> atoms = usual_model_atoms(topology, frame);
  if (atoms.empty())
    throw Error(fmt::format("the model has no atoms but water; {} names those of the map", options.selected_by),
                Error::Kind::usage);
  return atoms;
}

std::shared_ptr<const Molecule> read_model(Run& run, const ModelOptions& options) {
  for (const std::string& file : options.files) run.report.input(file);
  auto molecule = read_molecule(options.files, {}, cell_treatment(options.cell));
  if (!molecule->topology || molecule->frame_count() == 0)
    throw Error(missing_positions(*molecule), Error::Kind::usage);
  if (!(options.resolution > 0))
    throw Error("--resolution is missing: the resolution of the model's map, in angstrom", Error::Kind::usage);
  return molecule;
}

std::shared_ptr<const Volume> read_map(Run& run, const std::string& path) {
  run.report.input(path);
  const Molecule molecule = read_file(path);
  if (molecule.volumes.empty()) throw Error::in_file(path, 0, "holds no volume; a density map is needed");
  std::shared_ptr<const Volume> volume = molecule.volumes.front();
  if (!volume->grid.axis_aligned())
    throw Error::in_file(path, 0, "is on a grid that is not along x, y and z, which maps of models need");
  if (glm::any(glm::lessThan(volume->grid.counts, glm::ivec3(2))))
    throw Error::in_file(path, 0, "has fewer than two points along an axis");
  return volume;
}

void check_resolution(double resolution, const Grid& grid, const std::string& whose) {
  isolume::check_resolution(resolution, grid, "--resolution", whose);
}

void check_meeting(Run& run, const Grid& grid, std::span<const glm::vec3> positions, const std::string& path) {
  const MapMeeting m =
      isolume::check_meeting(grid, positions, path, "move the model, or let compute fit-map --global find its place");
  if (m.inside < positions.size())
    run.say(fmt::format("note: {} of {} atoms are outside of the map", positions.size() - m.inside, positions.size()));
}

std::vector<glm::vec3> positions_of(const Frame& frame, std::span<const std::uint32_t> atoms) {
  std::vector<glm::vec3> positions;
  positions.reserve(atoms.size());
  for (const std::uint32_t i : atoms) positions.push_back(frame.positions[i]);
  return positions;
}

}  // namespace isolume::cli
