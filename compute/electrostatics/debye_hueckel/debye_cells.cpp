// Which cells of spheres a Debye-Hückel sum replaces, and by how many places.
#include "compute/electrostatics/debye_hueckel/debye_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double bound = 3e-6;       ///< of a sphere's own potential at the nearest point
constexpr double least_pairs = 1e8;  ///< of a sum that is worth a plan
constexpr double spread_cost = 0.1;  ///< of a sphere's share in a place, in pairs of the sum

struct Box {
  glm::dvec3 lower{std::numeric_limits<double>::infinity()}, upper{-std::numeric_limits<double>::infinity()};

  void add(glm::dvec3 point) {
    lower = glm::min(lower, point);
    upper = glm::max(upper, point);
  }
  double distance(const Box& other) const {
    const glm::dvec3 apart = glm::max(glm::max(lower - other.upper, other.lower - upper), glm::dvec3(0));
    return glm::length(apart);
  }
};

std::vector<Box> boxes_of(std::span<const Grid> grids) {
  std::vector<Box> boxes;
  for (const Grid& grid : grids) {
    if (grid.size() == 0) continue;
    Box& box = boxes.emplace_back();
    for (int corner = 0; corner < 8; ++corner)
      box.add(grid.point((corner & 1) != 0 ? grid.counts.x - 1 : 0, (corner & 2) != 0 ? grid.counts.y - 1 : 0,
                         (corner & 4) != 0 ? grid.counts.z - 1 : 0));
  }
  return boxes;
}

double distance_to(const std::vector<Box>& boxes, const Box& from) {
  double least = std::numeric_limits<double>::infinity();
  for (const Box& box : boxes) least = std::min(least, from.distance(box));
  return least;
}

/// Cells along the axes of a box, as good as cubes.
struct CellGrid {
  glm::ivec3 counts{1};
  glm::dvec3 side{0};
  glm::dvec3 lower{0};

  CellGrid(const Box& box, int along_longest) : lower(box.lower) {
    const glm::dvec3 extent = glm::max(box.upper - box.lower, glm::dvec3(1e-3));
    const double wanted = std::max({extent.x, extent.y, extent.z}) / along_longest;
    for (int axis = 0; axis < 3; ++axis) {
      counts[axis] = std::max(1, static_cast<int>(std::lround(extent[axis] / wanted)));
      side[axis] = extent[axis] / counts[axis];
    }
  }
  double half() const { return 0.5 * std::max({side.x, side.y, side.z}); }
  std::size_t size() const {
    return static_cast<std::size_t>(counts.x) * static_cast<std::size_t>(counts.y) * static_cast<std::size_t>(counts.z);
  }
  std::size_t of(glm::dvec3 point) const {
    const glm::ivec3 at = glm::clamp(glm::ivec3((point - lower) / side), glm::ivec3(0), counts - 1);
    return static_cast<std::size_t>(at.x) +
           static_cast<std::size_t>(counts.x) *
               (static_cast<std::size_t>(at.y) + static_cast<std::size_t>(counts.y) * static_cast<std::size_t>(at.z));
  }
  DebyeCell cell(std::size_t number, int places) const;
};

DebyeCell CellGrid::cell(std::size_t number, int places) const {
  const auto nx = static_cast<std::size_t>(counts.x), ny = static_cast<std::size_t>(counts.y);
  const glm::dvec3 at(static_cast<double>(number % nx), static_cast<double>(number / nx % ny),
                      static_cast<double>(number / (nx * ny)));
  DebyeCell cell{};
  for (int axis = 0; axis < 3; ++axis) {
    const double half = 0.5 * side[axis], middle = lower[axis] + (at[axis] + 0.5) * side[axis];
    for (int i = 0; i < places; ++i)
      cell.node[axis][i] = static_cast<float>(middle + half * std::cos(units::pi * (i + 0.5) / places));
    // Of the rounded places, so that rounding them is no error.
    std::array<double, DebyeCell::most> weight{};
    double largest = 0;
    for (int i = 0; i < places; ++i) {
      double product = 1;
      for (int k = 0; k < places; ++k)
        if (k != i)
          product *= 0.5 * half / (static_cast<double>(cell.node[axis][i]) - static_cast<double>(cell.node[axis][k]));
      weight[static_cast<std::size_t>(i)] = product;
      largest = std::max(largest, std::abs(product));
    }
    for (int i = 0; i < places; ++i)
      cell.weight[axis][i] = static_cast<float>(weight[static_cast<std::size_t>(i)] / largest);
  }
  return cell;
}

constexpr int samples = 64;  ///< of the kernel along a cell

/// cos(pi k (i + 1/2) / samples): [k][i].
struct Cosines {
  std::array<std::array<double, samples>, samples> of;
  Cosines() {
    for (int k = 0; k < samples; ++k)
      for (int i = 0; i < samples; ++i)
        of[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)] = std::cos(units::pi * k * (i + 0.5) / samples);
  }
};

}  // namespace

int debye_cell_places(double half, double distance, double kappa) {
  // Chebyshev's coefficients c_k along the cell of the kernel at points straight out of it, abreast of it, and between:
  // interpolated at p of their points it is off by 2 sum over k >= p of |c_k| at most.
  static const Cosines cosines;
  const std::array<glm::dvec2, 5> places{glm::dvec2(half + distance, 0), glm::dvec2(0, distance),
                                         glm::dvec2(half, distance), glm::dvec2(half + distance, distance),
                                         glm::dvec2(half + 3 * distance, distance)};
  if (!(distance > 0)) return 0;
  std::array<double, samples> tail{};  // sum from k on, the largest of the five
  for (const glm::dvec2& place : places) {
    std::array<double, samples> value{};
    for (std::size_t i = 0; i < samples; ++i) {
      const double t = half * cosines.of[1][i];
      const double r = std::hypot(place.x - t, place.y);
      // Relative to the kernel at the least distance.
      value[i] = std::exp(-kappa * (r - distance)) * distance / r;
    }
    double sum = 0;
    for (std::size_t k = samples - 1; k > 0; --k) {
      double coefficient = 0;
      for (std::size_t i = 0; i < samples; ++i) coefficient += value[i] * cosines.of[k][i];
      sum += 2.0 / samples * std::abs(coefficient);
      tail[k] = std::max(tail[k], sum);
    }
  }
  for (int p = 3; p <= DebyeCell::most; ++p) {
    const double norm = 1 + 2 / units::pi * std::log(p);  // of interpolation at p of Chebyshev's points, Rivlin
    if (2 * tail[static_cast<std::size_t>(p)] * (1 + norm + norm * norm) <= bound) return p;
  }
  return 0;
}

DebyeCells debye_cells(std::span<const ChargedSphere> spheres, std::span<const Grid> grids, double kappa) {
  DebyeCells plan;
  std::size_t points = 0;
  for (const Grid& grid : grids) points += grid.size();
  const auto count = static_cast<double>(spheres.size());
  if (count * static_cast<double>(points) < least_pairs) return plan;
  Box all;
  for (const ChargedSphere& sphere : spheres) all.add(glm::dvec3(sphere.position));
  const std::vector<Box> targets = boxes_of(grids);
  const double distance = distance_to(targets, all);
  double least = 0.7 * count;
  int best = 0;
  for (const int along : {1, 2, 3, 4, 6, 8, 12, 16}) {
    const CellGrid grid(all, along);
    const int places = debye_cell_places(grid.half(), distance, kappa);
    if (places == 0) continue;
    const double of_cell = std::pow(places, 3);
    const double work = std::min(count, static_cast<double>(grid.size()) * of_cell) +
                        spread_cost * count * of_cell / static_cast<double>(points);
    if (work >= least) continue;
    least = work;
    best = along;
    plan.places = places;
  }
  if (best == 0) return plan;
  const CellGrid grid(all, best);
  std::vector<std::uint32_t> cell_of(spheres.size()), of_cell(grid.size(), 0);
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    cell_of[i] = static_cast<std::uint32_t>(grid.of(glm::dvec3(spheres[i].position)));
    ++of_cell[cell_of[i]];
  }
  // Cells with more spheres than places, one after the other, then the spheres of the others.
  std::vector<std::uint32_t> next(grid.size());
  for (const bool dense : {true, false}) {
    for (std::size_t c = 0; c < grid.size(); ++c) {
      if ((of_cell[c] > plan.places_of_cell()) != dense) continue;
      next[c] = plan.replaced;
      plan.replaced += of_cell[c];
      if (!dense) continue;
      for (std::uint32_t first = next[c]; first < plan.replaced; first += DebyePart::most)
        plan.parts.push_back(
            {first, std::min(plan.replaced, first + DebyePart::most), static_cast<std::uint32_t>(plan.cells.size())});
      plan.cells.push_back(grid.cell(c, plan.places));
    }
  }
  plan.replaced = plan.parts.empty() ? 0 : plan.parts.back().last;
  if (plan.replaced == 0) return {};
  plan.order.resize(spheres.size());
  for (std::size_t i = 0; i < spheres.size(); ++i) plan.order[next[cell_of[i]]++] = static_cast<std::uint32_t>(i);
  return plan;
}

}  // namespace isolume
