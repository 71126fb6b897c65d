// The potential as a molecule's is first shown: of polymers as papers show it, of small molecules in vacuum.
#pragma once

#include <optional>
#include <string>

#include "app/scene/scene.h"
#include "molecule/molecule.h"

namespace isolume {

/// Colours of a screened potential go from minus this to this, in kT/e.
inline constexpr double screened_range = 5;

/// What selects the polymers of a molecule, without water, ions and ligands; "all" where there are none.
std::string polymer_selection(const Molecule& molecule);

/// Of molecules with protein or nucleic acid that of Poisson-Boltzmann (water with 0.15 mol/l salt) in kT/e; of others
/// the sum in vacuum, in volts.
PotentialSettings usual_potential_settings(const Molecule& molecule);

/// Sets the method, with what goes with it where the ions' part in the potential comes or goes: a screened one is shown
/// in kT/e, coloured from -5 to 5; else values of before, of which water and salt take some 99 %, are forgotten. On
/// surfaces that of Poisson-Boltzmann is taken 1.4 angstrom in front of them.
void choose_method(Field& field, PotentialMethod method);

/// The same for a method and a unit ("V", "kT/e", "kcal/mol/e") of the command line, each where it is given. A range
/// above 0 was given too, and stays; else that of before goes where the unit changes, and where the potential is not
/// screened.
void set_potential(Field& field, std::optional<PotentialMethod> method, const std::string& unit, double range);

/// Colours a surface by that potential, opaque: of polymers from -5 to 5 kT/e.
void paint_by_usual_potential(Field& field, const Molecule& molecule);

/// The first view of the potential of scene molecule `index`: the solvent-excluded surface of its polymers, coloured by
/// their potential; of small molecules potential_isosurfaces().
Field usual_potential(const Molecule& molecule, std::uint32_t index);

/// Leaves out the ions that are drawn apart, which are no part of the polymer's surface.
void hide_ions(Scene& scene, std::uint32_t molecule);

/// Surfaces where that potential has an isovalue (blue) and its negative (red): 1 kT/e of polymers, else 0.5 V.
Field potential_isosurfaces(const Molecule& molecule, std::uint32_t index);

}  // namespace isolume
