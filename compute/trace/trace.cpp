// Path tracing: checks, memory, and the choice of the body.
#include "compute/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "compute/base/memory.h"
#include "compute/trace/trace_body.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

bool finite(glm::vec3 v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

[[noreturn]] void refuse(const std::string& what) {
  throw Error("path tracing: " + what, Error::Kind::usage);
}

void check_materials(const TraceScene& scene) {
  for (std::size_t i = 0; i < scene.materials.size(); ++i) {
    const TraceMaterial& m = scene.materials[i];
    const auto part = [](float v) { return v >= 0 && v <= 1; };
    if (!part(m.opacity) || !part(m.reflectance) || !(m.roughness >= 0.02f && m.roughness <= 1))
      refuse(
          fmt::format("material {}: opacity and reflectance from 0 to 1 and a roughness from 0.02 to 1 are needed, "
                      "not {}, {} and {}",
                      i, m.opacity, m.reflectance, m.roughness));
  }
}

void check_shapes(const TraceScene& scene) {
  const std::size_t materials = scene.materials.size();
  const auto known = [&](std::uint32_t material, const char* what, std::size_t i) {
    if (material >= materials) refuse(fmt::format("{} {}: material {} of {}", what, i, material, materials));
  };
  if (scene.sphere_colours.size() != scene.spheres.size() || scene.sphere_materials.size() != scene.spheres.size())
    refuse(fmt::format("{} spheres have {} colours and {} materials", scene.spheres.size(), scene.sphere_colours.size(),
                       scene.sphere_materials.size()));
  if (scene.normals.size() != scene.vertices.size() || scene.vertex_colours.size() != scene.vertices.size())
    refuse(fmt::format("{} vertices have {} normals and {} colours", scene.vertices.size(), scene.normals.size(),
                       scene.vertex_colours.size()));
  for (std::size_t i = 0; i < scene.spheres.size(); ++i) {
    const glm::vec4& s = scene.spheres[i];
    if (!finite(s) || !(s.w >= 0) || !std::isfinite(s.w))
      refuse(fmt::format("sphere {}: a finite centre and a radius of 0 or more are needed, not ({}, {}, {}) and {}", i,
                         s.x, s.y, s.z, s.w));
    known(scene.sphere_materials[i], "sphere", i);
  }
  for (std::size_t i = 0; i < scene.cylinders.size(); ++i) {
    const TraceCylinder& c = scene.cylinders[i];
    if (!finite(c.a) || !finite(c.b) || !(c.radius >= 0) || !std::isfinite(c.radius))
      refuse(fmt::format("cylinder {}: finite ends and a radius of 0 or more are needed", i));
    known(c.material, "cylinder", i);
  }
  for (std::size_t i = 0; i < scene.vertices.size(); ++i)
    if (!finite(scene.vertices[i]) || !finite(scene.normals[i]))
      refuse(fmt::format("vertex {}: a finite place and normal are needed", i));
  for (std::size_t i = 0; i < scene.triangles.size(); ++i) {
    const TraceTriangle& t = scene.triangles[i];
    if (std::max({t.a, t.b, t.c}) >= scene.vertices.size())
      refuse(fmt::format("triangle {}: its corners {}, {} and {} are of {} vertices", i, t.a, t.b, t.c,
                         scene.vertices.size()));
    known(t.material, "triangle", i);
  }
  if (scene.shapes() >= 0x7fffffff) refuse("more than 2 147 483 646 shapes");
}

void check_view(const TraceView& view, int samples, int first_sample) {
  constexpr int largest_side = 1 << 16;
  if (view.width < 1 || view.height < 1 || view.width > largest_side || view.height > largest_side)
    refuse(fmt::format("a picture of {} x {} pixels: each side is 1 to {}", view.width, view.height, largest_side));
  if (samples < 1 || first_sample < 0 || samples > (1 << 30) - first_sample)
    refuse(fmt::format("{} samples from number {}: at least one, and numbers from 0 to 2^30, are needed", samples,
                       first_sample));
  if (view.bounces < 1 || view.bounces > 64) refuse(fmt::format("{} bounces: 1 to 64 are possible", view.bounces));
  if (view.plane_count < 0 || view.plane_count > static_cast<int>(most_trace_planes))
    refuse(fmt::format("{} clipping planes, at most {} are possible", view.plane_count, most_trace_planes));
  const TraceCamera& c = view.camera;
  if (!finite(c.eye) || !finite(c.right) || !finite(c.up) || !finite(c.forward) || !(c.half_height > 0) ||
      !std::isfinite(c.half_height) || !(c.lens >= 0) || (c.lens > 0 && !(c.focus > 0)))
    refuse("a camera with finite axes, a height above 0 and, with a lens, a sharp plane before it is needed");
  const TraceLight& l = view.light;
  if (!finite(l.sun) || !finite(l.sky) || !finite(l.ground) || !finite(l.direction) || !(l.angle >= 0) ||
      !(l.angle <= 1.6f) || !(l.reach > 0))
    refuse("finite light, a sun of 0 to 1.6 radians and a reach above 0 are needed");
}

void check_buffers(const TraceView& view, const TraceBuffers& out, Device device) {
  const std::size_t pixels = static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height);
  const auto check = [&](const auto& span, std::size_t each, const char* what, bool needed) {
    if (span.size == 0 && !needed) return;
    if (span.size != each * pixels || span.device != device)
      refuse(fmt::format("{}: {} values on {} for {} pixels on {}", what, span.size, to_string(span.device), pixels,
                         to_string(device)));
  };
  check(out.radiance, 4, "radiance", true);
  check(out.squares, 1, "squares", false);
  check(out.albedo, 3, "albedo", false);
  check(out.depth, 1, "depth", false);
  check(out.objects, 1, "objects", false);
}

std::size_t scene_bytes(const TraceScene& scene) {
  return scene.materials.size() * (sizeof(TraceMaterial) + 1) +
         scene.spheres.size() * (sizeof(glm::vec4) + 2 * sizeof(std::uint32_t)) +
         scene.cylinders.size() * sizeof(TraceCylinder) +
         scene.vertices.size() * (2 * sizeof(glm::vec3) + sizeof(glm::u8vec4)) +
         scene.triangles.size() * sizeof(TraceTriangle) + 1024 + 64;  // of colours, and what counts rays
}

/// On the host the values are those of the scene, and no copy is made of them.
std::size_t cloud_bytes(const TraceScene& scene, Device device) {
  std::set<const Volume*> volumes;
  std::size_t bytes = 0;
  for (const TraceCloud& cloud : scene.clouds) {
    if (!cloud.volume) continue;
    const std::size_t points = cloud.volume->values.size();
    if (device.is_cuda() && volumes.insert(cloud.volume.get()).second) bytes += points * sizeof(float);
    const glm::ivec3 n = glm::max(cloud.volume->grid.counts, glm::ivec3(1)) / tracing::cloud_block + 1;
    bytes += static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
    bytes += cloud.transfer.size() * sizeof(glm::vec4) + cloud.shifts.size() * sizeof(tracing::CloudData);
  }
  return bytes;
}

}  // namespace

namespace tracing {

PreparedScene::PreparedScene(TraceScene given) : scene(std::move(given)) {
  check_materials(scene);
  check_shapes(scene);
  scene.vertices.reserve(scene.vertices.size() + 2);  // Embree reads 16 bytes of the last one
  for (const TraceMaterial& m : scene.materials)
    kinds.push_back(m.opacity >= 1 && !m.glass && m.lit && m.planes == 0 ? plain_kind : 0);
  // Materials of shapes that some colour makes transparent are not plain.
  const auto mark = [&](std::uint32_t material, bool opaque) {
    if (!opaque) kinds[material] = 0;
  };
  for (std::size_t i = 0; i < scene.spheres.size(); ++i)
    mark(scene.sphere_materials[i], scene.sphere_colours[i].a == 255);
  for (const TraceCylinder& c : scene.cylinders) mark(c.material, c.colour_a.a == 255 && c.colour_b.a == 255);
  for (const TraceTriangle& t : scene.triangles)
    mark(t.material, scene.vertex_colours[t.a].a == 255 && scene.vertex_colours[t.b].a == 255 &&
                         scene.vertex_colours[t.c].a == 255);
  for (int i = 0; i < 256; ++i) {
    const double c = i / 255.0;
    linear.push_back(static_cast<float>(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4)));
  }
  prepare_clouds(*this);
}

TraceData PreparedScene::data() const {
  TraceData d;
  d.spheres = scene.spheres.data();
  d.sphere_colours = scene.sphere_colours.data();
  d.sphere_materials = scene.sphere_materials.data();
  d.cylinders = scene.cylinders.data();
  d.vertices = scene.vertices.data();
  d.normals = scene.normals.data();
  d.vertex_colours = scene.vertex_colours.data();
  d.triangles = scene.triangles.data();
  d.materials = scene.materials.data();
  d.kinds = kinds.data();
  d.linear = linear.data();
  d.sphere_count = static_cast<std::uint32_t>(scene.spheres.size());
  d.cylinder_count = static_cast<std::uint32_t>(scene.cylinders.size());
  d.triangle_count = static_cast<std::uint32_t>(scene.triangles.size());
  d.clouds = clouds.data();
  d.cloud_count = static_cast<std::uint32_t>(clouds.size());
  return d;
}

}  // namespace tracing

struct Tracer::Parts {
  Parts(TraceScene given, Device where) : device(where), bytes(trace_memory(given, where)), scene(std::move(given)) {}

  Device device;
  std::size_t bytes = 0;
  tracing::PreparedScene scene;
  std::unique_ptr<tracing::TraceBody> body;
};

Tracer::Tracer(TraceScene scene, Device device, Job& job) {
  require_memory(trace_memory(scene, device), device, "path tracing");
  job.check();
  parts_ = std::make_unique<Parts>(std::move(scene), device);
  if (device.is_cuda()) {
    parts_->body = tracing::trace_body_cuda(parts_->scene, device, job);
  } else {
    parts_->body = tracing::trace_body_embree(parts_->scene, job);
    if (!parts_->body) parts_->body = tracing::trace_body_tree(parts_->scene, job);
  }
}

Tracer::~Tracer() = default;
Tracer::Tracer(Tracer&&) noexcept = default;
Tracer& Tracer::operator=(Tracer&&) noexcept = default;

void Tracer::trace(const TraceView& view, int samples, int first_sample, const TraceBuffers& out, Job& job) {
  check_view(view, samples, first_sample);
  check_buffers(view, out, parts_->device);
  job.check();
  parts_->body->trace(view, samples, first_sample, out, job);
}

std::uint64_t Tracer::rays() const {
  return parts_->body->rays();
}

std::size_t Tracer::bytes() const {
  return parts_->bytes;
}

void trace(const TraceScene& scene, const TraceView& view, int samples, int first_sample, const TraceBuffers& out,
           Job& job) {
  Tracer(scene, out.radiance.device, job).trace(view, samples, first_sample, out, job);
}

std::size_t trace_memory(const TraceScene& scene, Device device) {
  // Embree's hierarchy while it is built, and that of spheres with hardly more than one in a leaf; the other with the
  // keys that are sorted.
  const std::size_t each = device.is_cuda() || !traces_with_embree() ? 144 : 256;
  return scene_bytes(scene) + cloud_bytes(scene, device) + each * scene.shapes();
}

}  // namespace isolume
