// The ways in which programs write orbitals, and a file read by one of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "formats/orbitals/orbital_assembly.h"

namespace isolume {

/// One way of reading the numbers of a file.
struct Habit {
  enum class Components { own, psi4, cfour, turbomole } components = Components::own;
  bool raw_primitives = false;    ///< contraction coefficients contain the norms of the primitives
  bool as_contracted = false;     ///< orbitals refer to contractions that are not normalised
  bool orca_signs = false;        ///< opposite sign for |m| = 3, 4
  bool unsaid_spherical = false;  ///< d, f, ... are spherical although the file does not say so
  bool other_order = false;       ///< FileOrbitals::other_order
  bool operator==(const Habit&) const = default;
};

/// "Molden with ...": the format, read so.
std::string describe(const FileOrbitals& file, const Habit& habit);

/// Number of functions of the file's basis.
std::size_t function_count(const FileOrbitals& file, bool unsaid_spherical);

/// The shells with normalised contractions, and the norms that they had.
struct Contractions {
  std::vector<Shell> shells;
  std::vector<double> norms;
};

/// `raw_primitives`: see Habit.
Contractions contract(const FileOrbitals& file, bool raw_primitives);

/// Basis, and place and factor of every function, when the file has this habit.
FunctionMap read_with(const FileOrbitals& file, const Contractions& contractions, const Habit& habit);

/// All habits, the simplest first; with shells that may be spherical without a word where `maybe_spherical`.
std::vector<Habit> other_habits(const FileOrbitals& file, bool maybe_spherical);

}  // namespace isolume
