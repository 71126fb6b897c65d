// Marching cubes on the CPU: one bit a point, popcounts instead of passes over cells, layers in parallel.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "compute/storage.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/isosurface/marching_cubes_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_ATTR hn::Vec<D> load_values(D d, const float* from) {
  return hn::LoadU(d, from);
}
template <class D>
HWY_ATTR hn::Vec<D> load_values(D d, const Half* from) {
  const hn::Rebind<hwy::float16_t, D> dh;
  return hn::PromoteTo(d, hn::LoadU(dh, reinterpret_cast<const hwy::float16_t*>(from)));
}
template <class D>
HWY_ATTR hn::Vec<D> load_values(D d, const Unorm8* from) {
  const hn::RebindToSigned<D> di;
  const hn::Rebind<std::uint8_t, D> db;
  const auto whole = hn::PromoteTo(di, hn::LoadU(db, reinterpret_cast<const std::uint8_t*>(from)));
  return hn::Mul(hn::ConvertTo(d, whole), hn::Set(d, 1.0f / 255.0f));
}

/// Sets bit i of `words` where row[i] is inside.
template <class T>
HWY_ATTR void classify_values(const T* row, int count, float isovalue, bool above, std::uint32_t* words) {
  const hn::CappedTag<float, 16> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto limit = hn::Set(d, isovalue);
  int i = 0;
  for (int w = 0; i < count; ++w) {
    const int end = std::min(count, i + 32);
    std::uint32_t bits = 0;
    int at = 0;
    for (; i + lanes <= end; i += lanes, at += lanes) {
      const auto value = load_values(d, row + i);
      const auto inside = above ? hn::Gt(value, limit) : hn::Lt(value, limit);
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, inside, bytes);
      std::uint32_t found = 0;
      std::memcpy(&found, bytes, sizeof(found));
      bits |= found << at;
    }
    for (; i < end; ++i, ++at) {
      const float value = to_float(row[i]);
      bits |= static_cast<std::uint32_t>(above ? value > isovalue : value < isovalue) << at;
    }
    words[w] = bits;
  }
}

void classify_row(const void* row, Storage element, int count, float isovalue, bool above, std::uint32_t* words) {
  if (element == Storage::float32) {
    classify_values(static_cast<const float*>(row), count, isovalue, above, words);
  } else if (element == Storage::half) {
    classify_values(static_cast<const Half*>(row), count, isovalue, above, words);
  } else {
    classify_values(static_cast<const Unorm8*>(row), count, isovalue, above, words);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "compute/backends.h"
#include "compute/isosurface/marching_cubes_math.h"
#include "compute/isosurface/marching_cubes_table.h"
#include "compute/isosurface/vertex_colour.h"
#include "compute/memory.h"
#include "compute/parallel_for.h"
#include "compute/timing.h"

namespace isolume {

HWY_EXPORT(classify_row);

namespace {

template <class T>
class CpuBody final : public MarchingCubes::Body {
 public:
  void reset(ConstValues volume, const IsoGrid& grid) override {
    volume_ = static_cast<const T*>(volume.data);
    g_ = grid;
  }

  SurfaceCounts count(Job& job) override {
    const std::size_t words = g_.word(0, 0, g_.nz);
    if (bits_.capacity() < words) require_memory(words * 3 * sizeof(std::uint32_t), Device::cpu(), "isosurface");
    bits_.resize(words);
    vertex_start_.resize(words);
    triangle_start_.resize(words);
    {
      const PhaseTimer timer("isosurface: classify");
      parallel_for(static_cast<std::size_t>(g_.nz), job, "isosurface", [&](std::size_t layer) {
        const int k = static_cast<int>(layer);
        for (int j = 0; j < g_.ny; ++j) {
          HWY_DYNAMIC_DISPATCH(classify_row)
          (volume_ + g_.index(0, j, k), element_of<T>, g_.nx, g_.isovalue, g_.inside_above, &bits_[g_.word(0, j, k)]);
        }
      });
    }
    const PhaseTimer timer("isosurface: count");
    totals_.resize(layers());
    parallel_for(layers(), job, "isosurface",
                 [&](std::size_t layer) { totals_[layer] = count_layer(static_cast<int>(layer)); });
    SurfaceCounts sum;
    SurfaceCounts own;
    layer_start_.resize(layers());
    for (std::size_t k = 0; k < layers(); ++k) {
      layer_start_[k] = sum;
      sum.vertices += totals_[k].vertices;
      sum.triangles += totals_[k].triangles;
      if (k < static_cast<std::size_t>(g_.own)) own = sum;
    }
    parallel_for(layers(), job, "isosurface", [&](std::size_t layer) {
      const std::size_t begin = g_.word(0, 0, static_cast<int>(layer));
      const std::size_t end = g_.word(0, 0, static_cast<int>(layer) + 1);
      for (std::size_t w = begin; w < end; ++w) {
        vertex_start_[w] += static_cast<std::uint32_t>(layer_start_[layer].vertices);
        triangle_start_[w] += static_cast<std::uint32_t>(layer_start_[layer].triangles);
      }
    });
    return own;
  }

  void fill(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles, const VertexColour& by,
            Span<glm::u8vec4> colours, Job& job) override {
    const PhaseTimer timer("isosurface: fill");
    const std::size_t numbered = g_.word(0, 0, g_.numbered);
    parallel_for(static_cast<std::size_t>(g_.own), job, "isosurface", [&](std::size_t layer) {
      const int k = static_cast<int>(layer);
      for (int j = 0; j < g_.ny; ++j) {
        for (int w = 0; w < g_.words; ++w) {
          // Most words have nothing: the next one's numbers tell.
          const std::size_t at = g_.word(w, j, k);
          const bool last = at + 1 == numbered;
          if (last || vertex_start_[at + 1] != vertex_start_[at]) {
            fill_vertices(w, j, k, positions, normals, by, colours);
          }
          if (j + 1 == g_.ny || k + 1 == g_.nz) continue;
          if (last || triangle_start_[at + 1] != triangle_start_[at]) fill_triangles(w, j, k, triangles);
        }
      }
    });
  }

 private:
  std::size_t layers() const { return static_cast<std::size_t>(g_.numbered); }

  /// Leaves in every word's starts the sums of the layer's words before it.
  SurfaceCounts count_layer(int k) {
    const CaseTable& table = case_table();
    SurfaceCounts sum;
    for (int j = 0; j < g_.ny; ++j) {
      for (int w = 0; w < g_.words; ++w) {
        const std::size_t at = g_.word(w, j, k);
        vertex_start_[at] = static_cast<std::uint32_t>(sum.vertices);
        triangle_start_[at] = static_cast<std::uint32_t>(sum.triangles);
        sum.vertices += static_cast<std::size_t>(CrossedEdges(g_, bits_.data(), w, j, k).count());
        if (j + 1 == g_.ny || k + 1 == g_.nz || k >= g_.own) continue;
        const CellCorners corners(g_, bits_.data(), w, j, k);
        for (std::uint32_t rest = corners.mixed; rest != 0; rest &= rest - 1) {
          sum.triangles += table.triangle_count[corners.case_of(lowest_bit(rest))];
        }
      }
    }
    return sum;
  }

  void fill_vertices(int w, int j, int k, Span<glm::vec3> positions, Span<glm::vec3> normals, const VertexColour& by,
                     Span<glm::u8vec4> colours) const {
    const CrossedEdges crossed(g_, bits_.data(), w, j, k);
    std::size_t to = vertex_start_[g_.word(w, j, k)];
    for (int axis = 0; axis < 3; ++axis) {
      for (std::uint32_t rest = crossed.along[axis]; rest != 0; rest &= rest - 1, ++to) {
        const int i = 32 * w + lowest_bit(rest);
        const IsoVertex v = iso_vertex(g_, volume_, axis, i, j, k);
        positions.data[to] = {v.position[0], v.position[1], v.position[2]};
        normals.data[to] = {v.normal[0], v.normal[1], v.normal[2]};
        if (colours.empty()) continue;
        float c[3];
        vertex_colour(g_, by, v, axis, i, j, k, c);
        colours.data[to] = {colour_byte(c[0]), colour_byte(c[1]), colour_byte(c[2]), 255};
      }
    }
  }

  /// The numbers of the vertices around a word's cells: on its own points and on those of the rows behind and above.
  class RowNumbers {
   public:
    RowNumbers(const CpuBody& body, int w, int j, int k) : body_(body), w_(w), j_(j), k_(k) {
      for (int row = 0; row < 4; ++row) {
        const int y = j + (row & 1);
        const int z = k + (row >> 1);
        const CrossedEdges crossed(body.g_, body.bits_.data(), w, y, z);
        std::uint32_t number = body.g_.first_vertex + body.vertex_start_[body.g_.word(w, y, z)];
        for (int axis = 0; axis < 3; ++axis) {
          along_[row][axis] = crossed.along[axis];
          first_[row][axis] = number;
          number += static_cast<std::uint32_t>(bit_count(crossed.along[axis]));
        }
      }
    }
    /// The vertex on an edge (see CaseTable) of the cell of a bit.
    std::uint32_t vertex(int edge, int bit) const {
      const int axis = edge >> 2;
      const int u = edge & 1;
      const int v = edge >> 1 & 1;
      const int next = axis == 0 ? 0 : u;
      const int row = axis == 0 ? u | v << 1 : axis == 1 ? v << 1 : v;
      if (bit + next == 32) {
        const auto start = [this](std::size_t word) { return body_.vertex_start_[word]; };
        return edge_vertex(body_.g_, body_.bits_.data(), start, edge, 32 * w_ + bit, j_, k_);
      }
      const std::uint32_t below = (1u << (bit + next)) - 1u;
      return first_[row][axis] + static_cast<std::uint32_t>(bit_count(along_[row][axis] & below));
    }

   private:
    const CpuBody& body_;
    int w_, j_, k_;
    std::uint32_t along_[4][3];
    std::uint32_t first_[4][3];
  };

  void fill_triangles(int w, int j, int k, Span<glm::uvec3> triangles) const {
    const CellCorners corners(g_, bits_.data(), w, j, k);
    if (corners.mixed == 0) return;
    const CaseTable& table = case_table();
    const RowNumbers numbers(*this, w, j, k);
    std::size_t to = triangle_start_[g_.word(w, j, k)];
    for (std::uint32_t rest = corners.mixed; rest != 0; rest &= rest - 1) {
      const int bit = lowest_bit(rest);
      const int which = corners.case_of(bit);
      // Each edge's vertex is looked up once a cell.
      std::uint32_t known[12];
      std::uint32_t have = 0;
      const std::uint8_t* edge = table.edges[which];
      for (int t = 0; t < table.triangle_count[which]; ++t, ++to) {
        std::uint32_t ids[3];
        for (std::uint32_t& id : ids) {
          const int e = *edge++;
          if ((have >> e & 1u) == 0) {
            known[e] = numbers.vertex(e, bit);
            have |= 1u << e;
          }
          id = known[e];
        }
        triangles.data[to] = {ids[0], ids[g_.mirrored ? 2 : 1], ids[g_.mirrored ? 1 : 2]};
      }
    }
  }

  const T* volume_ = nullptr;
  IsoGrid g_;
  std::vector<std::uint32_t> bits_;
  std::vector<std::uint32_t> vertex_start_;
  std::vector<std::uint32_t> triangle_start_;
  std::vector<SurfaceCounts> totals_;
  std::vector<SurfaceCounts> layer_start_;
};

}  // namespace

std::unique_ptr<MarchingCubes::Body> marching_cubes_cpu(Storage element) {
  if (element == Storage::half) return std::make_unique<CpuBody<Half>>();
  if (element == Storage::unorm8) return std::make_unique<CpuBody<Unorm8>>();
  return std::make_unique<CpuBody<float>>();
}

}  // namespace isolume
#endif  // HWY_ONCE
