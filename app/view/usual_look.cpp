// The first picture of molecules that have just been opened.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "app/documents/documents.h"
#include "app/documents/frames.h"
#include "app/view/scene_extent.h"
#include "app/view/usual_look.h"
#include "app/view/usual_styles.h"
#include "app/view/usual_volume.h"
#include "molecule/residue_kinds.h"
#include "molecule/selection/selection.h"
#include "render/represent/palette.h"

namespace isolume {

namespace {

constexpr double near_atoms = 2;  // angstrom: the part of a crystal's map this near to atoms

// A crystal's map is shown near the atoms of its own file's molecule, else of another.
void show_near_atoms(Scene& scene, Documents& documents) {
  const auto has_atoms = [&](std::uint32_t m) { return documents.molecule(scene.molecules[m])->frame_count() > 0; };
  for (Field& field : scene.fields) {
    if (field.kind != Field::Kind::volume || field.zone > 0 || field.style != Surface::Style::wireframe) continue;
    const auto molecule = documents.molecule(scene.molecules[field.molecule]);
    if (field.volume >= molecule->volumes.size() || !is_crystal_map(*molecule, field.volume)) continue;
    std::uint32_t near = field.molecule;
    for (std::uint32_t m = 0; m < scene.molecules.size() && !has_atoms(near); ++m) near = m;
    if (!has_atoms(near)) continue;
    field.zone = near_atoms;
    field.zone_molecule = near;
    field.selection = "not water";
  }
}

// Turns the camera so that the longest extent of the atoms is across the picture and the shortest along the line of
// sight; a small molecule is tilted a little, or its planes would hide what is behind them.
void face(Camera& camera, const Molecule& molecule, const usual::Kinds& kinds) {
  const Frame frame = frame_at(molecule, 0);
  if (frame.positions.size() < 2) return;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  const auto vector = [](glm::vec3 v) { return Eigen::Vector3d(v.x, v.y, v.z); };
  // Of polymers alone where there are any, as water has no shape; of millions of atoms some tell where they extend.
  constexpr std::size_t enough = 200'000;
  const std::size_t step = frame.positions.size() / enough + 1;
  std::vector<glm::vec3> points, all;
  for (std::size_t i = 0; i < frame.positions.size(); i += step) {
    all.push_back(frame.positions[i]);
    if (usual::is_polymer(kinds[molecule.topology->atoms[i].residue])) points.push_back(frame.positions[i]);
  }
  if (points.size() < 2) points = std::move(all);
  for (const glm::vec3& point : points) mean += vector(point) / static_cast<double>(points.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const glm::vec3& point : points) spread += (vector(point) - mean) * (vector(point) - mean).transpose();
  const Eigen::Matrix3d axes = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors();
  // Columns by ascending spread. Signs are free: the axes stay as near to the file's as they can.
  glm::dmat3 rows;  // camera axes in the world, as columns
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d axis = axes.col(2 - i);
    Eigen::Index largest = 0;
    axis.cwiseAbs().maxCoeff(&largest);
    rows[i] = glm::dvec3(axis.x(), axis.y(), axis.z()) * (axis[largest] < 0 ? -1.0 : 1.0);
  }
  if (glm::determinant(rows) < 0) rows[2] = -rows[2];
  camera.rotation = glm::normalize(glm::quat_cast(glm::transpose(rows)));
  if (frame.positions.size() > 200) return;
  camera.turn({1, 0, 0}, 55);
  camera.turn({0, 1, 0}, -25);
}

// True for a simulation's box: polymers in a cell of which water fills a fifth or more. The ordered waters of a crystal
// fill much less.
bool solvated_polymer(const Molecule& molecule, const usual::Kinds& kinds) {
  constexpr double water_volume = 29.9;  // cubic angstrom, of a molecule in the liquid
  const usual::Counts counts = usual::count_kinds(*molecule.topology, kinds, {});
  if (counts[static_cast<std::size_t>(ResidueKind::protein)] + counts[static_cast<std::size_t>(ResidueKind::nucleic)] ==
      0)
    return false;
  const auto waters = static_cast<double>(std::count(kinds.begin(), kinds.end(), ResidueKind::water));
  const Cell cell = waters > 0 ? frame_at(molecule, 0).cell : Cell();
  return cell.exists() && waters * water_volume > 0.2 * cell.volume();
}

}  // namespace

std::vector<Representation> usual_representations(const Scene& scene, Documents& documents, std::uint32_t molecule,
                                                  const std::string& selection) {
  const auto loaded = documents.molecule(scene.molecules[molecule]);
  if (!loaded->topology || loaded->frame_count() == 0) return {};
  const Frame frame = frame_at(*loaded, scene.frame);
  const usual::Mask mask = Selection(selection).mask(*loaded->topology, frame);
  return usual::representations_of(molecule, *loaded, usual::kinds_of(*loaded->topology), selection, mask,
                                   frame.positions);
}

void tell_molecules_apart(Scene& scene) {
  std::set<std::uint32_t> any, ribbons;
  for (const Representation& r : scene.representations) {
    any.insert(r.molecule);
    if (r.style == Style::cartoon) ribbons.insert(r.molecule);
  }
  for (Representation& r : scene.representations) {
    const bool usual = r.colouring == Colouring::chain || r.colouring == Colouring::structure;
    if (ribbons.size() > 1 && r.style == Style::cartoon && usual) r.colouring = Colouring::molecule;
    if (any.size() > 1 && r.colouring == Colouring::element && (r.colour.a == 0 || r.colour == usual::light_carbon) &&
        !usual::is_of_water(r))
      r.colour = category_colour(r.molecule);
  }
}

void hide_water(Scene& scene, std::uint32_t molecule) {
  for (Representation& representation : scene.representations)
    if (representation.molecule == molecule && usual::is_of_water(representation)) representation.visible = false;
}

void colour_plainly(const Scene& scene, Field& field) {
  field.colouring = Colouring::uniform;
  field.colour = {150, 180, 215, 255};
  for (const Representation& r : scene.representations)
    if (r.molecule == field.molecule && r.style == Style::cartoon &&
        (r.colouring == Colouring::chain || r.colouring == Colouring::molecule))
      field.colouring = r.colouring;
}

void add_usual_look(Scene& scene, Documents& documents, const std::vector<SceneMolecule>& opened, double aspect) {
  const bool first = scene.molecules.empty();
  usual::Kinds first_kinds;
  for (const SceneMolecule& entry : opened) {
    const auto index = static_cast<std::uint32_t>(scene.molecules.size());
    const auto molecule = documents.molecule(entry);
    scene.molecules.push_back(entry);
    if (molecule->atom_count() > 0 && molecule->frame_count() > 0) {
      usual::Kinds kinds = usual::kinds_of(*molecule->topology);
      for (Representation& made :
           usual::representations_of(index, *molecule, kinds, "all", {}, frame_at(*molecule, 0).positions))
        scene.representations.push_back(std::move(made));
      // Alone a polymer is centred in its water; other molecules and maps belong to the places in the files.
      if (first && opened.size() == 1 && entry == SceneMolecule{entry.paths} && molecule->orbitals.empty() &&
          molecule->volumes.empty() && solvated_polymer(*molecule, kinds))
        scene.molecules.back().cell.mode = CellTreatment::Mode::centre;
      if (first && index == 0) first_kinds = std::move(kinds);
    }
    if (!molecule->volumes.empty())
      for (SceneMolecule& other : scene.molecules)
        if (other.cell == CellTreatment{CellTreatment::Mode::centre}) other.cell = {};
    const std::size_t with_orbitals = first_frame_with_orbitals(*molecule);
    const auto orbitals = molecule->orbitals_at(with_orbitals);
    // The first picture is of a frame with orbitals, where other molecules do not say which one.
    if (first && orbitals && scene.frame == 0) scene.frame = with_orbitals;
    if (orbitals && (orbitals->homo() || !orbitals->orbitals.empty())) {
      Field field;
      field.kind = Field::Kind::orbital;
      field.molecule = index;
      if (!orbitals->homo()) field.orbital = "1";  // none is occupied
      field.opacity = 0.8f;                        // the atoms inside are to be seen
      scene.fields.push_back(field);
    } else if (!molecule->volumes.empty()) {
      Field field;
      field.kind = Field::Kind::volume;
      field.molecule = index;
      show_usually(field, *molecule, molecule->frame_count() > 0 || !scene.representations.empty());
      scene.fields.push_back(field);
    }
  }
  tell_molecules_apart(scene);
  show_near_atoms(scene, documents);
  if (first && !opened.empty()) {
    const auto molecule = documents.molecule(scene.molecules.front());
    if (molecule->atom_count() > 0 && molecule->frame_count() > 0) face(scene.camera, *molecule, first_kinds);
  }
  const Extent extent = scene_extent(scene, documents);
  scene.camera.fit(extent.balls, aspect);
}

}  // namespace isolume
