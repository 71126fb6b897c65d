// Force fields for the tests of dynamics, made up or of one bond.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "compute/dynamics/molecular_forces.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"

namespace isolume::test {

/// A force field of `atoms` atoms without any term: masses of 12 Da, no charges, one type that does not act.
inline ForceField empty_field(std::size_t atoms) {
  ForceField f;
  f.source = "test";
  f.coulomb_constant = units::coulomb_kcal_angstrom;
  f.charges.assign(atoms, 0.0);
  f.masses.assign(atoms, 12.0);
  f.types.assign(atoms, 0);
  f.type_count = 1;
  f.lj_a = f.lj_b = {0.0};
  f.exclusion_offsets.assign(atoms + 1, 0);
  return f;
}

/// Exclusions from a list of pairs a < b.
inline void exclude(ForceField& f, std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  f.exclusion_offsets.assign(f.atom_count() + 1, 0);
  f.excluded.clear();
  for (const auto& [a, b] : pairs) {
    ++f.exclusion_offsets[a + 1];
    f.excluded.push_back(b);
  }
  for (std::size_t i = 0; i < f.atom_count(); ++i) f.exclusion_offsets[i + 1] += f.exclusion_offsets[i];
}

struct DynamicsSystem {
  std::shared_ptr<ForceField> field;
  std::vector<glm::dvec3> positions;
  Cell cell;
};

/// Chains of atoms some 1.5 angstrom apart in every direction of a box, with terms of every kind, three types, charges,
/// and 1-4 pairs with tables and factors of their own.
inline DynamicsSystem chains(std::size_t count, std::size_t length, const Cell& cell, double side,
                             std::uint64_t seed = 3) {
  Random random(seed);
  DynamicsSystem s;
  s.cell = cell;
  const std::size_t atoms = count * length;
  s.field = std::make_shared<ForceField>(empty_field(atoms));
  ForceField& f = *s.field;
  f.coulomb_constant = 18.2223 * 18.2223;
  f.type_count = 3;
  f.lj_a.assign(9, 0.0);
  f.lj_b.assign(9, 0.0);
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      const double sigma = 2.4 + 0.3 * static_cast<double>(a + b) / 2;
      const double depth = 0.1 + 0.05 * static_cast<double>(a * b);
      f.lj_a[3 * a + b] = 4 * depth * std::pow(sigma, 12);
      f.lj_b[3 * a + b] = 4 * depth * std::pow(sigma, 6);
    }
  }
  f.lj14_a = f.lj_a;
  f.lj14_b = f.lj_b;
  for (double& a : f.lj14_a) a *= 0.8;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  double total = 0;
  // Atoms that are no neighbours in a chain keep 2 angstrom apart, so that no single force outweighs all others.
  const auto crowded = [&](const std::vector<glm::dvec3>& chain, glm::dvec3 p) {
    const auto near = [&](glm::dvec3 o) { return glm::length(cell.minimum_image(p - o)) < 2; };
    return std::any_of(s.positions.begin(), s.positions.end(), near) ||
           std::any_of(chain.begin(), chain.end() - std::min<std::ptrdiff_t>(3, std::ssize(chain)), near);
  };
  for (std::uint32_t c = 0; c < count; ++c) {
    std::vector<glm::dvec3> chain;
    while (chain.size() < length) {
      chain = {random.in_box(0, side)};
      const glm::dvec3 along = 1.2 * glm::normalize(random.in_box(-1, 1));
      while (chain.size() < length && !crowded({}, chain.front())) {
        const glm::dvec3 next = chain.back() + along + random.in_box(-0.7, 0.7);
        if (crowded(chain, next)) break;
        chain.push_back(next);
      }
    }
    for (std::uint32_t k = 0; k < length; ++k) {
      const auto i = static_cast<std::uint32_t>(c * length + k);
      // Anywhere in space where there is a cell.
      s.positions.push_back(chain[k] + (cell.exists() && c % 3 == 0 ? cell.vectors[0] : glm::dvec3(0)));
      f.types[i] = static_cast<std::uint32_t>(random(0, 3));
      f.charges[i] = random(-0.6, 0.6);
      f.masses[i] = 1 + random(0, 15);
      total += f.charges[i];
      if (k >= 1) {
        f.bonds.push_back({{i - 1, i}, 300 + random(0, 100), 1.4});
        pairs.emplace_back(i - 1, i);
      }
      if (k >= 2) {
        f.angles.push_back({{i - 2, i - 1, i}, 50 + random(0, 20), 2.0});
        f.urey_bradley.push_back({{i - 2, i}, 10, 2.4});
        pairs.emplace_back(i - 2, i);
      }
      if (k >= 3) {
        f.dihedrals.push_back({{i - 3, i - 2, i - 1, i}, 2.0, static_cast<int>(1 + i % 4), i % 2 ? 0 : units::pi});
        f.impropers.push_back({{i - 3, i - 1, i - 2, i}, 5.0, 2.8});
        f.pairs14.push_back({i - 3, i, 1 / 1.2, 0.5});
        pairs.emplace_back(i - 3, i);
      }
    }
  }
  for (double& q : f.charges) q -= total / static_cast<double>(atoms);
  exclude(f, std::move(pairs));
  f.validate();
  return s;
}

inline std::unique_ptr<MolecularForces> direct_forces(const DynamicsSystem& s, Device device,
                                                      const LennardJonesOptions& lj = {}) {
  return MolecularForces::create(s.field, direct_electrostatics(force_field_problem(*s.field, {}), device), s.cell, lj);
}

}  // namespace isolume::test
