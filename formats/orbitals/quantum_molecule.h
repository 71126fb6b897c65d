// What readers of quantum-chemical files share: atoms, frames and checked orbitals become a molecule.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/bytes/byte_source.h"
#include "formats/orbitals/orbital_assembly.h"
#include "molecule/molecule.h"

namespace isolume {

struct QuantumAtom {
  std::string name;
  std::uint8_t element = 0;          ///< 0 for a ghost
  std::optional<float> charge = {};  ///< partial charge, e
};

/// One geometry, with its orbitals where the file has them.
struct QuantumFrame {
  std::vector<glm::dvec3> positions;  ///< bohr
  std::shared_ptr<const Orbitals> orbitals;
};

/// An atom named by its element; `element` outside the table is 0.
QuantumAtom quantum_atom(std::int64_t element);

/// The orbitals in our convention, by orbital_conventions.h; null where there is no shell or no orbital. Errors get the
/// file's name and `line`. Throws Error (input) where the rows would take far more memory than the file has bytes.
std::shared_ptr<const Orbitals> checked_orbitals(const FileOrbitals& file, const ByteSource& source, std::int64_t line,
                                                 std::vector<std::string>& warnings);

/// Fills topology, trajectory and orbitals; every frame has as many positions as there are atoms. Without bonds, they
/// are left to be found by distance.
void fill_molecule(Molecule& molecule, const std::vector<QuantumAtom>& atoms, std::vector<QuantumFrame> frames,
                   std::vector<Bond> bonds = {});

/// Throws Error (input): a log that has no geometry.
[[noreturn]] void refuse_log_without_geometry(const ByteSource& source);

/// Fills the molecule of a log: its steps, each with `positions` (bohr), are the frames, with what orbitals_of(step)
/// gives. Throws Error (input) where there is no step.
template <class Step, class OrbitalsOf>
void fill_log_molecule(Molecule& molecule, const std::vector<QuantumAtom>& atoms, std::vector<Step>& steps,
                       const ByteSource& source, OrbitalsOf orbitals_of) {
  if (steps.empty()) refuse_log_without_geometry(source);
  std::vector<QuantumFrame> frames;
  for (Step& step : steps) {
    auto orbitals = orbitals_of(step);
    frames.push_back({std::move(step.positions), std::move(orbitals)});
  }
  fill_molecule(molecule, atoms, std::move(frames));
}

/// Gives occupations to the orbitals of a file that states only electron counts: by energy, alpha and beta apart where
/// `unrestricted`, else two, then one, to each.
void occupy(std::vector<Orbital>& orbitals, std::int64_t alpha, std::int64_t beta, bool unrestricted);

}  // namespace isolume
