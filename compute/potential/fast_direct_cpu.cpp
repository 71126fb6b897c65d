// The fast direct sum on the CPU: far charges at Chebyshev nodes by explicit SIMD, near ones as the direct sum does.
#include <algorithm>
#include <cmath>
#include <vector>

#include "compute/potential/direct_tile_cpu.h"
#include "compute/potential/fast_direct_plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/potential/fast_direct_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#ifndef ISOLUME_FAST_DIRECT
#define ISOLUME_FAST_DIRECT
namespace isolume {

constexpr int far_block = 512;  // charges whose tables stay in the cache
constexpr int most_nodes = 10;  // per axis

/// Nodes of a tile in rows along x: node a of row r is at (x[r] + along[a], y[r], z[r]).
struct NodeRows {
  int p = 0;
  float along[most_nodes];
  float x[most_nodes * most_nodes], y[most_nodes * most_nodes], z[most_nodes * most_nodes];
};

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// values[row * p + a] += the sum of half / r times 2 over `count` charges, which is a multiple of the vector's length.
void add_far(const NodeRows& nodes, const float* x, const float* y, const float* z, const float* half, int count,
             double* values) {
  const hn::ScalableTag<float> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  HWY_ALIGN float d2[far_block];
  const auto three = hn::Set(d, 3.0f);
  for (int row = 0; row < nodes.p * nodes.p; ++row) {
    const auto ny = hn::Set(d, nodes.y[row]);
    const auto nz = hn::Set(d, nodes.z[row]);
    for (int n = 0; n < count; n += lanes) {
      const auto dy = hn::Sub(hn::Load(d, y + n), ny);
      const auto dz = hn::Sub(hn::Load(d, z + n), nz);
      hn::Store(hn::MulAdd(dy, dy, hn::Mul(dz, dz)), d, d2 + n);
    }
    // Two nodes at a time, two vectors of charges each.
    for (int a = 0; a < nodes.p; a += 2) {
      const int b = std::min(a + 1, nodes.p - 1);
      const auto xa = hn::Set(d, nodes.x[row] + nodes.along[a]);
      const auto xb = hn::Set(d, nodes.x[row] + nodes.along[b]);
      auto sum_a = hn::Zero(d);
      auto sum_b = hn::Zero(d);
      for (int n = 0; n < count; n += lanes) {
        const auto cx = hn::Load(d, x + n);
        const auto q = hn::Load(d, half + n);
        const auto c2 = hn::Load(d, d2 + n);
        const auto da = hn::Sub(cx, xa);
        const auto db = hn::Sub(cx, xb);
        const auto ra = hn::MulAdd(da, da, c2);
        const auto rb = hn::MulAdd(db, db, c2);
        const auto ea = hn::ApproximateReciprocalSqrt(ra);
        const auto eb = hn::ApproximateReciprocalSqrt(rb);
        sum_a = hn::MulAdd(hn::Mul(q, ea), hn::NegMulAdd(hn::Mul(ra, ea), ea, three), sum_a);
        sum_b = hn::MulAdd(hn::Mul(q, eb), hn::NegMulAdd(hn::Mul(rb, eb), eb, three), sum_b);
      }
      values[row * nodes.p + a] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum_a)));
      if (b != a) values[row * nodes.p + b] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum_b)));
    }
  }
}

int far_lanes() {
  return static_cast<int>(hn::Lanes(hn::ScalableTag<float>()));
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "compute/parallel_for.h"
#include "compute/potential/fast_direct_bodies.h"
#include "compute/timing.h"
#include "molecule/units.h"

namespace isolume {

HWY_EXPORT(add_far);
HWY_EXPORT(far_lanes);

namespace {

/// Charges in the order of their cells.
struct SortedCharges {
  FrameCharges charges;
  std::vector<std::uint32_t> offsets;  ///< of the cells
};

SortedCharges sort_charges(const FrameCharges& from, const ChargeCells& cells) {
  const std::size_t count = from.x.size();
  SortedCharges sorted;
  std::vector<std::uint32_t> cell(count);
  sorted.offsets.assign(std::size_t{cells.count()} + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    cell[i] = cells.cell_of({from.x[i], from.y[i], from.z[i]});
    ++sorted.offsets[cell[i] + 1];
  }
  for (std::size_t c = 0; c < cells.count(); ++c) sorted.offsets[c + 1] += sorted.offsets[c];
  std::vector<std::uint32_t> next(sorted.offsets.begin(), sorted.offsets.end() - 1);
  for (auto* list : {&sorted.charges.x, &sorted.charges.y, &sorted.charges.z}) list->resize(count);
  sorted.charges.half.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = next[cell[i]]++;
    sorted.charges.x[at] = from.x[i];
    sorted.charges.y[at] = from.y[i];
    sorted.charges.z[at] = from.z[i];
    sorted.charges.half[at] = from.half[i];
  }
  return sorted;
}

/// Sums of the far charges of a tile at its nodes, added to values.
void sum_far(const FastDirectPlan& plan, const FastTile& tile, const FrameCharges& charges, const RowFrame& frame,
             int p, double* values, const Job& job) {
  if (tile.far_count == 0) return;
  const TileAxis axes[3] = {{tile.first.x, tile.count.x}, {tile.first.y, tile.count.y}, {tile.first.z, tile.count.z}};
  const glm::dvec3 middle = frame.point(axes[0].middle, axes[1].middle, axes[2].middle);
  NodeRows nodes;
  nodes.p = p;
  for (int a = 0; a < p; ++a) nodes.along[a] = static_cast<float>(chebyshev_node(a, p) * axes[0].half * frame.ax);
  for (int c = 0; c < p; ++c) {
    for (int b = 0; b < p; ++b) {
      const glm::dvec3 at = frame.point(0, chebyshev_node(b, p) * axes[1].half, chebyshev_node(c, p) * axes[2].half);
      nodes.x[c * p + b] = static_cast<float>(at.x);
      nodes.y[c * p + b] = static_cast<float>(at.y);
      nodes.z[c * p + b] = static_cast<float>(at.z);
    }
  }
  alignas(64) float x[far_block];
  alignas(64) float y[far_block];
  alignas(64) float z[far_block];
  alignas(64) float half[far_block];
  int filled = 0;
  const int lanes = HWY_DYNAMIC_DISPATCH(far_lanes)();
  const auto work_off = [&] {
    for (; filled % lanes != 0; ++filled) {
      x[filled] = 1e9f;
      y[filled] = z[filled] = half[filled] = 0;
    }
    HWY_DYNAMIC_DISPATCH(add_far)(nodes, x, y, z, half, filled, values);
    filled = 0;
  };
  for (std::uint32_t r = 0; r < tile.far_ranges; ++r) {
    const ChargeRange range = plan.far[tile.far_first + r];
    const std::uint32_t after = r + 1 < tile.far_ranges ? plan.far[tile.far_first + r + 1].before : tile.far_count;
    for (std::uint32_t n = range.begin; n < range.begin + (after - range.before); ++n) {
      x[filled] = static_cast<float>(charges.x[n] - middle.x);
      y[filled] = static_cast<float>(charges.y[n] - middle.y);
      z[filled] = static_cast<float>(charges.z[n] - middle.z);
      half[filled] = charges.half[n];
      if (++filled == far_block) {
        work_off();
        job.check();
      }
    }
  }
  if (filled > 0) work_off();
}

/// weights[i * p + k]: of node k at the i-th of `count` coordinates.
template <class Coordinate>
std::vector<double> weights_at(int count, int p, const Coordinate& coordinate) {
  std::vector<double> w(static_cast<std::size_t>(count * p));
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < p; ++k) w[static_cast<std::size_t>(i * p + k)] = chebyshev_weight(k, p, coordinate(i));
  }
  return w;
}

/// out[(k ny + j) nx + i] += sum of wx wy wz values[(c p + b) p + a].
template <class T>
void interpolate(const double* values, int p, const std::vector<double>* w, glm::ivec3 n, T* out,
                 std::vector<double>& work) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  work.assign(at(n.x * p * p) + at(n.x * n.y * p), 0);
  double* rows = work.data();               // [c][b][i]
  double* layers = rows + at(n.x * p * p);  // [c][j][i]
  for (int cb = 0; cb < p * p; ++cb) {
    for (int i = 0; i < n.x; ++i) {
      double sum = 0;
      for (int a = 0; a < p; ++a) sum += w[0][at(i * p + a)] * values[cb * p + a];
      rows[cb * n.x + i] = sum;
    }
  }
  for (int c = 0; c < p; ++c) {
    for (int j = 0; j < n.y; ++j) {
      double* to = layers + at((c * n.y + j) * n.x);
      for (int b = 0; b < p; ++b) {
        const double weight = w[1][at(j * p + b)];
        const double* from = rows + at((c * p + b) * n.x);
        for (int i = 0; i < n.x; ++i) to[i] += weight * from[i];
      }
    }
  }
  for (int k = 0; k < n.z; ++k) {
    for (int j = 0; j < n.y; ++j) {
      T* to = out + at((k * n.y + j) * n.x);
      for (int c = 0; c < p; ++c) {
        const double weight = w[2][at(k * p + c)];
        const double* from = layers + at((c * n.y + j) * n.x);
        for (int i = 0; i < n.x; ++i) to[i] += weight * from[i];
      }
    }
  }
}

}  // namespace

void fast_direct_cpu(std::span<const PointCharge> charges, const Grid& grid, int p, Span<float> potential, Job& job) {
  const RowFrame frame(grid);
  SortedCharges sorted;
  ChargeCells cells;
  {
    const PhaseTimer timer("charges into cells");
    const FrameCharges framed = to_frame(charges, frame);
    glm::dvec3 lower(1e300);
    glm::dvec3 upper(-1e300);
    for (std::size_t i = 0; i < framed.x.size(); ++i) {
      lower = glm::min(lower, glm::dvec3(framed.x[i], framed.y[i], framed.z[i]));
      upper = glm::max(upper, glm::dvec3(framed.x[i], framed.y[i], framed.z[i]));
    }
    cells = cells_for(frame, lower, upper, framed.x.size());
    sorted = sort_charges(framed, cells);
  }
  const FastDirectPlan plan(grid, frame, cells, sorted.offsets, job);
  const std::size_t size = static_cast<std::size_t>(p) * static_cast<std::size_t>(p) * static_cast<std::size_t>(p);
  std::vector<double> nodes(plan.tiles.size() * size, 0.0);
  const auto values_of = [&](std::size_t tile) { return nodes.data() + tile * size; };
  {
    const PhaseTimer timer("fast direct sum: far charges");
    parallel_for(plan.tiles.size(), job, "fast direct sum",
                 [&](std::size_t t) { sum_far(plan, plan.tiles[t], sorted.charges, frame, p, values_of(t), job); });
  }
  const PhaseTimer timer("fast direct sum: near charges");
  const std::size_t levels = plan.level_first.size() - 1;
  for (std::size_t level = 1; level < levels; ++level) {
    const std::size_t first = plan.level_first[level];
    parallel_for(plan.level_first[level + 1] - first, job, "fast direct sum", [&](std::size_t i) {
      const FastTile& tile = plan.tiles[first + i];
      const FastTile& parent = plan.tiles[static_cast<std::size_t>(tile.parent)];
      std::vector<double> w[3];
      for (int axis = 0; axis < 3; ++axis) {
        const TileAxis own(tile.first[axis], tile.count[axis]);
        const TileAxis up(parent.first[axis], parent.count[axis]);
        w[axis] = weights_at(
            p, p, [&](int k) { return (own.middle + chebyshev_node(k, p) * own.half - up.middle) / up.half; });
      }
      std::vector<double> work;
      interpolate(values_of(static_cast<std::size_t>(tile.parent)), p, w, glm::ivec3(p), values_of(first + i), work);
    });
  }
  const std::size_t first = plan.level_first[levels - 1];
  parallel_for(plan.tiles.size() - first, job, "fast direct sum", [&](std::size_t i) {
    const FastTile& tile = plan.tiles[first + i];
    const glm::ivec3 n = tile.count;
    std::vector<double> w[3];
    for (int axis = 0; axis < 3; ++axis) {
      const TileAxis own(tile.first[axis], n[axis]);
      w[axis] = weights_at(n[axis], p, [&](int k) { return (tile.first[axis] + k - own.middle) / own.half; });
    }
    std::vector<double> work;
    std::vector<double> sums(
        static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z), 0.0);
    interpolate(values_of(first + i), p, w, n, sums.data(), work);
    // Near charges side by side, so that every row goes through them in one run.
    FrameCharges near;
    near.x.reserve(tile.near_count);
    near.y.reserve(tile.near_count);
    near.z.reserve(tile.near_count);
    near.half.reserve(tile.near_count);
    for (std::uint32_t r = 0; r < tile.near_ranges; ++r) {
      const ChargeRange range = plan.near[tile.near_first + r];
      const std::uint32_t after =
          r + 1 < tile.near_ranges ? plan.near[tile.near_first + r + 1].before : tile.near_count;
      const auto add = [&](const auto& from, auto& to) {
        to.insert(to.end(), from.begin() + range.begin, from.begin() + range.begin + (after - range.before));
      };
      add(sorted.charges.x, near.x);
      add(sorted.charges.y, near.y);
      add(sorted.charges.z, near.z);
      add(sorted.charges.half, near.half);
    }
    for (int k = 0; k < n.z; k += 2) {
      for (int j = 0; j < n.y; j += 4) {
        const TileRows part = tile_of_rows(tile.first.x, n.x, tile.first.y + j, tile.first.z + k,
                                           glm::ivec2(tile.first.y + n.y, tile.first.z + n.z));
        alignas(64) double own[tile_rows * tile_length] = {};
        sum_direct_tile(near, frame, part, 0, near.x.size(), own, job);
        for (std::size_t r = 0; r < tile_rows; ++r) {
          if (!part.wanted[r]) continue;
          const int jj = part.rows[r].x - tile.first.y;
          const int kk = part.rows[r].y - tile.first.z;
          const double* smooth = sums.data() + static_cast<std::ptrdiff_t>((kk * n.y + jj) * n.x);
          float* to = potential.data + grid.index(tile.first.x, part.rows[r].x, part.rows[r].y);
          for (int x = 0; x < n.x; ++x) {
            to[x] = static_cast<float>(units::coulomb_volt_angstrom *
                                       (smooth[x] + own[r * tile_length + static_cast<std::size_t>(x)]));
          }
        }
      }
    }
  });
}

}  // namespace isolume
#endif  // HWY_ONCE
