// Documents: the molecules of a scene, loaded.
#include "app/documents/documents.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/documents/derived.h"
#include "app/documents/frames.h"
#include "app/documents/placement.h"
#include "app/documents/table_charges.h"
#include "app/scene/built_in_tables.h"
#include "app/scene/path_part.h"
#include "compute/base/memory.h"
#include "compute/preparation/carried_frames.h"
#include "compute/trajectory/smoothed_trajectory.h"
#include "formats/read_templates.h"
#include "molecule/base/error.h"
#include "molecule/rigid_motion.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

std::shared_ptr<const Molecule> prepared(Molecule molecule) {
  return treated(std::make_shared<const Molecule>(std::move(molecule)), {});
}

/// The secondary structure of the residues that were completed, which are those of `from` in their order, maybe fewer.
void keep_structure(const Topology& from, Molecule& completed) {
  auto topology = std::make_shared<Topology>(*completed.topology);
  topology->has_structure = from.has_structure;
  std::size_t known = 0;
  for (Residue& residue : topology->residues) {
    const std::string& chain = topology->chains[residue.chain].id;
    std::size_t r = known;
    while (r < from.residues.size() &&
           (from.residues[r].number != residue.number || from.residues[r].insertion != residue.insertion ||
            from.residues[r].name != residue.name || from.chains[from.residues[r].chain].id != chain))
      ++r;
    if (r == from.residues.size()) continue;
    residue.structure = from.residues[r].structure;
    known = r + 1;
  }
  completed.topology = std::move(topology);
}

/// With hydrogens and charges by the residues of the files `templates`, or by the built-in tables that they name.
std::shared_ptr<const Molecule> completed(const Molecule& bare, const std::vector<std::string>& templates) {
  Molecule molecule = names_tables(templates.front())
                          ? with_all_frames(charged_by_tables(bare, templates.front()), bare, 0)
                          : read_templates(templates).complete(bare).molecule;
  molecule.paths = bare.paths;
  if (bare.topology && molecule.topology) keep_structure(*bare.topology, molecule);
  return prepared(std::move(molecule));
}

/// The entry of the files and templates alone, with the treatment of their cell where `with_cell`.
SceneMolecule files_of(const SceneMolecule& entry, bool with_cell) {
  SceneMolecule files{entry.paths};
  files.templates = entry.templates;
  if (with_cell) files.cell = entry.cell;
  return files;
}

constexpr std::size_t most_places = 16;
constexpr std::size_t most_smoothed = 4;  ///< kept that nobody shows any more

}  // namespace

std::vector<SceneMolecule> Documents::open(const std::vector<std::string>& paths) {
  std::vector<SceneMolecule> entries;
  std::vector<Molecule> molecules = read_with_parts(paths);
  for (Molecule& molecule : molecules) {
    if (molecule.paths.empty() && molecules.size() == 1) molecule.paths = paths;
    const SceneMolecule entry{has_parts(paths) ? paths : molecule.paths};
    auto loaded = prepared(std::move(molecule));
    const std::lock_guard lock(mutex_);
    std::erase_if(molecules_, [&](const Loaded& known) { return known.is(entry); });
    molecules_.push_back({entry, std::move(loaded)});
    entries.push_back(entry);
  }
  return entries;
}

std::shared_ptr<const Molecule> Documents::molecule(const SceneMolecule& entry) {
  if (auto found = loaded(entry)) return found;
  if (entry.paths.empty()) throw Error("a molecule of the scene names no file", Error::Kind::input);
  if (entry.placement != Placement{}) {
    SceneMolecule where_it_was = files_of(entry, true);
    where_it_was.assembly = entry.assembly;
    return keep(entry, placed(*molecule(where_it_was), entry.placement));
  }
  if (!entry.assembly.empty()) return keep(entry, built_assembly(*molecule(files_of(entry, true)), entry.assembly));
  if (entry.cell != CellTreatment{}) return keep(entry, *treated(molecule(files_of(entry, false)), entry.cell));
  if (!entry.templates.empty()) return keep(entry, *completed(*molecule(SceneMolecule{entry.paths}), entry.templates));
  std::vector<Molecule> read = read_with_parts(entry.paths);
  if (read.size() != 1)
    throw Error(fmt::format("{} and what belongs to it make {} molecules, not one", entry.paths.front(), read.size()),
                Error::Kind::input);
  return keep(entry, *prepared(std::move(read.front())));
}

std::shared_ptr<const Molecule> Documents::keep(const SceneMolecule& entry, Molecule molecule) {
  auto made = std::make_shared<const Molecule>(std::move(molecule));
  const std::lock_guard lock(mutex_);
  const auto known =
      std::find_if(molecules_.begin(), molecules_.end(), [&](const Loaded& other) { return other.is(entry); });
  if (known != molecules_.end()) return known->molecule;
  // Of the places that a molecule was at the newest stay, so that undoing finds them.
  const auto elsewhere = [&](const Loaded& other) {
    return other.entry.paths == entry.paths && other.entry.placement != Placement{} && other.molecule.use_count() == 1;
  };
  std::size_t bytes = 0, places = 0;
  for (auto it = molecules_.end(); it != molecules_.begin();) {
    if (!elsewhere(*--it)) continue;
    bytes += moved_bytes(*it->molecule);
    if (++places >= most_places || bytes > place_bytes_) it = molecules_.erase(it);
  }
  molecules_.push_back({entry, made});
  return made;
}

void Documents::reload(const SceneMolecule& entry) {
  std::vector<Molecule> read = read_with_parts(entry.paths);
  if (read.size() != 1) throw Error(entry.paths.front() + " and what belongs to it make no one molecule any more");
  std::vector<Loaded> made{{SceneMolecule{entry.paths}, prepared(std::move(read.front()))}};
  if (!entry.templates.empty())
    made.push_back({files_of(entry, false), completed(*made.back().molecule, entry.templates)});
  if (entry.cell != CellTreatment{}) made.push_back({files_of(entry, true), treated(made.back().molecule, entry.cell)});
  if (!entry.assembly.empty()) {
    SceneMolecule built = files_of(entry, true);
    built.assembly = entry.assembly;
    made.push_back({built, std::make_shared<const Molecule>(built_assembly(*made.back().molecule, entry.assembly))});
  }
  if (entry.placement != Placement{})
    made.push_back({entry, std::make_shared<const Molecule>(placed(*made.back().molecule, entry.placement))});
  const std::lock_guard lock(mutex_);
  std::erase_if(molecules_, [&](const Loaded& known) { return known.entry.paths == entry.paths; });
  for (Loaded& each : made) molecules_.push_back(std::move(each));
}

std::shared_ptr<const Molecule> Documents::loaded(const SceneMolecule& entry) const {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(molecules_.begin(), molecules_.end(), [&](const Loaded& known) { return known.is(entry); });
  return found == molecules_.end() ? nullptr : found->molecule;
}

std::shared_ptr<const Molecule> Documents::smoothed(const SceneMolecule& entry,
                                                    std::shared_ptr<const Molecule> molecule, bool ask) {
  const std::size_t half = entry.smoothing;
  if (!molecule || half == 0 || molecule->frame_count() < 3 || !molecule->orbitals.empty()) return molecule;
  const std::lock_guard lock(mutex_);
  for (const Smoothed& known : smoothed_)
    if (known.from == molecule && known.half == half) return known.molecule;
  if (ask) require_memory(smoothing_memory(molecule->atom_count(), half), Device::cpu(), "smoothing the motion");
  // Positions that are as the file has them may have broken molecules: their atoms are taken one by one.
  const bool whole = entry.cell.mode != CellTreatment::Mode::as_is;
  auto made = std::make_shared<Molecule>(*molecule);
  made->trajectory = smoothed_trajectory(molecule->trajectory, whole ? molecule->topology : nullptr, half);
  std::size_t unused = 0;
  for (auto it = smoothed_.end(); it != smoothed_.begin();)
    if ((--it)->molecule.use_count() == 1 && ++unused >= most_smoothed) it = smoothed_.erase(it);
  smoothed_.push_back({std::move(molecule), half, made});
  return made;
}

std::shared_ptr<const Molecule> Documents::shown(const SceneMolecule& entry) {
  return smoothed(entry, molecule(entry), true);
}

std::shared_ptr<const Molecule> Documents::loaded_as_shown(const SceneMolecule& entry) {
  return smoothed(entry, loaded(entry), false);
}

std::shared_ptr<const Topology> Documents::topology(const SceneMolecule& entry) const {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(molecules_.begin(), molecules_.end(), [&](const Loaded& known) { return known.is_moved(entry); });
  return found == molecules_.end() ? nullptr : found->molecule->topology;
}

std::size_t frame_count(const Scene& scene, Documents& documents) {
  std::size_t count = 0;
  for (const SceneMolecule& entry : scene.molecules) {
    const auto molecule = documents.molecule(entry);
    count = std::max({count, molecule->frame_count(), molecule->orbitals.size()});
  }
  return count;
}

}  // namespace isolume
