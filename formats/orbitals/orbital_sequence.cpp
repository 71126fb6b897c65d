// Frames with orbitals that follow one another: one basis for all.
#include "formats/orbitals/orbital_sequence.h"

#include <fmt/format.h>

#include "molecule/base/error.h"

namespace isolume {

std::string basis_difference(const Basis& first, const Basis& other) {
  if (first.function_count() != other.function_count() || first.shells.size() != other.shells.size()) {
    return fmt::format("{} functions in {} shells instead of {} in {}", other.function_count(), other.shells.size(),
                       first.function_count(), first.shells.size());
  }
  for (std::size_t i = 0; i < first.shells.size(); ++i) {
    const Shell& a = first.shells[i];
    const Shell& b = other.shells[i];
    if (a.centre != b.centre || a.l != b.l || a.spherical != b.spherical || a.exponents != b.exponents) {
      return fmt::format("shell {} is another one", i + 1);
    }
  }
  return {};
}

std::shared_ptr<const Basis> first_basis(const Molecule& molecule) {
  for (const auto& orbitals : molecule.orbitals) {
    if (orbitals && orbitals->basis) return orbitals->basis;
  }
  return nullptr;
}

void check_one_basis(const Molecule& molecule, const std::string& path) {
  std::size_t first = molecule.orbitals.size();
  for (std::size_t i = 0; i < molecule.orbitals.size(); ++i) {
    if (!molecule.orbitals[i] || !molecule.orbitals[i]->basis) continue;
    if (first == molecule.orbitals.size()) {
      first = i;
      continue;
    }
    const std::string difference = basis_difference(*molecule.orbitals[first]->basis, *molecule.orbitals[i]->basis);
    if (!difference.empty()) {
      throw Error::in_file(path, 0, fmt::format("frame {} has another basis than frame {}: {}", i, first, difference));
    }
  }
}

}  // namespace isolume
