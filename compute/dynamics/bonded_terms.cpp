// BondedTerms: the terms of a force field over bonded atoms, packed for the bodies.
#include "compute/dynamics/bonded_terms.h"

#include <algorithm>
#include <array>

#include "compute/dynamics/correction_surface.h"

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

/// The terms of correction maps, and the nodes of all maps one after the other.
void pack_corrections(const ForceField& field, BondedTerms& out) {
  if (field.corrections.empty()) return;
  std::vector<std::uint32_t> first;
  for (const CorrectionMap& map : field.maps) {
    first.push_back(static_cast<std::uint32_t>(out.nodes.size()));
    const CorrectionSurface surface(map);
    out.nodes.insert(out.nodes.end(), surface.nodes().begin(), surface.nodes().end());
  }
  for (const CorrectionTerm& t : field.corrections) {
    PackedCorrection packed{{}, first[t.map], static_cast<std::uint32_t>(field.maps[t.map].size)};
    std::copy(t.atoms.begin(), t.atoms.end(), packed.atom);
    out.corrections.push_back(packed);
  }
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
  pack_corrections(field, out);
  // Every place of a term with its atom, in the order of the slots.
  const auto each_place = [&](const auto& use) {
    for (std::uint32_t t = 0; t < out.terms.size(); ++t) {
      for (int k = 0; k < atoms_of(out.terms[t].kind); ++k) {
        use(out.terms[t].atom[k], 4 * t + static_cast<std::uint32_t>(k));
      }
    }
    auto place = static_cast<std::uint32_t>(4 * out.terms.size());
    for (const PackedCorrection& t : out.corrections) {
      for (const std::uint32_t atom : t.atom) use(atom, place++);
    }
  };
  out.offsets.assign(field.atom_count() + 1, 0);
  each_place([&](std::uint32_t atom, std::uint32_t) { ++out.offsets[atom + 1]; });
  for (std::size_t i = 0; i < field.atom_count(); ++i) out.offsets[i + 1] += out.offsets[i];
  out.slots.resize(out.offsets.back());
  std::vector<std::uint32_t> next(out.offsets.begin(), out.offsets.end() - 1);
  each_place([&](std::uint32_t atom, std::uint32_t place) { out.slots[next[atom]++] = place; });
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
