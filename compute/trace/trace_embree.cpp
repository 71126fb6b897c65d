// Path tracing on the CPU: spheres in a hierarchy of our own, cylinders and triangles with Embree.
#include "compute/trace/trace_body.h"

#ifdef ISOLUME_HAS_EMBREE

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <limits>

#include "compute/base/timing.h"
#include "compute/trace/trace_spheres.h"
#include "compute/trace/trace_tiles.h"
#include "molecule/base/error.h"

namespace isolume::tracing {
namespace {

/// What the callbacks of a ray know. Embree hands its address through, so that the first member is Embree's.
struct RayContext {
  RTCIntersectContext embree;
  const TraceData* data;
  const TraceView* view;
  const Question* question;
  Ray<float> ray;
  Hit<float> hit;
};

RayContext& context_of(RTCIntersectContext* context) {
  return *reinterpret_cast<RayContext*>(context);
}

/// The shapes of a geometry: those from `first` on.
struct Group {
  const TraceData* data;
  std::uint32_t first;
};

void bounds(const RTCBoundsFunctionArguments* a) {
  const auto& group = *static_cast<const Group*>(a->geometryUserPtr);
  const std::uint32_t shape = group.first + a->primID;
  float low[3], high[3];
  const auto take = [&](float x, float y, float z, float r, bool more) {
    const float at[3] = {x, y, z};
    for (int i = 0; i < 3; ++i) {
      low[i] = more ? least(low[i], at[i] - r) : at[i] - r;
      high[i] = more ? most(high[i], at[i] + r) : at[i] + r;
    }
  };
  const TraceCylinder& c = group.data->cylinders[shape - group.data->sphere_count];
  take(c.a.x, c.a.y, c.a.z, c.radius, false);
  take(c.b.x, c.b.y, c.b.z, c.radius, true);
  *a->bounds_o = {low[0], low[1], low[2], 0, high[0], high[1], high[2], 0};
}

/// True where the shape stops the ray before `end`, or at it with a lower number: of shapes that coincide the first is
/// seen, whatever the order in which they are tried.
bool stopped_by(RayContext& c, const Group& group, unsigned primitive, float end, Hit<float>& hit) {
  const std::uint32_t shape = group.first + primitive;
  Ray<float> ray = c.ray;
  ray.end = shape < c.hit.shape ? std::nextafter(end, std::numeric_limits<float>::infinity()) : end;
  if (!meets(*c.data, *c.view, *c.question, ray, shape, hit)) return false;
  hit.shape = shape;
  return true;
}

void intersect(const RTCIntersectFunctionNArguments* a) {
  RayContext& c = context_of(a->context);
  const auto& group = *static_cast<const Group*>(a->geometryUserPtr);
  auto& found = *reinterpret_cast<RTCRayHit*>(a->rayhit);
  Hit<float> hit;
  if (!a->valid[0] || !stopped_by(c, group, a->primID, found.ray.tfar, hit)) return;
  c.hit = hit;
  found.ray.tfar = hit.distance;
  found.hit.geomID = a->geomID;
  found.hit.primID = a->primID;
}

void occluded(const RTCOccludedFunctionNArguments* a) {
  RayContext& c = context_of(a->context);
  const auto& group = *static_cast<const Group*>(a->geometryUserPtr);
  auto& ray = *reinterpret_cast<RTCRay*>(a->ray);
  Hit<float> hit;
  if (a->valid[0] && stopped_by(c, group, a->primID, ray.tfar, hit)) ray.tfar = -std::numeric_limits<float>::infinity();
}

/// Of triangles that some rays go through.
void filter(const RTCFilterFunctionNArguments* a) {
  if (!a->valid[0]) return;
  const RayContext& c = context_of(a->context);
  const auto& found = *reinterpret_cast<const RTCHit*>(a->hit);
  const TraceData& data = *c.data;
  const std::uint32_t which = data.triangles[found.primID].material;
  if (data.kinds[which] & plain_kind) return;
  Hit<float> hit;
  hit.distance = reinterpret_cast<const RTCRay*>(a->ray)->tfar;
  hit.shape = data.sphere_count + data.cylinder_count + found.primID;
  hit.u = found.u;
  hit.v = found.v;
  if (!stops(data, *c.view, *c.question, c.ray, hit, which)) a->valid[0] = 0;
}

struct Releases {
  void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
  void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
  void operator()(RTCGeometry geometry) const { rtcReleaseGeometry(geometry); }
};
template <class T>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, Releases>;

struct Rays {
  static constexpr bool clouds = true;
  const SphereTree& spheres;
  RTCScene scene;  ///< null where there is nothing but spheres
  const TraceData& data;
  const TraceView& view;
  std::uint32_t first_triangle;
  SphereGuess guess;
  std::uint64_t count = 0;

  /// False where no ray from the eye through a part of the picture meets anything.
  bool may_see(int left, int top, int right, int bottom) const {
    if (view.camera.lens > 0) return true;
    const PictureRays rays(view, left, top, right, bottom);
    if (rays.may_meet(spheres) || rays.may_meet_clouds(data)) return true;
    if (!scene) return false;
    RTCBounds b;
    rtcGetSceneBounds(scene, &b);
    return rays.may_meet(Box{{b.lower_x, b.lower_y, b.lower_z}, {b.upper_x, b.upper_y, b.upper_z}});
  }
  void begin(RayContext& context, const Ray<float>& ray, const Question& question) const {
    rtcInitIntersectContext(&context.embree);
    context.embree.flags =
        question.camera ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    context.data = &data;
    context.view = &view;
    context.question = &question;
    context.ray = ray;
  }
  static void set(RTCRay& to, const Ray<float>& from) {
    to = {from.origin.x,
          from.origin.y,
          from.origin.z,
          from.begin,
          from.direction.x,
          from.direction.y,
          from.direction.z,
          0,
          from.end,
          0xffffffffu,
          0,
          0};
  }
  bool closest(const Ray<float>& asked, const Question& question, Hit<float>& hit) {
    ++count;
    Ray<float> ray = asked;
    const bool sphere = closest_sphere(spheres, data, view, question, ray, hit, guess);
    if (!scene) return sphere;
    RayContext context;
    begin(context, ray, question);
    context.hit = hit;
    alignas(16) RTCRayHit found;
    set(found.ray, ray);
    found.hit.geomID = found.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene, &context.embree, &found);
    if (found.hit.geomID == RTC_INVALID_GEOMETRY_ID) return sphere;
    hit = context.hit;
    if (found.hit.geomID == 2) {
      hit.distance = found.ray.tfar;
      hit.shape = first_triangle + found.hit.primID;
      hit.u = found.hit.u;
      hit.v = found.hit.v;
      hit.plane = -1;
    }
    return true;
  }
  bool hidden(const Ray<float>& ray, const Question& question) {
    ++count;
    if (hidden_by_sphere(spheres, data, view, question, ray, guess)) return true;
    if (!scene) return false;
    RayContext context;
    begin(context, ray, question);
    alignas(16) RTCRay asked;
    set(asked, ray);
    rtcOccluded1(scene, &context.embree, &asked);
    return asked.tfar < 0;
  }
};

class EmbreeBody final : public TraceBody {
 public:
  EmbreeBody(const PreparedScene& scene, Job& job)
      : data_(scene.data()), spheres_(sphere_tree(data_, job)), cylinders_{&data_, data_.sphere_count} {
    if (data_.cylinder_count + data_.triangle_count == 0) return;
    const PhaseTimer timer("path tracing: hierarchy (Embree)");
    device_.reset(rtcNewDevice("set_affinity=0"));
    if (!device_) throw Error("path tracing: Embree cannot be started");
    scene_.reset(rtcNewScene(device_.get()));
    if (data_.cylinder_count > 0) add_cylinders();
    if (data_.triangle_count > 0) add_triangles(scene);
    rtcSetSceneBuildQuality(scene_.get(), RTC_BUILD_QUALITY_MEDIUM);
    rtcSetSceneProgressMonitorFunction(
        scene_.get(), [](void* asked, double) { return !static_cast<const Job*>(asked)->cancelled(); }, &job);
    rtcCommitScene(scene_.get());
    rtcSetSceneProgressMonitorFunction(scene_.get(), nullptr, nullptr);
    job.check();
    if (const RTCError error = rtcGetDeviceError(device_.get()); error != RTC_ERROR_NONE)
      throw Error(fmt::format("path tracing: Embree built no hierarchy (error {}{})", static_cast<int>(error),
                              error == RTC_ERROR_OUT_OF_MEMORY ? ", out of memory" : ""));
  }

  void trace(const TraceView& view, int samples, int first_sample, const TraceBuffers& out, Job& job) override {
    const PhaseTimer timer("path tracing: samples (Embree)");
    trace_tiles(data_, view, samples, first_sample, out, job, rays_, [&] {
      return Rays{spheres_, scene_.get(), data_, view, data_.sphere_count + data_.cylinder_count, {}};
    });
  }

 private:
  void add_cylinders() {
    const Owned<RTCGeometry> geometry(rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_USER));
    rtcSetGeometryUserPrimitiveCount(geometry.get(), data_.cylinder_count);
    rtcSetGeometryUserData(geometry.get(), &cylinders_);
    rtcSetGeometryBoundsFunction(geometry.get(), bounds, nullptr);
    rtcSetGeometryIntersectFunction(geometry.get(), intersect);
    rtcSetGeometryOccludedFunction(geometry.get(), occluded);
    rtcCommitGeometry(geometry.get());
    rtcAttachGeometryByID(scene_.get(), geometry.get(), 1);
  }
  void add_triangles(const PreparedScene& scene) {
    const Owned<RTCGeometry> geometry(rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE));
    rtcSetSharedGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, data_.vertices, 0,
                               sizeof(glm::vec3), scene.scene.vertices.size());
    rtcSetSharedGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, data_.triangles, 0,
                               sizeof(TraceTriangle), data_.triangle_count);
    bool filtered = false;
    for (const TraceTriangle& t : scene.scene.triangles) filtered |= scene.kinds[t.material] != plain_kind;
    if (filtered) {
      rtcSetGeometryIntersectFilterFunction(geometry.get(), filter);
      rtcSetGeometryOccludedFilterFunction(geometry.get(), filter);
    }
    rtcCommitGeometry(geometry.get());
    rtcAttachGeometryByID(scene_.get(), geometry.get(), 2);
  }

  TraceData data_;
  SphereTree spheres_;
  Group cylinders_;
  Owned<RTCDevice> device_;
  Owned<RTCScene> scene_;
};

}  // namespace

std::unique_ptr<TraceBody> trace_body_embree(const PreparedScene& scene, Job& job) {
  return std::make_unique<EmbreeBody>(scene, job);
}

}  // namespace isolume::tracing

namespace isolume {
bool traces_with_embree() {
  return true;
}
}  // namespace isolume

#else

namespace isolume {
namespace tracing {
std::unique_ptr<TraceBody> trace_body_embree(const PreparedScene&, Job&) {
  return nullptr;
}
}  // namespace tracing
bool traces_with_embree() {
  return false;
}
}  // namespace isolume

#endif
