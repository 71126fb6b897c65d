// Presets for tasks: a whole picture by one word.
#pragma once

#include <span>
#include <string>

#include "app/documents/documents.h"
#include "app/scene/scene.h"

namespace isolume {

struct TaskPreset {
  const char* name;   ///< "cryo-em"
  const char* title;  ///< "Cryo-EM"
  const char* tip;    ///< what it shows
};
/// overview, pocket, electrostatics, orbital, membrane, cryo-em, publication.
std::span<const TaskPreset> task_presets();

/// Changes the scene for a task. Background, molecules, measurements, saved views and playback stay; all presets but
/// `publication`, which changes the look alone, make the representations again and turn the camera to what they show.
///
/// * overview: what opening the files shows, without surfaces.
/// * pocket: the largest ligand, whole residues within 5 angstrom of it, its hydrogen bonds, what is in front cut away.
/// * electrostatics: the usual surface coloured by the potential (usual_potential.h); structures without charges get
///   those of the built-in tables.
/// * orbital: the orbitals that are shown, else the HOMO, with the atoms as balls and sticks.
/// * membrane: the z axis upwards, without perspective; lipids thin, their phosphorus atoms as spheres, water hidden.
/// * cryo-em: maps as clear grey surfaces around cartoons.
/// * publication: white background, soft light, outlines, little depth cue.
///
/// Throws Error (usage) where there is no such preset, or the scene has nothing of what it shows.
/// @param aspect  width of the picture by its height
void apply_task_preset(Scene& scene, Documents& documents, const std::string& name, double aspect);

}  // namespace isolume
