// How a map is shown at first: its level, its signs and its style.
#pragma once

#include "app/scene/scene.h"
#include "molecule/molecule.h"

namespace isolume {

/// Chooses level, signs, colours, style and opacity of a field of kind volume, by what the file says of it and by its
/// values. A crystal's map: a mesh at 1.5 standard deviations above the mean, or, of differences (fofc), at 3 with both
/// signs; other maps of CCP4 and MRC files: one sign, 3 above the mean; an electron density (cube): 0.02; an orbital
/// (cube): 0.05 with both signs; a potential: both signs, by its unit, or by its values where it has none; a reduced
/// density gradient (cube): 0.5. `with_atoms`: atoms are seen with it.
void show_usually(Field& field, const Molecule& molecule, bool with_atoms);

/// Of a field in its usual colour, with one sign: another colour where a volume of the scene has that one.
void colour_apart(Field& field, const Scene& scene);

/// True for the map of a crystal, which is shown near atoms where there are any: by the file's name, `fofc` in it or
/// the ending .ccp4 of a map with values of both signs.
bool is_crystal_map(const Molecule& molecule, std::size_t volume);

}  // namespace isolume
