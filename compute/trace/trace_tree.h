// A hierarchy of boxes over shapes in the order of a space-filling curve (Karras 2012), and rays through it. Every step
// is a function of one shape or node, so that the CPU and CUDA build the same.
#pragma once

#ifndef __CUDA_ARCH__
#include <bit>
#endif

#include "compute/trace/trace_shapes.h"

namespace isolume::tracing {

struct Box {
  float low[3], high[3];
};

/// The boxes of a node's two children. A child's number is of a node, or of a leaf where it is below 0: ~number.
struct alignas(64) Node {
  Box box[2];
  std::int32_t child[2];
  std::int32_t unused[2];
};

inline constexpr float beyond_all = 3e38f;

ISOLUME_HOST_DEVICE inline Box no_box() {
  return {{beyond_all, beyond_all, beyond_all}, {-beyond_all, -beyond_all, -beyond_all}};
}
ISOLUME_HOST_DEVICE inline Box together(const Box& a, const Box& b) {
  Box box;
  for (int i = 0; i < 3; ++i) {
    box.low[i] = least(a.low[i], b.low[i]);
    box.high[i] = most(a.high[i], b.high[i]);
  }
  return box;
}
ISOLUME_HOST_DEVICE inline void include(Box& box, glm::vec3 p, float radius) {
  const float at[3] = {p.x, p.y, p.z};
  for (int i = 0; i < 3; ++i) {
    box.low[i] = least(box.low[i], at[i] - radius);
    box.high[i] = most(box.high[i], at[i] + radius);
  }
}

/// Of a shape; a little larger, so that what touches its box from inside is found in spite of rounding.
ISOLUME_HOST_DEVICE inline Box box_of(const TraceData& data, std::uint32_t shape) {
  Box box = no_box();
  if (shape < data.sphere_count) {
    const glm::vec4 s = data.spheres[shape];
    include(box, {s.x, s.y, s.z}, s.w);
  } else if (shape -= data.sphere_count; shape < data.cylinder_count) {
    const TraceCylinder& c = data.cylinders[shape];
    include(box, c.a, c.radius);
    include(box, c.b, c.radius);
  } else {
    const TraceTriangle t = data.triangles[shape - data.cylinder_count];
    include(box, data.vertices[t.a], 0);
    include(box, data.vertices[t.b], 0);
    include(box, data.vertices[t.c], 0);
  }
  for (int i = 0; i < 3; ++i) {
    const float size = most(most(box.high[i], -box.high[i]), most(box.low[i], -box.low[i]));
    box.low[i] -= 4e-7f * size + 1e-6f;
    box.high[i] += 4e-7f * size + 1e-6f;
  }
  return box;
}

/// Ten bits with two zeros between each.
ISOLUME_HOST_DEVICE inline std::uint32_t spread(std::uint32_t x) {
  x = (x * 0x00010001u) & 0xff0000ffu;
  x = (x * 0x00000101u) & 0x0f00f00fu;
  x = (x * 0x00000011u) & 0xc30c30c3u;
  return (x * 0x00000005u) & 0x49249249u;
}

/// The place of a shape's middle along Morton's curve through `whole`, and its number, so that no two are the same.
ISOLUME_HOST_DEVICE inline std::uint64_t key_of(const Box& box, const Box& whole, std::uint32_t shape) {
  std::uint32_t code = 0;
  for (int i = 0; i < 3; ++i) {
    const float size = most(whole.high[i] - whole.low[i], 1e-20f);
    const float part = (0.5f * (box.low[i] + box.high[i]) - whole.low[i]) / size;
    code |= spread(static_cast<std::uint32_t>(within(0.0f, 1024 * part, 1023.0f))) << i;
  }
  return static_cast<std::uint64_t>(code) << 32 | shape;
}

/// Leading bits that two keys share; -1 where there is no such key.
ISOLUME_HOST_DEVICE inline int shared_bits(const std::uint64_t* keys, std::int64_t count, std::int64_t i,
                                           std::int64_t j) {
  if (j < 0 || j >= count) return -1;
#ifdef __CUDA_ARCH__
  return __clzll(static_cast<long long>(keys[i] ^ keys[j]));
#else
  return std::countl_zero(keys[i] ^ keys[j]);
#endif
}

/// The children of node i of count - 1; leaves are in the order of the sorted keys.
ISOLUME_HOST_DEVICE inline void link_node(const std::uint64_t* keys, std::int64_t count, std::int64_t i, Node* nodes,
                                          std::int32_t* node_parents, std::int32_t* leaf_parents) {
  const int way = shared_bits(keys, count, i, i + 1) > shared_bits(keys, count, i, i - 1) ? 1 : -1;
  const int least_shared = shared_bits(keys, count, i, i - way);
  std::int64_t reach = 2;
  while (shared_bits(keys, count, i, i + reach * way) > least_shared) reach *= 2;
  std::int64_t length = 0;
  for (std::int64_t step = reach / 2; step > 0; step /= 2)
    if (shared_bits(keys, count, i, i + (length + step) * way) > least_shared) length += step;
  const std::int64_t other = i + length * way;
  const int shared = shared_bits(keys, count, i, other);
  std::int64_t split = 0;
  for (std::int64_t step = (length + 1) / 2;; step = (step + 1) / 2) {
    if (shared_bits(keys, count, i, i + (split + step) * way) > shared) split += step;
    if (step == 1) break;
  }
  const std::int64_t cut = i + split * way + (way < 0 ? -1 : 0);
  const std::int64_t first = way > 0 ? i : other, last = way > 0 ? other : i;
  const auto attach = [&](int side, std::int64_t child, bool leaf) {
    nodes[i].child[side] = static_cast<std::int32_t>(leaf ? ~child : child);
    // The side is kept in the lowest bit.
    (leaf ? leaf_parents : node_parents)[child] = static_cast<std::int32_t>(2 * i + side);
  };
  attach(0, cut, cut == first);
  attach(1, cut + 1, cut + 1 == last);
  if (i == 0) node_parents[0] = -1;
}

/// A ray through the hierarchy. `Leaf` tells whether the ray is stopped by the shape of a leaf before ray.end, and of
/// closest rays shortens the ray; `first` ends at the first that stops it.
template <class Leaf>
ISOLUME_HOST_DEVICE inline bool walk(const Node* nodes, std::uint32_t leaves, Ray<float>& ray, bool first, Leaf& leaf) {
  if (leaves == 0) return false;
  if (leaves == 1) return leaf(0, ray);
  // Not zero, so that nothing is multiplied by infinity.
  const auto steep = [](float d) { return d < 1e-20f && d > -1e-20f ? (d < 0 ? -1e-20f : 1e-20f) : d; };
  const float inverse[3] = {1 / steep(ray.direction.x), 1 / steep(ray.direction.y), 1 / steep(ray.direction.z)};
  const float from[3] = {ray.origin.x, ray.origin.y, ray.origin.z};
  const auto enter = [&](const Box& box, float& near) {
    near = ray.begin;
    float far = ray.end;
    for (int i = 0; i < 3; ++i) {
      // The differences round alike, so that flat boxes stay boxes.
      const float a = (box.low[i] - from[i]) * inverse[i], b = (box.high[i] - from[i]) * inverse[i];
      near = most(near, least(a, b));
      far = least(far, most(a, b));
    }
    return near <= far * 1.0000004f + 1e-6f;
  };
  std::int32_t waiting[64];
  int count = 0;
  std::int32_t at = 0;
  bool found = false;
  for (;;) {
    if (at >= 0) {
#ifdef __CUDA_ARCH__
      // Four loads of 16 bytes.
      Node node;
      const float4* const from_node = reinterpret_cast<const float4*>(nodes + at);
      float4* const to_node = reinterpret_cast<float4*>(&node);
#pragma unroll
      for (int i = 0; i < 4; ++i) to_node[i] = __ldg(from_node + i);
#else
      const Node& node = nodes[at];
#endif
      float near0, near1;
      const bool in0 = enter(node.box[0], near0), in1 = enter(node.box[1], near1);
      if (in0 && in1) {
        // Without an index that is known late: registers have none.
        const bool swapped = near1 < near0;
        waiting[count++] = swapped ? node.child[0] : node.child[1];
        at = swapped ? node.child[1] : node.child[0];
        continue;
      }
      if (in0 || in1) {
        at = in0 ? node.child[0] : node.child[1];
        continue;
      }
    } else if (leaf(static_cast<std::uint32_t>(~at), ray)) {
      found = true;
      if (first) return true;
    }
    if (count == 0) return found;
    at = waiting[--count];
  }
}

}  // namespace isolume::tracing
