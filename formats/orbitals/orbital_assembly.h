// From the basis functions of a file to those of molecule/quantum/basis.h, for every reader of orbitals.
#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <vector>

#include "molecule/quantum/orbitals.h"

namespace isolume {

/// A contracted shell as a file gives it: order and normalisation not yet touched.
struct FileShell {
  std::uint32_t centre = 0;
  int l = 0;
  bool spherical = false;  ///< without meaning for l < 2
  std::vector<double> exponents;
  std::vector<double> coefficients;
};

/// One value of one orbital: its function in file order, from 0.
struct FileCoefficient {
  std::uint32_t function = 0;
  double value = 0;
};

/// The order of the functions within a shell, as a format defines it.
struct FunctionOrder {
  glm::ivec3 (*cartesian)(int l, int n);  ///< powers (i, j, k) of the n-th Cartesian function
  int (*spherical)(int l, int n);         ///< m of the n-th spherical one, l >= 2
};

/// The orbitals of one geometry as a file gives them.
struct FileOrbitals {
  std::string format = "Molden";    ///< begins Orbitals::convention
  std::vector<glm::dvec3> centres;  ///< bohr
  std::vector<FileShell> shells;
  FunctionOrder order{};
  std::array<bool, 7> maybe_spherical{};  ///< by l: the file does not say, so that Cartesian is only the likely reading
  std::vector<Orbital> orbitals;
  std::vector<std::vector<FileCoefficient>> rows;  ///< one per orbital; what is missing is zero
  std::vector<double> nuclear_charges;  ///< one per centre, less effective core potentials; empty where not known
  std::optional<double> stated_electrons, stated_charge;  ///< what the file says apart from the occupations
  bool names_orca = false;                                ///< the file says that ORCA wrote it
  std::optional<FunctionOrder> other_order;               ///< of programs that write the format in another one
  std::string other_order_name;                           ///< "Molden's order ... (Psi4)"
};

/// A way of reading the functions of a file: the basis in our convention, and for each function of the file its place
/// and factor there.
struct FunctionMap {
  Basis basis;
  std::vector<std::uint32_t> place;
  std::vector<double> factor;
};

/// (2n-1)!!
double odd_factorial(int n);

/// Index of x^i y^j z^k in the order of molecule/quantum/basis.h.
std::size_t cartesian_index(glm::ivec3 powers);

/// Norm of a contraction of normalised primitives. Throws Error (input) where it is 0, and for more than 500 of them.
double contraction_norm(const Shell& shell);

/// A row of the file in the functions of the map's basis.
std::vector<double> dense_row(const std::vector<FileCoefficient>& row, const FunctionMap& map);

/// True where the overlap of such a basis is computed in a few seconds at most.
bool affordable_overlap(const Basis& basis);

/// Largest |<i|j> - delta_ij| within each spin, over a sample of the orbitals: all of them, or in large files evenly
/// spaced ones.
struct OrbitalResidual {
  double all = 0;
  double occupied = 0;        ///< among those that hold more than half an electron
  bool any_occupied = false;  ///< there are some in the sample
};
/// `overlap` is that of the map's basis. Ends, with residuals that are too small, as soon as both are no better than
/// those of `best`.
OrbitalResidual orbital_residual(const FileOrbitals& file, const FunctionMap& map, const std::vector<double>& overlap,
                                 const OrbitalResidual* best = nullptr);

/// The orbitals over the map's basis, all alpha before all beta. Leaves residual and convention to the caller.
Orbitals assemble_orbitals(const FileOrbitals& file, FunctionMap map);

/// Throws Error (input) with no path where a coefficient is for a function at or beyond `functions`.
void check_functions(const FileOrbitals& file, std::size_t functions);

}  // namespace isolume
