// Orbitals for tests: single functions, and random ones of shells s to i.
#pragma once

#include "molecule/quantum/orbitals.h"
#include "tests/compute/base/devices.h"

namespace isolume::test {

/// Orbitals that are one function each.
inline Orbitals unit_orbitals(std::vector<Shell> shells, std::vector<glm::dvec3> centres) {
  Basis basis;
  basis.shells = std::move(shells);
  const std::size_t n = basis.function_count();
  Orbitals orbitals;
  orbitals.basis = std::make_shared<const Basis>(std::move(basis));
  orbitals.centres = std::move(centres);
  orbitals.orbitals.resize(n);
  orbitals.coefficients.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) orbitals.coefficients[i * n + i] = 1;
  return orbitals;
}

inline Shell make_shell(std::uint32_t centre, int l, bool spherical, std::vector<double> exponents,
                        std::vector<double> coefficients) {
  Shell shell;
  shell.centre = centre;
  shell.l = static_cast<std::uint8_t>(l);
  shell.spherical = spherical;
  shell.exponents = std::move(exponents);
  shell.coefficients = std::move(coefficients);
  return shell;
}

/// Three atoms with contracted shells s to i of both kinds, random coefficients.
inline Orbitals random_orbitals(std::uint64_t seed, int count) {
  Random random(seed);
  Basis basis;
  std::vector<glm::dvec3> centres;
  for (std::uint32_t atom = 0; atom < 3; ++atom) {
    centres.push_back(random.in_box(-2, 2));
    basis.shells.push_back(make_shell(atom, 0, false, {3047.5, 457.37, 103.95, 29.21, 9.287, 3.164},
                                      {0.0018, 0.014, 0.0688, 0.2322, 0.4679, 0.3623}));
    basis.shells.push_back(make_shell(atom, 0, false, {7.868, 1.881, 0.544}, {-0.119, -0.161, 1.143}));
    basis.shells.push_back(make_shell(atom, 1, false, {7.868, 1.881, 0.544}, {0.069, 0.316, 0.744}));
    basis.shells.push_back(make_shell(atom, 0, false, {0.1687}, {1.0}));
    basis.shells.push_back(make_shell(atom, 1, false, {0.1687}, {1.0}));
    for (int l = 2; l <= 6; ++l) {
      basis.shells.push_back(make_shell(atom, l, atom % 2 == 0, {0.8 + 0.1 * l, 0.3}, {0.6, 0.5}));
    }
  }
  basis.normalise();
  const std::size_t n = basis.function_count();
  Orbitals orbitals;
  orbitals.basis = std::make_shared<const Basis>(std::move(basis));
  orbitals.centres = centres;
  orbitals.orbitals.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < n * static_cast<std::size_t>(count); ++i) {
    orbitals.coefficients.push_back(random(-1, 1));
  }
  return orbitals;
}

/// Many centres, many shells, many orbitals: more of each than one block of the CUDA body takes at once.
inline Orbitals crowd(std::size_t count) {
  Random random(43);
  Basis basis;
  Orbitals orbitals;
  for (std::uint32_t atom = 0; atom < 40; ++atom) {
    orbitals.centres.push_back(random.in_box(-3, 3));
    for (int l = 0; l < 3; ++l) {
      for (int n = 0; n < 3; ++n) {
        basis.shells.push_back(make_shell(atom, l, n == 1, {1.5 / (n + 1), 0.25 + 0.1 * n}, {0.6, 0.5}));
        if (l < 2) basis.shells.back().spherical = false;
      }
    }
  }
  basis.normalise();
  orbitals.orbitals.resize(count);
  for (std::size_t i = 0; i < count * basis.function_count(); ++i) orbitals.coefficients.push_back(random(-1, 1));
  orbitals.basis = std::make_shared<const Basis>(std::move(basis));
  return orbitals;
}

}  // namespace isolume::test
