// A batch of points as the CPU body of the promolecule takes it.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "compute/electron_density/promolecule.h"

namespace isolume {

/// One element's terms, those that reach furthest first.
struct PromoleculeKind {
  struct Term {
    float power = 0, exponent = 0, factor = 0;
    float reach = 0;  ///< bohr; below 1e-10 bohr^-3 further out
  };
  std::vector<Term> terms;
  double reach = 0;  ///< bohr; the atom is left out further away
  double end = 0;    ///< bohr; below 1e-20 bohr^-3 further out
  int element = 0;
};

struct Promolecule::Atoms {
  std::vector<glm::dvec3> positions;
  std::vector<std::uint32_t> kinds;
  std::vector<std::uint8_t> parts;  ///< 1 or 2, or empty
  std::vector<PromoleculeKind> of_kind;
};

inline constexpr int promolecule_points = 64;  // Promolecule::batch

struct PromoleculeTile {
  glm::dvec3 centre;  ///< bohr; points are relative to it
  alignas(64) float points[3][promolecule_points];
  float half[3];                     ///< of the box around them
  std::vector<std::uint32_t> atoms;  ///< that may reach it
  bool wants_lengths = true;         ///< else `lengths` and `first` stay 0
  // The sums.
  alignas(64) float density[promolecule_points];
  alignas(64) float gradient[3][promolecule_points];
  alignas(64) float hessian[6][promolecule_points];
  alignas(64) float lengths[3][promolecule_points];  ///< sum of |d rho_i / dx|
  alignas(64) float first[3][promolecule_points];    ///< gradient of part 1
};

/// Sets the sums at the tile's points, with SIMD.
void sum_promolecule(const Promolecule::Atoms& atoms, PromoleculeTile& tile);

}  // namespace isolume
