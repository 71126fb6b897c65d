// Scene views as path-traced pictures.
#include "app/view/path/traced_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "app/view/path/traced_scene.h"
#include "compute/base/device_array.h"
#include "compute/base/memory.h"
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

/// What was accumulated, on the host.
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

std::uint8_t byte_of(float linear) {
  return static_cast<std::uint8_t>(std::lround(255 * to_srgb(linear)));
}

/// The mean of each pixel over the background, as sRGB and in the layers.
Image developed(const Sums& sums, const Look& look, const PictureOptions& options) {
  Image image{sums.width, sums.height, {}};
  const std::size_t pixels = sums.depth.size();
  image.rgba.resize(4 * pixels);
  if (options.layers) image.layers = std::make_shared<PictureLayers>(pixels);
  const float each = 1 / static_cast<float>(sums.samples);
  for (int y = 0; y < sums.height; ++y) {
    const float high = (static_cast<float>(sums.height - y) - 0.5f) / static_cast<float>(sums.height);
    const glm::vec3 mixed = glm::mix(look.background_bottom, look.background, high);
    for (int x = 0; x < sums.width; ++x) {
      const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(sums.width) + static_cast<std::size_t>(x);
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
  }
  return image;
}

double standard_error(const Sums& sums) {
  double sum = 0;
  std::size_t count = 0;
  const double n = sums.samples;
  for (std::size_t i = 0; i < sums.squares.size(); ++i) {
    const float* const light = sums.radiance.data() + 4 * i;
    if (!(light[3] > 0)) continue;
    const double mean = (0.2126 * static_cast<double>(light[0]) + 0.7152 * static_cast<double>(light[1]) +
                         0.0722 * static_cast<double>(light[2])) /
                        n;
    sum += std::max(static_cast<double>(sums.squares[i]) / n - mean * mean, 0.0) / n;
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

struct PathPainter::Parts {
  explicit Parts(Device where) : device(where) {}

  Device device;
  PathReport report;
  std::vector<std::vector<std::uint8_t>> covered_labels;
  std::optional<Tracer> tracer;
  Made made;

  void prepare(const SceneView& view, const PathSettings& settings, const TraceView& trace, Job& job) {
    Made wanted{view.items,           view.traits,        view.clip_planes,   view.centre,   view.camera.height,
                settings.pixel_ratio, settings.height,    trace.plane_count,  view.show_box, view.box,
                view.box_copies,      view.look.specular, view.look.shininess};
    if (tracer && made == wanted) return;
    tracer.reset();
    job.progress(0, "path tracing: scene");
    require_memory(predict_traced_scene(view), Device::cpu(), "path tracing: the scene");
    const auto begin = Clock::now();
    TraceScene scene = traced_scene(view, settings);
    report.shapes += scene.shapes();
    tracer.emplace(std::move(scene), device, job);
    made = std::move(wanted);
    report.build_seconds += seconds_since(begin);
  }

  Sums trace(const SceneView& view, const PictureOptions& options, Job& job) {
    const PathSettings settings{options.width, options.height, options.pixel_ratio, bounces, 0};
    const TraceView trace = traced_view(view, settings);
    prepare(view, settings, trace, job);
    const std::size_t pixels = static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height);
    constexpr std::size_t each = 7 * sizeof(float);
    require_memory(each * pixels, device, fmt::format("path tracing {} x {} pixels", options.width, options.height));
    report.bytes = std::max(report.bytes, tracer->bytes() + each * pixels);
    const auto begin = Clock::now();
    const std::uint64_t before = tracer->rays();
    DeviceArray<float> radiance(4 * pixels, device, "light"), squares(pixels, device, "squares"),
        depth(pixels, device, "depth");
    DeviceArray<std::uint32_t> objects(pixels, device, "objects");
    tracer->trace(trace, options.samples, 0, {radiance.span(), squares.span(), {}, depth.span(), objects.span()}, job);
    Sums sums{options.width,           options.height,         options.samples,
              radiance.copy_to_host(), squares.copy_to_host(), depth.copy_to_host(),
              objects.copy_to_host(),  trace.camera,           depth_shift(view)};
    report.trace_seconds += seconds_since(begin);
    report.rays += tracer->rays() - before;
    return sums;
  }
};

PathPainter::PathPainter(Device device) : parts_(std::make_unique<Parts>(device)) {}
PathPainter::~PathPainter() = default;

const PathReport& PathPainter::report() const {
  return parts_->report;
}

Image PathPainter::picture(const SceneView& view, const PictureOptions& options, Job& job) {
  Parts& p = *parts_;
  p.report = {};
  p.report.device = to_string(p.device);
  if (!p.device.is_cuda()) p.report.device += traces_with_embree() ? " (Embree)" : " (without Embree)";
  p.report.samples = options.samples;
  p.report.bounces = bounces;
  p.covered_labels.clear();
  constexpr double margin = 2.2;  // angstrom: what is drawn of an atom does not cover its own label
  const auto traced = [&](const SceneView& part, const PictureOptions& own, std::size_t count) {
    const Sums sums = p.trace(part, own, job);
    p.covered_labels.push_back(covered(sums, part, margin));
    p.report.standard_error =
        std::hypot(p.report.standard_error, standard_error(sums) / std::sqrt(static_cast<double>(count)));
    for (std::string& note : left_out_of_path(part))
      if (std::find(p.report.notes.begin(), p.report.notes.end(), note) == p.report.notes.end())
        p.report.notes.push_back(std::move(note));
    return developed(sums, part.look, own);
  };
  if (view.tiles.empty()) return traced(view, options, 1);
  return tiled_picture(view, options, [&](const SceneView& part, const PictureOptions& own, std::size_t) {
    return traced(part, own, view.tiles.size());
  });
}

std::vector<std::vector<std::uint8_t>> PathPainter::covered_labels(const SceneView&) const {
  return parts_->covered_labels;
}

}  // namespace isolume
