// Backbone dihedrals of proteins.
#include "compute/structure/ramachandran.h"

#include <cmath>
#include <string>

#include "molecule/base/error.h"
#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

constexpr double longest_peptide_bond = 2.0;  // angstrom
constexpr std::uint32_t missing = 0xffffffff;

struct Backbone {
  std::uint32_t n = missing, ca = missing, c = missing;
};

Backbone backbone_of(const Topology& topology, const Residue& residue) {
  Backbone found;
  for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
    const Name name = topology.atoms[i].name;
    if (name == "N" && found.n == missing) found.n = i;
    if (name == "CA" && found.ca == missing) found.ca = i;
    if (name == "C" && found.c == missing) found.c = i;
  }
  return found;
}

/// Degrees, IUPAC's sign.
double dihedral(const Frame& frame, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  const auto at = [&](std::uint32_t i) { return glm::dvec3(frame.positions[i]); };
  const glm::dvec3 u = at(b) - at(a), v = at(c) - at(b), w = at(d) - at(c);
  const glm::dvec3 p = glm::cross(u, v), q = glm::cross(v, w);
  return 57.29577951308232 * std::atan2(glm::dot(glm::cross(p, q), v) / glm::length(v), glm::dot(p, q));
}

}  // namespace

const char* name(RamachandranClass c) {
  constexpr const char* names[] = {"general", "glycine", "proline", "pre-proline"};
  return names[static_cast<std::size_t>(c)];
}

const char* name(RamachandranRegion region) {
  constexpr const char* names[] = {"outside", "outer", "normal"};
  return names[static_cast<std::size_t>(region)];
}

std::vector<RamachandranPoint> ramachandran(const Topology& topology, const Frame& frame) {
  if (frame.positions.size() != topology.atoms.size())
    throw Error("ramachandran: " + std::to_string(topology.atoms.size()) + " atoms and " +
                std::to_string(frame.positions.size()) + " positions");
  const auto near = [&](std::uint32_t a, std::uint32_t b) {
    return a != missing && b != missing &&
           glm::distance(glm::dvec3(frame.positions[a]), glm::dvec3(frame.positions[b])) <= longest_peptide_bond;
  };
  std::vector<RamachandranPoint> points;
  for (const Chain& chain : topology.chains) {
    Backbone before, own, after;
    const auto of = [&](std::uint32_t r) {
      return r < chain.first_residue + chain.residue_count && residue_kind(topology, r) == ResidueKind::protein
                 ? backbone_of(topology, topology.residues[r])
                 : Backbone{};
    };
    after = of(chain.first_residue);
    for (std::uint32_t r = chain.first_residue; r < chain.first_residue + chain.residue_count; ++r) {
      before = own;
      own = after;
      after = of(r + 1);
      if (own.ca == missing || !near(before.c, own.n) || !near(own.c, after.n)) continue;
      const double phi = dihedral(frame, before.c, own.n, own.ca, own.c);
      const double psi = dihedral(frame, own.n, own.ca, own.c, after.n);
      if (!std::isfinite(phi) || !std::isfinite(psi)) continue;
      const std::string& residue = topology.residues[r].name;
      const RamachandranClass kind = residue == "GLY"                         ? RamachandranClass::glycine
                                     : residue == "PRO"                       ? RamachandranClass::proline
                                     : topology.residues[r + 1].name == "PRO" ? RamachandranClass::pre_proline
                                                                              : RamachandranClass::general;
      points.push_back({r, kind, static_cast<float>(phi), static_cast<float>(psi)});
    }
  }
  return points;
}

}  // namespace isolume
