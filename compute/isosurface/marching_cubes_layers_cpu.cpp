// Marching cubes on the CPU, the first two passes: one bit a point, and counts of a layer from the bits alone.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "compute/isosurface/marching_cubes_layers.h"
#include "compute/isosurface/marching_cubes_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/isosurface/marching_cubes_layers_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "compute/isosurface/marching_cubes_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace {

/// Sets bit i of `words` where row[i] is inside.
template <class T>
HWY_ATTR void classify_row(const T* row, int count, float isovalue, bool above, std::uint32_t* words) {
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

template <class T>
HWY_ATTR void classify_rows(const T* values, const IsoGrid& g, std::uint32_t* bits) {
  for (int j = 0; j < g.ny; ++j) {
    classify_row(values + g.index(0, j, 0), g.nx, g.isovalue, g.inside_above, bits + g.word(0, j, 0));
  }
}

}  // namespace

HWY_ATTR void classify(const void* values, Storage element, const IsoGrid& g, std::uint32_t* bits) {
  if (element == Storage::float32) {
    classify_rows(static_cast<const float*>(values), g, bits);
  } else if (element == Storage::half) {
    classify_rows(static_cast<const Half*>(values), g, bits);
  } else {
    classify_rows(static_cast<const Unorm8*>(values), g, bits);
  }
}

HWY_ATTR SurfaceCounts count(const IsoGrid& g, const std::uint32_t* bits, int k, std::uint32_t* vertex_start,
                             std::uint32_t* triangle_start) {
  const Words d;
  const int lanes = word_lanes();
  const CaseTable& table = case_table();
  const bool has_cells = k + 1 < g.nz && k < g.own;
  alignas(32) std::uint32_t counts[8];
  alignas(32) std::uint32_t mixed[8];
  std::uint32_t vertices = 0;
  std::uint32_t triangles = 0;
  for (int j = 0; j < g.ny; ++j) {
    triangle_start[j] = triangles;
    for (int w = 0; w < g.words; w += lanes) {
      const int here = std::min(lanes, g.words - w);
      std::uint32_t* start = vertex_start + g.word(w, j, 0);
      const CrossedWords crossed(g, bits, w, j, k);
      if (crossed.none()) {
        // What crosses a cell crosses an edge of its four rows, but not always one that this row owns.
        for (int i = 0; i < here; ++i) start[i] = vertices;
      } else {
        const auto sum = hn::Add(hn::Add(hn::PopulationCount(crossed.along[0]), hn::PopulationCount(crossed.along[1])),
                                 hn::PopulationCount(crossed.along[2]));
        hn::Store(sum, d, counts);
        for (int i = 0; i < here; ++i) {
          start[i] = vertices;
          vertices += counts[i];
        }
      }
      if (!has_cells || j + 1 == g.ny) continue;
      const auto cells = mixed_cells(g, bits, w, j, k);
      if (hn::AllTrue(d, hn::Eq(cells, hn::Zero(d)))) continue;
      hn::Store(cells, d, mixed);
      for (int i = 0; i < here; ++i) {
        if (mixed[i] == 0) continue;
        CellRows rows;
        rows.load(g, bits, w + i, j, k);
        for (std::uint32_t rest = mixed[i]; rest != 0; rest &= rest - 1) {
          triangles += table.triangle_count[rows.case_of(lowest_bit(rest))];
        }
      }
    }
  }
  return {vertices, triangles};
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(classify);
HWY_EXPORT(count);

void classify_layer(const void* values, Storage element, const IsoGrid& g, std::uint32_t* bits) {
  HWY_DYNAMIC_DISPATCH(classify)(values, element, g, bits);
}

SurfaceCounts count_layer(const IsoGrid& g, const std::uint32_t* bits, int k, std::uint32_t* vertex_start,
                          std::uint32_t* triangle_start) {
  return HWY_DYNAMIC_DISPATCH(count)(g, bits, k, vertex_start, triangle_start);
}

}  // namespace isolume
#endif  // HWY_ONCE
