// Scene views as path-traced pictures.
#include "app/view/path/traced_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "app/view/path/traced_scene.h"
#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/trace/denoise.h"
#include "compute/trace/trace.h"
#include "molecule/base/error.h"
#include "render/image/picture_layers.h"
#include "render/tiles.h"

namespace isolume {
namespace {

constexpr int bounces = 4;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Where samples are added up, on the device.
struct Accumulated {
  Accumulated(std::size_t pixels, bool colours, Device device)
      : radiance(4 * pixels, device, "light"),
        albedo(colours ? 3 * pixels : 0, device, "colours"),
        squares(pixels, device, "squares"),
        depth(pixels, device, "depth"),
        objects(pixels, device, "objects") {}
  DeviceArray<float> radiance, albedo, squares, depth;
  DeviceArray<std::uint32_t> objects;
};
/// Colours are for the denoiser.
std::size_t bytes_of_pixel(bool colours) {
  return (colours ? 10 : 7) * sizeof(float);
}

/// The same on the host.
struct Sums {
  int width = 0, height = 0, samples = 0;
  std::vector<float> radiance, squares, depth;
  std::vector<std::uint32_t> objects;
  TraceCamera camera;
  double shift = 0;  ///< angstrom by which depths are larger than those from the camera's eye
};

/// What a scene was made from: while this is the same, so is its hierarchy.
struct Made {
  std::vector<std::shared_ptr<const DrawItem>> items;
  std::vector<ItemTraits> traits;
  std::vector<ClipPlane> planes;
  glm::dvec3 centre{0.0};
  double camera_height = 0, pixel_ratio = 0;
  int height = 0, plane_count = 0;
  bool show_box = false;
  Cell box;
  std::vector<glm::vec3> box_copies;
  float specular = 0, shininess = 0;
  bool operator==(const Made&) const = default;
};

/// Sums become means, as of one sample, and lose their noise.
void denoise_sums(Sums& sums, std::vector<float> albedo, Job& job) {
  const float each = 1 / static_cast<float>(sums.samples);
  for (float& v : sums.radiance) v *= each;
  for (float& v : albedo) v *= each;
  sums.samples = 1;
  denoise(sums.width, sums.height, sums.radiance, albedo, job);
}

std::uint8_t byte_of(float linear) {
  return static_cast<std::uint8_t>(std::lround(255 * to_srgb(linear)));
}

/// The mean of each pixel over the background, as sRGB and in the layers.
Image developed(const Sums& sums, const Look& look, const PictureOptions& options, Job& job) {
  Image image{sums.width, sums.height, {}};
  const std::size_t pixels = sums.depth.size();
  image.rgba.resize(4 * pixels);
  if (options.layers) image.layers = std::make_shared<PictureLayers>(pixels);
  const float each = 1 / static_cast<float>(sums.samples);
  const auto width = static_cast<std::size_t>(sums.width), height = static_cast<std::size_t>(sums.height);
  parallel_for(height, job, "path tracing: colours", [&](std::size_t y) {
    const float high = (static_cast<float>(height - y) - 0.5f) / static_cast<float>(height);
    const glm::vec3 mixed = glm::mix(look.background_bottom, look.background, high);
    for (std::size_t at = y * width; at < (y + 1) * width; ++at) {
      const float* const sum = sums.radiance.data() + 4 * at;
      float alpha = std::clamp(sum[3] * each, 0.0f, 1.0f);
      float light[3];
      for (int c = 0; c < 3; ++c) {
        light[c] = std::min(sum[c] * each, alpha);  // brighter than white is white
        if (!options.transparent) light[c] += (1 - alpha) * to_linear(mixed[c]);
      }
      if (!options.transparent) alpha = 1;
      std::uint8_t* const out = image.rgba.data() + 4 * at;
      for (int c = 0; c < 3; ++c) out[c] = byte_of(light[c] / std::max(alpha, 1e-6f));
      out[3] = static_cast<std::uint8_t>(std::lround(255 * alpha));
      if (!image.layers) continue;
      std::copy_n(light, 3, image.layers->linear.data() + 4 * at);
      image.layers->linear[4 * at + 3] = alpha;
      image.layers->depth[at] = static_cast<float>(static_cast<double>(sums.depth[at]) - sums.shift);
      image.layers->objects[at] = sums.objects[at];
    }
  });
  return image;
}

double standard_error(const Sums& sums) {
  if (sums.samples < 2) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  std::size_t count = 0;
  const double n = sums.samples;
  for (std::size_t i = 0; i < sums.squares.size(); ++i) {
    const float* const light = sums.radiance.data() + 4 * i;
    if (!(light[3] > 0)) continue;
    const double mean = (0.2126 * static_cast<double>(light[0]) + 0.7152 * static_cast<double>(light[1]) +
                         0.0722 * static_cast<double>(light[2])) /
                        n;
    sum += std::max(static_cast<double>(sums.squares[i]) / n - mean * mean, 0.0) / (n - 1);
    ++count;
  }
  return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
}

/// 1 for points that have something before them, nearer to the eye by more than `margin` angstrom.
std::vector<std::uint8_t> covered(const Sums& sums, const SceneView& view, double margin) {
  std::vector<std::uint8_t> result;
  const TraceCamera& camera = sums.camera;
  for (const Label& label : view.labels) {
    const glm::vec3 from = glm::vec3(glm::dvec3(label.position) - view.centre) - camera.eye;
    const float depth = glm::dot(from, camera.forward);
    const float scale = 2 * camera.half_height / static_cast<float>(sums.height) * (camera.orthographic ? 1 : depth);
    const auto x =
        static_cast<int>(std::floor(glm::dot(from, camera.right) / scale + 0.5f * static_cast<float>(sums.width)));
    const auto y =
        static_cast<int>(std::floor(0.5f * static_cast<float>(sums.height) - glm::dot(from, camera.up) / scale));
    const bool inside = depth > 0 && x >= 0 && y >= 0 && x < sums.width && y < sums.height;
    result.push_back(
        inside && static_cast<double>(sums.depth[static_cast<std::size_t>(y) * static_cast<std::size_t>(sums.width) +
                                                 static_cast<std::size_t>(x)]) < static_cast<double>(depth) - margin);
  }
  return result;
}

}  // namespace

/// A picture or a tile of one: its scene, ready to be traced, and what was added up.
struct PathPainter::Parts {
  struct Part {
    Made made;
    std::optional<Tracer> tracer;
    std::size_t shapes = 0;
    std::optional<Accumulated> sums;  // of `size`
    glm::ivec2 size{0};
    bool colours = false;
    int samples = 0;
  };

  explicit Parts(Device where) : device(where) {}

  Device device;
  SceneView view;
  PictureOptions options;
  std::vector<Part> parts;
  PathReport report;
  std::vector<std::vector<std::uint8_t>> covered_labels;

  void prepare(Part& part, const SceneView& own, const PathSettings& settings, const TraceView& trace, Job& job) {
    Made wanted{
        own.items,         own.traits,        own.clip_planes, own.centre, own.camera.height, settings.pixel_ratio,
        settings.height,   trace.plane_count, own.show_box,    own.box,    own.box_copies,    own.look.specular,
        own.look.shininess};
    if (!part.tracer || part.made != wanted) {
      part.tracer.reset();
      job.progress(0, "path tracing: scene");
      require_memory(predict_traced_scene(own), Device::cpu(), "path tracing: the scene");
      const auto begin = Clock::now();
      TraceScene scene = traced_scene(own, settings);
      part.shapes = scene.shapes();
      part.tracer.emplace(std::move(scene), device, job);
      part.made = std::move(wanted);
      report.build_seconds += seconds_since(begin);
    }
    const glm::ivec2 size(settings.width, settings.height);
    const std::size_t pixels = static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
    if (!part.sums || part.size != size || part.colours != options.denoise) {
      part.sums.reset();
      require_memory(bytes_of_pixel(options.denoise) * pixels, device,
                     fmt::format("path tracing {} x {} pixels", size.x, size.y));
      part.sums.emplace(pixels, options.denoise, device);
      part.size = size;
      part.colours = options.denoise;
    }
    report.shapes += part.shapes;
    report.bytes += part.tracer->bytes() + bytes_of_pixel(options.denoise) * pixels;
  }

  Sums trace(Part& part, const SceneView& own, const PictureOptions& sized, int samples, Job& job) {
    const PathSettings settings{sized.width, sized.height, sized.pixel_ratio, bounces, 0};
    const TraceView trace = traced_view(own, settings);
    if (part.samples == 0) prepare(part, own, settings, trace, job);
    const auto begin = Clock::now();
    const std::uint64_t before = part.tracer->rays();
    Accumulated& to = *part.sums;
    part.tracer->trace(trace, samples, part.samples,
                       {to.radiance.span(), to.squares.span(), to.albedo.span(), to.depth.span(), to.objects.span()},
                       job);
    part.samples += samples;
    Sums sums{sized.width,
              sized.height,
              part.samples,
              to.radiance.copy_to_host(),
              to.squares.copy_to_host(),
              to.depth.copy_to_host(),
              to.objects.copy_to_host(),
              trace.camera,
              depth_shift(own)};
    report.trace_seconds += seconds_since(begin);
    report.rays += part.tracer->rays() - before;
    return sums;
  }

  Image refined(Part& part, const SceneView& own, const PictureOptions& sized, int samples, Job& job) {
    constexpr double margin = 2.2;  // angstrom: what is drawn of an atom does not cover its own label
    Sums sums = trace(part, own, sized, samples, job);
    covered_labels.push_back(covered(sums, own, margin));
    report.standard_error =
        std::hypot(report.standard_error, isolume::standard_error(sums) / std::sqrt(static_cast<double>(parts.size())));
    if (options.denoise) denoise_sums(sums, part.sums->albedo.copy_to_host(), job);
    return developed(sums, own.look, sized, job);
  }
};

PathPainter::PathPainter(Device device) : parts_(std::make_unique<Parts>(device)) {}
PathPainter::~PathPainter() = default;

const PathReport& PathPainter::report() const {
  return parts_->report;
}

void PathPainter::begin(const SceneView& view, const PictureOptions& options) {
  if (options.denoise && !denoiser_present()) throw Error(denoiser_status());
  Parts& p = *parts_;
  p.view = view;
  p.options = options;
  p.parts.resize(std::max<std::size_t>(view.tiles.size(), 1));
  for (Parts::Part& part : p.parts) part.samples = 0;
  p.report = {};
  p.report.device = to_string(p.device);
  if (!p.device.is_cuda()) p.report.device += traces_with_embree() ? " (Embree)" : " (without Embree)";
  p.report.bounces = bounces;
  if (options.denoise) p.report.denoiser = denoiser_status();
  const auto note = [&p](const SceneView& part) {
    for (std::string& said : left_out_of_path(part))
      if (std::find(p.report.notes.begin(), p.report.notes.end(), said) == p.report.notes.end())
        p.report.notes.push_back(std::move(said));
  };
  if (view.tiles.empty()) note(view);
  for (std::size_t tile = 0; tile < view.tiles.size(); ++tile) note(tile_view(view, tile));
}

Image PathPainter::refine(int samples, Job& job) {
  Parts& p = *parts_;
  p.covered_labels.clear();
  p.report.standard_error = 0;
  Image image =
      p.view.tiles.empty()
          ? p.refined(p.parts.front(), p.view, p.options, samples, job)
          : tiled_picture(p.view, p.options, [&](const SceneView& part, const PictureOptions& sized, std::size_t tile) {
              return p.refined(p.parts[tile], part, sized, samples, job);
            });
  p.report.samples += samples;
  return image;
}

Image PathPainter::picture(const SceneView& view, const PictureOptions& options, Job& job) {
  begin(view, options);
  Image image = refine(options.samples, job);
  for (Parts::Part& part : parts_->parts) part.sums.reset();
  return image;
}

std::vector<std::vector<std::uint8_t>> PathPainter::covered_labels(const SceneView&) const {
  return parts_->covered_labels;
}

}  // namespace isolume
