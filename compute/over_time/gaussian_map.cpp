// The sum of atoms as Gaussians: tables of each atom along each axis, multiplied into the bricks that it reaches.
#include "compute/over_time/gaussian_map.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "compute/over_time/gaussian_bricks.h"

namespace isolume {
namespace {

/// Bricks first to last along an axis.
struct Bricks {
  int first = 0, last = -1;
  int count() const { return last - first + 1; }
};

/// Memory of a thread, which makes frame after frame.
struct Workspace {
  std::vector<float> sums, tables;
  std::vector<FactorTable> which;
  std::vector<std::uint32_t> cubes, starts;
  std::vector<GaussianAtom> sorted;
  GaussianBatch batch;

  bool is_large() const {
    return sums.size() * sizeof(float) + sorted.size() * sizeof(GaussianAtom) > (std::size_t{64} << 20);
  }
};

class GaussianMap {
 public:
  GaussianMap(const Grid& grid, std::vector<GaussianAtom>& atoms, Workspace& work)
      : grid_(grid),
        atoms_(atoms),
        work_(work),
        step_(grid.step[0].x, grid.step[1].y, grid.step[2].z),
        per_step_(1.0 / step_) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      layout_.bricks[a] = (grid.counts[axis] + brick_counts[a] - 1) / brick_counts[a];
      layout_.step[a] = static_cast<float>(step_[axis]);
    }
    const std::size_t bricks = static_cast<std::size_t>(layout_.bricks[0]) *
                               static_cast<std::size_t>(layout_.bricks[1]) *
                               static_cast<std::size_t>(layout_.bricks[2]);
    work_.sums.assign(bricks * brick_size, 0.0f);
  }

  void add_all() {
    sort();
    // A batch has atoms of one cube, so that it reaches few bricks.
    std::size_t first = 0;
    for (const std::uint32_t end : work_.starts)
      for (; first < end; first += std::min<std::size_t>(GaussianBatch::most, end - first))
        add(std::span(atoms_).subspan(first, std::min<std::size_t>(GaussianBatch::most, end - first)));
  }

  void copy_to(std::span<float> values) const {
    for (int z = 0; z < grid_.counts.z; ++z)
      for (int y = 0; y < grid_.counts.y; ++y)
        for (int bx = 0; bx < layout_.bricks[0]; ++bx) {
          const float* const row = work_.sums.data() + index(bx, y / brick_y, z / brick_z) * brick_size +
                                   (z % brick_z * brick_y + y % brick_y) * brick_x;
          const int begin = bx * brick_x, left = grid_.counts.x - begin;
          float* const to = values.data() + grid_.index(begin, y, z);
          if (left >= brick_x) {
            std::memcpy(to, row, brick_x * sizeof(float));  // of a size that the compiler knows
          } else {
            std::copy_n(row, left, to);
          }
        }
  }

 private:
  std::size_t index(int x, int y, int z) const {
    return static_cast<std::size_t>(x) +
           static_cast<std::size_t>(layout_.bricks[0]) *
               (static_cast<std::size_t>(y) +
                static_cast<std::size_t>(layout_.bricks[1]) * static_cast<std::size_t>(z));
  }

  /// The bricks along an axis in which there may be points within the reach.
  Bricks range(const GaussianAtom& atom, int axis) const {
    const double reach = gaussian_reach * atom.width, from = atom.place[axis] - grid_.origin[axis];
    const double low = (from - reach) * per_step_[axis], high = (from + reach) * per_step_[axis];
    const int end = grid_.counts[axis] - 1, bits = brick_bits[static_cast<std::size_t>(axis)];
    if (high < 0 || low > end) return {};
    const int first = static_cast<int>(std::max(low, 0.0)), last = static_cast<int>(std::min<double>(high, end));
    return {first >> bits, last >> bits};
  }

  /// Neighbours become neighbours in memory: cubes of some angstroms, in their order. Then `starts` has their ends.
  void sort() {
    const glm::dvec3 size = glm::max(glm::dvec3(16), step_);
    const glm::dvec3 most = glm::dvec3(grid_.counts) * step_;
    const glm::ivec3 cubes = glm::ivec3(glm::ceil(glm::min(most / size, glm::dvec3(64)))) + 2;
    const glm::dvec3 per_size = 1.0 / size;
    std::vector<std::uint32_t>&key = work_.cubes, &starts = work_.starts;
    key.resize(atoms_.size());
    starts.assign(static_cast<std::size_t>(cubes.x) * cubes.y * cubes.z + 1, 0);
    for (std::size_t a = 0; a < atoms_.size(); ++a) {
      const glm::dvec3 at =
          glm::clamp((atoms_[a].place - grid_.origin) * per_size + 1.0, glm::dvec3(0), glm::dvec3(cubes - 1));
      const glm::ivec3 cube(at);
      key[a] = static_cast<std::uint32_t>(cube.x + cubes.x * (cube.y + cubes.y * cube.z));
      ++starts[key[a] + 1];
    }
    for (std::size_t c = 1; c < starts.size(); ++c) starts[c] += starts[c - 1];
    work_.sorted.resize(atoms_.size());
    for (std::size_t a = 0; a < atoms_.size(); ++a) work_.sorted[starts[key[a]]++] = atoms_[a];
    atoms_.swap(work_.sorted);
  }

  void add(std::span<const GaussianAtom> atoms) {
    GaussianBatch& batch = work_.batch;
    batch.size = 0;
    work_.which.resize(3 * atoms.size());
    FactorTable* next = work_.which.data();
    std::size_t used = 0;  // of the tables
    double farthest = 0;   // of the places in the batch
    constexpr double exponent = -0.5 * std::numbers::log2e;
    constexpr double height = std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    for (const GaussianAtom& atom : atoms) {
      const Bricks bricks[3] = {range(atom, 0), range(atom, 1), range(atom, 2)};
      if (bricks[0].count() * bricks[1].count() * bricks[2].count() == 0) continue;
      const std::size_t at = batch.size++;
      const double per_width = 1 / atom.width, per_reach = per_width * (1 / gaussian_reach);
      batch.per_reach[at] = static_cast<float>(per_reach);
      for (int axis = 0; axis < 3; ++axis) {
        const int size = brick_counts[static_cast<std::size_t>(axis)], points = size * bricks[axis].count();
        const double place = atom.place[axis] - grid_.origin[axis], factor = axis == 2 ? atom.weight : 1;
        batch.place[axis][at] = static_cast<float>(place * per_reach);
        farthest = std::max(farthest, std::abs(place * per_reach));
        batch.table[axis][at] = static_cast<std::int32_t>(used) - size * bricks[axis].first;
        batch.first[axis] = at == 0 ? bricks[axis].first : std::min(batch.first[axis], bricks[axis].first);
        batch.last[axis] = at == 0 ? bricks[axis].last : std::max(batch.last[axis], bricks[axis].last);
        *next++ = {static_cast<float>(step_[axis] * size * bricks[axis].first - place),
                   static_cast<float>(step_[axis]),
                   static_cast<float>(exponent * per_width * per_width),
                   static_cast<float>(factor * per_width * height),
                   points,
                   static_cast<std::uint32_t>(used)};
        used += static_cast<std::size_t>(points);
      }
    }
    if (batch.size == 0) return;
    batch.most_squared = static_cast<float>(1 - std::min(1e-5 + 1e-6 * farthest, 0.1));
    // What fills up the last vector is nowhere near.
    for (std::size_t at = batch.size; at < batch.size + widest; ++at) {
      batch.per_reach[at] = 0;
      for (auto& place : batch.place) place[at] = 2;
    }
    if (work_.tables.size() < used + widest) work_.tables.resize(used + widest);
    fill_factors(std::span<const FactorTable>(work_.which.data(), next), work_.tables.data());
    add_to_bricks(batch, layout_, work_.tables.data(), work_.sums.data());
  }

  const Grid& grid_;
  std::vector<GaussianAtom>& atoms_;
  Workspace& work_;
  glm::dvec3 step_, per_step_;
  BrickGrid layout_;
};

}  // namespace

void gaussian_map(std::vector<GaussianAtom>& atoms, const Grid& grid, std::span<float> values) {
  thread_local Workspace kept;
  Workspace& work = kept;
  GaussianMap map(grid, atoms, work);
  map.add_all();
  map.copy_to(values);
  if (work.is_large()) work = {};
}

}  // namespace isolume
