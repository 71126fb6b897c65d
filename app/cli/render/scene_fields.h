// The fields of a scene, as the options of the command line add and change them.
#pragma once

#include "app/cli/render/scene_options.h"

namespace isolume::cli {

/// The orbitals of --orbital instead of those that the scene shows, each in colours of its own.
void show_orbitals(Scene& scene, Documents& documents, const SceneOptions& options);

/// How the orbitals of the scene are followed through frames, and where their surfaces lie.
void tune_orbitals(Scene& scene, const SceneOptions& options);

/// Orbitals, potentials and volumes on a plane instead of as surfaces; surfaces as meshes or points.
void draw_fields_as(Scene& scene, const SceneOptions& options);

/// Turns the camera to the plane of the first slice that is seen, from somewhat above; nothing where there is none.
void face_slice(Scene& scene, Documents& documents);

/// A surface of every molecule with atoms: half transparent, so that what it wraps is seen.
void add_surface(Scene& scene, Documents& documents, const SceneOptions& options);

/// What colours the surfaces of atoms.
void colour_surfaces(Scene& scene, const SceneOptions& options);

}  // namespace isolume::cli
