// BondedTerms: the terms of a force field over bonded atoms, packed for the bodies.
#include "compute/dynamics/bonded_terms.h"

namespace isolume {

namespace {

/// A term without its atoms, of which the first `count` are copied.
template <class Atoms>
BondedTerm packed(const Atoms& atoms, BondedTerm::Kind kind, double strength, double rest, int periodicity = 0) {
  BondedTerm term{};
  for (std::size_t k = 0; k < atoms.size(); ++k) term.atom[k] = atoms[k];
  term.kind = kind;
  term.periodicity = periodicity;
  term.strength = strength;
  term.rest = rest;
  return term;
}

int atoms_of(BondedTerm::Kind kind) {
  return kind == BondedTerm::bond || kind == BondedTerm::pair14 ? 2 : kind == BondedTerm::angle ? 3 : 4;
}

}  // namespace

BondedTerms BondedTerms::of(const ForceField& field) {
  BondedTerms out;
  for (const auto* list : {&field.bonds, &field.urey_bradley}) {
    for (const BondTerm& t : *list) out.terms.push_back(packed(t.atoms, BondedTerm::bond, t.force, t.length));
  }
  for (const AngleTerm& t : field.angles) out.terms.push_back(packed(t.atoms, BondedTerm::angle, t.force, t.angle));
  for (const DihedralTerm& t : field.dihedrals) {
    if (t.force == 0) continue;
    out.terms.push_back(packed(t.atoms, BondedTerm::dihedral, t.force, t.phase, t.periodicity));
  }
  for (const ImproperTerm& t : field.impropers) {
    out.terms.push_back(packed(t.atoms, BondedTerm::improper, t.force, t.angle));
  }
  const std::vector<double>& a = field.lj14_a.empty() ? field.lj_a : field.lj14_a;
  const std::vector<double>& b = field.lj14_b.empty() ? field.lj_b : field.lj14_b;
  for (const Pair14& p : field.pairs14) {
    const std::size_t at = std::size_t{field.types[p.a]} * field.type_count + field.types[p.b];
    if (p.lennard_jones == 0 || (a[at] == 0 && b[at] == 0)) continue;
    out.terms.push_back(
        packed(std::array{p.a, p.b}, BondedTerm::pair14, p.lennard_jones * a[at], p.lennard_jones * b[at]));
  }
  out.offsets.assign(field.atom_count() + 1, 0);
  for (const BondedTerm& t : out.terms) {
    for (int k = 0; k < atoms_of(t.kind); ++k) ++out.offsets[t.atom[k] + 1];
  }
  for (std::size_t i = 0; i < field.atom_count(); ++i) out.offsets[i + 1] += out.offsets[i];
  out.slots.resize(out.offsets.back());
  std::vector<std::uint32_t> next(out.offsets.begin(), out.offsets.end() - 1);
  for (std::uint32_t t = 0; t < out.terms.size(); ++t) {
    for (int k = 0; k < atoms_of(out.terms[t].kind); ++k) {
      out.slots[next[out.terms[t].atom[k]]++] = 4 * t + static_cast<std::uint32_t>(k);
    }
  }
  return out;
}

ImageBox image_box(const Cell& cell) {
  ImageBox box;
  if (!cell.exists()) return box;
  box.periodic = true;
  const glm::dmat3 inverse = glm::inverse(cell.vectors);
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 3; ++row) {
      box.vectors[3 * column + row] = cell.vectors[column][row];
      box.inverse[3 * column + row] = inverse[column][row];
    }
  }
  return box;
}

}  // namespace isolume
