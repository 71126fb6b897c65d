// compute dynamics --map: a density map that pulls the model into it, with restraints that keep its shape.
#include "app/cli/compute/map_pull.h"

#include <fmt/format.h>

#include "compute/density_maps/map_windows.h"
#include "compute/dynamics/fit_restraints.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/secondary_structure.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {

void add_map_pull_options(Verb command, MapPullOptions& options) {
  command.option("--map", options.map, "a density map that pulls the model into it (MDFF), on the processor alone")
      .type_name("FILE");
  command.option("--map-scale", options.scale, "strength of the map, kcal/mol per Da (0.3)").positive();
  command.option("--map-threshold", options.threshold, "level of the map below which it does not pull (0)")
      .type_name("LEVEL");
  command.option("--map-select", options.selection, "atoms that the map pulls, each with its mass");
  command
      .option("--map-restraints", options.restraints,
              "all: helices and strands, chiral centres and peptide bonds keep their angles; centres: not the helices "
              "and strands; none")
      .one_of({"all", "centres", "none"});
  command
      .option("--resolution", options.resolution,
              "of --map: the correlation of model and map is computed in every sample")
      .range(0.1, 1000.0)
      .type_name("A");
}

void check_map_pull(const MapPullOptions& options) {
  if (options.map.empty() && options.resolution > 0)
    throw Error("--resolution belongs to --map: which density map?", Error::Kind::usage);
}

MapPull::MapPull(Run& run, const MapPullOptions& options, const Molecule& molecule, const Frame& frame)
    : options_(options), molecule_(molecule), frame_(frame) {
  run.report.input(options.map);
  const Molecule file = read_file(options.map);
  if (file.volumes.empty()) throw Error::in_file(options.map, 0, "holds no volume; a density map is needed");
  volume_ = file.volumes.front();
  potential_ = std::make_shared<const MapPotential>(volume_->grid, volume_->values, options.threshold, options.scale);
  atoms_ = Selection(options.selection).atoms(*molecule.topology, frame);
  if (atoms_.empty())
    throw Error(fmt::format("--map-select \"{}\": no atoms are selected", options.selection), Error::Kind::usage);
  weights_.assign(molecule.topology->atoms.size(), 0.0);
  std::vector<glm::vec3> places;
  for (const std::uint32_t i : atoms_) {
    weights_[i] = static_cast<double>(molecule.topology->atoms[i].mass);
    places.push_back(frame.positions[i]);
  }
  const MapMeeting meeting = meeting_of(volume_->grid, places);
  if (meeting.inside == 0)
    throw Error(fmt::format("{} and the model do not meet: none of the {} atoms is in the map's box; move the model by "
                            "compute fit-map --global first",
                            options.map, atoms_.size()),
                Error::Kind::usage);
  if (meeting.inside < atoms_.size())
    run.say(fmt::format("note: {} of {} atoms are outside of the map, where it does not pull",
                        atoms_.size() - meeting.inside, atoms_.size()));
}

std::shared_ptr<const ForceField> MapPull::restrained(const ForceField& field, Run& run,
                                                      nlohmann::ordered_json& facts) const {
  FitRestraintOptions how;
  if (options_.restraints != "all") how.structure = 0;
  if (options_.restraints == "none") how.chirality = how.peptides = 0;
  const Topology& topology = *molecule_.topology;
  std::vector<glm::dvec3> positions(frame_.positions.begin(), frame_.positions.end());
  const FitRestraints restraints = fit_restraints(topology, secondary_structure(topology, frame_), positions, how);
  auto result = std::make_shared<ForceField>(field);
  result->impropers.insert(result->impropers.end(), restraints.terms.begin(), restraints.terms.end());
  if (restraints.cis > 0)
    run.say(fmt::format("note: {} that {} not before proline {} cis, and kept so",
                        counted(restraints.cis, "peptide bond"), restraints.cis == 1 ? "is" : "are",
                        restraints.cis == 1 ? "is" : "are"));
  if (restraints.mirrored > 0)
    run.say(fmt::format("note: {} D instead of L, and kept so", counted(restraints.mirrored, "amino acid")));
  facts = {{"file", options_.map},
           {"scale", options_.scale},
           {"threshold", potential_->threshold()},
           {"weights", "mass"},
           {"selection", options_.selection},
           {"atoms", atoms_.size()},
           {"restraints",
            {{"structure", restraints.structure},
             {"chirality", restraints.chirality},
             {"peptides", restraints.peptides},
             {"energy", "among impropers"}}}};
  return result;
}

void MapPull::apply(Dynamics& dynamics) const {
  dynamics.pull(potential_, weights_);
}

double MapPull::correlation(const std::vector<glm::vec3>& positions, Job& job) const {
  const auto atoms = map_atoms(*molecule_.topology, positions, atoms_, options_.resolution, MapConvention::chimerax,
                               MapWeights::electrons);
  const MapComparison comparison{{volume_->values.data(), volume_->values.size(), Device::cpu()}, 0, 0};
  return compared_density_map(atoms, volume_->grid, comparison, {}, job).all.correlation();
}

}  // namespace isolume::cli
