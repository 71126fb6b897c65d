// How the atoms of representations lie to other atoms.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "molecule/molecule.h"

namespace isolume {

/// Which of a representation's atoms are among others. `none` also where it has no atoms.
enum class Overlap : std::uint8_t { none, some, all };

/// For every representation how its atoms lie to those that `words` select of a molecule in a frame (empty where there
/// are no positions); `none` for those of other molecules and hidden ones. Throws Error where words cannot be read.
std::vector<Overlap> overlaps(const std::vector<Representation>& representations, std::uint32_t number,
                              const Molecule& molecule, const Frame& frame, const std::string& words);

/// Shows the atoms of `words` as they are shown, in one colour: representations that have no others change their
/// colour, the atoms leave those that have others for one of their own behind it.
/// @param lie  of overlaps()
void colour_atoms(std::vector<Representation>& representations, const std::vector<Overlap>& lie,
                  const std::string& words, glm::u8vec4 colour);

/// Shows what is around the atoms of `words`: whole residues within 5 angstrom, without water, as `style`, their
/// carbons in a colour of their own. The atoms themselves stay as they are where a representation shows them as atoms,
/// else they are shown with the others.
void show_around(std::vector<Representation>& representations, const std::vector<Overlap>& lie, std::uint32_t molecule,
                 const std::string& words, Style style);

/// Takes the atoms of `words` out of a selection, in the way that with_class_shown() takes back.
void leave_out(std::string& selection, const std::string& words);

/// Hides the atoms of `words`: representations that have no others, and the atoms in those that have.
void hide_atoms(std::vector<Representation>& representations, const std::vector<Overlap>& lie,
                const std::string& words);

}  // namespace isolume
