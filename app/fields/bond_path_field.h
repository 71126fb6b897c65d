// The electron density of a frame as its critical points and bond paths, instead of surfaces.
#pragma once

#include "app/fields/fields.h"

namespace isolume {

/// Critical points as balls coloured by their kind, without the maxima at nuclei, and bond paths as tubes between
/// atoms, of the orbitals of the request's frame. The legend names the kinds that there are; the summary counts them
/// and gives the Poincare-Hopf sum. Nothing where the frame has no orbitals. Throws Error (usage) where none is
/// occupied.
FieldResult bond_paths_result(const FieldRequest& request, Job& job);

/// Opacity of the surfaces between atoms, of the field's: the paths are seen through them.
constexpr float interatomic_opacity = 0.5f;

}  // namespace isolume
