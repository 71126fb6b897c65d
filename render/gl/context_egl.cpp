// OpenGL contexts without a window, through EGL.
#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <vector>

#include "molecule/base/error.h"
#include "render/gl/bundled_opengl.h"
#include "render/gl/context.h"
#include "render/gl/visible_card.h"

namespace isolume {
namespace {

bool has_word(const char* words, std::string_view word) {
  std::string_view rest = words ? words : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == word) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

bool software_renderer(std::string_view renderer) {
  return renderer.find("llvmpipe") != std::string_view::npos || renderer.find("softpipe") != std::string_view::npos ||
         renderer.find("SWR") != std::string_view::npos || renderer.find("Software") != std::string_view::npos;
}

class EglContext final : public GlContext {
 public:
  EglContext(EGLDisplay display, EGLConfig config, EGLContext context, bool robust)
      : display_(display), config_(config), context_(context), robust_(robust) {}
  ~EglContext() override {
    if (eglGetCurrentContext() == context_) done_current();
    eglDestroyContext(display_, context_);
  }
  void make_current() override {
    eglBindAPI(EGL_OPENGL_API);
    if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
      throw Error(fmt::format("EGL cannot make its context current (error {:#x})", eglGetError()));
  }
  void done_current() override { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT); }
  std::unique_ptr<GlContext> create_shared() override;

  /// With `robust` it is told where the driver is reset, as far as the driver can; contexts that share must agree.
  static std::unique_ptr<EglContext> create(EGLDisplay display, EGLConfig config, EGLContext shared, bool robust) {
    std::vector<EGLint> attributes{EGL_CONTEXT_MAJOR_VERSION,       4,
                                   EGL_CONTEXT_MINOR_VERSION,       5,
                                   EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT};
    if (robust)
      attributes.insert(attributes.end(), {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET});
    attributes.push_back(EGL_NONE);
    eglBindAPI(EGL_OPENGL_API);
    const EGLContext context = eglCreateContext(display, config, shared, attributes.data());
    if (context == EGL_NO_CONTEXT) return nullptr;
    return std::make_unique<EglContext>(display, config, context, robust);
  }

 private:
  EGLDisplay display_;  // never terminated: other contexts of this process may live on the same display
  EGLConfig config_;
  EGLContext context_;
  bool robust_;
};

std::unique_ptr<GlContext> EglContext::create_shared() {
  return create(display_, config_, context_, robust_);
}

/// A context on one display, or null with the reason appended to `tried`.
std::unique_ptr<EglContext> context_on(EGLDisplay display, const std::string& label, std::string& tried) {
  const auto failed = [&](const std::string& reason) {
    tried += fmt::format("{}{}: {}", tried.empty() ? "" : "; ", label, reason);
    return nullptr;
  };
  if (display == EGL_NO_DISPLAY) return failed("no display");
  EGLint major = 0, minor = 0;
  if (!eglInitialize(display, &major, &minor)) return failed(fmt::format("no start (error {:#x})", eglGetError()));
  const char* extensions = eglQueryString(display, EGL_EXTENSIONS);
  if (!has_word(extensions, "EGL_KHR_surfaceless_context")) return failed("no contexts without a surface");
  EGLConfig config = nullptr;
  if (!has_word(extensions, "EGL_KHR_no_config_context")) {
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) return failed("no OpenGL configuration");
  }
  // Attributes of EGL 1.5, where reset notification is no extension.
  const bool robust = major > 1 || minor >= 5;
  auto context = robust ? EglContext::create(display, config, EGL_NO_CONTEXT, true) : nullptr;
  if (!context) context = EglContext::create(display, config, EGL_NO_CONTEXT, false);
  if (!context) return failed(fmt::format("no OpenGL 4.5 core context (error {:#x})", eglGetError()));
  return context;
}

/// Whether a device is the card on which CUDA_VISIBLE_DEVICES has this job compute.
bool was_given(EGLDeviceEXT device) {
  constexpr EGLint device_uuid = 0x335C;  // of EGL_EXT_device_persistent_id
  using QueryBinary = EGLBoolean (*)(EGLDeviceEXT, EGLint, EGLint, void*, EGLint*);
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!visible || !has_word(eglQueryDeviceStringEXT(device, EGL_EXTENSIONS), "EGL_EXT_device_persistent_id"))
    return false;
  const auto query = reinterpret_cast<QueryBinary>(eglGetProcAddress("eglQueryDeviceBinaryEXT"));
  std::uint8_t uuid[16] = {};
  EGLint size = 0;
  return query && query(device, device_uuid, sizeof uuid, uuid, &size) && size == sizeof uuid &&
         names_card(visible, uuid);
}

bool is_software(EglContext& context) {
  context.make_current();
  const bool software = gl_info().software;
  context.done_current();
  return software;
}

}  // namespace

GlInfo gl_info() {
  const auto text = [](GLenum what) {
    const auto* bytes = glGetString(what);
    return std::string(bytes ? reinterpret_cast<const char*>(bytes) : "unknown");
  };
  GlInfo info{text(GL_VENDOR), text(GL_RENDERER), text(GL_VERSION), false};
  info.software = software_renderer(info.renderer);
  return info;
}

std::unique_ptr<GlContext> create_egl_context(int device_index) {
  // epoxy ends the program where the library is missing, so it is looked for first. It stays open.
  if (!dlopen("libEGL.so.1", RTLD_LAZY | RTLD_GLOBAL))
    throw Error("no OpenGL without a window: libEGL.so.1 is not installed");
  const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  std::string tried;
  std::unique_ptr<GlContext> software;

  const bool devices_known = has_word(client, "EGL_EXT_device_enumeration") || has_word(client, "EGL_EXT_device_base");
  if (devices_known && has_word(client, "EGL_EXT_platform_device") && has_word(client, "EGL_EXT_platform_base")) {
    EGLint count = 0;
    eglQueryDevicesEXT(0, nullptr, &count);
    std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(std::max(count, 0)));
    if (count > 0) eglQueryDevicesEXT(count, devices.data(), &count);
    devices.resize(static_cast<std::size_t>(std::max(count, 0)));
    if (device_index >= static_cast<int>(devices.size()))
      throw Error(fmt::format("EGL device {}: there are {}", device_index, devices.size()), Error::Kind::usage);
    std::vector<std::size_t> order(devices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (has_word(client, "EGL_EXT_device_base") || has_word(client, "EGL_EXT_device_query"))
      std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return was_given(devices[i]); });
    for (const std::size_t i : order) {
      if (device_index >= 0 && static_cast<int>(i) != device_index) continue;
      const EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr);
      auto context = context_on(display, fmt::format("EGL device {}", i), tried);
      if (!context) continue;
      if (device_index >= 0 || !is_software(*context)) return context;
      if (!software) software = std::move(context);
    }
    if (device_index >= 0) throw Error(fmt::format("no OpenGL on the EGL device asked for ({})", tried));
    if (software) return software;
  } else {
    tried = "EGL device platform: not offered";
  }
  if (has_word(client, "EGL_MESA_platform_surfaceless") && has_word(client, "EGL_EXT_platform_base")) {
    const EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (auto context = context_on(display, "EGL surfaceless platform", tried)) return context;
  } else {
    tried += "; EGL surfaceless platform: not offered";
  }
  throw Error("no OpenGL 4.5 without a window (" + tried + ")" + bundled_opengl_hint());
}

}  // namespace isolume
