// The first picture of molecules that were just opened.
#pragma once

#include <vector>

#include "app/documents/documents.h"
#include "app/scene/scene.h"

namespace isolume {

/// A sensible first picture of molecules that were just opened: cartoon for polymers with sticks for ligands and
/// spheres for ions, sticks for small molecules, lines for water up to a size, HOMO for orbitals, an isosurface for a
/// volume; camera fitted. Appends to `scene`.
void add_usual_look(Scene& scene, Documents& documents, const std::vector<SceneMolecule>& opened, double aspect = 1.33);

}  // namespace isolume
