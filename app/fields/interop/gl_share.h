// Handing computed surfaces to OpenGL: on the device where CUDA drives the context, else through host memory.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compute/base/stream.h"
#include "compute/isosurface/marching_cubes.h"
#include "render/draw/surface_buffers.h"

namespace isolume {

/// One call, two bodies: gl_share_cuda.cpp and gl_share_host.cpp. Used on one thread with an OpenGL context current.
class GlShare {
 public:
  GlShare();
  virtual ~GlShare();
  GlShare(const GlShare&) = delete;
  GlShare& operator=(const GlShare&) = delete;

  /// Buffers to fill: such as no picture shows any more, or new ones. They come back when their last owner lets go of
  /// them, on any thread and with any context or none, and are destroyed with this object. The OpenGL buffers of
  /// those that somebody still holds then are left to the end of the context.
  std::shared_ptr<SurfaceBuffers> take();
  /// "CUDA-OpenGL interop on cuda:0", or "through host memory (no CUDA device drives this OpenGL context)".
  virtual std::string path() const = 0;
  /// The stream in which fill() works on a CUDA device, or null: values that are put into it need no wait before
  /// fill(). Its work is finished when fill() returns.
  virtual Stream* stream_on(Device) { return nullptr; }
  /// A surface and where it goes.
  struct Part {
    SurfaceBuffers* buffers;
    MarchingCubes* surface;
  };
  struct Filled {
    SurfaceCounts counts;        ///< of all parts
    std::size_t host_bytes = 0;  ///< that went through host memory
  };
  /// Counts the surfaces of one picture, makes room in their buffers and fills them; with colours where `coloured`, by
  /// what `by` says.
  virtual Filled fill(std::span<const Part> parts, const SurfaceColours& by, bool coloured, Device device,
                      Job& job) = 0;

 protected:
  /// Leaves the OpenGL buffers in reserve to the end of their context: CUDA may not release them any more.
  void abandon_buffers();

 private:
  struct Pool;
  std::shared_ptr<Pool> pool_;
};

/// Fills through host memory: the body of gl_share_host.cpp, and what the CUDA one falls back to.
GlShare::Filled fill_through_host(std::span<const GlShare::Part> parts, const SurfaceColours& by, bool coloured,
                                  Device device, Job& job);

/// The one for the current OpenGL context and the device that computes.
std::unique_ptr<GlShare> create_gl_share(Device device);

}  // namespace isolume
