// Builds the hierarchy of boxes over spheres.
#include "compute/trace/trace_spheres.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"

namespace isolume::tracing {
namespace {

constexpr std::size_t bins = 16;
constexpr std::size_t few = 64;              // spheres for which all places are tried
constexpr std::size_t large_part = 1 << 13;  // spheres whose subtree is built by a task of its own
/// Below so many nodes cuts are through the middle, so that no arrangement of spheres makes the tree deep.
constexpr int deepest_search = 24;

struct Item {
  float centre[3];
  float radius;
  std::uint32_t shape;
};
using Items = std::span<Item>;

Box box_of(Items items) {
  Box box = no_box();
  for (const Item& i : items) include(box, {i.centre[0], i.centre[1], i.centre[2]}, i.radius);
  return box;
}
/// Half of the surface.
float area_of(const Box& box) {
  const float x = box.high[0] - box.low[0], y = box.high[1] - box.low[1], z = box.high[2] - box.low[2];
  return x * y + y * z + z * x;
}
std::size_t blocks_of(std::size_t spheres) {
  return (spheres + sphere_lanes - 1) / sphere_lanes;
}

struct Cut {
  float cost = INFINITY;
  int axis = 0;
  std::size_t at = 0;  ///< of few: the first of the second part; of many: the first bin of it
};

void sort_along(Items items, int axis) {
  std::sort(items.begin(), items.end(), [axis](const Item& a, const Item& b) {
    return a.centre[axis] < b.centre[axis] || (a.centre[axis] == b.centre[axis] && a.shape < b.shape);
  });
}

/// Of few spheres: the place, at full blocks, that costs least.
std::size_t cut_few(Items items) {
  Cut best;
  std::array<float, few / sphere_lanes + 1> behind;
  for (int axis = 0; axis < 3; ++axis) {
    sort_along(items, axis);
    const std::size_t last = (items.size() - 1) / sphere_lanes;
    Box box = no_box();
    for (std::size_t block = last; block > 0; --block) {
      box = together(box, box_of(items.subspan(block * sphere_lanes)
                                     .first(std::min<std::size_t>(sphere_lanes, items.size() - block * sphere_lanes))));
      behind[block] = area_of(box) * static_cast<float>(blocks_of(items.size() - block * sphere_lanes));
    }
    box = no_box();
    for (std::size_t block = 1; block <= last; ++block) {
      box = together(box, box_of(items.subspan((block - 1) * sphere_lanes, sphere_lanes)));
      const float cost = area_of(box) * static_cast<float>(block) + behind[block];
      if (cost < best.cost) best = {cost, axis, block * sphere_lanes};
    }
  }
  if (best.axis != 2) sort_along(items, best.axis);
  return best.at;
}

std::size_t cut_middle(Items items, int axis) {
  const std::size_t middle = items.size() / 2;
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(middle), items.end(),
                   [axis](const Item& a, const Item& b) {
                     return a.centre[axis] < b.centre[axis] || (a.centre[axis] == b.centre[axis] && a.shape < b.shape);
                   });
  return middle;
}

/// Divides items; returns the first of the second part.
std::size_t cut(Items items, int depth) {
  if (items.size() <= few) return cut_few(items);
  float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (const Item& i : items)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = least(low[axis], i.centre[axis]);
      high[axis] = most(high[axis], i.centre[axis]);
    }
  const auto bin_of = [&](const Item& i, int axis) {
    const float part = (i.centre[axis] - low[axis]) / (high[axis] - low[axis]);
    return std::min(static_cast<std::size_t>(part * static_cast<float>(bins)), bins - 1);
  };
  Cut best;
  for (int axis = 0; axis < 3 && depth < deepest_search; ++axis) {
    if (!(high[axis] > low[axis])) continue;
    std::array<Box, bins> boxes;
    boxes.fill(no_box());
    std::array<std::size_t, bins> counts{};
    for (const Item& i : items) {
      const std::size_t bin = bin_of(i, axis);
      include(boxes[bin], {i.centre[0], i.centre[1], i.centre[2]}, i.radius);
      ++counts[bin];
    }
    std::array<float, bins> behind{};
    Box box = no_box();
    std::size_t count = 0;
    for (std::size_t bin = bins - 1; bin > 0; --bin) {
      box = together(box, boxes[bin]);
      count += counts[bin];
      behind[bin] = count > 0 ? area_of(box) * static_cast<float>(blocks_of(count)) : INFINITY;
    }
    box = no_box();
    count = 0;
    for (std::size_t bin = 1; bin < bins; ++bin) {
      box = together(box, boxes[bin - 1]);
      count += counts[bin - 1];
      if (count == 0) continue;
      const float cost = area_of(box) * static_cast<float>(blocks_of(count)) + behind[bin];
      if (cost < best.cost) best = {cost, axis, bin};
    }
  }
  if (best.at == 0) {
    int longest = 0;
    for (int axis = 1; axis < 3; ++axis)
      if (high[axis] - low[axis] > high[longest] - low[longest]) longest = axis;
    return cut_middle(items, longest);
  }
  const auto second =
      std::stable_partition(items.begin(), items.end(), [&](const Item& i) { return bin_of(i, best.axis) < best.at; });
  return static_cast<std::size_t>(second - items.begin());
}

/// Nodes and leaves of a subtree, numbered from 0.
struct Part {
  std::vector<SphereNode> nodes;
  std::vector<SphereLeaf> leaves;
};

std::int32_t add_leaf(Part& part, Items items) {
  SphereLeaf leaf{};
  std::fill_n(leaf.radius2, sphere_lanes, -1.0f);
  for (std::size_t i = 0; i < items.size(); ++i) {
    leaf.x[i] = items[i].centre[0];
    leaf.y[i] = items[i].centre[1];
    leaf.z[i] = items[i].centre[2];
    leaf.radius2[i] = items[i].radius * items[i].radius;
    leaf.shape[i] = items[i].shape;
  }
  part.leaves.push_back(leaf);
  return ~static_cast<std::int32_t>(part.leaves.size() - 1);
}

/// Adds what was built elsewhere; returns the number of its root.
std::int32_t append(Part& to, const Part& from) {
  const auto nodes = static_cast<std::int32_t>(to.nodes.size()), leaves = static_cast<std::int32_t>(to.leaves.size());
  for (SphereNode node : from.nodes) {
    for (std::int32_t& child : node.child) child += child < 0 ? -leaves : nodes;
    to.nodes.push_back(node);
  }
  to.leaves.insert(to.leaves.end(), from.leaves.begin(), from.leaves.end());
  return nodes;
}

/// Adds the node of items and all below it.
std::int32_t add_node(Part& part, Items items, int depth, Job& job) {
  struct Child {
    Items items;
    Box box;
  };
  std::vector<Child> children{{items, box_of(items)}};
  children.reserve(sphere_lanes);
  while (children.size() < sphere_lanes) {
    Child* largest = nullptr;
    for (Child& c : children)
      if (c.items.size() > sphere_lanes && (!largest || area_of(c.box) > area_of(largest->box))) largest = &c;
    if (!largest) break;
    const Items all = largest->items;
    const std::size_t at = cut(all, depth);
    *largest = {all.first(at), box_of(all.first(at))};
    children.push_back({all.subspan(at), box_of(all.subspan(at))});
  }
  const auto number = static_cast<std::int32_t>(part.nodes.size());
  SphereNode node;
  for (int lane = 0; lane < sphere_lanes; ++lane) {
    const bool there = lane < static_cast<int>(children.size());
    const Box box = there ? children[static_cast<std::size_t>(lane)].box : no_box();
    for (int axis = 0; axis < 3; ++axis) {
      // A little larger, so that what touches its box from inside is found in spite of rounding.
      const float size = there ? most(box.high[axis], -box.low[axis]) : 0;
      node.sides[axis][lane] = box.low[axis] - 4e-7f * size - 1e-6f;
      node.sides[3 + axis][lane] = box.high[axis] + 4e-7f * size + 1e-6f;
    }
    node.child[lane] = 0;
  }
  part.nodes.push_back(node);
  const auto set = [&](std::size_t lane, std::int32_t child) {
    part.nodes[static_cast<std::size_t>(number)].child[lane] = child;
  };
  std::array<Part, sphere_lanes> apart;
  if (items.size() > large_part) {
    parallel_for(children.size(), job, "path tracing: hierarchy", [&](std::size_t lane) {
      if (children[lane].items.size() > sphere_lanes) add_node(apart[lane], children[lane].items, depth + 1, job);
    });
  }
  for (std::size_t lane = 0; lane < children.size(); ++lane) {
    const Items own = children[lane].items;
    set(lane, own.size() <= sphere_lanes   ? add_leaf(part, own)
              : !apart[lane].nodes.empty() ? append(part, apart[lane])
                                           : add_node(part, own, depth + 1, job));
    apart[lane] = {};
  }
  return number;
}

}  // namespace

SphereTree sphere_tree(const TraceData& data, Job& job) {
  const PhaseTimer timer("path tracing: hierarchy of spheres");
  SphereTree tree;
  if (data.sphere_count == 0) return tree;
  std::vector<Item> items;
  items.reserve(data.sphere_count);
  for (std::uint32_t i = 0; i < data.sphere_count; ++i) {
    const glm::vec4& s = data.spheres[i];
    items.push_back({{s.x, s.y, s.z}, s.w, i});
    tree.plain = tree.plain && data.kinds[data.sphere_materials[i]] & plain_kind;
  }
  Part part;
  add_node(part, items, 0, job);
  tree.nodes = std::move(part.nodes);
  tree.leaves = std::move(part.leaves);
  return tree;
}

PictureRays::PictureRays(const TraceView& view, int left, int top, int right, int bottom) {
  const TraceCamera& c = view.camera;
  const float scale = 2 * c.half_height / static_cast<float>(view.height);
  constexpr float margin = 0.05f;  // pixels, for rounding
  const auto across = [&](int x, float more) {
    return scale * (static_cast<float>(x) + more - 0.5f * static_cast<float>(view.width));
  };
  const auto high = [&](int y, float more) {
    return scale * (0.5f * static_cast<float>(view.height) - static_cast<float>(y) - more);
  };
  // Inside where sign (dot(axis, place - eye) - bound) is above 0: of perspective times the depth.
  const auto set = [&](int i, float sign, glm::vec3 axis, float bound) {
    const glm::vec3 normal = sign * (c.orthographic ? axis : axis - bound * c.forward);
    planes_[i] = glm::vec4(normal, -glm::dot(normal, c.eye) - (c.orthographic ? sign * bound : 0.0f));
  };
  set(0, 1, c.right, across(left, -margin));
  set(1, -1, c.right, across(right, margin));
  set(2, -1, c.up, high(top, -margin));
  set(3, 1, c.up, high(bottom, margin));
}

bool PictureRays::may_meet(const Box& box) const {
  return std::all_of(std::begin(planes_), std::end(planes_), [&](const glm::vec4& p) {
    float farthest = p.w;
    for (int axis = 0; axis < 3; ++axis) farthest += most(p[axis] * box.low[axis], p[axis] * box.high[axis]);
    return farthest >= 0;
  });
}

bool PictureRays::may_meet_clouds(const TraceData& data) const {
  return std::any_of(data.clouds, data.clouds + data.cloud_count, [&](const CloudData& cloud) {
    return may_meet(Box{{cloud.low.x, cloud.low.y, cloud.low.z}, {cloud.high.x, cloud.high.y, cloud.high.z}});
  });
}

bool PictureRays::may_meet(const SphereTree& tree) const {
  std::vector<std::int32_t> waiting;
  if (!tree.nodes.empty()) waiting.push_back(0);
  while (!waiting.empty()) {
    const SphereNode& node = tree.nodes[static_cast<std::size_t>(waiting.back())];
    waiting.pop_back();
    for (int lane = 0; lane < sphere_lanes; ++lane) {
      Box box;
      for (int axis = 0; axis < 3; ++axis) {
        box.low[axis] = node.sides[axis][lane];
        box.high[axis] = node.sides[3 + axis][lane];
      }
      if (box.low[0] > box.high[0] || !may_meet(box)) continue;
      if (node.child[lane] < 0) return true;
      waiting.push_back(node.child[lane]);
    }
  }
  return false;
}

}  // namespace isolume::tracing
