// Marching cubes on the CPU, the vertices: crossed edges are listed a layer at a time and made a vector at a time.
#include <cstdint>
#include <cstring>

#include "compute/isosurface/marching_cubes_layers.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/isosurface/marching_cubes_vertices_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "compute/base/packed_lanes.h"
#include "compute/isosurface/marching_cubes_vertex_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace {

constexpr std::uint32_t axis_shift = 30;  ///< of an edge's number in a list: i | axis << axis_shift

/// The crossed edges of a layer, listed in the order of their vertices and made some at a time.
template <class T>
class LayerVertices {
 public:
  HWY_INLINE LayerVertices(const T* volume, const IsoGrid& g, int k, const IsoVertices& to, std::size_t first)
      : volume_(volume), layer_(volume + g.index(0, 0, k)), g_(g), k_(k), to_(to), next_(first) {
    // All that a vector reads is there where the grid has a layer before this one and two behind.
    vectors_ = k + g.first > 0 && k + g.first + 2 < g.layers && g.nx > 2 && 3 * g.layer_points() < 0x7fffffff;
  }

  HWY_INLINE void run(const std::uint32_t* bits) {
    const Words d;
    alignas(32) std::uint32_t along[3][8] = {};
    for (int j = 0; j < g_.ny; ++j) {
      for (int w = 0; w < g_.words; w += word_lanes()) {
        const CrossedWords crossed(g_, bits, w, j, k_);
        if (crossed.none()) continue;
        for (int axis = 0; axis < 3; ++axis) hn::Store(crossed.along[axis], d, along[axis]);
        for (int i = 0; i < word_lanes(); ++i) {
          if ((along[0][i] | along[1][i] | along[2][i]) == 0) continue;
          const std::uint32_t points[3] = {along[0][i], along[1][i], along[2][i]};
          if (vectors_) prefetch(points[0] | points[1] | points[2], 32 * (w + i), j);
          list(points, 32 * (w + i), j);
        }
        if (size_ > most - 96 * 8) flush(false);
      }
    }
    flush(true);
  }

 private:
  static constexpr int most = 2048;

  HWY_INLINE void list(const std::uint32_t points[3], int i, int j) {
    const DU d;
    const auto row = hn::Set(d, static_cast<std::uint32_t>(j));
    int size = size_;
    for (int axis = 0; axis < 3; ++axis) {
      const auto all = hn::Set(d, points[axis]);
      const auto first = hn::Set(d, static_cast<std::uint32_t>(i) | static_cast<std::uint32_t>(axis) << axis_shift);
      for (int l = 0; l < 32; l += lanes) {
        const auto which = hn::Iota(d, static_cast<std::uint32_t>(l));
        const auto here = hn::TestBit(all, hn::Shl(hn::Set(d, 1u), which));
        hn::StoreU(packed(hn::Add(which, first), here), d, edges_ + size);
        hn::StoreU(row, d, rows_ + size);
        size += static_cast<int>(hn::CountTrue(d, here));
      }
    }
    size_ = size;
  }

  /// Asks for the values around a word of points, which are used when the list is full.
  HWY_INLINE void prefetch(std::uint32_t points, int i, int j) const {
    constexpr int line = 64 / sizeof(T);
    constexpr std::uint32_t in_line = line >= 32 ? ~0u : (1u << (line & 31)) - 1;
    const std::ptrdiff_t row = g_.nx;
    const std::ptrdiff_t layer = g_.layer_points();
    for (int l = 0; l < 32; l += line) {
      if ((points >> l & in_line) == 0) continue;
      const T* at = layer_ + g_.index(i + l, j, 0);
      for (const std::ptrdiff_t shift : {row, 2 * row, layer - row, layer, layer + row, 2 * layer}) {
        __builtin_prefetch(at + shift);
      }
    }
  }

  /// Makes whole vectors of the list, and what is left over where nothing comes after it.
  HWY_INLINE void flush(bool all) {
    int at = 0;
    if (vectors_) {
      for (; at + lanes <= size_; at += lanes) make_vector(at, lanes);
      if (all && at < size_) {
        for (int l = size_; l < at + lanes; ++l) {
          edges_[l] = edges_[at];
          rows_[l] = rows_[at];
        }
        make_vector(at, size_ - at);
        at = size_;
      }
    } else {
      for (; at < size_; ++at) make_one(at);
    }
    next_ += static_cast<std::size_t>(at);
    const int rest = size_ - at;
    std::memmove(edges_, edges_ + at, static_cast<std::size_t>(rest) * sizeof(edges_[0]));
    std::memmove(rows_, rows_ + at, static_cast<std::size_t>(rest) * sizeof(rows_[0]));
    size_ = rest;
  }

  struct Edge {
    int axis, i, j;
  };
  HWY_INLINE Edge edge(int at) const {
    return {static_cast<int>(edges_[at] >> axis_shift), static_cast<int>(edges_[at] & ((1u << axis_shift) - 1)),
            static_cast<int>(rows_[at])};
  }

  /// A vertex by itself: at the border of the grid, or where its gradient is no direction.
  HWY_NOINLINE void make_one(int at) {
    const Edge e = edge(at);
    const std::size_t to = next_ + static_cast<std::size_t>(at);
    const IsoVertex v = iso_vertex(g_, volume_, e.axis, e.i, e.j, k_);
    to_.positions[to] = {v.position[0], v.position[1], v.position[2]};
    to_.normals[to] = {v.normal[0], v.normal[1], v.normal[2]};
    if (to_.colours) colour(v, e, to_.colours[to]);
  }

  HWY_INLINE void colour(const IsoVertex& v, const Edge& e, glm::u8vec4& to) const {
    float c[3];
    vertex_colour(g_, *to_.by, v, e.axis, e.i, e.j, k_, c);
    to = {colour_byte(c[0]), colour_byte(c[1]), colour_byte(c[2]), 255};
  }

  HWY_INLINE void make_vector(int at, int count) {
    const D d;
    const DI di;
    const DU du;
    const auto word = hn::Load(du, edges_ + at);
    const VI i = hn::BitCast(di, hn::And(word, hn::Set(du, (1u << axis_shift) - 1)));
    const VI axis = hn::BitCast(di, hn::ShiftRight<axis_shift>(word));
    const VI j = hn::BitCast(di, hn::Load(du, rows_ + at));
    const auto along_y = hn::Eq(axis, hn::Set(di, 1));
    const auto along_z = hn::Eq(axis, hn::Set(di, 2));
    const auto along_x = hn::Eq(axis, hn::Zero(di));
    const VI row = hn::Set(di, g_.nx);
    const VI layer = hn::Set(di, static_cast<std::int32_t>(g_.layer_points()));
    const VI one = hn::Set(di, 1);
    const VI here = hn::Add(hn::Mul(j, row), i);
    const VI there = hn::Add(here, hn::IfThenElse(along_x, one, hn::IfThenElse(along_y, row, layer)));
    const V a = gather(layer_, here);
    const V b = gather(layer_, there);
    V t = hn::Div(hn::Sub(hn::Set(d, g_.isovalue), a), hn::Sub(b, a));
    const auto between = hn::And(hn::Ge(t, hn::Zero(d)), hn::Le(t, hn::Set(d, 1.0f)));
    t = hn::IfThenElse(between, t, hn::Set(d, 0.5f));

    const V half = hn::Set(d, 0.5f);
    V slope[3];
    const VI strides[3] = {one, row, layer};
    for (int s = 0; s < 3; ++s) {
      const V da = hn::Sub(gather(layer_, hn::Add(here, strides[s])), gather(layer_, hn::Sub(here, strides[s])));
      const V db = hn::Sub(gather(layer_, hn::Add(there, strides[s])), gather(layer_, hn::Sub(there, strides[s])));
      const V difference = hn::Mul(half, hn::MulAdd(t, hn::Sub(db, da), da));
      for (int c = 0; c < 3; ++c) {
        const V weight = hn::Set(d, g_.gradient[s][c]);
        slope[c] = s == 0 ? hn::Mul(weight, difference) : hn::MulAdd(weight, difference, slope[c]);
      }
    }
    const V length2 = hn::MulAdd(slope[0], slope[0], hn::MulAdd(slope[1], slope[1], hn::Mul(slope[2], slope[2])));
    const auto directed = hn::And(hn::Gt(length2, hn::Set(d, 1e-30f)), hn::Lt(length2, hn::Set(d, 1e30f)));
    const V scale = hn::Div(hn::Set(d, g_.outward), hn::Sqrt(length2));
    for (V& c : slope) c = hn::Mul(c, scale);

    const VI points[3] = {i, j, hn::Set(di, k_ + g_.first)};
    const V parts[3] = {hn::IfThenElseZero(hn::RebindMask(d, along_x), t),
                        hn::IfThenElseZero(hn::RebindMask(d, along_y), t),
                        hn::IfThenElseZero(hn::RebindMask(d, along_z), t)};
    V position[3];
    place(g_, points, parts, position);
    put(position, count, to_.positions + next_ + at);
    put(slope, count, to_.normals + next_ + at);
    // At the border of a layer a vector takes neighbours of other rows.
    const auto low = hn::Or(hn::Lt(i, one), hn::Lt(j, one));
    const auto high = hn::Or(hn::Gt(i, hn::Set(di, g_.nx - 3)), hn::Gt(j, hn::Set(di, g_.ny - 3)));
    const auto alone = hn::Or(hn::Not(directed), hn::RebindMask(d, hn::Or(low, high)));
    if (to_.colours) put_colours(at, count, here, there, t, slope);
    if (hn::AllFalse(d, alone)) return;
    alignas(64) std::int32_t single[lanes];
    hn::Store(hn::VecFromMask(di, hn::RebindMask(di, alone)), di, single);
    for (int l = 0; l < count; ++l) {
      if (single[l]) make_one(at + l);
    }
  }

  HWY_INLINE void put_colours(int at, int count, VI here, VI there, V t, const V normal[3]) {
    const DI di;
    glm::u8vec4* to = to_.colours + next_ + at;
    if (!to_.by->scalars && to_.by->element == Storage::unorm8) {
      const auto* from = static_cast<const std::int32_t*>(to_.by->colours) + g_.index(0, 0, k_);
      alignas(64) std::int32_t packed[lanes];
      hn::Store(mix(hn::GatherIndex(di, from, here), hn::GatherIndex(di, from, there), t), di, packed);
      std::memcpy(to, packed, static_cast<std::size_t>(count) * sizeof(*to));
      return;
    }
    alignas(64) float along[lanes];
    alignas(64) float out[3][lanes];
    hn::Store(t, D(), along);
    for (int c = 0; c < 3; ++c) hn::Store(normal[c], D(), out[c]);
    for (int l = 0; l < count; ++l) {
      const Edge e = edge(at + l);
      colour({{}, {out[0][l], out[1][l], out[2][l]}, along[l]}, e, to[l]);
    }
  }

  HWY_INLINE void put(const V from[3], int count, glm::vec3* to) {
    if (count == lanes) {
      hn::StoreInterleaved3(from[0], from[1], from[2], D(), &to->x);
      return;
    }
    alignas(64) float part[3 * lanes];
    hn::StoreInterleaved3(from[0], from[1], from[2], D(), part);
    std::memcpy(&to->x, part, 3 * static_cast<std::size_t>(count) * sizeof(float));
  }

  const T* volume_;
  const T* layer_;
  const IsoGrid& g_;
  int k_;
  const IsoVertices& to_;
  std::size_t next_;  ///< number of the first vertex in the list
  bool vectors_;
  int size_ = 0;
  alignas(64) std::uint32_t edges_[most + 64];
  alignas(64) std::uint32_t rows_[most + 64];
};

template <class T>
HWY_ATTR void run(const void* volume, const IsoGrid& g, const IsoLayers& layers, int k, const IsoVertices& to) {
  LayerVertices<T> layer(static_cast<const T*>(volume), g, k, to, layers.layer_start[k].vertices);
  layer.run(layers.bits);
}

}  // namespace

HWY_ATTR void layer_vertices(const void* volume, Storage element, const IsoGrid& g, const IsoLayers& layers, int k,
                             const IsoVertices& to) {
  if (element == Storage::float32) {
    run<float>(volume, g, layers, k, to);
  } else if (element == Storage::half) {
    run<Half>(volume, g, layers, k, to);
  } else {
    run<Unorm8>(volume, g, layers, k, to);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(layer_vertices);

void fill_vertices(const void* volume, Storage element, const IsoGrid& g, const IsoLayers& layers, int k,
                   const IsoVertices& to) {
  HWY_DYNAMIC_DISPATCH(layer_vertices)(volume, element, g, layers, k, to);
}

}  // namespace isolume
#endif  // HWY_ONCE
