// Rays through the hierarchy of spheres, with vectors over the children of a node and the spheres of a leaf.
#include <bit>

#include "compute/trace/trace_spheres.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/trace/trace_spheres_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#ifndef ISOLUME_TRACE_SPHERES
#define ISOLUME_TRACE_SPHERES
namespace isolume::tracing {

/// What a ray through the hierarchy needs to know.
struct SphereSight {
  const SphereTree& tree;
  const TraceData& data;
  const TraceView& view;
  const Question& question;
};

/// What waits to be tried: each node leaves at most seven of its children behind. After 24 nodes the spheres are halved
/// by each cut, and there are less than 2^31 of them.
inline constexpr int most_waiting = (sphere_lanes - 1) * (24 + 31) + sphere_lanes;

}  // namespace isolume::tracing
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume::tracing {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, sphere_lanes>;

/// Bits of the lanes of a mask.
template <class M>
HWY_INLINE unsigned bits_of(Lanes d, M mask) {
  alignas(8) std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return bytes[0] & ((1u << hn::Lanes(d)) - 1);
}

/// The ray in every lane.
struct WideRay {
  hn::Vec<Lanes> origin[3], direction[3], inverse[3], shift[3];
  int near[3], far[3];  ///< which sides of a box it enters and leaves by

  HWY_INLINE explicit WideRay(const Ray<float>& ray) {
    const Lanes d;
    const float from[3] = {ray.origin.x, ray.origin.y, ray.origin.z};
    const float to[3] = {ray.direction.x, ray.direction.y, ray.direction.z};
    for (int i = 0; i < 3; ++i) {
      // Not zero, so that nothing is multiplied by infinity.
      const float steep = to[i] < 1e-20f && to[i] > -1e-20f ? (to[i] < 0 ? -1e-20f : 1e-20f) : to[i];
      origin[i] = hn::Set(d, from[i]);
      direction[i] = hn::Set(d, to[i]);
      inverse[i] = hn::Set(d, 1 / steep);
      shift[i] = hn::Set(d, -from[i] / steep);
      near[i] = steep < 0 ? 3 + i : i;
      far[i] = steep < 0 ? i : 3 + i;
    }
  }
};

/// The children of a node that the ray meets, as bits, and where it enters their boxes.
HWY_INLINE unsigned entered(const SphereNode& node, const WideRay& wide, const Ray<float>& ray, float* enter) {
  const Lanes d;
  const auto begin = hn::Set(d, ray.begin), end = hn::Set(d, ray.end);
  unsigned bits = 0;
  for (int i = 0; i < sphere_lanes; i += static_cast<int>(hn::Lanes(d))) {
    const auto at = [&](int side, int axis) HWY_ATTR {
      return hn::MulAdd(hn::Load(d, node.sides[side] + i), wide.inverse[axis], wide.shift[axis]);
    };
    const auto near = hn::Max(hn::Max(at(wide.near[0], 0), at(wide.near[1], 1)), hn::Max(at(wide.near[2], 2), begin));
    const auto far = hn::Min(hn::Min(at(wide.far[0], 0), at(wide.far[1], 1)), hn::Min(at(wide.far[2], 2), end));
    hn::Store(near, d, enter + i);
    const auto later = hn::MulAdd(far, hn::Set(d, 1.0000004f), hn::Set(d, 1e-6f));
    bits |= bits_of(d, hn::Le(near, later)) << i;
  }
  return bits;
}

/// The spheres of a leaf that the ray meets, as bits: where it enters them, if `plain`, or all that are not behind it.
HWY_INLINE unsigned met(const SphereLeaf& leaf, const WideRay& wide, const Ray<float>& ray, bool plain, float* enter) {
  const Lanes d;
  const auto begin = hn::Set(d, ray.begin), end = hn::Set(d, ray.end);
  unsigned bits = 0;
  for (int i = 0; i < sphere_lanes; i += static_cast<int>(hn::Lanes(d))) {
    const auto x = hn::Sub(hn::Load(d, leaf.x + i), wide.origin[0]);
    const auto y = hn::Sub(hn::Load(d, leaf.y + i), wide.origin[1]);
    const auto z = hn::Sub(hn::Load(d, leaf.z + i), wide.origin[2]);
    const auto along =
        hn::MulAdd(x, wide.direction[0], hn::MulAdd(y, wide.direction[1], hn::Mul(z, wide.direction[2])));
    // The distance of the centre from the line, in this order for precision far from the eye.
    const auto ax = hn::NegMulAdd(along, wide.direction[0], x);
    const auto ay = hn::NegMulAdd(along, wide.direction[1], y);
    const auto az = hn::NegMulAdd(along, wide.direction[2], z);
    const auto across2 = hn::MulAdd(ax, ax, hn::MulAdd(ay, ay, hn::Mul(az, az)));
    const auto inside = hn::Sub(hn::Load(d, leaf.radius2 + i), across2);
    const auto crossed = hn::Gt(inside, hn::Zero(d));
    if (hn::AllFalse(d, crossed)) continue;
    const auto half = hn::Sqrt(hn::Max(inside, hn::Zero(d)));
    const auto in = hn::Sub(along, half);
    hn::Store(in, d, enter + i);
    const auto after = hn::Gt(plain ? in : hn::Add(along, half), begin);
    bits |= bits_of(d, hn::And(crossed, hn::And(after, hn::Le(in, end)))) << i;
  }
  return bits;
}

/// Whether a sphere of a leaf stops the ray; with `any` before its end, else the first of them, where the ray then
/// ends.
template <bool any>
HWY_INLINE bool stopped(const SphereSight& sight, const SphereLeaf& leaf, const WideRay& wide, Ray<float>& ray,
                        Hit<float>& hit) {
  HWY_ALIGN float enter[sphere_lanes];
  bool found = false;
  if (any && sight.tree.plain) return met(leaf, wide, ray, true, enter) != 0;
  for (unsigned bits = met(leaf, wide, ray, sight.tree.plain, enter); bits != 0; bits &= bits - 1) {
    const int lane = std::countr_zero(bits);
    const std::uint32_t shape = leaf.shape[lane];
    Hit<float> other;
    other.distance = enter[lane];
    other.shape = shape;
    if (!sight.tree.plain) {
      // Of spheres that coincide the first is seen, whatever the order in which they are tried.
      Ray<float> part = ray;
      if (!any && shape < hit.shape) part.end = std::nextafter(ray.end, INFINITY);
      if (!meets(sight.data, sight.view, sight.question, part, shape, other)) continue;
      other.shape = shape;
    }
    if (any) return true;
    if (!(other.distance < ray.end || (other.distance == ray.end && shape < hit.shape))) continue;
    hit = other;
    ray.end = other.distance;
    found = true;
  }
  return found;
}

template <bool any>
HWY_INLINE bool walk_spheres(const SphereSight& sight, Ray<float>& ray, Hit<float>& hit, SphereGuess& guess) {
  struct Waiting {
    float enter;
    std::int32_t child;
  };
  Waiting waiting[most_waiting];
  int count = 0;
  const WideRay wide(ray);
  std::int32_t at = 0;
  bool found = false;
  const auto try_leaf = [&](std::int32_t number) HWY_ATTR {
    return stopped<any>(sight, sight.tree.leaves[static_cast<std::size_t>(number)], wide, ray, hit);
  };
  if (any) {
    if (try_leaf(guess.hides)) return true;
    if (guess.seen != guess.hides && try_leaf(guess.seen)) return true;
  } else if (!sight.question.camera) {
    found = try_leaf(guess.seen);
  }
  for (;;) {
    if (at >= 0) {
      const SphereNode& node = sight.tree.nodes[static_cast<std::size_t>(at)];
      HWY_ALIGN float enter[sphere_lanes];
      unsigned bits = entered(node, wide, ray, enter);
      if (bits != 0) {
        const int first = std::countr_zero(bits);
        bits &= bits - 1;
        at = node.child[first];
        if (bits == 0) continue;
        if (any) {
          // Most rays are stopped by nothing and try all: an order would not pay.
          for (; bits != 0; bits &= bits - 1) waiting[count++] = {0, node.child[std::countr_zero(bits)]};
          continue;
        }
        // The nearest goes on, and the others wait in the order of their distances.
        float nearest = enter[first];
        const int begin = count;
        do {
          const int lane = std::countr_zero(bits);
          bits &= bits - 1;
          Waiting next{enter[lane], node.child[lane]};
          if (next.enter < nearest) {
            std::swap(next.enter, nearest);
            std::swap(next.child, at);
          }
          int place = count++;
          for (; place > begin && waiting[place - 1].enter < next.enter; --place) waiting[place] = waiting[place - 1];
          waiting[place] = next;
        } while (bits != 0);
        continue;
      }
    } else if (try_leaf(~at)) {
      (any ? guess.hides : guess.seen) = ~at;
      if (any) return true;
      found = true;
    }
    do {
      if (count == 0) return found;
      --count;
    } while (!any && waiting[count].enter > ray.end);
    at = waiting[count].child;
  }
}

bool closest(const SphereSight& sight, Ray<float>& ray, Hit<float>& hit, SphereGuess& guess) {
  return walk_spheres<false>(sight, ray, hit, guess);
}
bool hidden(const SphereSight& sight, Ray<float>& ray, SphereGuess& guess) {
  Hit<float> hit;
  return walk_spheres<true>(sight, ray, hit, guess);
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume::tracing
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume::tracing {

HWY_EXPORT(closest);
HWY_EXPORT(hidden);

bool closest_sphere(const SphereTree& tree, const TraceData& data, const TraceView& view, const Question& question,
                    Ray<float>& ray, Hit<float>& hit, SphereGuess& guess) {
  if (tree.nodes.empty()) return false;
  return HWY_DYNAMIC_DISPATCH(closest)({tree, data, view, question}, ray, hit, guess);
}

bool hidden_by_sphere(const SphereTree& tree, const TraceData& data, const TraceView& view, const Question& question,
                      const Ray<float>& ray, SphereGuess& guess) {
  if (tree.nodes.empty()) return false;
  Ray<float> part = ray;
  return HWY_DYNAMIC_DISPATCH(hidden)({tree, data, view, question}, part, guess);
}

}  // namespace isolume::tracing
#endif  // HWY_ONCE
