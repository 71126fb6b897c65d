// BondedTerms: the terms of a force field over bonded atoms, packed for the bodies.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/dynamics/bonded_math.h"
#include "molecule/cell.h"
#include "molecule/force_field.h"

namespace isolume {

/// All terms, by kind. Each has four places for forces, of which bonds and angles leave some at zero; the places of
/// atom i are slots[offsets[i]] to slots[offsets[i + 1] - 1]: a sum over them in this order does not depend on threads.
struct BondedTerms {
  std::vector<BondedTerm> terms;
  std::vector<std::uint32_t> offsets;  ///< atoms + 1
  std::vector<std::uint32_t> slots;    ///< 4 term + atom of the term

  /// Bonds, Urey-Bradley terms, angles, dihedrals, impropers and the Lennard-Jones part of 1-4 pairs.
  /// Correction maps are apart (correction_terms.h).
  static BondedTerms of(const ForceField& field);
};

ImageBox image_box(const Cell& cell);

}  // namespace isolume
