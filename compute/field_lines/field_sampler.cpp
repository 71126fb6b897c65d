// FieldSampler: value and gradient of a grid's field by cubic convolution.
#include <fmt/format.h>

#include <algorithm>

#include "compute/field_lines/field_lines.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr double rounding = 1e-9;  // of grid coordinates

// The value and slope of cubic convolution between p1 and p2 at t.
struct Cubic {
  double w[4], slope[4];
  explicit Cubic(double t) {
    const double t2 = t * t, t3 = t2 * t;
    w[0] = 0.5 * (-t3 + 2 * t2 - t);
    w[1] = 0.5 * (3 * t3 - 5 * t2 + 2);
    w[2] = 0.5 * (-3 * t3 + 4 * t2 + t);
    w[3] = 0.5 * (t3 - t2);
    slope[0] = 0.5 * (-3 * t2 + 4 * t - 1);
    slope[1] = 0.5 * (9 * t2 - 10 * t);
    slope[2] = 0.5 * (-9 * t2 + 8 * t + 1);
    slope[3] = 0.5 * (3 * t2 - 2 * t);
  }
};

// Puts what the points beyond a face would have (a straight line) on those within: then all four indices exist.
void fold(Cubic& c, int cell, int count, int (&index)[4]) {
  for (int n = 0; n < 4; ++n) index[n] = std::clamp(cell - 1 + n, 0, count - 1);
  const auto move = [&c](int from, int near, int far) {
    for (double* weights : {c.w, c.slope}) {
      weights[near] += 2 * weights[from];
      weights[far] -= weights[from];
      weights[from] = 0;
    }
  };
  if (cell == 0) move(0, 1, 2);
  if (cell == count - 2) move(3, 2, 1);
}

}  // namespace

FieldSampler::FieldSampler(const Grid& grid, std::span<const float> values) : grid_(grid), values_(values) {
  if (values.size() != grid.size())
    throw Error(fmt::format("field lines: {} values for a grid of {} points", values.size(), grid.size()),
                Error::Kind::usage);
  if (grid.counts.x < 2 || grid.counts.y < 2 || grid.counts.z < 2)
    throw Error(fmt::format("field lines: a grid of {} x {} x {} points has no gradient along each axis; at least 2 "
                            "are needed",
                            grid.counts.x, grid.counts.y, grid.counts.z),
                Error::Kind::usage);
  to_grid_ = glm::inverse(grid.step);
}

bool FieldSampler::at(glm::dvec3 point, Sample& sample) const {
  glm::dvec3 u = to_grid_ * (point - grid_.origin);
  int index[3][4];
  Cubic cubic[3] = {Cubic(0), Cubic(0), Cubic(0)};
  for (int axis = 0; axis < 3; ++axis) {
    const int count = grid_.counts[axis];
    if (!(u[axis] >= -rounding && u[axis] <= count - 1 + rounding)) return false;
    u[axis] = std::clamp(u[axis], 0.0, static_cast<double>(count - 1));
    const int cell = std::min(static_cast<int>(u[axis]), count - 2);
    cubic[axis] = Cubic(u[axis] - cell);
    fold(cubic[axis], cell, count, index[axis]);
  }
  double value = 0;
  glm::dvec3 slope(0);
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 4; ++j) {
      const float* row = values_.data() + grid_.index(0, index[1][j], index[2][k]);
      double along = 0, along_slope = 0;
      for (int i = 0; i < 4; ++i) {
        const auto v = static_cast<double>(row[index[0][i]]);
        along += cubic[0].w[i] * v;
        along_slope += cubic[0].slope[i] * v;
      }
      value += cubic[2].w[k] * cubic[1].w[j] * along;
      slope += glm::dvec3(cubic[2].w[k] * cubic[1].w[j] * along_slope, cubic[2].w[k] * cubic[1].slope[j] * along,
                          cubic[2].slope[k] * cubic[1].w[j] * along);
    }
  sample.value = value;
  sample.gradient = glm::transpose(to_grid_) * slope;
  return true;
}

}  // namespace isolume
