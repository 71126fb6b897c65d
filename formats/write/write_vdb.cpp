// Writing volumes as OpenVDB (file version 224): a float grid whose points are all active, not compressed.
//
// The layout is that of OpenVDB's own reader (openvdb/io/Archive.cc, tree/RootNode.h, tree/InternalNode.h,
// tree/LeafNode.h; Museth 2013, doi:10.1145/2487228.2487235): a root of nodes of 32^3 nodes of 16^3 leaves of 8^3
// points, numbered with z fastest; first all masks from the root down, then the values of the leaves.
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "formats/write/writers.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

static_assert(std::endian::native == std::endian::little, "binary formats are written as this machine has them");

class Bytes {
 public:
  template <class T>
  void add(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void text(const std::string& value) {
    add(static_cast<std::uint32_t>(value.size()));
    bytes_ += value;
  }
  void raw(const std::string& value) { bytes_ += value; }
  void send(std::ostream& out, std::size_t least) {
    if (bytes_.size() < least) return;
    out.write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    sent_ += bytes_.size();
    bytes_.clear();
  }
  std::size_t size() const { return sent_ + bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t sent_ = 0;
};

/// A named text among a grid's metadata.
void add_metadata(Bytes& bytes, const std::string& name, const std::string& value) {
  bytes.text(name);
  bytes.text("string");
  bytes.text(value);
}

constexpr int leaf = 8, lower = 128, upper = 4096;  // points along an edge of each kind of node

int nodes_along(int points, int edge) {
  return (points + edge - 1) / edge;
}

/// A bit for each child of a node of `side` children along an edge; `n` of them along each axis are there.
template <std::size_t side>
std::vector<std::uint64_t> child_mask(glm::ivec3 n) {
  std::vector<std::uint64_t> mask(side * side * side / 64, 0);
  for (int x = 0; x < n.x; ++x)
    for (int y = 0; y < n.y; ++y)
      for (int z = 0; z < n.z; ++z) {
        const std::size_t bit =
            (static_cast<std::size_t>(x) * side + static_cast<std::size_t>(y)) * side + static_cast<std::size_t>(z);
        mask[bit / 64] |= std::uint64_t{1} << (bit % 64);
      }
  return mask;
}

void add_mask(Bytes& bytes, const std::vector<std::uint64_t>& mask) {
  for (const std::uint64_t word : mask) bytes.add(word);
}

/// Walks nodes as the format orders them: upper nodes, in each its lower nodes, in each its leaves, z fastest.
class Tree {
 public:
  explicit Tree(glm::ivec3 points) : points_(points) {}

  template <class Visit>
  void each_upper(const Visit& visit) const {
    each(glm::ivec3(0), points_, upper, visit);
  }
  template <class Visit>
  void each_lower(glm::ivec3 first, const Visit& visit) const {
    each(first, glm::min(points_ - first, upper), lower, visit);
  }
  template <class Visit>
  void each_leaf(glm::ivec3 first, const Visit& visit) const {
    each(first, glm::min(points_ - first, lower), leaf, visit);
  }
  /// How many nodes with this edge a node of edge `of` at `first` has.
  glm::ivec3 children(glm::ivec3 first, int of, int edge) const {
    const glm::ivec3 inside = glm::min(points_ - first, of);
    return {nodes_along(inside.x, edge), nodes_along(inside.y, edge), nodes_along(inside.z, edge)};
  }
  /// The points of a leaf that are in the grid.
  std::array<std::uint64_t, 8> leaf_mask(glm::ivec3 first) const {
    const glm::ivec3 n = glm::min(points_ - first, leaf);
    std::array<std::uint64_t, 8> mask{};
    for (int x = 0; x < n.x; ++x)
      for (int y = 0; y < n.y; ++y) mask[static_cast<std::size_t>(x)] |= ((std::uint64_t{1} << n.z) - 1) << (8 * y);
    return mask;
  }

 private:
  template <class Visit>
  static void each(glm::ivec3 first, glm::ivec3 points, int edge, const Visit& visit) {
    for (int x = 0; x < points.x; x += edge)
      for (int y = 0; y < points.y; y += edge)
        for (int z = 0; z < points.z; z += edge) visit(first + glm::ivec3(x, y, z));
  }

  glm::ivec3 points_;
};

/// How values are written: those that are active alone, the others are the background.
constexpr std::uint32_t active_values_only = 2;
constexpr std::uint8_t others_are_background = 0;

}  // namespace

void write_vdb(std::ostream& out, const VolumeView& volume, const std::string& comment) {
  const Grid& grid = volume.grid;
  if (glm::any(glm::greaterThan(grid.counts, glm::ivec3(1 << 20))))
    throw Error("OpenVDB: more than 2^20 points along an axis", Error::Kind::usage);
  const std::string name = plain_word(volume.name.empty() ? "volume" : one_line(volume.name, 80));
  const Tree tree(grid.counts);

  Bytes head;
  head.add(std::int64_t{0x56444220});
  head.add(std::uint32_t{224});
  head.add(std::uint32_t{10});  // the library whose files these are like
  head.add(std::uint32_t{0});
  head.add(std::uint8_t{1});  // offsets follow
  head.raw("00000000-0000-0000-0000-000000000000");
  head.add(std::uint32_t{1});
  add_metadata(head, "creator", one_line(comment.empty() ? "Isolume" : comment, 1000));
  head.add(std::int32_t{1});  // grids
  head.text(name);
  head.text("Tree_float_5_4_3");
  head.text("");

  // Everything before the leaves' values is small: it is made first, because offsets to it are written before.
  Bytes body;
  body.add(active_values_only);
  body.add(std::uint32_t{4});
  add_metadata(body, "class", "unknown");
  add_metadata(body, "name", name);
  add_metadata(body, "unit", one_line(volume.unit, 80));
  add_metadata(body, "made", one_line(comment, 1000));
  body.text("AffineMap");
  for (int axis = 0; axis < 4; ++axis) {
    for (int c = 0; c < 3; ++c) body.add(axis < 3 ? grid.step[axis][c] : grid.origin[c]);
    body.add(axis < 3 ? 0.0 : 1.0);
  }
  body.add(std::uint32_t{1});  // one buffer a leaf
  body.add(0.0f);              // background
  body.add(std::uint32_t{0});  // tiles
  std::uint32_t uppers = 0;
  tree.each_upper([&](glm::ivec3) { ++uppers; });
  body.add(uppers);
  tree.each_upper([&](glm::ivec3 at) {
    for (int c = 0; c < 3; ++c) body.add(std::int32_t{at[c]});
    add_mask(body, child_mask<32>(tree.children(at, upper, lower)));
    add_mask(body, std::vector<std::uint64_t>(32 * 32 * 32 / 64, 0));
    body.add(others_are_background);
    tree.each_lower(at, [&](glm::ivec3 below) {
      add_mask(body, child_mask<16>(tree.children(below, lower, leaf)));
      add_mask(body, std::vector<std::uint64_t>(16 * 16 * 16 / 64, 0));
      body.add(others_are_background);
      tree.each_leaf(below, [&](glm::ivec3 first) {
        for (const std::uint64_t word : tree.leaf_mask(first)) body.add(word);
      });
    });
  });

  const std::size_t leaves = static_cast<std::size_t>(nodes_along(grid.counts.x, leaf)) *
                             static_cast<std::size_t>(nodes_along(grid.counts.y, leaf)) *
                             static_cast<std::size_t>(nodes_along(grid.counts.z, leaf));
  const std::size_t body_at = head.size() + 3 * sizeof(std::int64_t);
  const std::size_t values_at = body_at + body.size();
  head.add(static_cast<std::int64_t>(body_at));
  head.add(static_cast<std::int64_t>(values_at));
  head.add(static_cast<std::int64_t>(values_at + leaves * (64 + 1) + grid.size() * sizeof(float)));
  head.send(out, 0);
  body.send(out, 0);

  Bytes values;
  tree.each_upper([&](glm::ivec3 at) {
    tree.each_lower(at, [&](glm::ivec3 below) {
      tree.each_leaf(below, [&](glm::ivec3 first) {
        for (const std::uint64_t word : tree.leaf_mask(first)) values.add(word);
        values.add(others_are_background);
        const glm::ivec3 n = glm::min(grid.counts - first, leaf);
        for (int x = 0; x < n.x; ++x)
          for (int y = 0; y < n.y; ++y)
            for (int z = 0; z < n.z; ++z) values.add(volume.values[grid.index(first.x + x, first.y + y, first.z + z)]);
        values.send(out, std::size_t{1} << 16);
      });
    });
  });
  values.send(out, 0);
}

}  // namespace isolume
