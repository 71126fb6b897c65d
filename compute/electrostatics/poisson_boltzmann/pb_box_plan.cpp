// The boxes of a Poisson-Boltzmann computation, each with shorter steps than the one about it.
#include "compute/electrostatics/poisson_boltzmann/pb_box_plan.h"

#include <algorithm>
#include <cmath>

namespace isolume {
namespace {

/// Counts from `least` up to which steps can be doubled often: m 2^levels + 1, m of the largest at most 8 and of the
/// smallest at least 2. The same on every device, so that the numbers are.
glm::ivec3 solvable(glm::ivec3 least) {
  const int largest = std::max({least.x, least.y, least.z}) - 1, smallest = std::min({least.x, least.y, least.z}) - 1;
  int unit = 1;
  while (largest > 8 * unit && smallest > 2 * unit) unit *= 2;
  glm::ivec3 counts;
  for (int axis = 0; axis < 3; ++axis) counts[axis] = std::max(2, (least[axis] - 2 + unit) / unit) * unit + 1;
  return counts;
}

PbBox box_of(const Grid& grid) {
  PbBox box;
  box.counts = solvable(glm::max(grid.counts, glm::ivec3(9)));
  for (int axis = 0; axis < 3; ++axis) box.step[axis] = grid.step[axis][axis];
  // An added point goes to both sides.
  box.first = (box.counts - grid.counts) / 2;
  box.origin = grid.origin - box.step * glm::dvec3(box.first);
  return box;
}

/// The part of a box that holds `core`. Every second node of the box is one of the part too.
PbBox part_of(const PbBox& box, const PoissonBoltzmannReach& core) {
  glm::ivec3 first = glm::max(glm::ivec3(glm::floor((core.lower - box.origin) / box.step)), glm::ivec3(0));
  glm::ivec3 last = glm::min(glm::ivec3(glm::ceil((core.upper - box.origin) / box.step)), box.counts - 1);
  last = glm::max(first, last);
  const glm::ivec3 least = last - first + 2;
  PbBox part = box;
  part.counts = glm::min(solvable(glm::max(least, glm::ivec3(9))), box.counts);
  for (int axis = 0; axis < 3; ++axis) {
    const int middle = first[axis] - (part.counts[axis] - least[axis]) / 2;
    first[axis] = std::clamp(middle, 0, box.counts[axis] - part.counts[axis]) & ~1;
  }
  part.origin = box.origin + box.step * glm::dvec3(first);
  part.first = box.first - first;
  return part;
}

}  // namespace

std::vector<PbBox> pb_boxes(std::span<const ChargedSphere> atoms, const Grid& grid, const PoissonBoltzmannOptions& o) {
  std::vector<PbBox> boxes{box_of(grid)};
  if (!o.focus) return boxes;
  glm::dvec3 lower = boxes[0].origin, upper = boxes[0].end();
  for (const ChargedSphere& atom : atoms) {
    lower = glm::min(lower, glm::dvec3(atom.position) - double{atom.radius});
    upper = glm::max(upper, glm::dvec3(atom.position) + double{atom.radius});
  }
  if (o.reach) {
    lower = glm::min(lower, o.reach->lower);
    upper = glm::max(upper, o.reach->upper);
  }
  const glm::dvec3 extent = upper - lower;
  // The sums on the outermost faces know no membrane: they have to be far from what it does.
  const double margin =
      std::max({20.0, 0.5 * std::max({extent.x, extent.y, extent.z}), o.membrane ? 4 * o.membrane->thickness : 0.0});
  lower -= margin;
  upper += margin;
  // Steps of the widest box: as long as the atoms allow, where that takes no more than 128.
  const glm::dvec3 whole = upper - lower;
  const int points = static_cast<int>(std::clamp(std::max({whole.x, whole.y, whole.z}) / 1.6, 64.0, 128.0));
  constexpr double ratio = 4;  // of steps from one box to the next
  while (boxes.size() < 8) {
    const PbBox& inner = boxes.back();
    PbBox outer;
    const glm::dvec3 size = upper - lower;
    const double widest = std::max({size.x, size.y, size.z}) / points;
    const double fine = std::min({inner.step.x, inner.step.y, inner.step.z});
    if (widest < 1.25 * fine) break;
    const double step = std::min(widest, ratio * fine);
    glm::ivec3 counts;
    for (int axis = 0; axis < 3; ++axis) {
      const double reach =
          std::min(size[axis], std::max(points * step, 1.5 * (inner.end()[axis] - inner.origin[axis])));
      counts[axis] = static_cast<int>(std::ceil(reach / step)) + 1;
    }
    outer.counts = solvable(counts);
    outer.step = glm::dvec3(step);
    const glm::dvec3 length = step * glm::dvec3(outer.counts - 1);
    const glm::dvec3 middle = 0.5 * (inner.origin + inner.end());
    // About the inner box, but no farther out than the whole.
    for (int axis = 0; axis < 3; ++axis) {
      const double spare = 0.5 * (length[axis] - size[axis]);
      outer.origin[axis] = spare >= 0
                               ? lower[axis] - spare
                               : std::clamp(middle[axis] - 0.5 * length[axis], lower[axis], upper[axis] - length[axis]);
    }
    boxes.push_back(outer);
    if (step == widest) break;
  }
  std::reverse(boxes.begin(), boxes.end());
  if (o.core) boxes.back() = part_of(boxes.back(), *o.core);
  return boxes;
}

}  // namespace isolume
