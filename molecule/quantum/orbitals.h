// Molecular orbitals of one geometry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "molecule/quantum/basis.h"

namespace isolume {

enum class Spin : std::uint8_t { alpha, beta };

/// What a file says of one orbital.
struct Orbital {
  double energy = 0;      ///< hartree
  double occupation = 0;  ///< electrons, 0 to 2
  Spin spin = Spin::alpha;
  std::string symmetry;  ///< "1a1", empty for none
};

/// Orbitals of one geometry over one basis.
struct Orbitals {
  std::shared_ptr<const Basis> basis;
  std::vector<glm::dvec3> centres;   ///< bohr, one per atom
  std::vector<Orbital> orbitals;     ///< as in the file: all alpha, then all beta where there are both
  std::vector<double> coefficients;  ///< orbitals.size() rows of basis->function_count() values
  bool unrestricted = false;         ///< there are beta orbitals
  double norm_residual = -1;         ///< largest |C^T S C - 1| over the orbitals, -1 where it was not checked
  std::string convention;            ///< "Molden" or the producer's quirk that was corrected
  /// e, one per centre, less effective core potentials, as the file states them; empty where it does not.
  std::vector<double> nuclear_charges;

  std::size_t count() const { return orbitals.size(); }
  std::span<const double> row(std::size_t orbital) const;

  /// Number of orbitals of a spin, and the index in `orbitals` of the n-th of them (from 0, in file order).
  std::size_t count(Spin spin) const;
  std::size_t index_of(Spin spin, std::size_t n) const;

  /// Index of the highest occupied and lowest unoccupied orbital of a spin, by energy; nothing where there is none.
  std::optional<std::size_t> homo(Spin spin = Spin::alpha) const;
  std::optional<std::size_t> lumo(Spin spin = Spin::alpha) const;

  /// Index of the orbital that `text` names: "homo", "lumo", "homo-1", "lumo+2", or a number from 1 in file order of
  /// its spin. Throws Error (usage) that names what there is.
  std::size_t find(const std::string& text, Spin spin = Spin::alpha) const;
  /// "HOMO-1", "LUMO", ... of an orbital by energy order within its spin.
  std::string role(std::size_t orbital) const;
  double electron_count() const;
};

/// Analytic overlap matrix of a basis with itself (or with a second one at other centres): function_count x
/// function_count2 values, row by row. Used for the self-check C^T S C = 1 and for tracking. Obara-Saika recursion.
std::vector<double> overlap_matrix(const Basis& a, std::span<const glm::dvec3> centres_a, const Basis& b,
                                   std::span<const glm::dvec3> centres_b);

/// Largest |<i|i> - 1| and |<i|j>| over the orbitals of each spin.
double orthonormality_residual(const Orbitals& orbitals);

}  // namespace isolume
