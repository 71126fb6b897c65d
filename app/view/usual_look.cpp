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
#include "molecule/base/threads.h"
#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

constexpr std::size_t many_atoms = 20'000;  // beyond it water is left out and small parts are drawn as lines

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

Counts count_kinds(const Topology& topology, const Kinds& kinds) {
  Counts counts{};
  for (std::size_t i = 0; i < kinds.size(); ++i)
    counts[static_cast<std::size_t>(kinds[i])] += topology.residues[i].atom_count;
  return counts;
}

// Chains by name that hold protein or nucleic acid: the waters of a chain often make a chain of their own.
std::size_t polymer_chains(const Topology& topology, const Kinds& kinds) {
  std::set<std::pair<std::string, std::string>> names;
  for (const Chain& chain : topology.chains)
    for (std::uint32_t i = 0; i < chain.residue_count; ++i)
      if (is_polymer(kinds[chain.first_residue + i])) {
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
bool has_ribbon(const Topology& topology, const Kinds& kinds, const std::vector<glm::vec3>& positions) {
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
      const RibbonResidue here = ribbon_residue(topology, i, kinds[i]);
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

// Atoms of every residue kind by a style that suits it.
void add_representations(Scene& scene, std::uint32_t molecule, const Topology& topology, const Kinds& kinds,
                         const std::vector<glm::vec3>& positions) {
  const auto add = [&](const std::string& selection, Style style, Colouring colouring = Colouring::element) {
    Representation representation;
    representation.molecule = molecule;
    representation.selection = selection;
    representation.style = style;
    representation.colouring = colouring;
    scene.representations.push_back(representation);
  };
  const Counts counts = count_kinds(topology, kinds);
  const auto of = [&](ResidueKind kind) { return counts[static_cast<std::size_t>(kind)]; };
  const bool large = topology.atoms.size() > many_atoms;
  // Dummy atoms that mark a membrane (OPM) would fill the view: at first they are not drawn.
  const auto dummies = std::count_if(topology.residues.begin(), topology.residues.end(),
                                     [](const Residue& residue) { return residue.name == "DUM"; });
  const bool hides = dummies > 0 && static_cast<std::size_t>(dummies) < topology.residues.size();
  const std::string everything = hides ? "not resname DUM" : "all";
  if (!has_ribbon(topology, kinds, positions)) {
    if (topology.bonds.empty()) {
      add(everything, large ? Style::points : Style::spheres);
    } else if (large) {
      add(everything, Style::lines);
    } else {
      add(everything, topology.atoms.size() <= 200 ? Style::ball_and_stick : Style::sticks);
    }
    return;
  }
  add("protein or nucleic", Style::cartoon,
      polymer_chains(topology, kinds) > 1 ? Colouring::chain : Colouring::structure);
  if (of(ResidueKind::other) + of(ResidueKind::sugar) > 0)
    add(std::string("not (protein or nucleic or water or ion or lipid") + (hides ? " or resname DUM)" : ")"),
        large ? Style::lines : Style::sticks);
  if (of(ResidueKind::lipid) > 0) add("lipid", Style::lines);
  if (of(ResidueKind::ion) > 0) add("ion", Style::spheres);
  if (of(ResidueKind::water) > 0 && of(ResidueKind::water) <= many_atoms) add("water", Style::lines);
}

// Two significant digits.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1);
  return std::round(value / unit) * unit;
}

// A level that shows something: three standard deviations above the mean of a density, above zero of a field with both
// signs.
double telling_isovalue(const Volume& volume, bool& both_signs) {
  double sum = 0, squares = 0;
  float lowest = 0, highest = 0;
  for (const float value : volume.values) {
    if (!std::isfinite(value)) continue;
    sum += value;
    squares += static_cast<double>(value) * value;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
  const double count = std::max<double>(1, static_cast<double>(volume.values.size()));
  both_signs = lowest < -0.3f * highest;
  const double mean = both_signs ? 0 : sum / count;
  const double deviation = std::sqrt(std::max(0.0, squares / count - mean * mean));
  const double level = rounded(mean + 3 * deviation);
  return level < std::max(highest, -lowest) ? level : rounded(0.5 * std::max(highest, -lowest));
}

// Turns the camera so that the longest extent of the atoms lies across the picture and the shortest along the line of
// sight; a small molecule is tilted a little, or its planes would hide what lies behind them.
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
  const Counts counts = count_kinds(*molecule.topology, kinds);
  if (counts[static_cast<std::size_t>(ResidueKind::protein)] + counts[static_cast<std::size_t>(ResidueKind::nucleic)] ==
      0)
    return false;
  const auto waters = static_cast<double>(std::count(kinds.begin(), kinds.end(), ResidueKind::water));
  const Cell cell = waters > 0 ? frame_at(molecule, 0).cell : Cell();
  return cell.exists() && waters * water_volume > 0.2 * cell.volume();
}

}  // namespace

void add_usual_look(Scene& scene, Documents& documents, const std::vector<SceneMolecule>& opened, double aspect) {
  const bool first = scene.molecules.empty();
  Kinds first_kinds;
  for (const SceneMolecule& entry : opened) {
    const auto index = static_cast<std::uint32_t>(scene.molecules.size());
    const auto molecule = documents.molecule(entry);
    scene.molecules.push_back(entry);
    if (molecule->atom_count() > 0 && molecule->frame_count() > 0) {
      Kinds kinds = kinds_of(*molecule->topology);
      add_representations(scene, index, *molecule->topology, kinds, frame_at(*molecule, 0).positions);
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
    if (orbitals && orbitals->homo()) {
      Field field;
      field.kind = Field::Kind::orbital;
      field.molecule = index;
      field.opacity = 0.8f;  // the atoms inside are to be seen
      scene.fields.push_back(field);
    } else if (!molecule->volumes.empty()) {
      Field field;
      field.kind = Field::Kind::volume;
      field.molecule = index;
      field.isovalue = telling_isovalue(*molecule->volumes.front(), field.both_signs);
      scene.fields.push_back(field);
    }
  }
  if (first && !opened.empty()) {
    const auto molecule = documents.molecule(scene.molecules.front());
    if (molecule->atom_count() > 0 && molecule->frame_count() > 0) face(scene.camera, *molecule, first_kinds);
  }
  const Extent extent = scene_extent(scene, documents);
  scene.camera.fit(extent.centre, extent.radius, aspect);
}

}  // namespace isolume
