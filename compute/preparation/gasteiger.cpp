// Partial charges by equalising electronegativities along bonds.
#include "compute/preparation/gasteiger.h"

#include <algorithm>
#include <cmath>

#include "molecule/base/units.h"

namespace isolume {

namespace {

/// Electronegativity a + b q + c q^2 of an orbital, in volts.
struct Orbital {
  double a, b, c;
};

using Neighbours = std::vector<std::vector<std::uint32_t>>;

/// By element and the number of neighbours; nothing where there are no parameters.
std::optional<Orbital> orbital(std::uint8_t element, std::size_t neighbours, bool planar) {
  switch (element) {
    case 1:
      return Orbital{7.17, 6.24, -0.56};
    case 6:
      if (neighbours >= 4) return Orbital{7.98, 9.18, 1.88};
      return neighbours == 3 ? Orbital{8.79, 9.32, 1.51} : Orbital{10.39, 9.45, 0.73};
    case 7:
      if (neighbours >= 4 || (neighbours == 3 && !planar)) return Orbital{11.54, 10.82, 1.36};
      return neighbours == 1 ? Orbital{15.68, 11.70, -0.27} : Orbital{12.87, 11.15, 0.85};
    case 8:
      return neighbours >= 2 ? Orbital{14.18, 12.92, 1.39} : Orbital{17.07, 13.79, 0.47};
    case 9:
      return Orbital{14.66, 13.85, 2.31};
    case 15:
      return Orbital{8.90, 8.24, 0.96};
    case 16:
      return Orbital{10.14, 9.13, 1.38};
    case 17:
      return Orbital{11.00, 9.69, 1.35};
    case 35:
      return Orbital{10.08, 8.47, 1.16};
    case 53:
      return Orbital{9.90, 7.96, 0.96};
    default:
      return std::nullopt;
  }
}

/// Whether three neighbours lie in a plane with the atom, or two in a line: the sum of angles is that of a plane.
double sum_of_angles(const std::vector<std::uint32_t>& around, std::span<const glm::dvec3> p, std::uint32_t atom) {
  double sum = 0;
  for (std::size_t i = 0; i < around.size(); ++i) {
    for (std::size_t k = i + 1; k < around.size(); ++k) {
      const glm::dvec3 a = glm::normalize(p[around[i]] - p[atom]), b = glm::normalize(p[around[k]] - p[atom]);
      sum += std::acos(std::clamp(glm::dot(a, b), -1.0, 1.0)) * 180.0 / units::pi;
    }
  }
  return sum;
}

/// Charges that groups carry as a whole, spread over their equal atoms.
std::vector<double> group_charges(std::span<const std::uint8_t> elements, const Neighbours& around,
                                  const std::vector<char>& planar) {
  std::vector<double> charges(elements.size(), 0.0);
  for (std::uint32_t i = 0; i < elements.size(); ++i) {
    std::vector<std::uint32_t> ends, nitrogens;
    bool unsaturated = false;
    for (const std::uint32_t n : around[i]) {
      const bool end = (elements[n] == 8 || elements[n] == 16) && around[n].size() == 1;
      if (end) ends.push_back(n);
      if (elements[n] == 7 && around[n].size() == 3) nitrogens.push_back(n);
      unsaturated = unsaturated || end || (elements[n] == 6 && around[n].size() <= 3) ||
                    (elements[n] == 7 && around[n].size() <= 2);
    }
    const auto terminal = static_cast<double>(ends.size());
    double charge = 0;
    if (elements[i] == 6 && ends.size() == 2 && around[i].size() == 3) charge = -1;
    if (elements[i] == 6 && ends.size() == 3) charge = -2;
    if (elements[i] == 15 && ends.size() > 1) charge = 1 - terminal;
    if (elements[i] == 16 && ends.size() > 2) charge = 2 - terminal;
    if (elements[i] == 7 && ends.size() == 2 && around[i].size() == 3) {
      charges[i] += 1;  // nitro
      charge = -1;
    }
    if (elements[i] == 7 && ends.size() == 3) {
      charges[i] += 1;  // nitrate
      charge = -2;
    }
    for (const std::uint32_t n : ends) charges[n] += charge / terminal;
    if (elements[i] == 7 && around[i].size() == 4) charges[i] += 1;
    const bool cation = elements[i] == 6 && around[i].size() == 3 && planar[i] && !unsaturated && nitrogens.size() >= 2;
    for (const std::uint32_t n : nitrogens) charges[n] += cation ? 1.0 / static_cast<double>(nitrogens.size()) : 0.0;
  }
  return charges;
}

}  // namespace

std::optional<std::vector<double>> gasteiger_charges(std::span<const std::uint8_t> elements,
                                                     std::span<const glm::dvec3> positions,
                                                     std::span<const std::pair<std::uint32_t, std::uint32_t>> bonds) {
  const std::size_t count = elements.size();
  Neighbours around(count);
  for (const auto& [a, b] : bonds) {
    around[a].push_back(b);
    around[b].push_back(a);
  }
  std::vector<char> planar(count, 0);
  std::vector<EqualisedAtom> atoms(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t n = around[i].size();
    const double angles = sum_of_angles(around[i], positions, i);
    planar[i] = n == 3 && angles > 345;
    if (!orbital(elements[i], n, planar[i])) return std::nullopt;
    const bool whole = n == 4 || (n == 3 && planar[i]) || (n == 2 && angles > 160);
    if (elements[i] == 6 && !whole) return std::nullopt;
    // An oxygen or sulphur on tetrahedral carbon, or a nitrogen there, lacks hydrogens where it has one neighbour.
    const bool single = n == 1 && (elements[i] == 8 || elements[i] == 16 || elements[i] == 7);
    if (n == 0 || (single && elements[around[i][0]] == 6 && around[around[i][0]].size() == 4)) return std::nullopt;
    atoms[i] = {elements[i], static_cast<std::uint8_t>(n), planar[i] != 0, 0};
  }
  const std::vector<double> formal = group_charges(elements, around, planar);
  for (std::uint32_t i = 0; i < count; ++i) atoms[i].formal = formal[i];
  return equalised_charges(atoms, bonds);
}

std::optional<std::vector<double>> equalised_charges(std::span<const EqualisedAtom> atoms,
                                                     std::span<const std::pair<std::uint32_t, std::uint32_t>> bonds) {
  const std::size_t count = atoms.size();
  std::vector<Orbital> orbitals;
  std::vector<double> charges, cation;
  for (const EqualisedAtom& atom : atoms) {
    const std::optional<Orbital> own = orbital(atom.element, atom.neighbours, atom.planar);
    if (!own) return std::nullopt;
    orbitals.push_back(*own);
    cation.push_back(atom.element == 1 ? 20.02 : own->a + own->b + own->c);
    charges.push_back(atom.formal);
  }
  double damping = 1, largest = 1;
  for (int round = 0; round < 40 && largest > 1e-6; ++round) {
    damping /= 2;
    largest = 0;
    std::vector<double> pull(count);
    for (std::size_t i = 0; i < count; ++i) {
      pull[i] = orbitals[i].a + charges[i] * (orbitals[i].b + charges[i] * orbitals[i].c);
    }
    for (const auto& [a, b] : bonds) {
      const double passed = damping * (pull[b] - pull[a]) / cation[pull[a] < pull[b] ? a : b];
      largest = std::max(largest, std::abs(passed));
      charges[a] += passed;
      charges[b] -= passed;
    }
  }
  return charges;
}

}  // namespace isolume
