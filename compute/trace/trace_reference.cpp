// Path tracing in double precision, each ray against every shape.
#include "compute/trace/trace_body.h"
#include "compute/trace/trace_path.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using namespace tracing;

struct AllShapes {
  static constexpr bool clouds = true;
  const TraceData& data;
  const TraceView& view;

  bool closest(const Ray<double>& ray, const Question& question, Hit<double>& hit) const {
    Ray<double> part = ray;
    hit.shape = Hit<double>::none;
    for (std::uint32_t i = 0; i < data.shapes(); ++i) {
      Hit<double> other;
      if (!meets(data, view, question, part, i, other)) continue;
      hit = other;
      hit.shape = i;
      part.end = other.distance;
    }
    return hit.shape != Hit<double>::none;
  }
  bool hidden(const Ray<double>& ray, const Question& question) const {
    Hit<double> hit;
    return closest(ray, question, hit);
  }
};

}  // namespace

void trace_reference(const TraceScene& scene, const TraceView& view, int samples, int first_sample,
                     std::span<double> radiance) {
  const PreparedScene prepared(scene);
  const TraceData data = prepared.data();
  const AllShapes shapes{data, view};
  if (radiance.size() != std::size_t{4} * static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height))
    throw Error("path tracing: four values for each pixel are needed", Error::Kind::usage);
  std::size_t at = 0;
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x, at += 4) {
      double sum[4] = {0, 0, 0, 0};
      for (int i = first_sample; i < first_sample + samples; ++i) {
        const Sample<double> s = sample_of<double>(data, view, shapes, x, y, i);
        sum[0] += s.light.x;
        sum[1] += s.light.y;
        sum[2] += s.light.z;
        sum[3] += s.cover;
      }
      for (std::size_t c = 0; c < 4; ++c) radiance[at + c] = sum[c] + (first_sample > 0 ? radiance[at + c] : 0);
    }
}

}  // namespace isolume
