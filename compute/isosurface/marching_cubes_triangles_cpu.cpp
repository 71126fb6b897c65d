// Marching cubes on the CPU, the triangles: the numbers of a cell's twelve vertices at once, an edge a lane.
#include <cstdint>
#include <cstring>

#include "compute/isosurface/marching_cubes_layers.h"
#include "compute/isosurface/marching_cubes_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/isosurface/marching_cubes_triangles_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "compute/isosurface/marching_cubes_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace {

using Edges = hn::CappedTag<std::uint32_t, 16>;
constexpr int edge_lanes = static_cast<int>(hn::MaxLanes(Edges()));

HWY_INLINE std::uint32_t popcount(std::uint32_t bits) {
  return static_cast<std::uint32_t>(__builtin_popcount(bits));
}

/// Around a word of cells: of each of a cell's edges (see CaseTable), lane by lane, which points of the word own one
/// that is crossed, and the number of the first vertex of these.
struct WordEdges {
  alignas(64) std::uint32_t crossed[16];
  alignas(64) std::uint32_t first[16];
  CellRows rows;
  int word;
  std::uint32_t mixed;  ///< its cells whose corners differ

  HWY_INLINE void set(const IsoGrid& g, const IsoLayers& layers, int w, int j, int k) {
    word = w;
    rows.load(g, layers.bits, w, j, k);
    const std::uint32_t has_next = g.has_next(w);
    std::uint32_t here[4];
    std::uint32_t x[4];
    std::uint32_t start[4];
    for (int r = 0; r < 4; ++r) {
      here[r] = static_cast<std::uint32_t>(rows.row[r]);
      x[r] = (here[r] ^ static_cast<std::uint32_t>(rows.row[r] >> 1)) & has_next;
      const int layer = k + (r >> 1);
      start[r] = g.first_vertex + static_cast<std::uint32_t>(layers.layer_start[layer].vertices) +
                 layers.vertex_start[g.word(w, j + (r & 1), layer)];
    }
    const std::uint32_t y0 = here[0] ^ here[1];
    const std::uint32_t y1 = here[2] ^ here[3];
    const std::uint32_t z0 = here[0] ^ here[2];
    const std::uint32_t z1 = here[1] ^ here[3];
    const std::uint32_t behind = j + 2 < g.ny ? here[1] ^ layers.bits[g.word(w, j + 2, k)] : 0u;
    for (int r = 0; r < 4; ++r) {
      crossed[r] = x[r];
      first[r] = start[r];
    }
    crossed[4] = crossed[5] = y0;
    crossed[6] = crossed[7] = y1;
    crossed[8] = crossed[9] = z0;
    crossed[10] = crossed[11] = z1;
    first[4] = first[5] = start[0] + popcount(x[0]);
    first[6] = first[7] = start[2] + popcount(x[2]);
    first[8] = first[9] = first[4] + popcount(y0);
    first[10] = first[11] = start[1] + popcount(x[1]) + popcount(behind);
  }
};

/// Numbers the edges of cells and writes the triangles of one after the other.
class Writer {
 public:
  HWY_INLINE Writer(glm::uvec3* first, glm::uvec3* end, bool mirrored)
      : to_(&first->x), end_(&end->x), table_(mirrored ? case_corners().mirrored : case_corners().straight) {}

  /// The cell of a bit; `next` are the edges of the word after it, used by the last bit alone.
  HWY_INLINE void write(unsigned which, int bit, const WordEdges& word, const WordEdges* next) {
    const Edges d;
    // Behind a cell's own point, or behind the next one's for the edges that this one owns.
    alignas(64) static constexpr std::uint32_t units[16] = {1, 1, 1, 1, 1, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1, 1};
    alignas(64) std::uint32_t kept[16];
    hn::Vec<Edges> numbers = hn::Zero(d);
    for (int part = 0; part < 16; part += edge_lanes) {
      const auto unit = hn::Load(d, units + part);
      const auto below = hn::Sub(hn::ShiftLeftSame(unit, bit), hn::Set(d, 1u));
      const auto crossed = hn::And(hn::Load(d, word.crossed + part), below);
      numbers = hn::Add(hn::Load(d, word.first + part), hn::PopulationCount(crossed));
      if (next) {
        numbers = hn::IfThenElse(hn::Eq(unit, hn::Set(d, 2u)), hn::Load(d, next->first + part), numbers);
      }
      if (edge_lanes < 16) hn::Store(numbers, d, kept + part);
    }
    const std::uint8_t* corners = table_[which];
    const std::size_t count = corners[15];
    if (edge_lanes == 16) {
      const hn::Rebind<std::uint8_t, Edges> db;
      const hn::RebindToSigned<Edges> di;
      const auto order = hn::IndicesFromVec(d, hn::PromoteTo(di, hn::Load(db, corners)));
      const auto ordered = hn::TableLookupLanes(numbers, order);
      // What is written behind the last is written again by the cells after this one.
      if (to_ + 16 <= end_) {
        hn::StoreU(ordered, d, to_);
      } else {
        hn::BlendedStore(ordered, hn::FirstN(d, count), d, to_);
      }
    } else {
      for (std::size_t i = 0; i < count; ++i) to_[i] = kept[corners[i]];
    }
    to_ += count;
  }

 private:
  std::uint32_t* to_;
  std::uint32_t* end_;
  const std::uint8_t (*table_)[16];
};

}  // namespace

HWY_ATTR void layer_triangles(const IsoGrid& g, const IsoLayers& layers, int k, glm::uvec3* triangles) {
  const Words d;
  const int lanes = word_lanes();
  const std::uint32_t* row_start = layers.triangle_start + static_cast<std::size_t>(g.ny) * static_cast<std::size_t>(k);
  glm::uvec3* begin = triangles + layers.layer_start[k].triangles;
  Writer writer(begin, begin + layers.layer_total[k].triangles, g.mirrored);
  alignas(32) std::uint32_t mixed[8];
  WordEdges edges[9] = {};  // the last one is what comes after eight
  for (int j = 0; j + 1 < g.ny; ++j) {
    if (row_start[j] == row_start[j + 1]) continue;
    for (int w = 0; w < g.words; w += lanes) {
      const auto cells = mixed_cells(g, layers.bits, w, j, k);
      if (hn::AllTrue(d, hn::Eq(cells, hn::Zero(d)))) continue;
      hn::Store(cells, d, mixed);
      // All words before the first is used: vectors of what was just written part by part would wait for it.
      int used = 0;
      for (int i = 0; i < lanes; ++i) {
        if (mixed[i] == 0) continue;
        if (used == 0 || edges[used - 1].word != w + i) edges[used++].set(g, layers, w + i, j, k);
        edges[used - 1].mixed = mixed[i];
        if (mixed[i] >> 31) {
          edges[used].set(g, layers, w + i + 1, j, k);
          edges[used++].mixed = 0;
        }
      }
      for (int i = 0; i < used; ++i) {
        const WordEdges& word = edges[i];
        for (std::uint32_t rest = word.mixed & 0x7fffffffu; rest != 0; rest &= rest - 1) {
          const int bit = lowest_bit(rest);
          writer.write(word.rows.case_of(bit), bit, word, nullptr);
        }
        if (word.mixed >> 31) writer.write(word.rows.case_of(31), 31, word, &edges[i + 1]);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(layer_triangles);

void fill_triangles(const IsoGrid& g, const IsoLayers& layers, int k, glm::uvec3* triangles) {
  HWY_DYNAMIC_DISPATCH(layer_triangles)(g, layers, k, triangles);
}

}  // namespace isolume
#endif  // HWY_ONCE
