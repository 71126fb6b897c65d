// Open Image Denoise, opened at run time. Versions 1 and 2 have the same functions under some other names.
#include "compute/trace/denoise.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using OidnDevice = void*;
using OidnFilter = void*;
// Values of the library's enumerations.
constexpr int cpu_device = 1, three_floats = 3, cancelled_error = 6;

struct Oidn {
  OidnDevice (*new_device)(int) = nullptr;
  void (*set_device_bool)(OidnDevice, const char*, bool) = nullptr;
  int (*device_int)(OidnDevice, const char*) = nullptr;
  int (*device_error)(OidnDevice, const char**) = nullptr;
  void (*commit_device)(OidnDevice) = nullptr;
  void (*release_device)(OidnDevice) = nullptr;
  OidnFilter (*new_filter)(OidnDevice, const char*) = nullptr;
  void (*set_image)(OidnFilter, const char*, void*, int, std::size_t, std::size_t, std::size_t, std::size_t,
                    std::size_t) = nullptr;
  void (*set_filter_bool)(OidnFilter, const char*, bool) = nullptr;
  void (*set_filter_int)(OidnFilter, const char*, int) = nullptr;
  void (*set_progress)(OidnFilter, bool (*)(void*, double), void*) = nullptr;
  void (*commit_filter)(OidnFilter) = nullptr;
  void (*execute_filter)(OidnFilter) = nullptr;
  void (*release_filter)(OidnFilter) = nullptr;
  int version = 0;  // major * 10 000 + minor * 100 + patch
  bool present = false;
};

template <class F>
bool find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}
template <class F>
bool find(void* library, const char* name, const char* older_name, F& function) {
  return find(library, name, function) || find(library, older_name, function);
}

const Oidn& oidn() {
  static const Oidn table = [] {
    Oidn t;
    void* library = nullptr;
    for (const char* name : {"libOpenImageDenoise.so.2", "libOpenImageDenoise.so.1", "libOpenImageDenoise.so"}) {
      library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (library) break;
    }
    if (!library) return t;
    t.present =
        find(library, "oidnNewDevice", t.new_device) &&
        find(library, "oidnSetDeviceBool", "oidnSetDevice1b", t.set_device_bool) &&
        find(library, "oidnGetDeviceInt", "oidnGetDevice1i", t.device_int) &&
        find(library, "oidnGetDeviceError", t.device_error) && find(library, "oidnCommitDevice", t.commit_device) &&
        find(library, "oidnReleaseDevice", t.release_device) && find(library, "oidnNewFilter", t.new_filter) &&
        find(library, "oidnSetSharedFilterImage", t.set_image) &&
        find(library, "oidnSetFilterBool", "oidnSetFilter1b", t.set_filter_bool) &&
        find(library, "oidnSetFilterInt", "oidnSetFilter1i", t.set_filter_int) &&
        find(library, "oidnSetFilterProgressMonitorFunction", t.set_progress) &&
        find(library, "oidnCommitFilter", t.commit_filter) && find(library, "oidnExecuteFilter", t.execute_filter) &&
        find(library, "oidnReleaseFilter", t.release_filter);
    if (!t.present) return t;
    if (const OidnDevice device = t.new_device(cpu_device)) {
      t.version = t.device_int(device, "version");
      t.release_device(device);
    }
    return t;
  }();
  return table;
}

std::atomic<bool> hidden{false};

/// A device and a filter of it, released at the end.
struct Denoiser {
  OidnDevice device = oidn().new_device(cpu_device);
  OidnFilter filter = nullptr;

  Denoiser() {
    if (!device) throw Error("Open Image Denoise cannot be started");
    oidn().set_device_bool(device, "setAffinity", false);
    oidn().commit_device(device);
    filter = oidn().new_filter(device, "RT");
  }
  ~Denoiser() {
    if (filter) oidn().release_filter(filter);
    if (device) oidn().release_device(device);
  }
  Denoiser(const Denoiser&) = delete;
  Denoiser& operator=(const Denoiser&) = delete;

  void check(const char* what) const {
    const char* message = nullptr;
    const int error = oidn().device_error(device, &message);
    if (error == 0 || error == cancelled_error) return;
    throw Error(fmt::format("Open Image Denoise: {}: {}", what, message ? message : "no message"));
  }
};

/// An image of the filter: bytes from one pixel to the next.
struct FilterImage {
  const char* name;
  float* data;
  std::size_t stride;
};

void filtered(std::initializer_list<FilterImage> images, std::size_t width, std::size_t height, std::size_t mebibytes,
              Job& job) {
  const Oidn& library = oidn();
  const Denoiser denoiser;
  denoiser.check("start");
  const OidnFilter filter = denoiser.filter;
  bool colour = false;
  for (const FilterImage& image : images) {
    library.set_image(filter, image.name, image.data, three_floats, width, height, 0, image.stride, 0);
    colour |= std::string_view(image.name) == "color";
  }
  library.set_filter_bool(filter, "hdr", colour);
  library.set_filter_bool(filter, "cleanAux", colour);
  library.set_filter_int(filter, "maxMemoryMB", static_cast<int>(mebibytes));
  library.set_progress(
      filter, [](void* asked, double) { return !static_cast<const Job*>(asked)->cancelled(); }, &job);
  library.commit_filter(filter);
  denoiser.check("the picture");
  library.execute_filter(filter);
  job.check();
  denoiser.check("denoising");
}

}  // namespace

bool denoiser_present() {
  return oidn().present && !hidden;
}

std::string denoiser_status() {
  if (!denoiser_present())
    return "Open Image Denoise (libOpenImageDenoise.so.2) is not installed; it can be had from "
           "www.openimagedenoise.org, "
           "or with `pip install pyoidn`, in whose folder pyoidn/oidn/lib it is: LD_LIBRARY_PATH must name that folder";
  const int version = oidn().version;
  return fmt::format("Open Image Denoise {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

void hide_denoiser_for_test(bool hide) {
  hidden = hide;
}

void denoise(int width, int height, std::span<float> radiance, std::span<const float> albedo, Job& job) {
  if (!denoiser_present()) throw Error(denoiser_status());
  const std::size_t w = static_cast<std::size_t>(std::max(width, 0)), h = static_cast<std::size_t>(std::max(height, 0));
  if (w * h == 0 || radiance.size() != 4 * w * h || albedo.size() != 3 * w * h)
    throw Error(fmt::format("denoising {} x {} pixels: {} values of light and {} of colour", width, height,
                            radiance.size(), albedo.size()),
                Error::Kind::usage);
  // The library takes tiles where the whole would need more than it is given.
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  const std::size_t pixels = 36 * w * h;
  require_memory(pixels + 256 * mebibyte, Device::cpu(), "denoising");
  const std::size_t given =
      std::clamp((available_memory(Device::cpu()) - pixels) / mebibyte / 2, std::size_t{128}, std::size_t{2000});
  job.progress(0, "denoising");
  const PhaseTimer timer("path tracing: denoising");
  // Colours first: where surfaces are transparent, they are as noisy as the light that they guide.
  const std::size_t each = 3 * sizeof(float);
  std::vector<float> guide(albedo.begin(), albedo.end()), smooth(3 * w * h);
  filtered({{"albedo", guide.data(), each}, {"output", smooth.data(), each}}, w, h, given, job);
  guide.swap(smooth);
  job.progress(0.3, "denoising");
  filtered(
      {{"color", radiance.data(), 4 * sizeof(float)}, {"albedo", guide.data(), each}, {"output", smooth.data(), each}},
      w, h, given, job);
  std::vector<float> cover(3 * w * h);
  for (std::size_t i = 0; i < w * h; ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      radiance[4 * i + c] = smooth[3 * i + c];
      cover[3 * i + c] = radiance[4 * i + 3];
    }
  job.progress(0.7, "denoising");
  filtered({{"color", cover.data(), each}, {"albedo", guide.data(), each}, {"output", smooth.data(), each}}, w, h,
           given, job);
  for (std::size_t i = 0; i < w * h; ++i) radiance[4 * i + 3] = std::clamp(smooth[3 * i], 0.0f, 1.0f);
}

}  // namespace isolume
