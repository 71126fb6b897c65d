// Messages about orbitals that are not orthonormal over the basis of their file.
#include "molecule/quantum/orbital_doubt.h"

#include <charconv>

namespace isolume {

double counted_residual(const Orbitals& orbitals, bool occupied) {
  if (!occupied || !(orbitals.norm_residual > doubted_residual)) return orbitals.norm_residual;
  Orbitals some;
  some.basis = orbitals.basis;
  some.centres = orbitals.centres;
  some.unrestricted = orbitals.unrestricted;
  for (std::size_t i = 0; i < orbitals.count(); ++i) {
    if (!(orbitals.orbitals[i].occupation > 0.5)) continue;
    some.orbitals.push_back(orbitals.orbitals[i]);
    const auto row = orbitals.row(i);
    some.coefficients.insert(some.coefficients.end(), row.begin(), row.end());
  }
  return some.orbitals.empty() ? orbitals.norm_residual : orthonormality_residual(some);
}

std::string orbital_doubt(double residual, bool occupied) {
  if (!(residual > doubted_residual)) return {};
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, residual, std::chars_format::general, 2).ptr;
  return std::string(occupied ? "The occupied orbitals" : "The orbitals") +
         " are not orthonormal over the basis of the file (residual " + std::string(digits, end) +
         "): they are probably misread.";
}

}  // namespace isolume
