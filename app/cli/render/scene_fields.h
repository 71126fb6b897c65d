// The fields of a scene, as the options of the command line add and change them.
#pragma once

#include "app/cli/render/scene_options.h"

namespace isolume::cli {

/// Localises the orbitals of all molecules that have some. Throws Error (usage) where none has.
void localise_orbitals(Scene& scene, Documents& documents, const std::string& method);

/// The orbitals of --orbital instead of those that the scene shows, each in colours of its own.
void show_orbitals(Scene& scene, Documents& documents, const SceneOptions& options);

/// The contacts of --contacts of every molecule with atoms. Throws Error (usage) where there are none.
void add_contacts(Scene& scene, Documents& documents, const SceneOptions& options);

/// How the orbitals of the scene are followed through frames, and where their surfaces lie.
void tune_orbitals(Scene& scene, const SceneOptions& options);

/// Orbitals, potentials and volumes on a plane instead of as surfaces; surfaces as meshes or points.
void draw_fields_as(Scene& scene, const SceneOptions& options);

/// Turns the camera to the plane of the first slice that is seen, from somewhat above; nothing where there is none.
void face_slice(Scene& scene, Documents& documents);

/// What `--surface` without a kind is.
inline constexpr const char* automatic_surface = "automatic";

/// A surface of every molecule with atoms, of the kind that --surface names. Throws Error (usage) for another word.
void add_surface(Scene& scene, Documents& documents, const SceneOptions& options);

/// What colours the surfaces of atoms; the potential or a map also those of orbitals and volumes, where there are no
/// others.
void colour_surfaces(Scene& scene, Documents& documents, const SceneOptions& options);

/// --extremes. Throws Error (usage) where no surface has the colours of a potential or a map.
void label_extremes(Scene& scene);

/// --method and --unit of the potentials that the scene shows.
void set_potentials(Scene& scene, const SceneOptions& options);

}  // namespace isolume::cli
