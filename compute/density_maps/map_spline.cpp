// A density map as a smooth function: cubic B-splines through its values, and maps made smoother.
#include "compute/density_maps/map_spline.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/base/checks.h"
#include "compute/base/parallel_for.h"

namespace isolume {
namespace {

/// Values of a line become coefficients, in place.
void filter_line(std::vector<double>& line) {
  const double pole = std::sqrt(3.0) - 2;
  const std::size_t n = line.size();
  for (double& v : line) v *= 6;
  // The sum over the line and its mirror images.
  double power = pole, last = std::pow(pole, static_cast<double>(n - 1));
  double sum = line[0] + last * line[n - 1], back = last * last / pole;
  for (std::size_t k = 1; k + 1 < n; ++k, power *= pole, back /= pole) sum += (power + back) * line[k];
  line[0] = sum / (1 - last * last);
  for (std::size_t k = 1; k < n; ++k) line[k] += pole * line[k - 1];
  line[n - 1] = pole / (pole * pole - 1) * (line[n - 1] + pole * line[n - 2]);
  for (std::size_t k = n - 1; k-- > 0;) line[k] = pole * (line[k + 1] - line[k]);
}

/// Calls use(line) for every line along an axis: first value, distance of the next.
template <class Use>
void each_line(const Grid& grid, int axis, const Use& use) {
  const std::size_t nx = static_cast<std::size_t>(grid.counts.x), ny = static_cast<std::size_t>(grid.counts.y),
                    nz = static_cast<std::size_t>(grid.counts.z);
  const std::size_t stride = axis == 0 ? 1 : axis == 1 ? nx : nx * ny;
  const std::size_t first = axis == 0 ? ny : nx, second = axis == 2 ? ny : nz;
  const std::size_t first_step = axis == 0 ? nx : 1, second_step = axis == 2 ? nx : nx * ny;
  Job job;
  parallel_for(second, job, "map", [&](std::size_t b) {
    for (std::size_t a = 0; a < first; ++a) use(a * first_step + b * second_step, stride);
  });
}

struct Weights {
  double value[4], slope[4];
  int index[4];
  Weights(double at, int count) {
    const int cell = std::clamp(static_cast<int>(std::floor(at)), 0, count - 2);
    const double t = at - cell, s = 1 - t;
    value[0] = s * s * s / 6;
    value[1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
    value[2] = (4 - 6 * s * s + 3 * s * s * s) / 6;
    value[3] = t * t * t / 6;
    slope[0] = -s * s / 2;
    slope[1] = (-4 * t + 3 * t * t) / 2;
    slope[2] = (4 * s - 3 * s * s) / 2;
    slope[3] = t * t / 2;
    for (int n = 0; n < 4; ++n) {
      int i = cell - 1 + n;
      if (i < 0) i = -i;
      if (i > count - 1) i = 2 * (count - 1) - i;
      index[n] = i;
    }
  }
};

}  // namespace

MapSpline::MapSpline(const Grid& grid, std::span<const float> values)
    : MapSpline(grid, std::vector<double>(values.begin(), values.end())) {}

MapSpline::MapSpline(const Grid& grid, std::vector<double> values) : grid_(grid) {
  check_grid(grid, "map");
  if (values.size() != grid.size() || glm::any(glm::lessThan(grid.counts, glm::ivec3(2))))
    throw Error(fmt::format("map: {} values for {} x {} x {} points; at least two along each axis are needed",
                            values.size(), grid.counts.x, grid.counts.y, grid.counts.z),
                Error::Kind::usage);
  to_indices_ = glm::inverse(grid.step);
  coefficients_ = std::move(values);
  for (int axis = 0; axis < 3; ++axis) {
    const auto count = static_cast<std::size_t>(grid.counts[axis]);
    each_line(grid, axis, [&](std::size_t first, std::size_t stride) {
      std::vector<double> line(count);
      for (std::size_t i = 0; i < count; ++i) line[i] = coefficients_[first + i * stride];
      filter_line(line);
      for (std::size_t i = 0; i < count; ++i) coefficients_[first + i * stride] = line[i];
    });
  }
}

MapSpline::Sample MapSpline::at(glm::dvec3 point) const {
  const glm::dvec3 u = to_indices_ * (point - grid_.origin);
  constexpr double rounding = 1e-9;
  for (int axis = 0; axis < 3; ++axis) {
    if (!(u[axis] >= -rounding && u[axis] <= grid_.counts[axis] - 1 + rounding)) return {};
  }
  const Weights x(u.x, grid_.counts.x), y(u.y, grid_.counts.y), z(u.z, grid_.counts.z);
  double value = 0;
  glm::dvec3 slope(0);
  for (int k = 0; k < 4; ++k) {
    double layer = 0, layer_x = 0, layer_y = 0;
    for (int j = 0; j < 4; ++j) {
      const double* row = &coefficients_[grid_.index(0, y.index[j], z.index[k])];
      double sum = 0, along = 0;
      for (int i = 0; i < 4; ++i) {
        sum += x.value[i] * row[x.index[i]];
        along += x.slope[i] * row[x.index[i]];
      }
      layer += y.value[j] * sum;
      layer_x += y.value[j] * along;
      layer_y += y.slope[j] * sum;
    }
    value += z.value[k] * layer;
    slope += glm::dvec3(z.value[k] * layer_x, z.value[k] * layer_y, z.slope[k] * layer);
  }
  return {value, glm::transpose(to_indices_) * slope, true};
}

std::vector<float> smoothed_map(const Grid& grid, std::span<const float> values, double sigma, Job& job) {
  check_grid(grid, "map");
  if (!grid.axis_aligned()) throw Error("map: the grid must be along x, y and z", Error::Kind::usage);
  std::vector<float> result(values.begin(), values.end());
  for (int axis = 0; axis < 3; ++axis) {
    job.check();
    const double step = std::abs(grid.step[axis][axis]);
    const int reach = static_cast<int>(std::ceil(5 * sigma / step));
    std::vector<double> weights(static_cast<std::size_t>(reach) + 1);
    double sum = 0;
    for (int i = 0; i <= reach; ++i) {
      const double w = std::exp(-0.5 * std::pow(i * step / sigma, 2));
      weights[static_cast<std::size_t>(i)] = w;
      sum += i == 0 ? w : 2 * w;
    }
    for (double& w : weights) w /= sum;
    const int count = grid.counts[axis];
    each_line(grid, axis, [&](std::size_t first, std::size_t stride) {
      std::vector<double> line(static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i)
        line[static_cast<std::size_t>(i)] = static_cast<double>(result[first + static_cast<std::size_t>(i) * stride]);
      for (int i = 0; i < count; ++i) {
        double value = 0;
        for (int j = std::max(0, i - reach); j <= std::min(count - 1, i + reach); ++j)
          value += weights[static_cast<std::size_t>(std::abs(i - j))] * line[static_cast<std::size_t>(j)];
        result[first + static_cast<std::size_t>(i) * stride] = static_cast<float>(value);
      }
    });
  }
  return result;
}

}  // namespace isolume
