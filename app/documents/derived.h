// Molecules that move along a normal mode, or have the orbitals of an excited state.
#pragma once

#include <string>
#include <vector>

#include "molecule/molecule.h"
#include "molecule/quantum/vibrations.h"

namespace isolume {

/// Orbitals::convention of the orbitals of a state.
inline constexpr char natural_transition_convention[] = "natural transition orbitals";

/// read_files(), where paths may name a mode or a state (app/scene/path_part.h). Files without these make one molecule:
/// * a mode makes its last frame the first of a period of this mode (mode_frames()); orbitals stay those of that frame.
///   A file of modes in another orientation is turned onto the molecule; Error (input) where its atoms are elsewhere;
/// * a state replaces the orbitals by its natural transition orbitals: holes, the weakest first, then particles, the
///   strongest first, so that HOMO and LUMO are the first pair. Holes have two electrons as in the ground state; the
///   weight of a pair is in the place of the symmetry ("hole 0.982"). They have no energies;
/// * localised orbitals take the place of the canonical ones in every frame (localised.h);
/// * a stream or an average is the molecule that is held for it (held_molecules.h); where none is, the molecule stays
/// as
///   its files have it, with a warning: reading never reaches the network.
/// The molecule's own paths are those of files. Throws Error.
std::vector<Molecule> read_with_parts(const std::vector<std::string>& paths);

/// Mode `index` (from 0) of a file for a molecule with these positions: turned as the file's geometry is turned onto
/// them, where it says one. Throws Error (input) where the atoms are others or elsewhere.
VibrationalMode mode_on(const Vibrations& vibrations, std::size_t index, const Frame& rest, const std::string& file);

}  // namespace isolume
