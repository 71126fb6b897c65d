// The bodies of line tracing, and what both are given.
#pragma once

#include <span>
#include <vector>

#include "compute/field_lines/line_tracing.h"
#include "compute/field_lines/line_tracing_math.h"

namespace isolume {

/// Spheres in their cells, in host memory.
struct SphereCells {
  std::vector<glm::vec4> spheres;
  std::vector<std::uint32_t> starts;
  LineSpheres view;  ///< without its addresses
};

/// `grid` with the values' address in `values`.
std::vector<TracedLine> trace_lines_cuda(const LineGrid& grid, Span<const float> values,
                                         std::span<const LineSeed> seeds, const SphereCells& spheres,
                                         const LineTracing& options, Job& job);

}  // namespace isolume
