// OpenGL contexts, as the renderer needs them.
#pragma once

#include <memory>
#include <string>

namespace isolume {

/// An OpenGL 4.5 core context. The window wraps Qt's, the command line an EGL one without a display.
class GlContext {
 public:
  virtual ~GlContext() = default;
  virtual void make_current() = 0;
  virtual void done_current() = 0;
  /// A context that shares buffers and textures with this one, for a worker thread; null where that is impossible.
  virtual std::unique_ptr<GlContext> create_shared() = 0;
};

/// What a current context is.
struct GlInfo {
  std::string vendor, renderer, version;
  bool software = false;  ///< a software rasteriser (llvmpipe, softpipe)
};
GlInfo gl_info();

/// A context without any window through EGL: the device platform (`device_index` of eglQueryDevicesEXT; -1 tries the
/// card that CUDA_VISIBLE_DEVICES names by its UUID, then other GPUs, then software), then the surfaceless platform.
/// Throws Error that says what was tried.
std::unique_ptr<GlContext> create_egl_context(int device_index = -1);

}  // namespace isolume
