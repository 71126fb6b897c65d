// FastDirectPlan: lists of charges for every tile, from the whole map down.
#include "compute/electrostatics/direct/fast_direct_plan.h"

#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

constexpr double separation = 1.7320508075688772;  // in half-diagonals of the tile

std::uint32_t spread_bits(std::uint32_t v) {
  v = (v | (v << 16)) & 0x030000FFu;
  v = (v | (v << 8)) & 0x0300F00Fu;
  v = (v | (v << 4)) & 0x030C30C3u;
  return (v | (v << 2)) & 0x09249249u;
}

struct Cell {
  std::uint32_t x, y, z;
  std::uint32_t code;  // Morton's, of this depth
  int depth;
};

struct Range {
  std::uint32_t begin, end;
};

void append(std::vector<Range>& list, Range range) {
  if (!list.empty() && list.back().end == range.begin) {
    list.back().end = range.end;
  } else {
    list.push_back(range);
  }
}

/// What one tile is given by the one that it is a part of, and what it makes of it.
struct Lists {
  std::vector<Cell> rest;  // neither far nor to be divided at this level; not of the smallest tiles
  std::vector<Range> far;
  std::vector<Range> near;  // of the smallest tiles
};

struct Walk {
  const ChargeCells& cells;
  std::span<const std::uint32_t> offsets;
  const double* sides;  // of cells, by depth
  glm::dvec3 middle;
  double far2;  // squared distance from which charges are far
  double edge;  // cells are divided down to about this
  bool smallest;
  Lists& lists;

  void visit(const Cell& c) {
    const int shift = 3 * (cells.depth - c.depth);
    const Range range{offsets[std::size_t{c.code} << shift], offsets[(std::size_t{c.code} + 1) << shift]};
    if (range.begin == range.end) return;
    const double side = sides[c.depth];
    const auto apart = [&](double lower, double at) { return std::max(std::max(lower - at, at - lower - side), 0.0); };
    const double x = apart(cells.lower.x + side * c.x, middle.x);
    const double y = apart(cells.lower.y + side * c.y, middle.y);
    const double z = apart(cells.lower.z + side * c.z, middle.z);
    if (x * x + y * y + z * z >= far2) {
      append(lists.far, range);
    } else if (c.depth < cells.depth && side > edge) {
      for (std::uint32_t n = 0; n < 8; ++n) {
        visit({2 * c.x + (n & 1), 2 * c.y + (n >> 1 & 1), 2 * c.z + (n >> 2), 8 * c.code + n, c.depth + 1});
      }
    } else if (smallest) {
      append(lists.near, range);
    } else {
      lists.rest.push_back(c);
    }
  }
};

/// Copies one of the tiles' lists after the other; first, ranges and count of each tile say where.
void store(std::span<const Lists> lists, std::vector<Range> Lists::*list, std::span<FastTile> tiles,
           std::vector<ChargeRange>& to, std::uint32_t FastTile::*first, std::uint32_t FastTile::*ranges,
           std::uint32_t FastTile::*count, Job& job) {
  std::size_t size = to.size();
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    tiles[i].*first = static_cast<std::uint32_t>(size);
    tiles[i].*ranges = static_cast<std::uint32_t>((lists[i].*list).size());
    size += (lists[i].*list).size();
  }
  to.resize(size);
  constexpr std::size_t block = 32;
  parallel_for((tiles.size() + block - 1) / block, job, "lists of charges", [&](std::size_t n) {
    for (std::size_t i = block * n; i < std::min(tiles.size(), block * (n + 1)); ++i) {
      ChargeRange* out = to.data() + tiles[i].*first;
      std::uint32_t before = 0;
      for (const Range& range : lists[i].*list) {
        *out++ = {range.begin, before};
        before += range.end - range.begin;
      }
      tiles[i].*count = before;
    }
  });
}

}  // namespace

std::uint32_t morton_code(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return spread_bits(x) | (spread_bits(y) << 1) | (spread_bits(z) << 2);
}

std::uint32_t ChargeCells::cell_of(glm::dvec3 p) const {
  std::uint32_t at[3];
  const int most = (1 << depth) - 1;
  for (int axis = 0; axis < 3; ++axis) {
    at[axis] = static_cast<std::uint32_t>(std::clamp(static_cast<int>((p[axis] - lower[axis]) / side), 0, most));
  }
  return morton_code(at[0], at[1], at[2]);
}

ChargeCells cells_for(const RowFrame& frame, glm::dvec3 lower, glm::dvec3 upper, std::size_t charges) {
  ChargeCells cells;
  cells.lower = lower;
  const glm::dvec3 extent = upper - lower;
  const double edge = std::max({extent.x, extent.y, extent.z, 1e-3}) * (1 + 1e-9);
  const double tile = FastDirectPlan::leaf * std::max({std::abs(frame.ax), std::abs(frame.by), std::abs(frame.cz)});
  // Half a tile's edge, some charges each, and no more than 2^21.
  cells.depth = static_cast<int>(std::ceil(std::log2(std::max(1.0, 2 * edge / std::max(tile, 1e-9)))));
  const double count = static_cast<double>(std::max<std::size_t>(charges, 1));
  cells.depth = std::clamp(cells.depth, 0, std::min(7, static_cast<int>(std::log2(count) / 3)));
  cells.side = std::ldexp(edge, -cells.depth);
  return cells;
}

double chebyshev_node(int k, int p) {
  return -std::cos((2 * k + 1) * units::pi / (2 * p));
}

double chebyshev_weight(int k, int p, double t) {
  // The sum over j of T_j(node) T_j(t), by the recursion of both.
  const double x = chebyshev_node(k, p);
  double a0 = 1;
  double a1 = x;
  double b0 = 1;
  double b1 = t;
  double sum = 0.5;
  for (int j = 1; j < p; ++j) {
    sum += a1 * b1;
    const double a2 = 2 * x * a1 - a0;
    const double b2 = 2 * t * b1 - b0;
    a0 = a1;
    a1 = a2;
    b0 = b1;
    b1 = b2;
  }
  return 2 * sum / p;
}

FastDirectPlan::FastDirectPlan(const Grid& grid, const RowFrame& frame, const ChargeCells& cells,
                               std::span<const std::uint32_t> offsets, Job& job) {
  const PhaseTimer timer("lists of charges");
  // Sizes of the levels, from the smallest tiles to one.
  std::vector<glm::ivec3> sizes;
  for (glm::ivec3 n = (grid.counts + leaf - 1) / leaf;; n = (n + 1) / 2) {
    sizes.push_back(n);
    if (n == glm::ivec3(1)) break;
  }
  std::reverse(sizes.begin(), sizes.end());
  std::vector<double> sides;
  for (int depth = 0; depth <= cells.depth; ++depth) sides.push_back(std::ldexp(cells.side, cells.depth - depth));
  std::vector<Lists> above;
  for (std::size_t level = 0; level < sizes.size(); ++level) {
    const glm::ivec3 n = sizes[level];
    const bool last = level + 1 == sizes.size();
    const int points = leaf << (sizes.size() - 1 - level);
    const std::size_t begin = tiles.size();
    level_first.push_back(static_cast<std::uint32_t>(begin));
    const std::size_t count =
        static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
    tiles.resize(begin + count);
    std::vector<Lists> lists(count);
    parallel_for(count, job, "lists of charges", [&](std::size_t i) {
      const glm::ivec3 at(static_cast<int>(i % static_cast<std::size_t>(n.x)),
                          static_cast<int>(i / static_cast<std::size_t>(n.x) % static_cast<std::size_t>(n.y)),
                          static_cast<int>(i / static_cast<std::size_t>(n.x) / static_cast<std::size_t>(n.y)));
      FastTile& tile = tiles[begin + i];
      tile.first = at * points;
      tile.count = glm::min(glm::ivec3(points), grid.counts - tile.first);
      glm::dvec3 middle;
      glm::dvec3 half;
      for (int axis = 0; axis < 3; ++axis) {
        const TileAxis hull(tile.first[axis], tile.count[axis]);
        middle[axis] = hull.middle;
        half[axis] = hull.half;
      }
      double radius = 0;
      for (int corner = 0; corner < 4; ++corner) {
        const glm::dvec3 d((corner & 1) ? half.x : -half.x, (corner & 2) ? half.y : -half.y, half.z);
        radius = std::max(radius, glm::length(frame.point(d.x, d.y, d.z)));
      }
      const double far = std::max(separation * radius, 0.5);
      // Lists grow in memory that the thread keeps, so that they are allocated once, as long as they are.
      static thread_local Lists grown;
      grown.rest.clear();
      grown.far.clear();
      grown.near.clear();
      Walk walk{cells, offsets, sides.data(), frame.point(middle.x, middle.y, middle.z), far * far, radius / separation,
                last,  grown};
      if (level == 0) {
        walk.visit({0, 0, 0, 0, 0});
      } else {
        const glm::ivec3 up = at / 2;
        const glm::ivec3 m = sizes[level - 1];
        const auto parent = static_cast<std::size_t>((up.z * m.y + up.y) * m.x + up.x);
        tile.parent = static_cast<std::int32_t>(level_first[level - 1] + parent);
        for (const Cell& c : above[parent].rest) walk.visit(c);
      }
      lists[i] = grown;
    });
    const std::span<FastTile> own(tiles.data() + begin, count);
    store(lists, &Lists::far, own, far, &FastTile::far_first, &FastTile::far_ranges, &FastTile::far_count, job);
    if (last)
      store(lists, &Lists::near, own, near, &FastTile::near_first, &FastTile::near_ranges, &FastTile::near_count, job);
    above = std::move(lists);
  }
  level_first.push_back(static_cast<std::uint32_t>(tiles.size()));
}

}  // namespace isolume
