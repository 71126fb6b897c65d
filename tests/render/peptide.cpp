// Peptides with ideal geometry from their dihedral angles.
#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

/// The atom bonded to c (at `length`, with angle b-c-d and dihedral a-b-c-d in degrees).
glm::dvec3 place(glm::dvec3 a, glm::dvec3 b, glm::dvec3 c, double length, double angle, double dihedral) {
  const double t = glm::radians(angle), p = glm::radians(dihedral);
  const glm::dvec3 x = glm::normalize(c - b), n = glm::normalize(glm::cross(b - a, x)), y = glm::cross(n, x);
  return c + length * (-std::cos(t) * x + std::sin(t) * std::cos(p) * y + std::sin(t) * std::sin(p) * n);
}

}  // namespace

Peptide peptide(const std::vector<std::array<double, 2>>& dihedrals, const std::vector<SecondaryStructure>& structure) {
  Peptide made;
  TopologyBuilder builder;
  glm::dvec3 n(0), ca(1.458, 0, 0), c = place({0, 1, 0}, n, ca, 1.525, 111.0, -60);
  for (std::size_t i = 0; i < dihedrals.size(); ++i) {
    const auto [phi, psi] = dihedrals[i];
    if (i > 0) {
      const double psi_before = dihedrals[i - 1][1];
      const glm::dvec3 next_n = place(n, ca, c, 1.329, 117.2, psi_before);
      const glm::dvec3 next_ca = place(ca, c, next_n, 1.458, 121.7, 180);
      c = place(c, next_n, next_ca, 1.525, 111.0, phi);
      n = next_n, ca = next_ca;
    }
    const glm::dvec3 o = place(n, ca, c, 1.231, 120.1, psi + 180);
    const std::pair<const char*, glm::dvec3> atoms[] = {{"N", n}, {"CA", ca}, {"C", c}, {"O", o}};
    for (const auto& [name, position] : atoms) {
      Atom atom;
      atom.name = name;
      atom.element = name[0] == 'N' ? 7 : name[0] == 'O' ? 8 : 6;
      builder.add(atom, "ALA", static_cast<std::int32_t>(i + 1), ' ', "A");
      made.frame.positions.emplace_back(position);
    }
    const auto first = static_cast<std::uint32_t>(4 * i);
    builder.topology().bonds.push_back({first, first + 1});
    builder.topology().bonds.push_back({first + 1, first + 2});
    builder.topology().bonds.push_back({first + 2, first + 3, 2});
    if (i > 0) builder.topology().bonds.push_back({first - 2, first});
  }
  made.topology = builder.finish();
  for (std::size_t i = 0; i < structure.size(); ++i) made.topology.residues[i].structure = structure[i];
  return made;
}

Peptide small_fold() {
  std::vector<std::array<double, 2>> angles;
  std::vector<SecondaryStructure> structure;
  const auto add = [&](int count, double phi, double psi, SecondaryStructure kind) {
    for (int i = 0; i < count; ++i) {
      angles.push_back({phi, psi});
      structure.push_back(kind);
    }
  };
  add(2, -75, 145, SecondaryStructure::coil);
  add(14, -62, -42, SecondaryStructure::helix);
  add(1, -90, 0, SecondaryStructure::coil);
  add(1, 60, 40, SecondaryStructure::coil);
  add(2, -80, 130, SecondaryStructure::coil);
  add(7, -118, 128, SecondaryStructure::strand);
  add(1, 58, 33, SecondaryStructure::turn);
  add(1, 88, 2, SecondaryStructure::turn);
  add(7, -118, 132, SecondaryStructure::strand);
  add(2, -75, 145, SecondaryStructure::coil);
  return peptide(angles, structure);
}

}  // namespace isolume::test
