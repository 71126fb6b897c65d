// A wide hierarchy of boxes over spheres for the CPU: eight boxes or eight spheres are tried at once.
#pragma once

#include <vector>

#include "compute/base/job.h"
#include "compute/trace/trace_tree.h"

namespace isolume::tracing {

inline constexpr int sphere_lanes = 8;

/// The boxes of up to eight children. A child's number is of a node, or of a leaf where it is below 0: ~number. Boxes
/// of children that do not exist are met by no ray.
struct alignas(64) SphereNode {
  float sides[6][sphere_lanes];  ///< low x, y, z, then high x, y, z
  std::int32_t child[sphere_lanes];
};

/// Up to eight spheres; the squared radius of what fills the rest is below 0.
struct alignas(64) SphereLeaf {
  float x[sphere_lanes], y[sphere_lanes], z[sphere_lanes], radius2[sphere_lanes];
  std::uint32_t shape[sphere_lanes];
};

struct SphereTree {
  std::vector<SphereNode> nodes;  ///< the first is the root; none where there are no spheres
  std::vector<SphereLeaf> leaves;
  bool plain = true;  ///< all spheres stop whatever meets them
};

/// Cuts are those of the least surface area times blocks of eight spheres, tried at 16 places along each axis, and for
/// few spheres at all places. The same spheres give the same tree. Throws Error (cancelled).
SphereTree sphere_tree(const TraceData& data, Job& job);

/// Leaves where a ray may well be stopped, which are tried first. What is found does not depend on them.
struct SphereGuess {
  std::int32_t seen = 0;   ///< of the sphere that was seen last: what goes on from there often meets a neighbour
  std::int32_t hides = 0;  ///< of the sphere that hid something last
};

/// The first sphere that stops the ray before its end, or at it with a number below hit.shape; the ray then ends there.
/// False where there is none: nothing is changed.
bool closest_sphere(const SphereTree& tree, const TraceData& data, const TraceView& view, const Question& question,
                    Ray<float>& ray, Hit<float>& hit, SphereGuess& guess);

/// Whether some sphere stops the ray before its end.
bool hidden_by_sphere(const SphereTree& tree, const TraceData& data, const TraceView& view, const Question& question,
                      const Ray<float>& ray, SphereGuess& guess);

/// Rays from the eye through a part of the picture, as four planes that all of them are inside of.
class PictureRays {
 public:
  /// Columns `left` to right - 1 and rows `top` to bottom - 1. Without a lens.
  PictureRays(const TraceView& view, int left, int top, int right, int bottom);
  /// False where no ray can meet the box.
  bool may_meet(const Box& box) const;
  /// False where no ray can meet a sphere.
  bool may_meet(const SphereTree& tree) const;
  /// False where no ray can meet a cloud.
  bool may_meet_clouds(const TraceData& data) const;

 private:
  glm::vec4 planes_[4];  ///< outside where dot(plane.xyz, place) + plane.w < 0
};

}  // namespace isolume::tracing
