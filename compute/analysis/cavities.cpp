// Cavities and pockets by flood fill.
#include "compute/analysis/cavities.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compute/base/checks.h"

namespace isolume {
namespace {

constexpr std::uint32_t none = 0xffffffffu;

/// Labels of connected points.
class Labels {
 public:
  Labels(const Grid& grid, Job& job) : grid_(grid), job_(job), label_(grid.size(), none) {}

  /// The component of `seed`, over points for which `inside`, gets `label`. Returns its points.
  template <class Inside>
  const std::vector<std::size_t>& fill(std::size_t seed, std::uint32_t label, const Inside& inside) {
    queue_.assign(1, seed);
    label_[seed] = label;
    const glm::ivec3 n = grid_.counts;
    const std::size_t stride[3] = {1, static_cast<std::size_t>(n.x),
                                   static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y)};
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      if (at % 1048576 == 0) job_.check();
      const std::size_t point = queue_[at];
      const std::size_t place[3] = {point % stride[1], point / stride[1] % static_cast<std::size_t>(n.y),
                                    point / stride[2]};
      for (int axis = 0; axis < 3; ++axis) {
        if (place[axis] > 0) visit(point - stride[axis], label, inside);
        if (place[axis] + 1 < static_cast<std::size_t>(n[axis])) visit(point + stride[axis], label, inside);
      }
    }
    return queue_;
  }

  std::uint32_t of(std::size_t point) const { return label_[point]; }

 private:
  template <class Inside>
  void visit(std::size_t point, std::uint32_t label, const Inside& inside) {
    if (label_[point] != none || !inside(point)) return;
    label_[point] = label;
    queue_.push_back(point);
  }

  const Grid& grid_;
  Job& job_;
  std::vector<std::uint32_t> label_;
  std::vector<std::size_t> queue_;
};

template <class Visit>
void for_border(const Grid& grid, const Visit& visit) {
  const glm::ivec3 n = grid.counts;
  for (int k = 0; k < n.z; ++k)
    for (int j = 0; j < n.y; ++j) {
      const bool edge = k == 0 || k == n.z - 1 || j == 0 || j == n.y - 1;
      for (int i = 0; i < n.x; i += edge || n.x < 2 ? 1 : n.x - 1) visit(grid.index(i, j, k));
    }
}

/// The distance of every point for which `open` to the nearest one for which `outside`, as far as `reach` (angstrom);
/// beyond, and for other points, more than that.
template <class Open, class Outside>
std::vector<float> distance_to_outside(const Grid& grid, double reach, const Open& open, const Outside& outside,
                                       Job& job) {
  std::vector<float> squares(grid.size(), static_cast<float>(1.01 * reach * reach));
  struct Step {
    int i, j, k;
    float square;
  };
  std::vector<Step> ball;
  glm::ivec3 most;
  for (int axis = 0; axis < 3; ++axis) most[axis] = static_cast<int>(reach / glm::length(grid.step[axis]));
  for (int k = -most.z; k <= most.z; ++k)
    for (int j = -most.y; j <= most.y; ++j)
      for (int i = -most.x; i <= most.x; ++i) {
        const glm::dvec3 d = double(i) * grid.step[0] + double(j) * grid.step[1] + double(k) * grid.step[2];
        if (glm::dot(d, d) <= reach * reach) ball.push_back({i, j, k, static_cast<float>(glm::dot(d, d))});
      }
  const glm::ivec3 n = grid.counts;
  for (int k = 0; k < n.z; ++k) {
    job.check();
    for (int j = 0; j < n.y; ++j)
      for (int i = 0; i < n.x; ++i) {
        if (!outside(grid.index(i, j, k))) continue;
        // Only what is outside next to an open point is the nearest of any.
        const bool border =
            (i > 0 && open(grid.index(i - 1, j, k))) || (i + 1 < n.x && open(grid.index(i + 1, j, k))) ||
            (j > 0 && open(grid.index(i, j - 1, k))) || (j + 1 < n.y && open(grid.index(i, j + 1, k))) ||
            (k > 0 && open(grid.index(i, j, k - 1))) || (k + 1 < n.z && open(grid.index(i, j, k + 1)));
        if (!border) continue;
        for (const Step& step : ball) {
          const int x = i + step.i, y = j + step.j, z = k + step.k;
          if (x < 0 || y < 0 || z < 0 || x >= n.x || y >= n.y || z >= n.z) continue;
          float& square = squares[grid.index(x, y, z)];
          square = std::min(square, step.square);
        }
      }
  }
  for (float& square : squares) square = std::sqrt(square);
  return squares;
}

/// The atoms near the points of each cavity; `rank` gives the place in the list of every label, none for those left
/// out.
void find_lining(std::span<const DensityAtom> atoms, const Grid& grid, const Labels& labels,
                 const std::vector<std::uint32_t>& rank, std::vector<Cavity>& cavities, Job& job) {
  double step = 0;
  for (int axis = 0; axis < 3; ++axis) step = std::max(step, glm::length(grid.step[axis]));
  for (std::uint32_t a = 0; a < atoms.size(); ++a) {
    if (a % 4096 == 0) job.check();
    const double reach = static_cast<double>(atoms[a].radius) + 1.5 * step;
    const glm::dvec3 middle = grid.coordinates(glm::dvec3(atoms[a].position));
    glm::ivec3 low, high;
    for (int axis = 0; axis < 3; ++axis) {
      const double span = reach / glm::length(grid.step[axis]);
      low[axis] = static_cast<int>(std::max(0.0, std::ceil(middle[axis] - span)));
      high[axis] = static_cast<int>(std::min(grid.counts[axis] - 1.0, std::floor(middle[axis] + span)));
    }
    for (int k = low.z; k <= high.z; ++k)
      for (int j = low.y; j <= high.y; ++j)
        for (int i = low.x; i <= high.x; ++i) {
          const std::uint32_t label = labels.of(grid.index(i, j, k));
          if (label == none || rank[label] == none) continue;
          std::vector<std::uint32_t>& lining = cavities[rank[label]].lining;
          if (!lining.empty() && lining.back() == a) continue;
          if (glm::distance(grid.point(i, j, k), glm::dvec3(atoms[a].position)) <= reach) lining.push_back(a);
        }
  }
}

}  // namespace

Cavities find_cavities(std::span<const DensityAtom> atoms, const Grid& grid, std::span<const float> small,
                       std::span<const float> large, const CavityOptions& options, Job& job) {
  check_grid(grid, "cavities");
  if (!grid.axis_aligned()) throw Error("cavities: the grid must lie along x, y and z", Error::Kind::usage);
  if (!(options.removal >= 0) || !std::isfinite(options.removal))
    throw Error("cavities: the removal distance must be 0 or more", Error::Kind::usage);
  if (small.size() != grid.size() || (!large.empty() && large.size() != grid.size()))
    throw Error("cavities: as many values as grid points are needed", Error::Kind::usage);
  Cavities result;
  result.depth.resize(grid.size());
  if (grid.size() == 0) return result;
  const auto empty = [&](std::size_t i) { return small[i] < 0; };

  job.progress(0, "flood fill");
  // Points reached from the border are outside.
  Labels outside(grid, job);
  for_border(grid, [&](std::size_t i) {
    if (empty(i) && outside.of(i) == none) outside.fill(i, 0, empty);
  });
  const auto closed_room = [&](std::size_t i) { return empty(i) && outside.of(i) == none; };
  // What the large probe reaches from the border; a room that holds it, but whose mouth does not let it in, is a
  // pocket.
  Labels reached(grid, job);
  const auto large_empty = [&](std::size_t i) { return large[i] <= 0; };
  if (!large.empty())
    for_border(grid, [&](std::size_t i) {
      if (large_empty(i) && reached.of(i) == none) reached.fill(i, 0, large_empty);
    });
  const auto between = [&](std::size_t i) { return outside.of(i) == 0 && !large.empty() && reached.of(i) == none; };
  // Points near the large probe's reach belong to no pocket.
  const bool removes = options.removal > 0 && !large.empty();
  double step = 0;
  for (int axis = 0; axis < 3; ++axis) step = std::max(step, glm::length(grid.step[axis]));
  const double reach = options.removal + 2 * step;  // some more, for the depth next to the surface
  std::vector<float> away;
  if (removes)
    away = distance_to_outside(
        grid, reach, between, [&](std::size_t i) { return reached.of(i) == 0; }, job);
  const auto far_away = static_cast<float>(options.removal);
  const auto open_room = [&](std::size_t i) { return between(i) && (!removes || away[i] > far_away); };

  Labels labels(grid, job);
  std::vector<Cavity> rooms;
  const double cell = std::abs(glm::determinant(grid.step));
  const auto nx = static_cast<std::size_t>(grid.counts.x), ny = static_cast<std::size_t>(grid.counts.y);
  for (std::size_t seed = 0; seed < grid.size(); ++seed) {
    if (seed % 1048576 == 0) job.check();
    const bool closed = closed_room(seed);
    if (labels.of(seed) != none || (!closed && !open_room(seed))) continue;
    const auto label = static_cast<std::uint32_t>(rooms.size());
    const std::vector<std::size_t>& points =
        closed ? labels.fill(seed, label, closed_room) : labels.fill(seed, label, open_room);
    Cavity room;
    room.open = !closed;
    room.volume = static_cast<double>(points.size()) * cell;
    for (const std::size_t i : points)
      room.centre +=
          grid.point(static_cast<double>(i % nx), static_cast<double>(i / nx % ny), static_cast<double>(i / nx / ny));
    room.centre /= static_cast<double>(points.size());
    rooms.push_back(std::move(room));
  }
  job.progress(0.6, "cavities");

  std::vector<std::uint32_t> order(rooms.size()), rank(rooms.size(), none);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return rooms[a].volume > rooms[b].volume; });
  for (const std::uint32_t i : order) {
    if (rooms[i].volume < options.minimum_volume) break;
    rank[i] = static_cast<std::uint32_t>(result.list.size());
    result.list.push_back(rooms[i]);
  }
  find_lining(atoms, grid, labels, rank, result.list, job);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const std::uint32_t label = labels.of(i);
    if (label == none) {
      // In the molecule, or outside: as far below 0 as the nearer of the two surfaces says; in what was removed, as far
      // as it is from what was not.
      result.depth[i] = removes && small[i] < 0 && between(i)
                            ? std::min(-1e-6f, away[i] - far_away)
                            : -std::abs(small[i] >= 0 || large.empty() ? small[i] : large[i]);
    } else {
      float depth = rooms[label].open && large[i] > 0 ? std::min(-small[i], large[i]) : -small[i];
      if (removes && rooms[label].open) depth = std::min(depth, away[i] - far_away);
      result.depth[i] = rank[label] == none ? -depth : depth;
    }
  }
  job.progress(1, "cavities");
  return result;
}

}  // namespace isolume
