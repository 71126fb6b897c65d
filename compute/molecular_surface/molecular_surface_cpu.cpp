// Molecular surfaces on the CPU: arcs and their samples, and tiles of points against the balls that reach them.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "compute/base/timing.h"
#include "compute/molecular_surface/arcs.h"
#include "compute/molecular_surface/depth_tile.h"
#include "compute/molecular_surface/molecular_surface_body.h"
#include "compute/molecular_surface/surface_arcs.h"

namespace isolume {

namespace {

/// A part of the circle where two balls meet that is in no third one.
struct Arc {
  CreaseCircle<double> circle;
  double begin, end;
  bool whole;
};

/// Calls take(arc) for the arcs of one ball with those after it, `largest` the radius of the largest ball.
template <class Take>
void find_arcs(const BallCells& cells, std::uint32_t i, double largest,
               std::vector<std::pair<double, std::uint32_t>>& near, const Take& take) {
  const Ball& a = cells.balls[i];
  const double at_a[3] = {double{a.x}, double{a.y}, double{a.z}};
  near.clear();
  cells.near(at_a[0], at_a[1], at_a[2], double{a.radius} + largest, [&](std::uint32_t k) {
    const Ball& b = cells.balls[k];
    const double dx = double{b.x} - at_a[0], dy = double{b.y} - at_a[1], dz = double{b.z} - at_a[2];
    const double square = dx * dx + dy * dy + dz * dz, sum = double{a.radius} + double{b.radius};
    if (k != i && square < sum * sum) near.emplace_back(square, k);
  });
  std::sort(near.begin(), near.end());  // the nearest are the likeliest to cover
  for (const auto& [ignored, j] : near) {
    if (j < i) continue;
    const Ball& b = cells.balls[j];
    const double at_b[3] = {double{b.x}, double{b.y}, double{b.z}};
    CreaseCircle<double> circle;
    if (!crease_circle(at_a, double{a.radius}, at_b, double{b.radius}, circle)) continue;
    ExposedAngles<double> exposed;
    for (const auto& [unused, k] : near) {
      if (k == j) continue;
      const Ball& c = cells.balls[k];
      const double at_c[3] = {double{c.x}, double{c.y}, double{c.z}};
      double middle = 0, half = 0;
      const Cover cover = covered(circle, at_c, double{c.radius}, middle, half);
      if (cover == Cover::all) exposed.count = 0;
      if (cover == Cover::part) exposed.cover(middle, half);
      if (exposed.count == 0) break;
    }
    const bool whole = exposed.whole();
    for (int arc = 0; arc < exposed.count; ++arc) take({circle, exposed.begin[arc], exposed.end[arc], whole});
  }
}

/// Appends samples that are at most `spacing` apart.
void sample_arc(const Arc& arc, double spacing, std::vector<Ball>& out) {
  const int points = arc_points((arc.end - arc.begin) * arc.circle.radius, spacing, arc.whole);
  for (int n = 0; n < points; ++n) {
    double p[3];
    circle_point(arc.circle, arc_angle(arc.begin, arc.end, n, points, arc.whole), p);
    out.push_back({static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2]), 0});
  }
}

/// Of every block of balls what `take(arc, list)` makes of its arcs.
template <class List, class Take>
std::vector<List> of_all_arcs(const BallCells& cells, double largest, Job& job, const Take& take) {
  constexpr std::size_t block = 128;
  const std::size_t blocks = (cells.balls.size() + block - 1) / block;
  std::vector<List> parts(blocks);
  parallel_for(blocks, job, "arcs of the surface", [&](std::size_t b) {
    std::vector<std::pair<double, std::uint32_t>> near;
    for (std::size_t i = b * block; i < std::min(cells.balls.size(), (b + 1) * block); ++i)
      find_arcs(cells, static_cast<std::uint32_t>(i), largest, near, [&](const Arc& arc) { take(arc, parts[b]); });
  });
  return parts;
}

std::vector<Ball> joined(const std::vector<std::vector<Ball>>& parts) {
  std::vector<Ball> samples;
  std::size_t total = 0;
  for (const auto& part : parts) total += part.size();
  samples.reserve(total);
  for (const auto& part : parts) samples.insert(samples.end(), part.begin(), part.end());
  return samples;
}

/// A tile and the lists that go with it, kept by a thread.
struct Work {
  DepthTile tile;
  std::vector<Ball> balls;  ///< relative to the tile's first point
  std::vector<std::uint32_t> atoms;
  std::vector<Ball> samples;
};

/// Balls of `cells` whose surface, or centre where they have no radius, is within `reach` of the tile.
void take_near(const BallCells& cells, glm::dvec3 corner, glm::dvec3 extent, double reach, double largest,
               std::vector<Ball>& balls, std::vector<std::uint32_t>* order) {
  balls.clear();
  if (order) order->clear();
  const glm::dvec3 low = glm::min(corner, corner + extent), high = glm::max(corner, corner + extent);
  const glm::dvec3 middle = 0.5 * (low + high);
  const double half = 0.5 * std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  cells.near(middle.x, middle.y, middle.z, half + largest + reach, [&](std::uint32_t i) {
    const Ball& b = cells.balls[i];
    const glm::dvec3 at(double{b.x}, double{b.y}, double{b.z});
    const glm::dvec3 away = at - glm::clamp(at, low, high);
    const double most = double{b.radius} + reach;
    if (glm::dot(away, away) > most * most) return;
    balls.push_back({static_cast<float>(at.x - corner.x), static_cast<float>(at.y - corner.y),
                     static_cast<float>(at.z - corner.z), b.radius});
    if (order) order->push_back(cells.order[i]);
  });
}

/// True where the point of ball `which` that is nearest to p is in another ball.
bool foot_is_covered(const Work& work, int which, glm::vec3 p) {
  const Ball& ball = work.balls[static_cast<std::size_t>(which)];
  const glm::vec3 centre(ball.x, ball.y, ball.z);
  const glm::vec3 v = p - centre;
  const float length = glm::length(v);
  const glm::vec3 foot = centre + (length > 0 ? v * (ball.radius / length) : glm::vec3(ball.radius, 0, 0));
  for (const Ball& other : work.balls) {
    const glm::vec3 w = foot - glm::vec3(other.x, other.y, other.z);
    const float inner = other.radius - 2e-5f;
    if (glm::dot(w, w) < inner * inner) return true;
  }
  return false;
}

/// Depths below the excluded surface in place of those below the accessible one.
void exclude(Work& work, const BallCells& samples, glm::dvec3 corner, glm::dvec3 extent, const SurfacePlan& plan) {
  const auto probe = static_cast<float>(plan.probe);
  const auto most = static_cast<float>(plan.probe + plan.reach);
  DepthTile& tile = work.tile;
  // Points whose nearest place on the boundary is not on a sphere: marked by -1.
  bool any = false;
  for (int k = 0; k < tile.counts.z; ++k) {
    for (int j = 0; j < tile.counts.y; ++j) {
      for (int i = 0; i < tile.counts.x; ++i) {
        const int at = (k * depth_tile_yz + j) * depth_tile_x + i;
        tile.nearest[at] = most * most;
        if (!(tile.deepest[at] > 0) || tile.deepest[at] >= most) continue;
        const glm::vec3 p(static_cast<float>(i) * tile.step[0], static_cast<float>(j) * tile.step[1],
                          static_cast<float>(k) * tile.step[2]);
        if (!foot_is_covered(work, tile.which[at], p)) {
          tile.nearest[at] = -1;
        } else {
          any = true;
        }
      }
    }
  }
  if (any) {
    alignas(64) float kept[depth_tile_size];
    std::copy_n(tile.nearest, depth_tile_size, kept);
    std::fill_n(tile.nearest, depth_tile_size, most * most);
    take_near(samples, corner, extent, plan.probe + plan.reach, 0, work.samples, nullptr);
    add_samples(tile, work.samples.data(), work.samples.size(), most);
    for (int at = 0; at < depth_tile_size; ++at)
      if (kept[at] < 0) tile.nearest[at] = -1;
  }
  for (int at = 0; at < depth_tile_size; ++at) {
    float distance = tile.deepest[at];
    if (distance > 0) distance = tile.nearest[at] < 0 ? distance : std::max(distance, std::sqrt(tile.nearest[at]));
    tile.deepest[at] = std::min(distance, most) - probe;
  }
}

/// Depths from the balls and, of the excluded surface, from samples of their arcs.
void fill_tiles(std::span<const DensityAtom> atoms, const BallCells& cells, const BallCells& samples,
                const SurfacePlan& plan, const Grid& grid, Span<float> depth, Span<glm::vec3> colours, Job& job) {
  const bool excluded = plan.probe > 0;
  const PhaseTimer timer("molecular surface: tiles");
  const Tiling tiling{grid.counts, {depth_tile_x, depth_tile_yz, depth_tile_yz}};
  parallel_for(tiling.size(), job, "molecular surface", [&](std::size_t t) {
    thread_local std::unique_ptr<Work> work;
    if (!work) work = std::make_unique<Work>();
    DepthTile& tile = work->tile;
    const glm::ivec3 first = tiling.tile(t) * tiling.side;
    tile.counts = glm::min(tiling.side, grid.counts - first);
    for (int axis = 0; axis < 3; ++axis) tile.step[axis] = static_cast<float>(grid.step[axis][axis]);
    std::fill_n(tile.deepest, depth_tile_size, static_cast<float>(-plan.reach));
    std::fill_n(tile.which, depth_tile_size, -1);
    const glm::dvec3 corner = grid.point(first.x, first.y, first.z);
    const glm::dvec3 extent = grid.step * glm::dvec3(tile.counts - 1);
    if (!cells.balls.empty())
      take_near(cells, corner, extent, plan.probe + plan.reach, plan.largest, work->balls, &work->atoms);
    else
      work->balls.clear();
    add_balls(tile, work->balls.data(), work->balls.size(), static_cast<float>(plan.reach));
    if (excluded && !work->balls.empty()) {
      exclude(*work, samples, corner, extent, plan);
    } else if (excluded) {
      for (float& value : tile.deepest) value -= static_cast<float>(plan.probe);
    }
    for (int k = 0; k < tile.counts.z; ++k) {
      for (int j = 0; j < tile.counts.y; ++j) {
        const int row = (k * depth_tile_yz + j) * depth_tile_x;
        const std::size_t to = grid.index(first.x, first.y + j, first.z + k);
        std::copy_n(tile.deepest + row, tile.counts.x, depth.data + to);
        for (int i = 0; i < tile.counts.x && !colours.empty(); ++i) {
          const std::int32_t which = tile.which[row + i];
          colours.data[to + static_cast<std::size_t>(i)] =
              which < 0 ? glm::vec3(0) : atoms[work->atoms[static_cast<std::size_t>(which)]].colour;
        }
      }
    }
  });
}

}  // namespace

void molecular_surface_cpu(std::span<const DensityAtom> atoms, const Grid& grid, const MolecularSurfaceOptions& options,
                           Span<float> depth, Span<glm::vec3> colours, Job& job) {
  const std::vector<Ball> balls = expanded_balls(atoms, options);
  const SurfacePlan plan = surface_plan(balls, grid, options);
  BallCells cells, samples;
  {
    const PhaseTimer timer("molecular surface: arcs");
    cells = sort_into_cells(balls, 2 * plan.largest);
    const auto sample = [&](const Arc& arc, std::vector<Ball>& list) { sample_arc(arc, plan.arc_spacing, list); };
    if (plan.probe > 0)
      samples = sort_into_cells(joined(of_all_arcs<std::vector<Ball>>(cells, plan.largest, job, sample)),
                                plan.probe + plan.reach);
  }
  fill_tiles(atoms, cells, samples, plan, grid, depth, colours, job);
}

struct SurfaceArcs::Found {
  MolecularSurfaceOptions options;
  std::vector<Ball> balls;
  BallCells cells;
  std::vector<std::vector<Arc>> arcs;
};

SurfaceArcs::SurfaceArcs(std::span<const DensityAtom> atoms, const MolecularSurfaceOptions& options, Job& job) {
  const PhaseTimer timer("molecular surface: arcs");
  auto found = std::make_unique<Found>();
  found->options = options;
  found->balls = expanded_balls(atoms, options);
  double largest = 0;
  for (const Ball& ball : found->balls) largest = std::max(largest, double{ball.radius});
  found->cells = sort_into_cells(found->balls, 2 * largest);
  if (options.probe_radius > 0)
    found->arcs = of_all_arcs<std::vector<Arc>>(found->cells, largest, job,
                                                [](const Arc& arc, std::vector<Arc>& list) { list.push_back(arc); });
  found_ = std::move(found);
}

SurfaceArcs::~SurfaceArcs() = default;

std::size_t SurfaceArcs::memory(std::size_t atoms) {
  constexpr std::size_t arcs = 2;  // of an atom of a protein, those without one among them
  return atoms * (arcs * sizeof(Arc) + 2 * sizeof(Ball) + 2 * sizeof(std::uint32_t));
}

void SurfaceArcs::depth(const Grid& grid, Span<float> values, Job& job) const {
  require_memory(molecular_surface_memory(found_->balls.size(), grid, found_->options, values.device), values.device,
                 "molecular surface");
  const SurfacePlan plan = surface_plan(found_->balls, grid, found_->options);
  BallCells samples;
  {
    const PhaseTimer timer("molecular surface: samples");
    std::vector<Ball> all;
    for (const std::vector<Arc>& part : found_->arcs) {
      job.check();
      for (const Arc& arc : part) sample_arc(arc, plan.arc_spacing, all);
    }
    if (plan.probe > 0) samples = sort_into_cells(all, plan.probe + plan.reach);
  }
  fill_tiles({}, found_->cells, samples, plan, grid, values, {}, job);
}

}  // namespace isolume
