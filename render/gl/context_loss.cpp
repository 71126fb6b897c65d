// The one place where the driver is asked whether a context is lost.
#include "render/gl/context_loss.h"

#include <epoxy/gl.h>

#include <mutex>

namespace isolume {
namespace {

std::mutex mutex;
std::function<unsigned()> test_status;

unsigned reset_status() {
  {
    const std::lock_guard lock(mutex);
    if (test_status) return test_status();
  }
  return glGetGraphicsResetStatus();  // of OpenGL 4.5, which every context here has
}

}  // namespace

void check_context() {
  switch (reset_status()) {
    case GL_NO_ERROR:
      return;
    case GL_GUILTY_CONTEXT_RESET:
      throw ContextLost("the graphics driver was reset while Isolume drew");
    case GL_INNOCENT_CONTEXT_RESET:
      throw ContextLost("the graphics driver was reset because of another program");
    default:
      throw ContextLost("the graphics driver was reset");
  }
}

void set_reset_status_for_test(std::function<unsigned()> status) {
  const std::lock_guard lock(mutex);
  test_status = std::move(status);
}

}  // namespace isolume
