// Scenes and pictures for the tests of path tracing.
#pragma once

#include <cmath>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/trace/trace.h"

namespace isolume::test {

inline std::uint32_t add_material(TraceScene& scene, const TraceMaterial& material = {}) {
  scene.materials.push_back(material);
  return static_cast<std::uint32_t>(scene.materials.size() - 1);
}

inline void add_sphere(TraceScene& scene, glm::vec3 centre, float radius, std::uint32_t material = 0,
                       glm::u8vec4 colour = glm::u8vec4(255)) {
  scene.spheres.emplace_back(centre, radius);
  scene.sphere_colours.push_back(colour);
  scene.sphere_materials.push_back(material);
}

/// A square in the plane z = `height`, two triangles.
inline void add_floor(TraceScene& scene, float half, float height = 0, std::uint32_t material = 0,
                      glm::u8vec4 colour = glm::u8vec4(255)) {
  const auto first = static_cast<std::uint32_t>(scene.vertices.size());
  for (const glm::vec2 corner : {glm::vec2(-1, -1), glm::vec2(1, -1), glm::vec2(1, 1), glm::vec2(-1, 1)}) {
    scene.vertices.emplace_back(half * corner, height);
    scene.normals.emplace_back(0, 0, 1);
    scene.vertex_colours.push_back(colour);
  }
  scene.triangles.push_back({first, first + 1, first + 2, material});
  scene.triangles.push_back({first, first + 2, first + 3, material});
}

/// A cloud whose values are those of a function of the place; its colours are for values from 0 to 1.
template <class Value>
TraceCloud make_cloud(glm::ivec3 counts, glm::dvec3 steps, glm::dvec3 origin, const Value& value,
                      std::vector<glm::vec4> transfer) {
  Volume volume;
  volume.grid.origin = origin;
  for (int i = 0; i < 3; ++i) volume.grid.step[i][i] = steps[i];
  volume.grid.counts = counts;
  for (int z = 0; z < counts.z; ++z)
    for (int y = 0; y < counts.y; ++y)
      for (int x = 0; x < counts.x; ++x) volume.values.push_back(static_cast<float>(value(volume.grid.point(x, y, z))));
  TraceCloud cloud;
  cloud.volume = std::make_shared<const Volume>(std::move(volume));
  cloud.transfer = std::move(transfer);
  return cloud;
}

/// Looks from `eye` at `target`.
inline TraceCamera looking(glm::vec3 eye, glm::vec3 target, float half_height, bool orthographic = false) {
  TraceCamera camera;
  camera.eye = eye;
  camera.forward = glm::normalize(target - eye);
  const glm::vec3 hint = std::abs(camera.forward.y) < 0.9f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
  camera.right = glm::normalize(glm::cross(camera.forward, hint));
  camera.up = glm::cross(camera.right, camera.forward);
  camera.half_height = half_height;
  camera.orthographic = orthographic;
  camera.focus = glm::distance(eye, target);
  return camera;
}

/// What was accumulated, on the host.
struct Traced {
  std::vector<float> radiance, squares, albedo, depth;
  std::vector<std::uint32_t> objects;
  int samples = 0;

  /// The mean of a colour at a pixel, and the standard error of luminance there.
  double mean(std::size_t pixel, std::size_t channel = 0) const {
    return static_cast<double>(radiance[4 * pixel + channel]) / samples;
  }
  double error(std::size_t pixel) const {
    const double n = samples;
    double mean = 0;
    constexpr double weights[3] = {0.2126, 0.7152, 0.0722};
    for (std::size_t c = 0; c < 3; ++c) mean += weights[c] * this->mean(pixel, c);
    const double variance = static_cast<double>(squares[pixel]) / n - mean * mean;
    return std::sqrt(std::max(variance, 0.0) / n);
  }
};

/// Traces in as many calls as there are numbers in `parts`, which sum up to the samples.
inline Traced traced(const TraceScene& scene, const TraceView& view, std::vector<int> parts, Device device) {
  const auto pixels = static_cast<std::size_t>(view.width * view.height);
  DeviceArray<float> radiance(4 * pixels, device), squares(pixels, device), albedo(3 * pixels, device),
      depth(pixels, device);
  DeviceArray<std::uint32_t> objects(pixels, device);
  Job job;
  Tracer tracer(scene, device, job);
  Traced result;
  for (const int part : parts) {
    tracer.trace(view, part, result.samples,
                 {radiance.span(), squares.span(), albedo.span(), depth.span(), objects.span()}, job);
    result.samples += part;
  }
  result.radiance = radiance.copy_to_host();
  result.squares = squares.copy_to_host();
  result.albedo = albedo.copy_to_host();
  result.depth = depth.copy_to_host();
  result.objects = objects.copy_to_host();
  return result;
}

}  // namespace isolume::test
