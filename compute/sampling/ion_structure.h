// A molecule with ions appended, and without the waters that they replace.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/sampling/ion_kinds.h"
#include "molecule/molecule.h"

namespace isolume {

/// An ion and where it is (angstrom).
struct IonPlace {
  const IonKind* kind;
  glm::dvec3 place;
};

/// The frame of `molecule` without the atoms of `removed` residues, and with the ions behind all others in a chain of
/// their own (segment ION, numbered from 1). Ions have their charge, radius and mass; the rest keeps its own.
Molecule with_ions(const Molecule& molecule, std::size_t frame, std::span<const std::uint32_t> removed,
                   std::span<const IonPlace> ions);

}  // namespace isolume
