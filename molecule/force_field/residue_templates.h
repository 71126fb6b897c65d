// Residue templates: hydrogens and partial charges for a structure that has neither, from one that has both.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <string>
#include <vector>

#include "molecule/molecule.h"

namespace isolume {

/// One residue of a structure with charges, hydrogens and bonds.
struct ResidueTemplate {
  struct TemplateAtom {
    Atom atom;            ///< name in the common spelling (see common_atom_name()), element, charge, mass, radius
    glm::dvec3 position;  ///< angstrom
    std::vector<std::uint32_t> neighbours;  ///< bonded atoms of the residue
    std::vector<glm::dvec3> linked;         ///< places of bonded atoms of other residues
  };
  std::string name;
  std::vector<TemplateAtom> atoms;

  double charge() const;  ///< e
};

/// What complete() made.
struct CompletedStructure {
  Molecule molecule;  ///< one frame; charges, masses and radii of the templates, bonds as guessed
  std::size_t added_hydrogens = 0;
  std::size_t matched = 0;             ///< residues with a template of their own
  std::size_t ends = 0;                ///< of those, ends of chains that were composed of two templates
  std::vector<std::string> unmatched;  ///< "ARG 12 A: lacks NH1", as they stand in the file; left out of the result
  double largest_shift = 0;            ///< e: the most that a charge of a composed end was moved to make it whole
};

/// The residues of a structure by name and atoms.
class ResidueTemplates {
 public:
  ResidueTemplates() = default;
  explicit ResidueTemplates(const Molecule& molecule, std::size_t frame = 0) { add(molecule, frame); }
  /// Every residue of a structure with charges and the coordinates of `frame`; residues of the same name with other
  /// atoms (an end of a chain, a protonation state) stand next to each other, of equal ones the first. Bonds are those
  /// of the file, else guessed by distance. Throws Error (usage) where there are no charges, no hydrogens or no frame.
  void add(const Molecule& molecule, std::size_t frame = 0);

  std::size_t size() const { return templates_.size(); }
  const std::vector<ResidueTemplate>& templates() const { return templates_; }

  /// Heavy atoms as they stand (of alternate locations the first), hydrogens placed by the geometry of the template in
  /// the frame of the atoms around, charges of the template. A residue's template has its name (histidine: HIS, then
  /// HIE, HID, HIP; water by any of its names), the same heavy atoms and, where there are several, the same bonds to
  /// other residues. The ends of protein chains for which there is no template of their own take N, CA, C, O and their
  /// hydrogens from an end of another residue and the side chain from the middle of a chain; what is missing to a whole
  /// charge is shared out evenly over the side chain. Molecules of one heavy atom (water) are turned as the template
  /// is, whatever is near: minimise before forces are trusted. Throws Error (usage) where nothing matches.
  CompletedStructure complete(const Molecule& molecule, std::size_t frame = 0) const;

 private:
  std::vector<ResidueTemplate> templates_;
};

/// "O5*" is "O5'", "O1P" "OP1", "OT2" "OXT", "CD" of isoleucine "CD1", "C5M" "C7".
std::string common_atom_name(const std::string& name, const std::string& residue);

}  // namespace isolume
