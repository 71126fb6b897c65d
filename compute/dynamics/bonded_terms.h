// BondedTerms: the terms of a force field over bonded atoms, packed for the bodies.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/dynamics/bonded_math.h"
#include "compute/dynamics/correction_math.h"
#include "molecule/cell.h"
#include "molecule/force_field/force_field.h"

namespace isolume {

/// All terms, by kind. Each has four places for forces, of which bonds and angles leave some at zero; correction maps,
/// which follow, have eight. The places of atom i are slots[offsets[i]] to slots[offsets[i + 1] - 1]: a sum over them
/// in this order does not depend on threads.
struct BondedTerms {
  std::vector<BondedTerm> terms;
  std::vector<PackedCorrection> corrections;
  std::vector<CorrectionNode> nodes;   ///< of all maps
  std::vector<std::uint32_t> offsets;  ///< atoms + 1
  std::vector<std::uint32_t> slots;    ///< 4 term + atom of the term; 4 terms + 8 correction + atom of the correction

  /// Places for forces.
  std::size_t places() const { return 4 * terms.size() + 8 * corrections.size(); }
  /// Of what is here, and of the places.
  std::size_t bytes() const {
    return terms.size() * sizeof(BondedTerm) + corrections.size() * sizeof(PackedCorrection) +
           nodes.size() * sizeof(CorrectionNode) + (offsets.size() + slots.size()) * sizeof(std::uint32_t) +
           places() * sizeof(Vector3);
  }

  /// Bonds, Urey-Bradley terms, angles, dihedrals, impropers, the Lennard-Jones part of 1-4 pairs, and correction maps.
  static BondedTerms of(const ForceField& field);
};

ImageBox image_box(const Cell& cell);

}  // namespace isolume
