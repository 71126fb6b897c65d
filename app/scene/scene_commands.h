// Changes of a scene as lines of text, and back.
#pragma once

#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace isolume {

/// The commands that turn one scene into another, few and readable:
///   set PATH VALUE      one value: set representations[0].style spheres
///   add LIST VALUE      an entry at the end of a list, only the keys that are not the default: add fields {"kind":
///   ...} remove LIST[I]      an entry of a list
/// Paths and values are those of the JSON (docs/scene.md). Where a list changed in a way that these do not say briefly
/// (reordered), it is set as a whole. Camera, frame and playback are left out with `view` false.
std::vector<std::string> scene_changes(const Scene& before, const Scene& after, bool view = true);

/// Carries one such command out. Throws Error (usage) that says what was expected and what there is; the scene is then
/// as it was.
void apply_command(Scene& scene, const std::string& command);

/// Takes a molecule out of a scene with all that shows or measures it.
void remove_molecule(Scene& scene, std::size_t index);

/// Takes a probe out of a scene; what has the colours of its contributions gets those of elements.
void remove_probe(Scene& scene, std::size_t index);

/// Gives all molecules this smoothing (SceneMolecule::smoothing).
void smooth_motion(Scene& scene, std::uint32_t half);
/// The largest smoothing that a molecule has.
std::uint32_t smoothing_of(const Scene& scene);

/// True where the first word is one of apply_command()'s.
bool is_scene_command(const std::string& command);

/// The command line that draws the scene into a picture, quoted for a shell: "isolume render FILES --set ... --out
/// ...".
std::string render_command(const Scene& scene, const std::string& out);

/// All paths of a scene's values, in the order of the JSON, for completion: "camera.height",
/// "representations[0].style".
std::vector<std::string> scene_paths(const Scene& scene);

}  // namespace isolume
