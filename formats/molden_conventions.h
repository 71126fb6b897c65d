// From a Molden file's basis functions to those of molecule/basis.h.
#pragma once

#include <array>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "molecule/orbitals.h"

namespace isolume {

/// A contracted shell as a Molden file gives it: order and normalisation not yet touched.
struct MoldenShell {
  std::uint32_t centre = 0;
  int l = 0;
  std::vector<double> exponents;
  std::vector<double> coefficients;
};

/// One value of one orbital: its function in file order, from 0.
struct MoldenCoefficient {
  std::uint32_t function = 0;
  double value = 0;
};

/// The orbitals of one geometry as a Molden file gives them.
struct MoldenOrbitals {
  std::vector<glm::dvec3> centres;  ///< bohr
  std::vector<MoldenShell> shells;
  std::array<bool, 7> spherical{};  ///< by l, from [5D], [7F], [9G], [11H], [13I]
  std::array<bool, 7> declared{};   ///< by l, true where the file has one of these words for it
  std::vector<Orbital> orbitals;
  std::vector<std::vector<MoldenCoefficient>> rows;  ///< one per orbital; what is missing is zero
  std::string title;                                 ///< may name the program that wrote the file
};

/// Permutes and scales to the convention of molecule/basis.h and checks C^T S C = 1 over the orbitals of each spin
/// (over a sample of them in large files). Where the file as it stands misses by more than 1e-4, the known habits of
/// programs are tried and the one that fits is used and named in Orbitals::convention:
///
/// * Psi4 (Cartesian): all components of a shell share the norm of x^l. CFOUR: they share that of a component whose
///   powers are all 0 or 1. So C is multiplied by sqrt((2i-1)!!(2j-1)!!(2k-1)!!), for Psi4 over sqrt((2l-1)!!).
/// * ORCA: contraction coefficients contain the norms of the primitives, and functions with |m| = 3, 4 (of f, g, h)
/// have
///   the opposite sign.
/// * contractions that are not normalised, whose orbitals refer to them as they are.
/// * Turbomole: functions of d, f, g have the norm sqrt((2l-1)!!).
/// * spherical functions in a file that does not say so (h and i by most programs).
///
/// Where none fits, the file is taken as it stands, with a warning that states the residual.
/// Throws Error (input) with no path where the data contradict themselves (function numbers out of range, a shell of
/// norm 0).
Orbitals convert_molden(const MoldenOrbitals& file, std::vector<std::string>& warnings);

/// The (i, j, k) of Molden's n-th Cartesian function of a shell.
glm::ivec3 molden_powers(int l, int n);

}  // namespace isolume
