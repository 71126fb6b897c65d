// Path tracing on the CPU with our own hierarchy, for builds without Embree.
#include <algorithm>
#include <bit>

#include "compute/base/timing.h"
#include "compute/trace/trace_tiles.h"
#include "compute/trace/trace_tree.h"

namespace isolume::tracing {
namespace {

struct Tree {
  std::vector<Node> nodes;
  std::vector<std::uint32_t> order;  ///< the shape of each leaf
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

Tree build(const TraceData& data, Job& job) {
  const PhaseTimer timer("path tracing: hierarchy");
  Tree tree;
  const std::uint32_t count = data.shapes();
  std::vector<Box> boxes(count);
  Box whole = no_box();
  for (std::uint32_t i = 0; i < count; ++i) {
    boxes[i] = box_of(data, i);
    whole = together(whole, boxes[i]);
  }
  job.check();
  std::vector<std::uint64_t> keys(count);
  for (std::uint32_t i = 0; i < count; ++i) keys[i] = key_of(boxes[i], whole, i);
  std::sort(keys.begin(), keys.end());
  job.check();
  for (const std::uint64_t key : keys) tree.order.push_back(static_cast<std::uint32_t>(key));
  if (count < 2) return tree;
  tree.nodes.resize(count - 1);
  std::vector<std::int32_t> node_parents(count), leaf_parents(count);
  for (std::uint32_t i = 0; i + 1 < count; ++i)
    link_node(keys.data(), count, i, tree.nodes.data(), node_parents.data(), leaf_parents.data());
  job.check();
  fill_boxes(tree, boxes, leaf_parents, node_parents);
  return tree;
}

struct TreeRays {
  const Tree& tree;
  const TraceData& data;
  const TraceView& view;
  std::uint64_t count = 0;

  static bool may_see(int, int, int, int) { return true; }
  bool closest(const Ray<float>& asked, const Question& question, Hit<float>& hit) {
    ++count;
    Ray<float> ray = asked;
    const auto leaf = [&](std::uint32_t number, Ray<float>& part) {
      Hit<float> other;
      const std::uint32_t shape = tree.order[number];
      if (!meets(data, view, question, part, shape, other)) return false;
      hit = other;
      hit.shape = shape;
      part.end = other.distance;
      return true;
    };
    return walk(tree.nodes.data(), static_cast<std::uint32_t>(tree.order.size()), ray, false, leaf);
  }
  bool hidden(const Ray<float>& asked, const Question& question) {
    ++count;
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
  TreeBody(const PreparedScene& scene, Job& job) : data_(scene.data()), tree_(build(data_, job)) {}

  void trace(const TraceView& view, int samples, int first_sample, const TraceBuffers& out, Job& job) override {
    const PhaseTimer timer("path tracing: samples");
    trace_tiles(data_, view, samples, first_sample, out, job, rays_, [&] { return TreeRays{tree_, data_, view}; });
  }

 private:
  TraceData data_;
  Tree tree_;
};

}  // namespace

std::unique_ptr<TraceBody> trace_body_tree(const PreparedScene& scene, Job& job) {
  return std::make_unique<TreeBody>(scene, job);
}

}  // namespace isolume::tracing
