// Frames as pictures and analyses need them.
#include "app/documents/frames.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "compute/base/memory.h"
#include "molecule/assembly.h"
#include "molecule/base/error.h"
#include "molecule/crystal/crystal.h"
#include "molecule/selection/selection.h"
#include "molecule/treated_trajectory.h"

namespace isolume {

Molecule built_assembly(const Molecule& molecule, const std::string& id) {
  const Assembly assembly = assembly_of(molecule, id);
  require_memory(assembly_bytes(assembly, *molecule.topology), Device::cpu(), "assembly " + id);
  return build_assembly(molecule, assembly);
}

std::shared_ptr<const Molecule> treated(std::shared_ptr<const Molecule> molecule, const CellTreatment& treatment) {
  if (!molecule || !molecule->topology || molecule->frame_count() == 0) return molecule;
  // Orbitals have places of their own.
  const auto mode = molecule->orbitals.empty() ? treatment.mode : CellTreatment::Mode::as_is;
  std::vector<std::uint32_t> atoms;
  if (mode == CellTreatment::Mode::centre) {
    const auto whole = treated_trajectory(molecule->trajectory, molecule->topology, CellTreatment::Mode::whole);
    const std::string words = treatment.selection.empty() ? "protein or nucleic" : treatment.selection;
    atoms = Selection(words).atoms(*molecule->topology, whole->frame(0));
    if (atoms.empty() && !treatment.selection.empty())
      throw Error(fmt::format("centre: the selection '{}' holds no atoms", words), Error::Kind::usage);
  }
  auto trajectory = treated_trajectory(molecule->trajectory, molecule->topology, mode, std::move(atoms));
  if (trajectory == molecule->trajectory) return molecule;
  auto result = std::make_shared<Molecule>(*molecule);
  result->trajectory = std::move(trajectory);
  return result;
}

}  // namespace isolume
