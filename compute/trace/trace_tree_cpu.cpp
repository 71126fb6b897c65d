// Path tracing on the CPU with our own hierarchies, for builds without Embree.
#include <algorithm>
#include <bit>

#include "compute/base/timing.h"
#include "compute/trace/trace_spheres.h"
#include "compute/trace/trace_tiles.h"

namespace isolume::tracing {
namespace {

struct Tree {
  std::vector<Node> nodes;
  std::vector<std::uint32_t> order;  ///< the shape of each leaf
  Box whole = no_box();
};

/// Each leaf hands its box up; the second that comes to a node goes on.
void fill_boxes(Tree& tree, const std::vector<Box>& boxes, const std::vector<std::int32_t>& leaf_parents,
                const std::vector<std::int32_t>& node_parents) {
  std::vector<std::uint8_t> met(tree.nodes.size(), 0);
  for (std::size_t leaf = 0; leaf < tree.order.size(); ++leaf) {
    Box box = boxes[tree.order[leaf]];
    for (std::int32_t to = leaf_parents[leaf]; to >= 0;) {
      const auto node = static_cast<std::size_t>(to / 2);
      tree.nodes[node].box[to % 2] = box;
      if (met[node]++ == 0) break;
      box = together(tree.nodes[node].box[0], tree.nodes[node].box[1]);
      to = node_parents[node];
    }
  }
}

/// Of the shapes from `first` on.
Tree build(const TraceData& data, std::uint32_t first, Job& job) {
  const PhaseTimer timer("path tracing: hierarchy");
  Tree tree;
  const std::uint32_t count = data.shapes() - first;
  std::vector<Box> boxes(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    boxes[i] = box_of(data, first + i);
    tree.whole = together(tree.whole, boxes[i]);
  }
  job.check();
  std::vector<std::uint64_t> keys(count);
  for (std::uint32_t i = 0; i < count; ++i) keys[i] = key_of(boxes[i], tree.whole, i);
  std::sort(keys.begin(), keys.end());
  job.check();
  for (const std::uint64_t key : keys) tree.order.push_back(static_cast<std::uint32_t>(key));
  if (count >= 2) tree.nodes.resize(count - 1);
  std::vector<std::int32_t> node_parents(count), leaf_parents(count);
  for (std::uint32_t i = 0; i + 1 < count; ++i)
    link_node(keys.data(), count, i, tree.nodes.data(), node_parents.data(), leaf_parents.data());
  job.check();
  if (count >= 2) fill_boxes(tree, boxes, leaf_parents, node_parents);
  for (std::uint32_t& shape : tree.order) shape += first;
  return tree;
}

struct TreeRays {
  static constexpr bool clouds = true;
  const SphereTree& spheres;
  const Tree& tree;
  const TraceData& data;
  const TraceView& view;
  SphereGuess guess;
  std::uint64_t count = 0;

  bool may_see(int left, int top, int right, int bottom) const {
    if (view.camera.lens > 0) return true;
    const PictureRays rays(view, left, top, right, bottom);
    return rays.may_meet(spheres) || rays.may_meet_clouds(data) || (!tree.order.empty() && rays.may_meet(tree.whole));
  }
  bool closest(const Ray<float>& asked, const Question& question, Hit<float>& hit) {
    ++count;
    Ray<float> ray = asked;
    const bool sphere = closest_sphere(spheres, data, view, question, ray, hit, guess);
    const auto leaf = [&](std::uint32_t number, Ray<float>& part) {
      Hit<float> other;
      const std::uint32_t shape = tree.order[number];
      if (!meets(data, view, question, part, shape, other)) return false;
      hit = other;
      hit.shape = shape;
      part.end = other.distance;
      return true;
    };
    return walk(tree.nodes.data(), static_cast<std::uint32_t>(tree.order.size()), ray, false, leaf) || sphere;
  }
  bool hidden(const Ray<float>& asked, const Question& question) {
    ++count;
    if (hidden_by_sphere(spheres, data, view, question, asked, guess)) return true;
    Ray<float> ray = asked;
    const auto leaf = [&](std::uint32_t number, Ray<float>& part) {
      Hit<float> other;
      return meets(data, view, question, part, tree.order[number], other);
    };
    return walk(tree.nodes.data(), static_cast<std::uint32_t>(tree.order.size()), ray, true, leaf);
  }
};

class TreeBody final : public TraceBody {
 public:
  TreeBody(const PreparedScene& scene, Job& job, bool spheres_apart) : data_(scene.data()) {
    if (spheres_apart) spheres_ = sphere_tree(data_, job);
    tree_ = build(data_, spheres_apart ? data_.sphere_count : 0, job);
  }

  void trace(const TraceView& view, int samples, int first_sample, const TraceBuffers& out, Job& job) override {
    const PhaseTimer timer("path tracing: samples");
    trace_tiles(data_, view, samples, first_sample, out, job, rays_, [&] {
      return TreeRays{spheres_, tree_, data_, view, {}};
    });
  }

 private:
  TraceData data_;
  SphereTree spheres_;
  Tree tree_;
};

}  // namespace

std::unique_ptr<TraceBody> trace_body_tree(const PreparedScene& scene, Job& job, bool spheres_apart) {
  return std::make_unique<TreeBody>(scene, job, spheres_apart);
}

}  // namespace isolume::tracing
