// The sets of charges that a molecule of a scene can have, of which it has one.
#include "app/view/charge_sets.h"

#include <algorithm>

#include "app/documents/table_charges.h"
#include "app/documents/titles.h"
#include "app/scene/built_in_tables.h"
#include "app/scene/path_part.h"
#include "compute/preparation/residue_names.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::pair<const char*, const char*> tables[] = {{"tables:amber", "AMBER ff14SB"},
                                                          {"tables:charmm", "CHARMM36"},
                                                          {"tables:parse", "PARSE"},
                                                          {"tables:gasteiger", "Estimated (Gasteiger)"}};

SceneMolecule with_templates(SceneMolecule entry, const std::vector<std::string>& templates) {
  entry.templates = templates;
  return entry;
}

}  // namespace

std::vector<ChargeSetChoice> charge_sets(const Scene& scene, const Documents& documents, std::uint32_t molecule,
                                         const std::vector<std::string>& others) {
  std::vector<ChargeSetChoice> sets;
  const SceneMolecule& entry = scene.molecules.at(molecule);
  const auto bare = documents.loaded(SceneMolecule{entry.paths});
  if (!bare || !bare->topology || bare->frame_count() == 0 || !bare->orbitals.empty()) return sets;
  const auto add = [&](std::vector<std::string> templates, std::string title) {
    for (const ChargeSetChoice& known : sets)
      if (known.templates == templates) return;
    const bool active = entry.templates == templates;
    const bool charged = !templates.empty() || bare->topology->has_charges;
    sets.push_back({std::move(templates), std::move(title), active, charged});
  };
  add({}, bare->topology->has_charges ? "From the file" : "None (as in the file)");
  const bool side_chains = !entry.templates.empty() && builds_side_chains(entry.templates.front());
  if (has_known_polymer(*bare->topology))
    for (const auto& [name, title] : tables)
      add({side_chains ? std::string(name) + with_side_chains : std::string(name)}, title);
  for (std::size_t other = 0; other < scene.molecules.size(); ++other) {
    const SceneMolecule& its = scene.molecules[other];
    if (its.paths == entry.paths || has_parts(its.paths)) continue;
    const auto loaded = documents.loaded(SceneMolecule{its.paths});
    if (loaded && loaded->topology && loaded->topology->has_charges && loaded->frame_count() > 0)
      add(its.paths, file_title(its.paths));
  }
  for (const std::string& path : others) add({path}, file_title({path}));
  if (!entry.templates.empty() && !names_tables(entry.templates.front()))
    add(entry.templates, file_title(entry.templates));
  return sets;
}

ChargeSetTotals charge_set_totals(const SceneMolecule& entry, Documents& documents,
                                  const std::vector<std::string>& templates) {
  ChargeSetTotals totals;
  const auto count = [&](const Topology& topology) {
    totals.atoms = topology.atoms.size();
    std::vector<std::uint8_t> charged(topology.residues.size(), 0);
    for (const Atom& atom : topology.atoms) {
      totals.charge += static_cast<double>(atom.charge);
      if (atom.charge != 0) charged[atom.residue] = 1;
    }
    totals.uncharged = static_cast<std::size_t>(std::count(charged.begin(), charged.end(), 0));
  };
  const SceneMolecule files = with_templates(SceneMolecule{entry.paths}, templates);
  if (const auto loaded = documents.loaded(files)) {
    count(*loaded->topology);
  } else if (!templates.empty() && names_tables(templates.front())) {
    // Not kept: a molecule for each set would take memory that nobody asked for.
    count(*charged_by_tables(*documents.molecule(SceneMolecule{entry.paths}), templates.front()).molecule.topology);
  } else {
    count(*documents.molecule(files)->topology);
  }
  return totals;
}

void use_charge_set(Scene& scene, Documents& documents, std::uint32_t molecule,
                    const std::vector<std::string>& templates) {
  SceneMolecule& entry = scene.molecules.at(molecule);
  if (entry.templates == templates) return;
  if (!entry.assembly.empty())
    throw Error("charges of an assembly cannot be changed: show the asymmetric unit first", Error::Kind::usage);
  const bool from_tables = entry.templates.empty() || names_tables(entry.templates.front());
  if (from_tables && !templates.empty() && names_tables(templates.front())) {
    give_charges(scene, documents, molecule, templates.front());
    return;
  }
  const auto before = documents.molecule(entry), after = documents.molecule(with_templates(entry, templates));
  keep_to_atoms(scene, molecule, *before, *after->topology);
  entry.templates = templates;
}

}  // namespace isolume
