// The backbones of proteins and nucleic acids, as unbroken runs of residues.
#pragma once

#include <cstdint>
#include <vector>

#include "render/represent/style_input.h"

namespace isolume {

/// One residue of a run.
struct BackboneResidue {
  std::uint32_t residue = 0;
  std::uint32_t atom = 0;  ///< the atom that stands for it: CA, P (else O5', C5'), BB
  glm::vec3 position{0};   ///< of that atom
  glm::vec3 across{0};     ///< towards the carbonyl oxygen, across the chain; 0 where the file has none
  SecondaryStructure structure = SecondaryStructure::coil;
};

/// A run without gaps.
struct Backbone {
  bool nucleic = false;
  std::vector<BackboneResidue> residues;
};

/// The runs of what is drawn. A run ends where a residue lacks its atom or the next is too far to be bonded (C-N above
/// 2.5 angstrom or CA-CA above 9, O3'-P above 2.6 or P-P above 15; CA-CA above 5 and P-P above 9 where C, N or O3' is
/// missing).
std::vector<Backbone> backbones(const StyleInput& input);

/// Atom of a residue by name among what is drawn, or -1.
std::int64_t find_atom(const StyleInput& input, std::size_t residue, std::initializer_list<const char*> names);

}  // namespace isolume
