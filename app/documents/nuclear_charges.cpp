// The charges of the nuclei that belong to a file's orbitals, less effective cores.
#include "app/documents/nuclear_charges.h"

#include <fmt/format.h>

#include <numeric>

#include "formats/orbitals/nuclear_charges.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr double most_charged = 8.5;  // e; what molecules have, and cores do not

}  // namespace

std::vector<double> nuclear_charges_of(const Molecule& molecule, const Orbitals& orbitals) {
  const std::size_t centres = orbitals.centres.size();
  if (molecule.atom_count() != centres)
    throw Error(fmt::format("the orbitals have {} centres, the file {} atoms", centres, molecule.atom_count()),
                Error::Kind::input);
  std::vector<double> charges;
  for (const std::string& path : molecule.paths) {
    if (auto stated = stated_nuclear_charges(path); stated && stated->size() == centres) charges = std::move(*stated);
    if (!charges.empty()) break;
  }
  if (charges.empty())
    for (const Atom& atom : molecule.topology->atoms) charges.push_back(atom.element);
  const double nuclei = std::accumulate(charges.begin(), charges.end(), 0.0);
  const double electrons = orbitals.electron_count();
  if (nuclei - electrons > most_charged)
    throw Error(fmt::format("the nuclei have {:g} e and the orbitals {:g} electrons: the file leaves out electrons of "
                            "effective cores without saying so; isolume compute density --cores names them",
                            nuclei, electrons),
                Error::Kind::input);
  return charges;
}

}  // namespace isolume
