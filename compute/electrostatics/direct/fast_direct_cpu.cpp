// The fast direct sum on the CPU: far charges at Chebyshev nodes, near ones as the direct sum does.
#include <algorithm>
#include <cmath>
#include <vector>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/direct/fast_direct_bodies.h"
#include "compute/electrostatics/direct/fast_far_cpu.h"
#include "molecule/base/units.h"

namespace isolume {

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
    const SignedCharges by_sign(near);
    for (int k = 0; k < n.z; k += 2) {
      for (int j = 0; j < n.y; j += 4) {
        const TileRows part = tile_of_rows(tile.first.x, n.x, tile.first.y + j, tile.first.z + k,
                                           glm::ivec2(tile.first.y + n.y, tile.first.z + n.z));
        alignas(64) double own[tile_rows * tile_length] = {};
        sum_direct_tile(by_sign, frame, part, own, job);
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
