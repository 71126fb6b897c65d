// The sum of atoms as Gaussians: tables of each atom along each axis, multiplied into the bricks that it reaches.
#include "compute/over_time/gaussian_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "compute/over_time/gaussian_bricks.h"

namespace isolume {
namespace {

constexpr std::size_t at_once = 256;  // atoms, whose tables stay in the second cache
constexpr std::array<int, 3> brick_counts{brick_x, brick_y, brick_z};

/// Bricks first to last along an axis.
struct Bricks {
  int first = 0, last = -1;
};

/// Memory of a thread, which makes frame after frame.
struct Workspace {
  std::vector<float> sums, tables;
  std::vector<std::vector<BrickFactors>> lists;  ///< of each brick; empty between frames

  bool is_large() const { return sums.size() * sizeof(float) > (std::size_t{64} << 20); }
};

class GaussianMap {
 public:
  GaussianMap(const Grid& grid, std::vector<GaussianAtom>& atoms, Workspace& work)
      : grid_(grid),
        atoms_(atoms),
        sums_(work.sums),
        tables_(work.tables),
        lists_(work.lists),
        step_(grid.step[0].x, grid.step[1].y, grid.step[2].z) {
    for (int axis = 0; axis < 3; ++axis)
      bricks_[axis] = (grid.counts[axis] + brick_counts[axis] - 1) / brick_counts[axis];
    sums_.assign(static_cast<std::size_t>(bricks_.x) * bricks_.y * bricks_.z * brick_size, 0.0f);
  }

  void add_all() {
    sort();
    if (lists_.size() < sums_.size() / brick_size) lists_.resize(sums_.size() / brick_size);
    for (std::size_t first = 0; first < atoms_.size(); first += at_once)
      add(std::span(atoms_).subspan(first, std::min(at_once, atoms_.size() - first)));
  }

  void copy_to(std::span<float> values) const {
    for (int z = 0; z < grid_.counts.z; ++z)
      for (int y = 0; y < grid_.counts.y; ++y)
        for (int bx = 0; bx < bricks_.x; ++bx) {
          const float* const row = sums_.data() + index(bx, y / brick_y, z / brick_z) * brick_size +
                                   (z % brick_z * brick_y + y % brick_y) * brick_x;
          const int begin = bx * brick_x;
          std::copy_n(row, std::min(brick_x, grid_.counts.x - begin), values.data() + grid_.index(begin, y, z));
        }
  }

 private:
  std::size_t index(int x, int y, int z) const {
    return static_cast<std::size_t>(x) + static_cast<std::size_t>(bricks_.x) *
                                             (static_cast<std::size_t>(y) + static_cast<std::size_t>(bricks_.y) * z);
  }

  /// The bricks along an axis in which there may be points within the reach.
  Bricks range(const GaussianAtom& atom, int axis) const {
    const double reach = gaussian_reach * atom.width, from = atom.place[axis] - grid_.origin[axis];
    const double low = (from - reach) / step_[axis], high = (from + reach) / step_[axis];
    const int end = grid_.counts[axis] - 1;
    if (high < 0 || low > end) return {};
    const int first = static_cast<int>(std::max(low, 0.0)), last = static_cast<int>(std::min<double>(high, end));
    return {first / brick_counts[axis], last / brick_counts[axis]};
  }

  /// Neighbours become neighbours in memory: cubes of some angstroms, in their order.
  void sort() {
    const glm::dvec3 size = glm::max(glm::dvec3(8), step_);
    const glm::dvec3 most = glm::dvec3(grid_.counts) * step_;
    const glm::ivec3 cubes = glm::ivec3(glm::ceil(glm::min(most / size, glm::dvec3(64)))) + 2;
    std::vector<std::uint32_t> key(atoms_.size()), starts(static_cast<std::size_t>(cubes.x) * cubes.y * cubes.z + 1);
    for (std::size_t a = 0; a < atoms_.size(); ++a) {
      const glm::dvec3 at =
          glm::clamp(glm::floor((atoms_[a].place - grid_.origin) / size) + 1.0, glm::dvec3(0), glm::dvec3(cubes - 1));
      const glm::ivec3 cube(at);
      key[a] = static_cast<std::uint32_t>(cube.x + cubes.x * (cube.y + cubes.y * cube.z));
      ++starts[key[a] + 1];
    }
    for (std::size_t c = 1; c < starts.size(); ++c) starts[c] += starts[c - 1];
    std::vector<GaussianAtom> sorted(atoms_.size());
    for (std::size_t a = 0; a < atoms_.size(); ++a) sorted[starts[key[a]]++] = atoms_[a];
    atoms_.swap(sorted);
  }

  void add(std::span<const GaussianAtom> atoms) {
    std::size_t used = 0;  // of the tables
    placed_.clear();
    for (const GaussianAtom& atom : atoms) {
      Placed placed{&atom, {range(atom, 0), range(atom, 1), range(atom, 2)}, {}};
      if (placed.points(0) * placed.points(1) * placed.points(2) == 0) continue;
      for (int axis = 0; axis < 3; ++axis) {
        placed.table[axis] = used;
        used += placed.points(axis);
        if (tables_.size() < used + brick_x) tables_.resize(2 * used + brick_x);
        fill(atom, axis, placed);
      }
      placed_.push_back(placed);
    }
    touched_.clear();
    for (const Placed& placed : placed_) enlist(placed);
    for (const std::size_t brick : touched_) {
      add_to_brick(lists_[brick], tables_.data(), sums_.data() + brick * brick_size);
      lists_[brick].clear();
    }
  }

  struct Placed {
    const GaussianAtom* atom = nullptr;
    Bricks bricks[3];
    std::size_t table[3] = {0, 0, 0};  ///< where that of each axis begins

    std::size_t points(int axis) const {
      return static_cast<std::size_t>(brick_counts[static_cast<std::size_t>(axis)] *
                                      (bricks[axis].last - bricks[axis].first + 1));
    }
  };

  /// The factor of an axis at the points of its bricks.
  void fill(const GaussianAtom& atom, int axis, const Placed& placed) {
    const double factor = (axis == 2 ? atom.weight : 1) / (atom.width * std::sqrt(2 * std::numbers::pi));
    const double from =
        grid_.origin[axis] + step_[axis] * brick_counts[axis] * placed.bricks[axis].first - atom.place[axis];
    fill_factors(static_cast<float>(from), static_cast<float>(step_[axis]),
                 static_cast<float>(-0.5 / (atom.width * atom.width)), static_cast<float>(factor),
                 static_cast<int>(placed.points(axis)), tables_.data() + placed.table[axis]);
  }

  /// The squared distances along an axis from an atom to the nearest points of its bricks, over its squared reach.
  void find_gaps(const Placed& placed, int axis) {
    const Bricks bricks = placed.bricks[axis];
    const double per_reach = 1 / (gaussian_reach * placed.atom->width);
    const double length = step_[axis] * (brick_counts[axis] - 1) * per_reach;
    const double apart = step_[axis] * brick_counts[axis] * per_reach;
    double low = (grid_.origin[axis] - placed.atom->place[axis]) * per_reach + apart * bricks.first;
    gaps_[axis].resize(static_cast<std::size_t>(bricks.last - bricks.first + 1));
    for (float& squared : gaps_[axis]) {
      const double gap = std::max(std::max(low, -low - length), 0.0);
      squared = static_cast<float>(gap * gap);
      low += apart;
    }
  }

  void enlist(const Placed& placed) {
    constexpr float most = 1.00001f;  // a little more than that rather than less
    for (int axis = 0; axis < 3; ++axis) find_gaps(placed, axis);
    const std::size_t nx = gaps_[0].size(), ny = gaps_[1].size(), nz = gaps_[2].size();
    const float *const gx = gaps_[0].data(), *const gy = gaps_[1].data(), *const gz = gaps_[2].data();
    std::vector<BrickFactors>* const lists = lists_.data();
    const auto tx = static_cast<std::uint32_t>(placed.table[0]), ty = static_cast<std::uint32_t>(placed.table[1]),
               tz = static_cast<std::uint32_t>(placed.table[2]);
    for (std::size_t z = 0; z < nz; ++z)
      for (std::size_t y = 0; y < ny; ++y) {
        const float left = most - gz[z] - gy[y];
        if (left < 0) continue;
        const std::size_t row = index(placed.bricks[0].first, placed.bricks[1].first + static_cast<int>(y),
                                      placed.bricks[2].first + static_cast<int>(z));
        const auto in_y = ty + static_cast<std::uint32_t>(y) * brick_y,
                   in_z = tz + static_cast<std::uint32_t>(z) * brick_z;
        for (std::size_t x = 0; x < nx; ++x) {
          if (gx[x] > left) continue;
          std::vector<BrickFactors>& list = lists[row + x];
          if (list.empty()) touched_.push_back(row + x);
          list.push_back({tx + static_cast<std::uint32_t>(x) * brick_x, in_y, in_z});
        }
      }
  }

  const Grid& grid_;
  std::vector<GaussianAtom>& atoms_;
  std::vector<float>&sums_, &tables_;
  std::vector<std::vector<BrickFactors>>& lists_;
  glm::dvec3 step_;
  glm::ivec3 bricks_{0};
  std::vector<float> gaps_[3];
  std::vector<Placed> placed_;
  std::vector<std::size_t> touched_;
};

}  // namespace

void gaussian_map(std::vector<GaussianAtom>& atoms, const Grid& grid, std::span<float> values) {
  thread_local Workspace kept;
  Workspace work;
  std::swap(work, kept);  // lost where an exception leaves lists that are not empty
  GaussianMap map(grid, atoms, work);
  map.add_all();
  map.copy_to(values);
  if (!work.is_large()) std::swap(work, kept);
}

}  // namespace isolume
