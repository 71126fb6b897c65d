// Gives a molecule of a scene the hydrogens and charges that its file lacks.
#include "app/view/give_charges.h"

#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "app/documents/table_charges.h"
#include "app/scene/built_in_tables.h"
#include "app/scene/named_selections.h"
#include "app/scene/scene_commands.h"
#include "app/view/representation_overlap.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/selection/index_selection.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

/// Where each atom is after the change, by its number before; UINT32_MAX for one that is gone.
using Places = std::vector<std::uint32_t>;

Places places_of(const PreparedStructure& prepared, std::size_t before) {
  Places places(before, UINT32_MAX);
  for (std::size_t i = 0; i < prepared.source.size(); ++i)
    if (prepared.source[i] >= 0) places[static_cast<std::size_t>(prepared.source[i])] = static_cast<std::uint32_t>(i);
  return places;
}

/// The same between two preparations of one structure: built atoms are found by residue and name.
Places places_between(const PreparedStructure& earlier, const PreparedStructure& later) {
  const auto key = [](const PreparedStructure& prepared, std::size_t i) {
    const Atom& atom = prepared.molecule.topology->atoms[i];
    return std::pair(prepared.residues[atom.residue].residue, atom.name);
  };
  std::map<std::int64_t, std::uint32_t> by_source;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> by_name;
  for (std::uint32_t i = 0; i < later.source.size(); ++i) {
    if (later.source[i] >= 0) by_source.emplace(later.source[i], i);
    by_name.emplace(key(later, i), i);
  }
  Places places(earlier.source.size(), UINT32_MAX);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (const auto same = by_source.find(earlier.source[i]); earlier.source[i] >= 0 && same != by_source.end()) {
      places[i] = same->second;
    } else if (const auto named = by_name.find(key(earlier, i)); named != by_name.end()) {
      places[i] = named->second;
    }
  }
  return places;
}

/// What is at atoms: measurements and probes.
void move_measurements(Scene& scene, std::uint32_t molecule, const Places& places) {
  const auto place = [&](std::uint32_t atom) { return atom < places.size() ? places[atom] : UINT32_MAX; };
  for (std::size_t i = scene.probes.size(); i > 0; --i) {
    FieldProbe& probe = scene.probes[i - 1];
    if (probe.molecule != molecule || probe.kind == FieldProbe::Kind::point) continue;
    probe.atom = place(probe.atom);
    if (probe.kind == FieldProbe::Kind::bond) probe.second = place(probe.second);
    if (probe.atom == UINT32_MAX || probe.second == UINT32_MAX) remove_probe(scene, i - 1);
  }
  std::erase_if(scene.measurements, [&](Measurement& measurement) {
    for (SceneAtom& atom : measurement.atoms) {
      if (atom.molecule != molecule) continue;
      atom.atom = atom.atom < places.size() ? places[atom.atom] : UINT32_MAX;
      if (atom.atom == UINT32_MAX) return true;
    }
    return false;
  });
}

/// Selections by numbers, written as the numbers that the same atoms have now. What cannot be read stays as it is.
class Renumbering {
 public:
  Renumbering(const Scene& scene, std::uint32_t number, const Molecule& before, const Places& places, bool residues)
      : scene_(scene),
        number_(number),
        before_(before),
        frame_(frame_at(before, 0)),
        places_(places),
        words_(residues ? R"(\b(index|rank|serial|id|residue|fragment)\b)" : R"(\b(index|rank|serial|id)\b)") {}

  void operator()(std::uint32_t molecule, std::string& selection) const {
    if (molecule != number_ || !std::regex_search(selection, words_)) return;
    try {
      const std::string text = with_names(scene_, number_, selection);
      std::vector<std::uint32_t> atoms;
      for (const std::uint32_t atom : Selection(text).atoms(*before_.topology, frame_))
        if (places_[atom] != UINT32_MAX) atoms.push_back(places_[atom]);
      selection = index_selection(std::move(atoms));
    } catch (const Error&) {
    }
  }

 private:
  const Scene& scene_;
  std::uint32_t number_;
  const Molecule& before_;
  Frame frame_;
  const Places& places_;
  std::regex words_;
};

void renumber_selections(Scene& scene, const Renumbering& renumber) {
  for (Representation& each : scene.representations) renumber(each.molecule, each.selection);
  for (Field& each : scene.fields) renumber(each.molecule, each.selection);
  for (LabelSet& each : scene.labels) renumber(each.molecule, each.selection);
  for (InteractionSet& each : scene.interactions) {
    renumber(each.molecule, each.selection);
    renumber(each.molecule, each.other);
  }
  for (NamedSelection& each : scene.selections) renumber(each.molecule, each.selection);
}

/// Chain, segment, number, insertion code, name: of several alike the first is the first.
std::map<std::string, std::vector<std::uint32_t>> atoms_by_name(const Topology& topology) {
  std::map<std::string, std::vector<std::uint32_t>> atoms;
  for (std::uint32_t i = 0; i < topology.atoms.size(); ++i) {
    const Residue& residue = topology.residues[topology.atoms[i].residue];
    const Chain& chain = topology.chains[residue.chain];
    atoms[chain.id + '\n' + std::to_string(residue.number) + residue.insertion + '\n' + topology.atoms[i].name]
        .push_back(i);
  }
  return atoms;
}

bool has_hydrogens(const Topology& topology) {
  return std::any_of(topology.atoms.begin(), topology.atoms.end(), [](const Atom& atom) { return atom.element == 1; });
}

bool draws_atoms(Style style) {
  return style == Style::lines || style == Style::sticks || style == Style::ball_and_stick || style == Style::spheres ||
         style == Style::points || style == Style::ellipsoids;
}

}  // namespace

void keep_to_atoms(Scene& scene, std::uint32_t molecule, const Molecule& before, const Topology& after) {
  const auto names = atoms_by_name(after);
  Places places(before.topology->atoms.size(), UINT32_MAX);
  for (const auto& [name, atoms] : atoms_by_name(*before.topology)) {
    const auto found = names.find(name);
    for (std::size_t i = 0; found != names.end() && i < atoms.size() && i < found->second.size(); ++i)
      places[atoms[i]] = found->second[i];
  }
  move_measurements(scene, molecule, places);
  const Scene as_it_was = scene;
  const bool residues = before.topology->residues.size() != after.residues.size();
  renumber_selections(scene, Renumbering(as_it_was, molecule, before, places, residues));
  if (has_hydrogens(*before.topology) || !has_hydrogens(after)) return;
  for (Representation& each : scene.representations)
    if (each.molecule == molecule && draws_atoms(each.style)) leave_out(each.selection, "hydrogen");
}

GivenCharges give_charges(Scene& scene, Documents& documents, std::uint32_t molecule, const std::string& tables) {
  SceneMolecule& entry = scene.molecules.at(molecule);
  const auto before = documents.molecule(entry);
  const bool again = !entry.templates.empty() && names_tables(entry.templates.front());
  if (again && !entry.assembly.empty())
    throw Error("charges of an assembly cannot be changed: show the asymmetric unit first", Error::Kind::usage);
  const auto bare = again ? documents.molecule(SceneMolecule{entry.paths}) : before;
  const PreparedStructure prepared = charged_by_tables(*bare, tables);
  const Places places = again ? places_between(charged_by_tables(*bare, entry.templates.front()), prepared)
                              : places_of(prepared, before->atom_count());
  const bool residues = prepared.molecule.topology->residues.size() != before->topology->residues.size();
  move_measurements(scene, molecule, places);
  const Scene as_it_was = scene;
  renumber_selections(scene, Renumbering(as_it_was, molecule, *before, places, residues));
  if (!again && prepared.kept_hydrogens == 0)
    for (Representation& each : scene.representations)
      if (each.molecule == molecule && draws_atoms(each.style)) leave_out(each.selection, "hydrogen");
  entry.templates = {tables};
  GivenCharges given{prepared.added_hydrogens, prepared.side_chains.size(), 0, 0, prepared.charge};
  for (const ChargeIssue& issue : prepared.issues) {
    given.uncharged += issue.kind == ChargeIssue::Kind::left_out;
    given.estimated += issue.kind == ChargeIssue::Kind::estimated;
  }
  return given;
}

}  // namespace isolume
