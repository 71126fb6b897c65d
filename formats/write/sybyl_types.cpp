// The types of atoms and bonds that MOL2 has.
#include "formats/write/sybyl_types.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "molecule/elements.h"

namespace isolume {
namespace {

constexpr int hydrogen = 1, carbon = 6, nitrogen = 7, oxygen = 8, phosphorus = 15, sulfur = 16, chromium = 24,
              cobalt = 27;

/// Bonds of each atom.
struct Bonded {
  std::uint32_t atom;
  std::uint8_t order;
};

class Perception {
 public:
  Perception(const Topology& topology, const Frame& frame) : topology_(topology), frame_(frame) {
    bonds_.resize(topology.atoms.size());
    ordered_.resize(topology.residues.size(), false);
    for (const Bond& bond : topology.bonds) {
      bonds_[bond.a].push_back({bond.b, bond.order});
      bonds_[bond.b].push_back({bond.a, bond.order});
      if (bond.order > 1) ordered_[topology.atoms[bond.a].residue] = ordered_[topology.atoms[bond.b].residue] = true;
    }
  }

  std::string type(std::uint32_t i) const {
    const Atom& atom = topology_.atoms[i];
    const std::string symbol(element(atom.element).symbol);
    const std::size_t point = atom.type.find('.');
    if (atom.element != 0 && point != std::string::npos && atom.type.substr(0, point) == symbol) return atom.type;
    switch (atom.element) {
      case 0:
        return "Du";
      case carbon:
        return guanidinium(i) ? "C.cat" : "C." + hybrid(i);
      case nitrogen:
        return nitrogen_type(i);
      case oxygen:
        return carboxylate(i) ? "O.co2" : "O." + std::string(hybrid(i) == "2" ? "2" : "3");
      case sulfur:
        return "S." + sulfur_type(i);
      case phosphorus:
        return "P.3";
      case chromium:
        return "Cr.oh";
      case cobalt:
        return "Co.oh";
      default:
        return symbol;
    }
  }

  /// N of an amide: bonded to a carbon that has a terminal oxygen with a double bond.
  bool amide(std::uint32_t i) const {
    if (topology_.atoms[i].element != nitrogen || bonds_[i].size() > 3 || aromatic(i)) return false;
    return std::any_of(bonds_[i].begin(), bonds_[i].end(), [&](const Bonded& b) { return carbonyl(b.atom); });
  }
  bool carbonyl(std::uint32_t i) const {
    if (topology_.atoms[i].element != carbon || bonds_[i].size() > 3) return false;
    return std::any_of(bonds_[i].begin(), bonds_[i].end(),
                       [&](const Bonded& b) { return terminal_oxygen(b.atom) && hybrid(b.atom) == "2"; });
  }

 private:
  bool terminal_oxygen(std::uint32_t i) const { return topology_.atoms[i].element == oxygen && bonds_[i].size() == 1; }
  bool aromatic(std::uint32_t i) const {
    return std::any_of(bonds_[i].begin(), bonds_[i].end(), [](const Bonded& b) { return b.order == 4; });
  }
  /// Oxygens of a carbon, phosphorus or sulfur with two terminal ones or more, as of carboxylates and phosphates.
  bool carboxylate(std::uint32_t i) const {
    if (!terminal_oxygen(i)) return false;
    const std::uint32_t centre = bonds_[i][0].atom;
    const int z = topology_.atoms[centre].element;
    if (z != carbon && z != phosphorus) return false;
    const auto count = std::count_if(bonds_[centre].begin(), bonds_[centre].end(),
                                     [&](const Bonded& b) { return terminal_oxygen(b.atom); });
    return count >= 2;
  }
  /// A carbon with three nitrogens that have no other carbon's lone pair to give: of arginine.
  bool guanidinium(std::uint32_t i) const {
    return bonds_[i].size() == 3 && !aromatic(i) &&
           std::all_of(bonds_[i].begin(), bonds_[i].end(),
                       [&](const Bonded& b) { return topology_.atoms[b.atom].element == nitrogen; });
  }

  std::string nitrogen_type(std::uint32_t i) const {
    if (aromatic(i)) return "N.ar";
    if (bonds_[i].size() >= 4) return "N.4";
    if (amide(i)) return "N.am";
    const std::string kind = hybrid(i);
    return kind == "2" && bonds_[i].size() == 3 ? "N.pl3" : "N." + kind;
  }
  std::string sulfur_type(std::uint32_t i) const {
    const auto oxygens =
        std::count_if(bonds_[i].begin(), bonds_[i].end(), [&](const Bonded& b) { return terminal_oxygen(b.atom); });
    if (oxygens >= 2) return "o2";
    if (oxygens == 1 && bonds_[i].size() == 3) return "o";
    return hybrid(i) == "2" && bonds_[i].size() == 1 ? "2" : "3";
  }

  double angle(std::uint32_t centre, std::uint32_t a, std::uint32_t b) const {
    const glm::dvec3 p(frame_.positions[centre]);
    const glm::dvec3 u = glm::dvec3(frame_.positions[a]) - p, v = glm::dvec3(frame_.positions[b]) - p;
    return glm::degrees(std::acos(std::clamp(glm::dot(u, v) / (glm::length(u) * glm::length(v)), -1.0, 1.0)));
  }

  /// "1", "2", "3" or "ar".
  std::string hybrid(std::uint32_t i) const {
    const std::vector<Bonded>& bonds = bonds_[i];
    if (aromatic(i)) return "ar";
    if (ordered_[topology_.atoms[i].residue]) {
      int doubles = 0, triples = 0;
      for (const Bonded& b : bonds) {
        doubles += b.order == 2;
        triples += b.order == 3;
      }
      if (triples > 0 || doubles > 1) return "1";
      if (doubles == 1) return "2";
      // A nitrogen next to a double bond shares it: it is planar.
      if (topology_.atoms[i].element != nitrogen || bonds.size() != 3) return "3";
    }
    if (bonds.size() >= 4 || bonds.empty()) return "3";
    if (bonds.size() == 3) {
      const double sum = angle(i, bonds[0].atom, bonds[1].atom) + angle(i, bonds[1].atom, bonds[2].atom) +
                         angle(i, bonds[2].atom, bonds[0].atom);
      return sum > 350 ? "2" : "3";
    }
    if (bonds.size() == 2) {
      const double between = angle(i, bonds[0].atom, bonds[1].atom);
      if (between > 155) return "1";
      // In five-membered rings angles are small, and bonds tell.
      const bool short_bond =
          relative_length(i, bonds[0].atom) < double_bond || relative_length(i, bonds[1].atom) < double_bond;
      return between > 115.5 || short_bond ? "2" : "3";
    }
    const std::uint32_t other = bonds[0].atom;
    if (topology_.atoms[other].element == hydrogen) return "3";
    const double length = relative_length(i, other);
    return length < triple_bond ? "1" : length < double_bond ? "2" : "3";
  }

  /// Of the sum of the covalent radii, which is the length of a single bond.
  static constexpr double double_bond = 0.93, triple_bond = 0.84;
  double relative_length(std::uint32_t i, std::uint32_t other) const {
    const float single =
        element(topology_.atoms[i].element).covalent_radius + element(topology_.atoms[other].element).covalent_radius;
    return static_cast<double>(glm::distance(frame_.positions[i], frame_.positions[other]) / single);
  }

  const Topology& topology_;
  const Frame& frame_;
  std::vector<std::vector<Bonded>> bonds_;
  std::vector<bool> ordered_;  ///< by residue: whether the orders of its bonds are known
};

}  // namespace

SybylTypes sybyl_types(const Topology& topology, const Frame& frame) {
  const Perception perception(topology, frame);
  SybylTypes types;
  types.atoms.reserve(topology.atoms.size());
  for (std::uint32_t i = 0; i < topology.atoms.size(); ++i) types.atoms.push_back(perception.type(i));
  types.bonds.reserve(topology.bonds.size());
  for (const Bond& bond : topology.bonds) {
    const bool amide = (perception.amide(bond.a) && perception.carbonyl(bond.b)) ||
                       (perception.amide(bond.b) && perception.carbonyl(bond.a));
    types.bonds.push_back(bond.order == 4 ? "ar" : bond.order == 3 ? "3" : bond.order == 2 ? "2" : amide ? "am" : "1");
  }
  return types;
}

}  // namespace isolume
