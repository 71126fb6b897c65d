// The usual look of molecules: styles that suit their atoms, plain surfaces, water out of the way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/documents/documents.h"
#include "app/scene/scene.h"

namespace isolume {

/// A sensible first picture of molecules that were just opened: cartoon for polymers with sticks for ligands and
/// spheres for ions, sticks for small molecules, lines for water near them, HOMO for orbitals, an isosurface for a
/// volume; camera fitted. Appends to `scene`.
void add_usual_look(Scene& scene, Documents& documents, const std::vector<SceneMolecule>& opened, double aspect = 1.33);

/// The representations that a molecule of the scene has when it is opened, of the atoms of `selection` alone in the
/// scene's frame; water that is selected is shown. Empty where the molecule has no atoms with positions.
std::vector<Representation> usual_representations(const Scene& scene, Documents& documents, std::uint32_t molecule,
                                                  const std::string& selection = "all");

/// Where several molecules have representations, each gets a colour of its own: cartoons that are coloured by chain or
/// secondary structure, and carbon under Colouring::element where it has no colour. What was chosen otherwise stays.
void tell_molecules_apart(Scene& scene);

/// Of hydrogen bonds: like that of no element, no chain and no secondary structure.
constexpr glm::u8vec4 hydrogen_bond_colour{190, 30, 110, 255};

/// Hides the representations of a molecule's water that it was opened with.
void hide_water(Scene& scene, std::uint32_t molecule);

/// A surface of atoms that shows nothing but their shape: in the quiet colours of the chains or molecules, where the
/// molecule's cartoon has these, else in one.
void colour_plainly(const Scene& scene, Field& field);

}  // namespace isolume
