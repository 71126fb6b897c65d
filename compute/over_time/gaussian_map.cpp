// The sum of atoms as Gaussians: tables of each atom along each axis, multiplied into the bricks that it reaches.
#include "compute/over_time/gaussian_map.h"

#include <algorithm>
#include <cstring>

namespace isolume {
namespace {

/// Of the whole and its parts rounded up.
int parts_of(int count, int size) {
  return (count + size - 1) / size;
}

}  // namespace

GaussianMap::Workspace& GaussianMap::workspace() {
  thread_local Workspace kept;
  return kept;
}

GaussianMap::GaussianMap(const Grid& grid) : work_(workspace()), origin_(grid.origin), counts_(grid.counts) {
  const glm::dvec3 side = glm::dvec3(grid.step[0].x, grid.step[1].y, grid.step[2].z) * double{brick_side};
  per_side_ = 1.0 / side;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    layout_.bricks[a] = parts_of(counts_[axis], brick_side);
    layout_.side[a] = side[axis];
    // Cubes of 12 angstrom or more, and at most 64 of them.
    int& shift = shift_[axis];
    while (shift < 20 && (side[axis] * (1 << shift) < 12 || layout_.bricks[a] >> shift > 64)) ++shift;
    cubes_[axis] = (layout_.bricks[a] >> shift) + 3;
  }
  work_.placed.clear();
  work_.cubes.clear();
}

/// Neighbours become neighbours in memory: cubes of some angstroms, in their order. Then `starts` has their ends.
void GaussianMap::sort() {
  std::vector<std::uint32_t>& starts = work_.starts;
  starts.assign(
      static_cast<std::size_t>(cubes_.x) * static_cast<std::size_t>(cubes_.y) * static_cast<std::size_t>(cubes_.z) + 1,
      0);
  for (const std::uint32_t cube : work_.cubes) ++starts[cube + 1];
  for (std::size_t c = 1; c < starts.size(); ++c) starts[c] += starts[c - 1];
  work_.sorted.resize(work_.placed.size());
  for (std::size_t i = 0; i < work_.placed.size(); ++i) work_.sorted[starts[work_.cubes[i]]++] = work_.placed[i];
}

void GaussianMap::fill(std::span<float> values) {
  work_.sums.assign(static_cast<std::size_t>(layout_.bricks[0]) * static_cast<std::size_t>(layout_.bricks[1]) *
                        static_cast<std::size_t>(layout_.bricks[2]) * brick_size,
                    0.0f);
  sort();
  // A batch has atoms of one cube, so that it reaches few bricks.
  const std::span<const BrickAtom> atoms = work_.sorted;
  std::size_t first = 0;
  for (const std::uint32_t end : work_.starts)
    while (first < end) {
      const std::size_t count = std::min<std::size_t>(GaussianBatch::most, end - first);
      add_to_bricks(atoms.subspan(first, count), layout_, work_.batch, work_.sums.data());
      first += count;
    }
  copy_to(values);
  const std::size_t bytes = work_.sums.size() * sizeof(float) + 2 * work_.sorted.size() * sizeof(BrickAtom);
  if (bytes > std::size_t{64} << 20) work_ = {};
}

void GaussianMap::copy_to(std::span<float> values) const {
  const int whole = counts_.x / brick_side, left = counts_.x % brick_side;
  float* to = values.data();
  for (int z = 0; z < counts_.z; ++z)
    for (int y = 0; y < counts_.y; ++y) {
      const float* from = work_.sums.data() + layout_.index(0, y / brick_side, z / brick_side) * brick_size +
                          (z % brick_side * brick_side + y % brick_side) * brick_side;
      const std::size_t apart = (layout_.index(1, 0, 0) - layout_.index(0, 0, 0)) * brick_size;
      for (int x = 0; x < whole; ++x, from += apart, to += brick_side)
        std::memcpy(to, from, brick_side * sizeof(float));  // of a size that the compiler knows
      to = std::copy_n(from, left, to);
    }
}

}  // namespace isolume
