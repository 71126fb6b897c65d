// Densities of free atoms, by a table of sums of r^n exp(-z r).
#pragma once

#include <span>
#include <vector>

namespace isolume {

/// factor r^power exp(-exponent r), power even; bohr.
struct AtomicTerm {
  int power = 0;
  double exponent = 0, factor = 0;
};

/// The spherical density of a free neutral atom, bohr^-3.
///
/// Source: computed for Isolume by spin-restricted Hartree-Fock of the ground configuration, its open shell spread
/// evenly over its orbitals, in even-tempered Slater functions; fitted by positive terms in the relative error
/// (resources/tables/atomic_densities.txt, which says the largest relative error of each element).
class AtomicDensity {
 public:
  /// Throws Error (usage) for an element that the table does not have, naming it.
  static const AtomicDensity& of(int element);
  /// Elements of the table.
  static std::vector<int> elements();

  std::span<const AtomicTerm> terms() const { return terms_; }
  double density(double r) const;
  /// The largest relative error of the fit above 1e-7 bohr^-3, and where the density is from 1e-5 to 0.2.
  double largest_error() const { return largest_error_; }
  double contact_error() const { return contact_error_; }
  double electrons() const;
  /// The distance beyond which the density is below `value`.
  double reach(double value) const;

 private:
  friend struct AtomicDensities;
  std::vector<AtomicTerm> terms_;
  double largest_error_ = 0, contact_error_ = 0;
};

}  // namespace isolume
