// Handing computed surfaces to OpenGL: on the device where CUDA drives the context, else through host memory.
#pragma once

#include <memory>
#include <string>

#include "compute/isosurface/marching_cubes.h"
#include "render/draw/surface_buffers.h"

namespace isolume {

/// One call, two bodies: gl_share_cuda.cpp and gl_share_host.cpp. Used on one thread with an OpenGL context current.
class GlShare {
 public:
  virtual ~GlShare() = default;
  /// "CUDA-OpenGL interop on cuda:0", or "through host memory (no CUDA device drives this OpenGL context)".
  virtual std::string path() const = 0;
  /// Counts, makes room in the buffers and fills them. Colours where `colour_volume` is not empty. Returns the counts
  /// and the bytes that went through host memory.
  struct Filled {
    SurfaceCounts counts;
    std::size_t host_bytes = 0;
  };
  virtual Filled fill(SurfaceBuffers& buffers, MarchingCubes& surface, Span<const glm::vec3> colour_volume,
                      Device device, Job& job) = 0;
};

/// The one for the current OpenGL context and the device that computes.
std::unique_ptr<GlShare> create_gl_share(Device device);

}  // namespace isolume
