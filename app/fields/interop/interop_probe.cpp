// A quick test of how surfaces get from a device to OpenGL.
#include "app/fields/interop/interop_probe.h"

#include <vector>

#include "app/fields/interop/gl_share.h"
#include "compute/base/device_array.h"
#include "molecule/base/error.h"
#include "render/gl/context.h"

namespace isolume {
namespace {

/// Distances from the middle: the surface at 0 is a ball's.
std::vector<float> ball(const Grid& grid) {
  std::vector<float> values;
  for (int k = 0; k < grid.counts.z; ++k)
    for (int j = 0; j < grid.counts.y; ++j)
      for (int i = 0; i < grid.counts.x; ++i)
        values.push_back(5.0f - static_cast<float>(glm::length(grid.point(i, j, k))));
  return values;
}

std::string hand_over(Device device) {
  const Grid grid{glm::dvec3(-8), glm::dmat3(1.0), {17, 17, 17}};
  const auto share = create_gl_share(device);
  const auto values = DeviceArray<float>::from_host(ball(grid), device, "device test");
  MarchingCubesOptions options;
  options.isovalue = 0;
  Job job;
  // Twice: the second time the buffers are known.
  for (int round = 0; round < 2; ++round) {
    MarchingCubes cubes(values.span(), grid, options);
    const auto buffers = share->take();
    const GlShare::Part part{buffers.get(), &cubes};
    if (share->fill(std::span(&part, 1), {}, false, device, job).counts.triangles == 0)
      throw Error("device test: " + to_string(device) + " made no surface of a ball");
  }
  return share->path();
}

}  // namespace

std::string probe_interop(Device device) {
  std::unique_ptr<GlContext> context;
  try {
    context = create_egl_context();
    context->make_current();
  } catch (const Error& error) {
    return error.what();
  }
  std::string path = hand_over(device);
  context->done_current();
  return path;
}

}  // namespace isolume
