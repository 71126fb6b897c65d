// Lines followed through a field: checks, cells of spheres, and the body of the CPU.
#include "compute/field_lines/line_tracing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/field_lines/line_tracing_body.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t check_every = 256;
constexpr double most_cells = 4e6;

LineGrid line_grid(const Grid& grid, Span<const float> values) {
  LineGrid result{
      values.data, grid.counts.x, grid.counts.y, grid.counts.z, {grid.origin.x, grid.origin.y, grid.origin.z}, {}};
  const glm::dmat3 inverse = glm::inverse(grid.step);
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) result.inverse[row][column] = inverse[column][row];
  return result;
}

SphereCells sphere_cells_of(std::span<const glm::vec4> spheres) {
  SphereCells cells;
  if (spheres.empty()) return cells;
  glm::dvec3 lower(1e300), upper(-1e300);
  double largest = 0;
  for (const glm::vec4& s : spheres) {
    lower = glm::min(lower, glm::dvec3(s));
    upper = glm::max(upper, glm::dvec3(s));
    largest = std::max(largest, static_cast<double>(s.w));
  }
  const glm::dvec3 extent = upper - lower;
  double size = std::max(largest, 1e-3);
  while ((extent.x / size + 1) * (extent.y / size + 1) * (extent.z / size + 1) > most_cells) size *= 2;
  const glm::ivec3 counts = glm::ivec3(extent / size) + 1;
  cells.view.nx = counts.x;
  cells.view.ny = counts.y;
  cells.view.nz = counts.z;
  cells.view.origin = {lower.x, lower.y, lower.z};
  cells.view.per_cell = 1 / size;
  cells.starts.assign(static_cast<std::size_t>(counts.x) * counts.y * counts.z + 1, 0);
  const auto cell_of = [&](const glm::vec4& s) {
    const glm::ivec3 at = glm::min(glm::ivec3((glm::dvec3(s) - lower) / size), counts - 1);
    return static_cast<std::size_t>(at.x) +
           static_cast<std::size_t>(counts.x) *
               (static_cast<std::size_t>(at.y) + static_cast<std::size_t>(counts.y) * static_cast<std::size_t>(at.z));
  };
  for (const glm::vec4& s : spheres) ++cells.starts[cell_of(s) + 1];
  for (std::size_t c = 1; c < cells.starts.size(); ++c) cells.starts[c] += cells.starts[c - 1];
  std::vector<std::uint32_t> next(cells.starts.begin(), cells.starts.end() - 1);
  cells.spheres.resize(spheres.size());
  for (const glm::vec4& s : spheres) cells.spheres[next[cell_of(s)]++] = s;
  return cells;
}

LineEnd end_of(LineGoes goes) {
  return goes == LineGoes::border ? LineEnd::border : goes == LineGoes::surface ? LineEnd::surface : LineEnd::nowhere;
}

TracedLine traced(const LineGrid& grid, const LineSpheres& spheres, const LineSteps& steps, std::size_t most,
                  const LineSeed& seed, Job& job) {
  TracedLine traced;
  LinePoint place{seed.place.x, seed.place.y, seed.place.z};
  for (std::size_t n = 0; n < most; ++n) {
    if (n % check_every == 0) job.check();
    const LineGoes goes = line_step(grid, spheres, steps, seed.sign, n == 0, place, [&](LinePoint p, double value) {
      traced.line.points.emplace_back(glm::dvec3(p.x, p.y, p.z));
      traced.line.values.push_back(static_cast<float>(value));
    });
    if (goes == LineGoes::on) continue;
    traced.end = end_of(goes);
    return traced;
  }
  return traced;
}

}  // namespace

std::vector<TracedLine> trace_lines(const Grid& grid, Span<const float> values, std::span<const LineSeed> seeds,
                                    std::span<const glm::vec4> spheres, const LineTracing& options, Job& job) {
  if (values.size != grid.size() || glm::any(glm::lessThan(grid.counts, glm::ivec3(2))))
    throw Error(
        fmt::format("field lines: {} values for a grid of {} x {} x {} points; at least 2 are needed along each",
                    values.size, grid.counts.x, grid.counts.y, grid.counts.z),
        Error::Kind::usage);
  if (!(options.step > 0)) throw Error("field lines: a step that is not above 0", Error::Kind::usage);
  job.check();
  std::vector<TracedLine> lines(seeds.size());
  if (seeds.empty() || options.most == 0) return lines;
  const LineGrid view = line_grid(grid, values);
  const SphereCells cells = sphere_cells_of(spheres);
  if (values.device.is_cuda()) return trace_lines_cuda(view, values, seeds, cells, options, job);
  LineSpheres there = cells.view;
  if (!cells.spheres.empty()) {
    there.spheres = &cells.spheres.front().x;
    there.starts = cells.starts.data();
  }
  const LineSteps steps{options.step, options.least, options.within};
  parallel_for(seeds.size(), job, "field lines",
               [&](std::size_t i) { lines[i] = traced(view, there, steps, options.most, seeds[i], job); });
  return lines;
}

}  // namespace isolume
