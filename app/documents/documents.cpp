// Documents: the molecules of a scene, loaded.
#include "app/documents/documents.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/documents/frames.h"
#include "app/documents/placement.h"
#include "formats/read.h"
#include "formats/read_templates.h"
#include "molecule/base/error.h"
#include "molecule/rigid_motion.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

std::shared_ptr<const Molecule> prepared(Molecule molecule) {
  if (molecule.topology && molecule.frame_count() > 0)
    molecule.trajectory = whole_molecules(molecule.trajectory, *molecule.topology);
  return std::make_shared<const Molecule>(std::move(molecule));
}

constexpr std::size_t most_places = 16;

}  // namespace

std::vector<SceneMolecule> Documents::open(const std::vector<std::string>& paths) {
  std::vector<SceneMolecule> entries;
  std::vector<Molecule> molecules = read_files(paths);
  for (Molecule& molecule : molecules) {
    if (molecule.paths.empty() && molecules.size() == 1) molecule.paths = paths;
    const SceneMolecule entry{molecule.paths};
    auto loaded = prepared(std::move(molecule));
    const std::lock_guard lock(mutex_);
    std::erase_if(molecules_, [&](const Loaded& known) { return known.is(entry); });
    molecules_.push_back({entry.paths, {}, {}, std::move(loaded)});
    entries.push_back(entry);
  }
  return entries;
}

std::shared_ptr<const Molecule> Documents::molecule(const SceneMolecule& entry) {
  if (auto found = loaded(entry)) return found;
  if (entry.paths.empty()) throw Error("a molecule of the scene names no file", Error::Kind::input);
  if (entry.placement != Placement{}) {
    SceneMolecule where_it_was{entry.paths};
    where_it_was.templates = entry.templates;
    where_it_was.assembly = entry.assembly;
    return keep(entry, placed(*molecule(where_it_was), entry.placement));
  }
  if (!entry.assembly.empty()) {
    SceneMolecule single{entry.paths};
    single.templates = entry.templates;
    return keep(entry, built_assembly(*molecule(single), entry.assembly));
  }
  if (!entry.templates.empty()) {
    const auto bare = molecule(SceneMolecule{entry.paths});
    Molecule completed = read_templates(entry.templates).complete(*bare).molecule;
    completed.paths = bare->paths;
    return keep(entry, *prepared(std::move(completed)));
  }
  std::vector<Molecule> read = read_files(entry.paths);
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
    return other.paths == entry.paths && other.placement != Placement{} && other.molecule.use_count() == 1;
  };
  std::size_t bytes = 0, places = 0;
  for (auto it = molecules_.end(); it != molecules_.begin();) {
    if (!elsewhere(*--it)) continue;
    bytes += moved_bytes(*it->molecule);
    if (++places >= most_places || bytes > place_bytes_) it = molecules_.erase(it);
  }
  molecules_.push_back({entry.paths, entry.assembly, entry.placement, made, entry.templates});
  return made;
}

void Documents::reload(const SceneMolecule& entry) {
  std::vector<Molecule> read = read_files(entry.paths);
  if (read.size() != 1) throw Error(entry.paths.front() + " and what belongs to it make no one molecule any more");
  auto fresh = prepared(std::move(read.front()));
  std::shared_ptr<const Molecule> built;
  if (!entry.assembly.empty()) built = std::make_shared<const Molecule>(built_assembly(*fresh, entry.assembly));
  std::shared_ptr<const Molecule> there;
  if (entry.placement != Placement{})
    there = std::make_shared<const Molecule>(placed(built ? *built : *fresh, entry.placement));
  const std::lock_guard lock(mutex_);
  std::erase_if(molecules_, [&](const Loaded& known) { return known.paths == entry.paths; });
  molecules_.push_back({entry.paths, {}, {}, std::move(fresh)});
  if (built) molecules_.push_back({entry.paths, entry.assembly, {}, std::move(built)});
  if (there) molecules_.push_back({entry.paths, entry.assembly, entry.placement, std::move(there)});
}

std::shared_ptr<const Molecule> Documents::loaded(const SceneMolecule& entry) const {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(molecules_.begin(), molecules_.end(), [&](const Loaded& known) { return known.is(entry); });
  return found == molecules_.end() ? nullptr : found->molecule;
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
