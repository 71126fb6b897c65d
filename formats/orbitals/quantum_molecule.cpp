// What readers of quantum-chemical files share: atoms, frames and checked orbitals become a molecule.
#include "formats/orbitals/quantum_molecule.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/bytes/text.h"
#include "formats/orbitals/orbital_conventions.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"

namespace isolume {

QuantumAtom quantum_atom(std::int64_t number) {
  QuantumAtom atom;
  atom.element = number > 0 && number < element_count ? static_cast<std::uint8_t>(number) : std::uint8_t{0};
  atom.name = std::string(element(atom.element).symbol);
  return atom;
}

std::shared_ptr<const Orbitals> checked_orbitals(const FileOrbitals& file, const ByteSource& source, std::int64_t line,
                                                 std::vector<std::string>& warnings) {
  if (file.shells.empty() || file.orbitals.empty()) return nullptr;
  std::uint64_t functions = 0;
  for (const FileShell& shell : file.shells) {
    functions += static_cast<std::uint64_t>((shell.l + 1) * (shell.l + 2) / 2);
  }
  const auto bytes = checked_product(functions * sizeof(double), file.orbitals.size());
  if (!bytes || *bytes > (std::uint64_t{256} << 20) + 64 * source.bytes().size()) {
    throw Error::in_file(source.name(), line,
                         fmt::format("{} orbitals over {} functions are far more than the file has coefficients",
                                     file.orbitals.size(), functions));
  }
  try {
    return std::make_shared<const Orbitals>(convert_orbitals(file, warnings));
  } catch (const Error& error) {
    throw Error::in_file(source.name(), line, error.what());
  }
}

void fill_molecule(Molecule& molecule, const std::vector<QuantumAtom>& atoms, std::vector<QuantumFrame> frames,
                   std::vector<Bond> bonds) {
  TopologyBuilder builder;
  std::int32_t serial = 0;
  const bool charged =
      !atoms.empty() && std::all_of(atoms.begin(), atoms.end(), [](const QuantumAtom& a) { return a.charge; });
  for (const QuantumAtom& source : atoms) {
    Atom atom;
    atom.name = source.name;
    atom.element = source.element;
    atom.charge = charged ? *source.charge : 0;
    atom.serial = ++serial;
    atom.hetero = true;
    builder.add(std::move(atom), "MOL", 1, ' ', "");
  }
  builder.topology().has_bonds = !bonds.empty();
  builder.topology().bonds = std::move(bonds);
  Topology topology = builder.finish();
  topology.has_charges = charged;
  molecule.topology = std::make_shared<Topology>(std::move(topology));
  std::vector<Frame> positions;
  for (QuantumFrame& source : frames) {
    Frame frame;
    for (const glm::dvec3 p : source.positions) {
      frame.precise_positions.push_back(p * units::bohr_in_angstrom);
      frame.positions.emplace_back(frame.precise_positions.back());
    }
    positions.push_back(std::move(frame));
    molecule.orbitals.push_back(std::move(source.orbitals));
  }
  if (std::none_of(molecule.orbitals.begin(), molecule.orbitals.end(), [](const auto& o) { return o != nullptr; })) {
    molecule.orbitals.clear();
  }
  molecule.trajectory = std::make_shared<const MemoryTrajectory>(std::move(positions));
  // Every frame of a sequence may have said the same.
  std::vector<std::string> once;
  for (std::string& warning : molecule.warnings) {
    if (std::find(once.begin(), once.end(), warning) == once.end()) once.push_back(std::move(warning));
  }
  molecule.warnings = std::move(once);
}

void refuse_log_without_geometry(const ByteSource& source) {
  throw Error::in_file(source.name(), 0,
                       "no geometry found; of logs those of Gaussian and GAMESS (US) are read. For another program "
                       "export a Molden file");
}

void occupy(std::vector<Orbital>& orbitals, std::int64_t alpha, std::int64_t beta, bool unrestricted) {
  for (const Spin spin : {Spin::alpha, Spin::beta}) {
    std::vector<Orbital*> order;
    for (Orbital& orbital : orbitals) {
      if (orbital.spin == spin) order.push_back(&orbital);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const Orbital* a, const Orbital* b) { return a->energy < b->energy; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto n = static_cast<std::int64_t>(i);
      order[i]->occupation =
          unrestricted ? (n < (spin == Spin::alpha ? alpha : beta) ? 1 : 0) : (n < alpha ? 1 : 0) + (n < beta ? 1 : 0);
    }
  }
}

}  // namespace isolume
