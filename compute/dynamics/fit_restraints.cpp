// Restraints that keep the shape of proteins while a density map pulls them.
#include "compute/dynamics/fit_restraints.h"

#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

using Place = std::optional<std::uint32_t>;
using Four = std::array<std::uint32_t, 4>;

Place find(const Topology& topology, const Residue& residue, std::string_view name) {
  for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
    if (topology.atoms[i].name == name) return i;
  }
  return std::nullopt;
}

/// The dihedral angle about the middle two by IUPAC's sign, radian.
double dihedral(const Four& atoms, std::span<const glm::dvec3> x) {
  const glm::dvec3 b1 = x[atoms[1]] - x[atoms[0]], b2 = x[atoms[2]] - x[atoms[1]], b3 = x[atoms[3]] - x[atoms[2]];
  const glm::dvec3 m = glm::cross(b1, b2), n = glm::cross(b2, b3);
  return std::atan2(glm::dot(b1, n) * glm::length(b2), glm::dot(m, n));
}

/// The atoms of a residue's backbone.
struct Backbone {
  Place n, ca, c;
  Backbone(const Topology& topology, const Residue& residue)
      : n(find(topology, residue, "N")), ca(find(topology, residue, "CA")), c(find(topology, residue, "C")) {}
  bool complete() const { return n && ca && c; }
};

bool is_regular(SecondaryStructure structure) {
  return structure == SecondaryStructure::helix || structure == SecondaryStructure::strand ||
         structure == SecondaryStructure::helix_3_10 || structure == SecondaryStructure::helix_pi;
}

class Builder {
 public:
  Builder(std::span<const glm::dvec3> positions, FitRestraints& to) : positions_(positions), to_(to) {}

  double angle(const Four& atoms) const { return dihedral(atoms, positions_); }
  void keep(const Four& atoms, double force, std::size_t& count) { hold(atoms, force, angle(atoms), count); }
  void hold(const Four& atoms, double force, double at, std::size_t& count) {
    if (!(force > 0)) return;
    to_.terms.push_back({atoms, force, at});
    ++count;
  }

 private:
  std::span<const glm::dvec3> positions_;
  FitRestraints& to_;
};

}  // namespace

FitRestraints fit_restraints(const Topology& topology, std::span<const SecondaryStructure> structure,
                             std::span<const glm::dvec3> positions, const FitRestraintOptions& options) {
  if (structure.size() != topology.residues.size() || positions.size() != topology.atoms.size())
    throw Error("restraints: a class for each residue and a position for each atom are needed", Error::Kind::usage);
  FitRestraints result;
  Builder builder(positions, result);
  for (std::size_t r = 0; r < topology.residues.size(); ++r) {
    const Residue& residue = topology.residues[r];
    const Backbone here(topology, residue);
    if (!here.complete()) continue;
    if (const Place cb = find(topology, residue, "CB")) {
      // CA above the plane of N, C and CB, or below it.
      const Four centre{*here.ca, *here.n, *here.c, *cb};
      result.mirrored += builder.angle(centre) < 0;  // 34 degrees in L
      builder.keep(centre, options.chirality, result.chirality);
      const bool threonine = residue.name == "THR";
      const Place first = find(topology, residue, threonine ? "OG1" : "CG1"), second = find(topology, residue, "CG2");
      if ((threonine || residue.name == "ILE") && first && second)
        builder.keep({*cb, *here.ca, *first, *second}, options.chirality, result.chirality);
    }
    if (r + 1 == topology.residues.size()) continue;
    const Backbone next(topology, topology.residues[r + 1]);
    if (!next.complete() || glm::distance(positions[*here.c], positions[*next.n]) > 2) continue;
    const Four omega{*here.ca, *here.c, *next.n, *next.ca};
    const bool cis = std::abs(builder.angle(omega)) < units::pi / 2;
    result.cis += cis && topology.residues[r + 1].name != "PRO";
    builder.hold(omega, options.peptides, cis ? 0 : units::pi, result.peptides);
    if (is_regular(structure[r]))
      builder.keep({*here.n, *here.ca, *here.c, *next.n}, options.structure, result.structure);
    if (is_regular(structure[r + 1]))
      builder.keep({*here.c, *next.n, *next.ca, *next.c}, options.structure, result.structure);
  }
  return result;
}

}  // namespace isolume
