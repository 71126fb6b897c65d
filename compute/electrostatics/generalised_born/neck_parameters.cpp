// The parameters of GB-neck2 by elements, bonds and residues.
#include "compute/electrostatics/generalised_born/neck_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "molecule/base/error.h"
#include "molecule/bonds.h"
#include "molecule/elements.h"
#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

constexpr int hydrogen = 1, carbon = 6, nitrogen = 7, oxygen = 8;

struct Row {
  int element;
  bool nucleic;
  float radius, scale, alpha, beta, gamma;
};

constexpr Row rows[] = {
    {1, false, 1.2f, 1.425952f, 0.788440f, 0.798699f, 0.437334f},
    {6, false, 1.7f, 1.058554f, 0.733756f, 0.506378f, 0.205844f},
    {7, false, 1.55f, 0.733599f, 0.503364f, 0.316828f, 0.192915f},
    {8, false, 1.5f, 1.061039f, 0.867814f, 0.876635f, 0.387882f},
    {16, false, 1.8f, -0.703469f, 0.867814f, 0.876635f, 0.387882f},
    {1, true, 1.2f, 1.696538f, 0.537050f, 0.362861f, 0.116704f},
    {6, true, 1.7f, 1.268902f, 0.331670f, 0.196842f, 0.093422f},
    {7, true, 1.55f, 1.4259728f, 0.686311f, 0.463189f, 0.138722f},
    {8, true, 1.5f, 0.1840098f, 0.606344f, 0.463006f, 0.142262f},
    {15, true, 1.85f, 1.5450597f, 0.418365f, 0.290054f, 0.1064245f},
    {16, true, 1.8f, 0.05f, 0.606344f, 0.463006f, 0.142262f},
};

/// Atoms with their bonds.
class Neighbours {
 public:
  Neighbours(const Topology& topology, const Frame& frame) : topology_(topology), items_(topology.atoms.size()) {
    for (const Bond& bond : topology.has_bonds ? topology.bonds : guess_bonds(topology, frame)) {
      items_[bond.a].push_back(bond.b);
      items_[bond.b].push_back(bond.a);
    }
  }
  bool alone_on_carbon(std::uint32_t atom) const {
    return items_[atom].size() == 1 && topology_.atoms[items_[atom].front()].element == carbon;
  }
  bool on(std::uint32_t atom, int element) const {
    return std::any_of(items_[atom].begin(), items_[atom].end(),
                       [&](std::uint32_t other) { return topology_.atoms[other].element == element; });
  }
  /// One of two oxygens without hydrogens on a carbon with three neighbours.
  bool of_carboxylate(std::uint32_t atom) const {
    if (!alone_on_carbon(atom)) return false;
    const std::vector<std::uint32_t>& around = items_[items_[atom].front()];
    const auto oxygens = std::count_if(around.begin(), around.end(), [&](std::uint32_t other) {
      return topology_.atoms[other].element == oxygen && alone_on_carbon(other);
    });
    return around.size() == 3 && oxygens == 2;
  }

 private:
  const Topology& topology_;
  std::vector<std::vector<std::uint32_t>> items_;
};

/// mbondi3 where it differs from mbondi2's radius of the element.
float radius_of(std::uint32_t atom, const Topology& topology, const Neighbours& neighbours, float usual) {
  const Atom& a = topology.atoms[atom];
  if (a.element == hydrogen) {
    std::string name = a.name;
    name.erase(0, name.find_first_not_of("0123456789"));
    const std::string& residue = topology.residue_of(atom).name;
    const bool arginine = residue == "ARG" || residue == "NARG" || residue == "CARG" || residue == "ARGN";
    if (arginine && (name.starts_with("HE") || name.starts_with("HH"))) return 1.17f;
    return neighbours.on(atom, nitrogen) ? 1.3f : usual;
  }
  return a.element == oxygen && neighbours.of_carboxylate(atom) ? 1.4f : usual;
}

}  // namespace

bool find_neck_parameters(int element, bool nucleic, NeckParameters& found) {
  for (const Row& row : rows) {
    if (row.element != element || row.nucleic != nucleic) continue;
    found = {row.radius, row.scale, {row.alpha, row.beta, row.gamma}};
    return true;
  }
  return false;
}

std::vector<NeckParameters> neck_parameters(const Topology& topology, const Frame& frame,
                                            std::span<const std::uint8_t> wanted) {
  const Neighbours neighbours(topology, frame);
  std::vector<NeckParameters> parameters(topology.atoms.size());
  for (std::size_t residue = 0; residue < topology.residues.size(); ++residue) {
    const Residue& r = topology.residues[residue];
    const bool nucleic = residue_kind(topology, residue) == ResidueKind::nucleic;
    for (std::uint32_t i = r.first_atom; i < r.first_atom + r.atom_count; ++i) {
      if (!wanted.empty() && wanted[i] == 0) continue;
      const Atom& atom = topology.atoms[i];
      if (!find_neck_parameters(atom.element, nucleic, parameters[i])) {
        std::string name(element(atom.element).name);
        name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
        throw Error(
            fmt::format("GB-neck2 has no parameters for {} (atom {}, {} of {} {}): there are those of hydrogen, "
                        "carbon, nitrogen, oxygen, sulfur, and of phosphorus in nucleic acids; leave such atoms "
                        "out, or take --gb-model obc",
                        atom.element == 0 ? "an unknown element" : name, i + 1, atom.name, r.name, r.number),
            Error::Kind::usage);
      }
      parameters[i].radius = radius_of(i, topology, neighbours, parameters[i].radius);
    }
  }
  return parameters;
}

}  // namespace isolume
