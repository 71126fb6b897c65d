// The charges of the nuclei that belong to a file's orbitals, less effective cores.
#include "app/documents/nuclear_charges.h"

#include <fmt/format.h>

#include <numeric>

#include "molecule/base/error.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {
namespace {

constexpr double most_charged = 8.5;  // e; what molecules have, and cores do not

}  // namespace

std::vector<double> charges_of_nuclei(const Molecule& molecule, const Orbitals& orbitals) {
  const std::size_t centres = orbitals.centres.size();
  if (molecule.atom_count() != centres)
    throw Error(fmt::format("the orbitals have {} centres, the file {} atoms", centres, molecule.atom_count()),
                Error::Kind::input);
  if (!orbitals.nuclear_charges.empty()) return orbitals.nuclear_charges;
  std::vector<double> charges;
  for (const Atom& atom : molecule.topology->atoms) charges.push_back(atom.element);
  return charges;
}

void check_cores(const std::vector<double>& charges, const Orbitals& orbitals, const std::string& advice) {
  const double nuclei = std::accumulate(charges.begin(), charges.end(), 0.0);
  const double electrons = orbitals.electron_count();
  if (nuclei - electrons > most_charged)
    throw Error(fmt::format("the nuclei have {:g} e and the orbitals {:g} electrons: the file leaves out electrons of "
                            "effective cores without saying so{}",
                            nuclei, electrons, advice),
                Error::Kind::input);
}

std::vector<double> nuclear_charges_of(const Molecule& molecule, const Orbitals& orbitals) {
  std::vector<double> charges = charges_of_nuclei(molecule, orbitals);
  check_cores(charges, orbitals, "; isolume compute density --cores names them");
  return charges;
}

}  // namespace isolume
