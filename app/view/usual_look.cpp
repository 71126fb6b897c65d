// The first picture of molecules that were just opened.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "app/documents/documents.h"
#include "app/documents/frames.h"
#include "app/view/scene_extent.h"
#include "app/view/usual_look.h"
#include "app/view/usual_volume.h"
#include "molecule/base/threads.h"
#include "molecule/residue_kinds.h"
#include "molecule/selection/selection.h"
#include "render/represent/palette.h"

namespace isolume {
namespace {

constexpr std::size_t many_atoms = 20'000;  // beyond it water is left out and small parts are drawn as lines

constexpr glm::u8vec4 light_carbon{178, 178, 172, 255};  // of ligands: thin sticks of the usual grey are nearly black

constexpr double near_atoms = 2;  // angstrom: of a crystal's map what is so near to atoms

constexpr std::size_t shortest_ribbon = 6;  // residues; shorter peptides are drawn as small molecules

using Counts = std::array<std::size_t, 8>;  // atoms by ResidueKind

using Kinds = std::vector<ResidueKind>;  // of every residue: names are looked up once

Kinds kinds_of(const Topology& topology) {
  Kinds kinds(topology.residues.size());
  constexpr std::size_t range = 20'000;
  on_threads((kinds.size() + range - 1) / range, [&](std::size_t part) {
    for (std::size_t i = part * range; i < std::min(kinds.size(), (part + 1) * range); ++i)
      kinds[i] = residue_kind(topology, i);
  });
  return kinds;
}

bool is_polymer(ResidueKind kind) {
  return kind == ResidueKind::protein || kind == ResidueKind::nucleic;
}

using Mask = std::vector<std::uint8_t>;  // one byte per atom; empty: all

bool is_in(const Mask& mask, std::size_t atom) {
  return mask.empty() || mask[atom];
}

Counts count_kinds(const Topology& topology, const Kinds& kinds, const Mask& mask) {
  Counts counts{};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Residue& residue = topology.residues[i];
    std::size_t count = residue.atom_count;
    if (!mask.empty())
      count = static_cast<std::size_t>(
          std::count(mask.begin() + residue.first_atom, mask.begin() + residue.first_atom + residue.atom_count, 1));
    counts[static_cast<std::size_t>(kinds[i])] += count;
  }
  return counts;
}

// Chains by name that hold protein or nucleic acid: the waters of a chain often make a chain of their own.
std::size_t polymer_chains(const Topology& topology, const Kinds& kinds, const Mask& mask) {
  std::set<std::pair<std::string, std::string>> names;
  for (const Chain& chain : topology.chains)
    for (std::uint32_t i = 0; i < chain.residue_count; ++i)
      if (is_polymer(kinds[chain.first_residue + i]) &&
          is_in(mask, topology.residues[chain.first_residue + i].first_atom)) {
        names.insert({chain.id, chain.segment});
        break;
      }
  return names.size();
}

/// Where a ribbon passes through a residue, and the atoms by which it is linked to its neighbours.
struct RibbonResidue {
  std::int64_t guide = -1, in = -1, out = -1;
  bool nucleic = false;
};

RibbonResidue ribbon_residue(const Topology& topology, std::size_t residue, ResidueKind kind) {
  RibbonResidue found;
  if (!is_polymer(kind)) return found;
  const Residue& r = topology.residues[residue];
  for (std::uint32_t a = r.first_atom; a < r.first_atom + r.atom_count; ++a) {
    const std::string& name = topology.atoms[a].name;
    if (name == "CA" || name == "C1'" || name == "C1*") {
      if (found.guide < 0) found.guide = a;
      found.nucleic = name != "CA";
    } else if (name == "N" || name == "P") {
      found.in = a;
    } else if (name == "C" || name == "O3'" || name == "O3*") {
      found.out = a;
    }
  }
  return found;
}

/// True where there is a ribbon to see: residues with an atom that it can follow (beads of coarse models have none), at
/// least half of which follow one another, so that the others do not leave the picture blank.
bool has_ribbon(const Topology& topology, const Kinds& kinds, const Mask& mask,
                const std::vector<glm::vec3>& positions) {
  const auto near = [&](std::int64_t a, std::int64_t b, float limit) {
    const glm::vec3 d = positions[static_cast<std::size_t>(a)] - positions[static_cast<std::size_t>(b)];
    return glm::dot(d, d) < limit * limit;
  };
  if (positions.size() != topology.atoms.size()) return false;
  std::size_t count = 0, linked = 0;
  for (const Chain& chain : topology.chains) {
    RibbonResidue last;
    bool last_counts = false;
    for (std::size_t i = chain.first_residue; i < chain.first_residue + chain.residue_count; ++i) {
      RibbonResidue here = ribbon_residue(topology, i, kinds[i]);
      if (here.guide >= 0 && !is_in(mask, static_cast<std::size_t>(here.guide))) here = {};
      if (here.guide >= 0) ++count;
      const bool both = here.guide >= 0 && last.guide >= 0 && here.nucleic == last.nucleic;
      const bool bonded = last.out >= 0 && here.in >= 0 && !here.nucleic;
      const bool joined =
          both && (bonded ? near(last.out, here.in, 2.5f) : near(last.guide, here.guide, here.nucleic ? 9.0f : 5.0f));
      if (joined) linked += last_counts ? 1 : 2;
      last_counts = joined;
      last = here;
    }
  }
  return count >= shortest_ribbon && 2 * linked >= count;
}

/// True for a structure that was predicted: its title says so, and its B-factors can be confidences, from 0 to 100 and
/// one value for each residue.
bool is_prediction(const Molecule& molecule) {
  std::string title = molecule.title;
  for (char& c : title) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  const auto says = [&](const char* word) { return title.find(word) != std::string::npos; };
  if (!says("alphafold") && !says("colabfold") && !says("esmfold") && !says("prediction for")) return false;
  const Topology& topology = *molecule.topology;
  bool any = false;
  for (const Residue& residue : topology.residues) {
    for (std::uint32_t a = residue.first_atom; a < residue.first_atom + residue.atom_count; ++a) {
      const float b = topology.atoms[a].b_factor;
      if (!(b >= 0 && b <= 100) || b != topology.atoms[residue.first_atom].b_factor) return false;
      any = any || b > 1;
    }
  }
  return any;
}

const std::string ligands = "not (protein or nucleic or water or ion or lipid)";
const std::string water_near_ligands = "water and same residue as within 4 of (" + ligands + ")";

// Atoms of every residue kind by a style that suits it, of those of `selection`, whose mask this is.
std::vector<Representation> representations_of(std::uint32_t molecule, const Molecule& loaded, const Kinds& kinds,
                                               const std::string& selection, const Mask& mask,
                                               const std::vector<glm::vec3>& positions) {
  const Topology& topology = *loaded.topology;
  const bool all = selection.empty() || selection == "all";
  std::vector<Representation> made;
  const auto add = [&](const std::string& words, Style style, Colouring colouring = Colouring::element) {
    Representation& representation = made.emplace_back();
    representation.molecule = molecule;
    representation.selection = all ? words : words == "all" ? selection : "(" + words + ") and (" + selection + ")";
    representation.style = style;
    representation.colouring = colouring;
  };
  const Counts counts = count_kinds(topology, kinds, mask);
  const auto of = [&](ResidueKind kind) { return counts[static_cast<std::size_t>(kind)]; };
  // Dummy atoms that mark a membrane (OPM) would fill the view: at first they are not drawn.
  const auto dummies = all ? std::count_if(topology.residues.begin(), topology.residues.end(),
                                           [](const Residue& residue) { return residue.name == "DUM"; })
                           : 0;
  const bool hides = dummies > 0 && static_cast<std::size_t>(dummies) < topology.residues.size();
  const std::string everything = hides ? "not resname DUM" : "all";
  std::size_t atoms = 0;
  for (const std::size_t count : counts) atoms += count;
  const bool large = atoms > many_atoms;
  if (!has_ribbon(topology, kinds, mask, positions)) {
    if (topology.bonds.empty()) {
      // A sphere of an atom's full size would hide its orbitals.
      const bool fields = !loaded.orbitals.empty() || !loaded.volumes.empty();
      add(everything, large ? Style::points : fields ? Style::ball_and_stick : Style::spheres);
    } else if (large) {
      add(everything, Style::lines);
    } else {
      add(everything, atoms <= 200 ? Style::ball_and_stick : Style::sticks);
    }
    return made;
  }
  add("protein or nucleic", Style::cartoon,
      is_prediction(loaded)                       ? Colouring::plddt
      : polymer_chains(topology, kinds, mask) > 1 ? Colouring::chain
                                                  : Colouring::structure);
  const bool with_ligands = of(ResidueKind::other) + of(ResidueKind::sugar) > 0;
  if (with_ligands) {
    add(hides ? "not (protein or nucleic or water or ion or lipid or resname DUM)" : ligands,
        large ? Style::lines : Style::sticks);
    made.back().colour = light_carbon;
  }
  if (of(ResidueKind::lipid) > 0) add("lipid", Style::lines);
  if (of(ResidueKind::ion) > 0) add("ion", Style::spheres);
  if (of(ResidueKind::water) == 0 || of(ResidueKind::water) > many_atoms) return made;
  // Of the water of a crystal what is near a ligand says something; the rest can be shown.
  if (all && with_ligands && !large && loaded.frame_count() == 1) add(water_near_ligands, Style::lines);
  add("water", Style::lines);
  made.back().visible = !all;
  return made;
}

bool is_of_water(const Representation& representation) {
  return representation.selection == "water" || representation.selection == water_near_ligands;
}

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
void face(Camera& camera, const Molecule& molecule, const Kinds& kinds) {
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
    if (is_polymer(kinds[molecule.topology->atoms[i].residue])) points.push_back(frame.positions[i]);
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
bool solvated_polymer(const Molecule& molecule, const Kinds& kinds) {
  constexpr double water_volume = 29.9;  // cubic angstrom, of a molecule in the liquid
  const Counts counts = count_kinds(*molecule.topology, kinds, {});
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
  const Mask mask = Selection(selection).mask(*loaded->topology, frame);
  return representations_of(molecule, *loaded, kinds_of(*loaded->topology), selection, mask, frame.positions);
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
    if (any.size() > 1 && r.colouring == Colouring::element && (r.colour.a == 0 || r.colour == light_carbon) &&
        !is_of_water(r))
      r.colour = category_colour(r.molecule);
  }
}

void hide_water(Scene& scene, std::uint32_t molecule) {
  for (Representation& representation : scene.representations)
    if (representation.molecule == molecule && is_of_water(representation)) representation.visible = false;
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
  Kinds first_kinds;
  for (const SceneMolecule& entry : opened) {
    const auto index = static_cast<std::uint32_t>(scene.molecules.size());
    const auto molecule = documents.molecule(entry);
    scene.molecules.push_back(entry);
    if (molecule->atom_count() > 0 && molecule->frame_count() > 0) {
      Kinds kinds = kinds_of(*molecule->topology);
      for (Representation& made :
           representations_of(index, *molecule, kinds, "all", {}, frame_at(*molecule, 0).positions))
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
