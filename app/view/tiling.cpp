// The tiles of a scene: which molecules have one, and what each camera looks at.
#include "app/view/tiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/documents/frames.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

std::string title_of(const SceneMolecule& entry) {
  return entry.paths.empty() ? "" : std::filesystem::path(entry.paths.front()).filename().string();
}

bool is_drawn(const Scene& scene, std::uint32_t molecule) {
  if (!scene.molecules[molecule].visible) return false;
  const auto shows = [molecule](const auto& entry) { return entry.visible && entry.molecule == molecule; };
  return std::any_of(scene.representations.begin(), scene.representations.end(), shows) ||
         std::any_of(scene.fields.begin(), scene.fields.end(), shows);
}

}  // namespace

MoleculeMiddle middle_of(const Molecule& molecule) {
  MoleculeMiddle middle;
  if (!molecule.topology || molecule.frame_count() == 0) {
    if (molecule.volumes.empty()) return middle;
    const Grid& grid = molecule.volumes.front()->grid;
    const glm::dvec3 last = glm::dvec3(grid.counts - 1);
    middle.centre = grid.point(last.x / 2, last.y / 2, last.z / 2);
    middle.radius = 0.5 * glm::length(grid.step * last);
    return middle;
  }
  const Frame frame = molecule.trajectory->frame(0);
  std::vector<std::uint32_t> atoms = Selection("not water and not ion").atoms(*molecule.topology, frame);
  if (atoms.empty()) atoms = Selection().atoms(*molecule.topology, frame);
  const double count = std::max<double>(1, static_cast<double>(atoms.size()));
  for (const std::uint32_t i : atoms) middle.centre += glm::dvec3(frame.positions[i]) / count;
  double squares = 0;
  for (const std::uint32_t i : atoms) {
    const glm::dvec3 d = glm::dvec3(frame.positions[i]) - middle.centre;
    squares += glm::dot(d, d) / count;
  }
  middle.radius = std::sqrt(squares);
  return middle;
}

std::vector<SceneTile> tiles_of(const Scene& scene, Documents& documents, MoleculeMiddles* known) {
  std::vector<SceneTile> tiles;
  if (scene.layout != Layout::tiles) return tiles;
  MoleculeMiddles found;
  std::vector<MoleculeMiddle> places;
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    if (!is_drawn(scene, m)) continue;
    const auto molecule = documents.molecule(scene.molecules[m]);
    const auto before = known ? known->find(molecule) : MoleculeMiddles::iterator();
    const MoleculeMiddle own = known && before != known->end() ? before->second : middle_of(*molecule);
    found.emplace(molecule, own);
    const auto on = std::find_if(places.begin(), places.end(), [&](const MoleculeMiddle& place) {
      return glm::distance(place.centre, own.centre) <= 0.5 * place.radius;
    });
    places.push_back(on == places.end() ? own : *on);
    tiles.push_back({m, title_of(scene.molecules[m]), places.back().centre - places.front().centre});
  }
  if (known) *known = std::move(found);
  if (tiles.size() < 2) return {};
  std::vector<std::string> titles;
  for (const SceneTile& tile : tiles) titles.push_back(tile.title);
  for (SceneTile& tile : tiles)
    if (std::count(titles.begin(), titles.end(), tile.title) > 1)
      tile.title = fmt::format("{} ({})", tile.title, tile.molecule + 1);
  return tiles;
}

}  // namespace isolume
