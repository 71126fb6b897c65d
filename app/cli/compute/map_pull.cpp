// compute dynamics --map: the options of a density map that pulls the model into it, and what is said of it.
#include "app/cli/compute/map_pull.h"

#include <fmt/format.h>

#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {

void add_map_pull_options(Verb command, MapPullChoice& choice) {
  command.option("--map", choice.map, "a density map that pulls the model into it (MDFF)").type_name("FILE");
  command.option("--map-scale", choice.options.scale, "strength of the map, kcal/mol per Da (0.3)").positive();
  command.option("--map-threshold", choice.options.threshold, "level of the map below which it does not pull (0)")
      .type_name("LEVEL");
  command.option("--map-select", choice.selection, "atoms that the map pulls, each with its mass");
  command
      .option("--map-restraints", choice.restraints,
              "all: helices and strands, chiral centres and peptide bonds keep their angles; centres: not the helices "
              "and strands; none")
      .one_of({"all", "centres", "none"});
  command
      .option("--resolution", choice.resolution,
              "of --map: the correlation of model and map is computed in every sample")
      .range(0.1, 1000.0)
      .type_name("A");
}

void check_map_pull(const MapPullChoice& choice) {
  if (choice.map.empty() && choice.resolution > 0)
    throw Error("--resolution belongs to --map: which density map?", Error::Kind::usage);
}

std::optional<MapPull> make_map_pull(Run& run, const MapPullChoice& choice, const Molecule& molecule,
                                     const Frame& frame, nlohmann::ordered_json& facts) {
  if (choice.map.empty()) return std::nullopt;
  run.report.input(choice.map);
  const Molecule file = read_file(choice.map);
  if (file.volumes.empty()) throw Error::in_file(choice.map, 0, "holds no volume; a density map is needed");
  MapPullOptions options = choice.options;
  options.restraints = choice.restraints == "all"       ? MapRestraints::all
                       : choice.restraints == "centres" ? MapRestraints::centres
                                                        : MapRestraints::none;
  const std::vector<std::uint32_t> atoms = Selection(choice.selection).atoms(*molecule.topology, frame);
  if (atoms.empty())
    throw Error(fmt::format("--map-select \"{}\": no atoms are selected", choice.selection), Error::Kind::usage);
  std::optional<MapPull> pull(std::in_place, file.volumes.front(), molecule, frame, atoms, options, choice.map,
                              "move the model by compute fit-map --global first");
  if (pull->outside() > 0)
    run.say(fmt::format("note: {} of {} atoms are outside of the map, where it does not pull", pull->outside(),
                        pull->atoms()));
  const FitRestraints& restraints = pull->restraints();
  if (restraints.cis > 0)
    run.say(fmt::format("note: {} that {} not before proline {} cis, and kept so",
                        counted(restraints.cis, "peptide bond"), restraints.cis == 1 ? "is" : "are",
                        restraints.cis == 1 ? "is" : "are"));
  if (restraints.mirrored > 0)
    run.say(fmt::format("note: {} D instead of L, and kept so", counted(restraints.mirrored, "amino acid")));
  facts = {{"file", choice.map},
           {"scale", options.scale},
           {"threshold", pull->threshold()},
           {"weights", "mass"},
           {"selection", choice.selection},
           {"atoms", pull->atoms()},
           {"restraints",
            {{"structure", restraints.structure},
             {"chirality", restraints.chirality},
             {"peptides", restraints.peptides},
             {"energy", "among impropers"}}}};
  return pull;
}

}  // namespace isolume::cli
