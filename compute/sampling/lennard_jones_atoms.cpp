// Lennard-Jones parameters by force field, or by element and neighbours.
#include "compute/sampling/lennard_jones_atoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "molecule/bonds.h"
#include "molecule/elements.h"
#include "molecule/force_field/force_field.h"
#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

// Half the distance of the minimum (angstrom) and the depth (kcal/mol), as AMBER's tables have them.
struct Half {
  double radius, depth;
};

LjParameters of(Half h) {
  return {h.radius * 2 / std::pow(2.0, 1.0 / 6), h.depth};
}

class Kinds {
 public:
  Kinds(const Topology& topology, const Frame& frame) : topology_(topology) {
    Topology bonded;
    const Topology* with = &topology;
    if (!topology.has_bonds) {
      bonded = topology;
      bonded.bonds = guess_bonds(topology, frame, frame.cell.exists());
      with = &bonded;
    }
    table_ = bond_table(*with);
  }

  std::optional<LjParameters> of_atom(std::uint32_t i) const {
    const int z = topology_.atoms[i].element;
    switch (z) {
      case 1:
        return hydrogen(i);
      case 6:
        return of(neighbours(i) >= 4 ? Half{1.9080, 0.1094} : Half{1.9080, 0.0860});
      case 7:
        return of({1.8240, 0.1700});
      case 8:
        return oxygen(i);
      case 9:
        return of({1.7500, 0.0610});
      case 15:
        return of({2.1000, 0.2000});
      case 16:
      case 34:
        return of({2.0000, 0.2500});
      case 17:
        return of(neighbours(i) == 0 ? Half{2.4700, 0.1000} : Half{1.9480, 0.2650});
      case 35:
        return of({2.2200, 0.3200});
      case 53:
        return of({2.3500, 0.4000});
      case 3:
        return of({1.1370, 0.0183});
      case 11:
        return of({1.8680, 0.00277});
      case 19:
        return of({2.6580, 0.000328});
      case 37:
        return of({2.9560, 0.00017});
      case 55:
        return of({3.3950, 0.0000806});
      case 12:
        return of({0.7926, 0.8947});
      case 20:
        return of({1.7131, 0.459789});
      case 26:
        return of({1.2000, 0.0500});
      case 30:
        return of({1.1000, 0.0125});
      case 18:
        return LjParameters{3.401, 0.978638 / 4.184};  // OPLS-AA
      default:
        return std::nullopt;
    }
  }

 private:
  int neighbours(std::uint32_t i) const { return static_cast<int>(table_.offsets[i + 1] - table_.offsets[i]); }
  template <class Visit>
  void visit(std::uint32_t i, const Visit& visit) const {
    for (std::uint32_t n = table_.offsets[i]; n < table_.offsets[i + 1]; ++n) visit(table_.items[n]);
  }
  int element_of(std::uint32_t i) const { return topology_.atoms[i].element; }
  bool in_water(std::uint32_t i) const {
    return residue_kind(topology_, topology_.atoms[i].residue) == ResidueKind::water;
  }

  LjParameters oxygen(std::uint32_t i) const {
    if (in_water(i)) return {3.15061, 0.1521};  // TIP3P
    int hydrogens = 0, heavy = 0;
    visit(i, [&](std::uint32_t n) { ++(element_of(n) == 1 ? hydrogens : heavy); });
    if (hydrogens > 0) return of({1.7210, 0.2104});
    return of(heavy >= 2 ? Half{1.6837, 0.1700} : Half{1.6612, 0.2100});
  }

  LjParameters hydrogen(std::uint32_t i) const {
    if (in_water(i)) return {};
    std::uint32_t to = i;
    visit(i, [&](std::uint32_t n) { to = n; });
    if (to == i) return of({1.4870, 0.0157});
    const int z = element_of(to);
    if (z == 8) return {};
    if (z == 7 || z == 16) return of({0.6000, 0.0157});
    if (z != 6) return of({1.4870, 0.0157});
    int drawing = 0;
    bool ammonium = false;
    visit(to, [&](std::uint32_t n) {
      const int e = element_of(n);
      drawing += e == 7 || e == 8 || e == 9 || e == 16 || e == 17 || e == 35 || e == 53;
      ammonium = ammonium || (e == 7 && neighbours(n) == 4);
    });
    if (neighbours(to) >= 4) {
      if (ammonium) return of({1.1000, 0.0157});
      return of({1.4870 - 0.1 * std::min(drawing, 3), 0.0157});
    }
    return of({1.4590 - 0.05 * std::min(drawing, 2), 0.0150});
  }

  const Topology& topology_;
  BondTable table_;
};

std::string place_of(const Topology& topology, std::uint32_t i) {
  const Residue& residue = topology.residue_of(i);
  const Chain& chain = topology.chain_of(i);
  return fmt::format("{}{}{}{}:{} ({})", chain.id, chain.id.empty() ? "" : "/", residue.name, residue.number,
                     topology.atoms[i].name, element(topology.atoms[i].element).symbol);
}

}  // namespace

LjAtoms lennard_jones_atoms(const Molecule& molecule, const Frame& frame) {
  LjAtoms result;
  const Topology& topology = *molecule.topology;
  result.atoms.resize(topology.atoms.size());
  if (molecule.force_field && molecule.force_field->types.size() == topology.atoms.size()) {
    const ForceField& field = *molecule.force_field;
    result.source = field.source;
    for (std::size_t i = 0; i < result.atoms.size(); ++i) {
      const std::size_t diagonal = field.types[i] * std::size_t{field.type_count} + field.types[i];
      const double a = field.lj_a[diagonal], b = field.lj_b[diagonal];
      if (a > 0 && b > 0) result.atoms[i] = {std::pow(a / b, 1.0 / 6), b * b / (4 * a)};
    }
    return result;
  }
  result.built_in = true;
  result.source = "built-in table of AMBER's kinds (Cornell et al. 1995), TIP3P, ions of Aqvist and of Smith and Dang";
  const Kinds kinds(topology, frame);
  for (std::uint32_t i = 0; i < topology.atoms.size(); ++i) {
    if (const auto found = kinds.of_atom(i)) {
      result.atoms[i] = *found;
      continue;
    }
    if (++result.missing_count <= 10) result.missing.push_back(place_of(topology, i));
  }
  return result;
}

}  // namespace isolume
