// What is drawn, as path tracing takes it: the shapes, materials, light and camera of a scene view.
#pragma once

#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "compute/trace/trace_scene.h"
#include "render/view/scene_view.h"

namespace isolume {

/// How a picture is traced, beyond its look.
struct PathSettings {
  int width = 1600, height = 1200;  ///< pixels
  double pixel_ratio = 1;           ///< pixels per logical pixel, for the width of lines
  int bounces = 4;
  std::uint32_t seed = 0;
};

/// Shapes of the items, relative to SceneView::centre. Lines become thin cylinders that keep their width in pixels at
/// the camera's centre, are not lit and cast no shadow; so do the edges of wireframes, and points become small spheres.
/// An OpenGL context must be current where surfaces are in its buffers.
TraceScene traced_scene(const SceneView& view, const PathSettings& settings);

/// Bytes of it, before it is made.
std::size_t predict_traced_scene(const SceneView& view);

/// Camera, light, clipping planes and depth cue. The key light of the look becomes a sun 7 degrees wide, its ambient
/// light a sky.
TraceView traced_view(const SceneView& view, const PathSettings& settings);

/// Angstrom by which depths from the eye of the trace are larger than those from the camera's: of orthographic views
/// that begin before the camera.
double depth_shift(const SceneView& view);

/// A sentence for each thing of the view that a path-traced picture leaves out.
std::vector<std::string> left_out_of_path(const SceneView& view);

}  // namespace isolume
