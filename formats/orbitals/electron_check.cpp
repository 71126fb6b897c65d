// Checks the number of electrons in a file's orbitals.
#include "formats/orbitals/electron_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace isolume {
namespace {

constexpr double beyond = 0.05;       // natural orbitals of perturbation theory leave 0 to 2 by so much
constexpr double tolerance = 2e-2;    // of their sum
constexpr double largest_charge = 8;  // of a molecule whose file does not state it

// Electrons outside of the noble gas before an element: all that semi-empirical methods have orbitals for.
double valence_electrons(double nuclear_charge) {
  double core = 0;
  for (const double noble : {2, 10, 18, 36, 54, 86})
    if (noble < nuclear_charge) core = noble;
  return nuclear_charge - core;
}

}  // namespace

std::string wrong_electrons(const FileOrbitals& file) {
  if (file.orbitals.empty()) return {};
  const bool beta =
      std::any_of(file.orbitals.begin(), file.orbitals.end(), [](const Orbital& o) { return o.spin == Spin::beta; });
  double electrons = 0;
  for (std::size_t i = 0; i < file.orbitals.size(); ++i) {
    const double n = file.orbitals[i].occupation;
    if (!(n >= -beyond && n <= (beta ? 1 : 2) + beyond))
      return fmt::format("Orbital {} holds {:.6g} electrons; it can hold 0 to {}.", i + 1, n, beta ? 1 : 2);
    electrons += n;
  }
  if (file.stated_electrons && std::abs(electrons - *file.stated_electrons) > tolerance)
    return fmt::format("The orbitals hold {:.6g} electrons; the file states {:.6g}.", electrons,
                       *file.stated_electrons);
  if (std::abs(electrons - std::round(electrons)) > tolerance)
    return fmt::format("The orbitals hold {:.6g} electrons, which is no whole number.", electrons);
  if (file.nuclear_charges.empty() || electrons == 0) return {};
  const double nuclei = std::accumulate(file.nuclear_charges.begin(), file.nuclear_charges.end(), 0.0);
  if (!(nuclei > 0)) return {};
  const double charge = nuclei - electrons;
  if (file.stated_charge) {
    if (std::abs(charge - *file.stated_charge) <= tolerance) return {};
    return fmt::format(
        "The nuclei have {:.6g} charges and the orbitals hold {:.6g} electrons, which makes a charge of {:+.6g}; the "
        "file states {:+.6g}.",
        nuclei, electrons, charge, *file.stated_charge);
  }
  double valence = -electrons;
  for (const double nucleus : file.nuclear_charges) valence += valence_electrons(nucleus);
  if (std::abs(charge) <= largest_charge || std::abs(valence) <= largest_charge) return {};
  return fmt::format(
      "The nuclei have {:.6g} charges and the orbitals hold {:.6g} electrons: a charge of {:+.6g}, unless occupations "
      "are missing or the file does not name its core potentials.",
      nuclei, electrons, charge);
}

}  // namespace isolume
