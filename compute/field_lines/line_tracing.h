// Lines through the gradient of a field on a grid, followed from given places on any device.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/field_lines/field_lines.h"
#include "molecule/grid.h"

namespace isolume {

/// Where a line begins, and whether it goes with the gradient (1) or against it (-1).
struct LineSeed {
  glm::dvec3 place{0};  ///< angstrom
  double sign = 1;
};

struct LineTracing {
  double step = 0;       ///< angstrom along the line
  std::size_t most = 0;  ///< points of a line
  double least = 0;      ///< the gradient, per angstrom, at which the field counts as vanished
  double within = 0.98;  ///< a line ends inside this part of a sphere's radius, but not where it begins
};

enum class LineEnd : std::uint8_t { border, surface, nowhere };

struct TracedLine {
  FieldLine line;  ///< from the seed on; empty where that is outside the grid
  LineEnd end = LineEnd::nowhere;
};

/// One line for each seed, in their order: Runge and Kutta's fourth order by arc length, through the gradient of cubic
/// convolution (FieldSampler), in double precision. It ends at the border of the grid, in a sphere (xyz centre, w
/// radius; angstrom), where the field vanishes or turns round within a step, and after `most` points. Devices agree to
/// rounding.
/// @param values  grid.size() values, x fastest, on the device that follows the lines
/// Throws Error (usage) for sizes that differ or a step that is not above 0; cancelled.
std::vector<TracedLine> trace_lines(const Grid& grid, Span<const float> values, std::span<const LineSeed> seeds,
                                    std::span<const glm::vec4> spheres, const LineTracing& options, Job& job);

/// The same one step after the other by FieldSampler, all spheres looked at: for tests. In host memory.
std::vector<TracedLine> trace_lines_reference(const Grid& grid, std::span<const float> values,
                                              std::span<const LineSeed> seeds, std::span<const glm::vec4> spheres,
                                              const LineTracing& options);

}  // namespace isolume
