// Scenes out of MolViewSpec files.
#pragma once

#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace isolume {

/// True for "view.mvsj".
bool is_molviewspec(const std::string& path);

/// The scene that a MolViewSpec file (version 1, https://molstar.org/mol-view-spec-docs) describes, for a file in
/// `folder`: structures of local files, components, representations with colours and opacity, labels, transforms,
/// clipping planes, camera and canvas. Of several snapshots the first. Every node and parameter that Isolume cannot
/// show is named in `notes`. Without a camera, Camera::height is 0: whoever has the molecules fits it.
/// Nothing is fetched: addresses of a network are named in `notes`, and are an Error (input) where no structure is
/// left. Throws Error (input) for what is no MolViewSpec.
Scene scene_from_molviewspec(const std::string& text, const std::string& folder, std::vector<std::string>& notes);

/// A vertical field of view of the camera of the format: a sphere of radius R just fits where it is 2 R away.
/// The distance of that camera from its target, for one of ours and its height, and back.
double molviewspec_distance(const Camera& camera);
double height_of_molviewspec(const Camera& camera, double distance);

}  // namespace isolume
