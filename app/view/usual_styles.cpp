// Styles that suit the atoms of a molecule: ribbons for polymers, sticks, spheres and lines for the rest.
#include "app/view/usual_styles.h"

#include <algorithm>
#include <set>
#include <utility>

#include "molecule/base/threads.h"

namespace isolume::usual {

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

namespace {

constexpr std::size_t many_atoms = 20'000;  // beyond it water is left out and small parts are drawn as lines

constexpr std::size_t shortest_ribbon = 6;  // residues; shorter peptides are drawn as small molecules

bool is_in(const Mask& mask, std::size_t atom) {
  return mask.empty() || mask[atom];
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
    const Name name = topology.atoms[a].name;
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

}  // namespace

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
      // Particles of lattice models have kinds, as B factors, and no elements.
      const Colouring colouring = loaded.format == "NPY" ? Colouring::b_factor : Colouring::element;
      add(everything, large ? Style::points : fields ? Style::ball_and_stick : Style::spheres, colouring);
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
  // Of a crystal's water only that near a ligand matters; the rest can be shown.
  if (all && with_ligands && !large && loaded.frame_count() == 1) add(water_near_ligands, Style::lines);
  add("water", Style::lines);
  made.back().visible = !all;
  return made;
}

bool is_of_water(const Representation& representation) {
  return representation.selection == "water" || representation.selection == water_near_ligands;
}

}  // namespace isolume::usual
