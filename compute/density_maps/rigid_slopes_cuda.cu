// Slopes of rigid fits on CUDA: a thread an atom, splines and sums in double precision.
#include <cmath>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/density_maps/rigid_slopes.h"
#include "compute/frames/frame_kernels.cuh"

namespace isolume {
namespace {

/// The spline of a map, as MapSpline::at() has it.
struct Spline {
  const double* coefficients;
  double origin[3], to_indices[9];  ///< columns, as glm's
  int counts[3];

  struct Weights {
    double value[4], slope[4];
    int index[4];
  };
  __device__ static Weights weights(double at, int count) {
    Weights w;
    int cell = static_cast<int>(floor(at));
    cell = max(0, min(cell, count - 2));
    const double t = at - cell, s = 1 - t;
    w.value[0] = s * s * s / 6;
    w.value[1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
    w.value[2] = (4 - 6 * s * s + 3 * s * s * s) / 6;
    w.value[3] = t * t * t / 6;
    w.slope[0] = -s * s / 2;
    w.slope[1] = (-4 * t + 3 * t * t) / 2;
    w.slope[2] = (4 * s - 3 * s * s) / 2;
    w.slope[3] = t * t / 2;
    for (int n = 0; n < 4; ++n) {
      int i = cell - 1 + n;
      if (i < 0) i = -i;
      if (i > count - 1) i = 2 * (count - 1) - i;
      w.index[n] = i;
    }
    return w;
  }

  /// The value and the gradient at a point; false beyond the box.
  __device__ bool at(const double (&point)[3], double& value, double (&gradient)[3]) const {
    double u[3];
    constexpr double rounding = 1e-9;
    for (int row = 0; row < 3; ++row) {
      u[row] = 0;
      for (int column = 0; column < 3; ++column)
        u[row] += to_indices[3 * column + row] * (point[column] - origin[column]);
      if (!(u[row] >= -rounding && u[row] <= counts[row] - 1 + rounding)) return false;
    }
    const Weights x = weights(u[0], counts[0]), y = weights(u[1], counts[1]), z = weights(u[2], counts[2]);
    value = 0;
    double slope[3] = {};
    for (int k = 0; k < 4; ++k) {
      double layer = 0, layer_x = 0, layer_y = 0;
      for (int j = 0; j < 4; ++j) {
        const double* row =
            coefficients + static_cast<std::size_t>(counts[0]) *
                               (static_cast<std::size_t>(y.index[j]) +
                                static_cast<std::size_t>(counts[1]) * static_cast<std::size_t>(z.index[k]));
        double sum = 0, along = 0;
        for (int i = 0; i < 4; ++i) {
          const double c = row[x.index[i]];
          sum += x.value[i] * c;
          along += x.slope[i] * c;
        }
        layer += y.value[j] * sum;
        layer_x += y.value[j] * along;
        layer_y += y.slope[j] * sum;
      }
      value += z.value[k] * layer;
      slope[0] += z.value[k] * layer_x;
      slope[1] += z.value[k] * layer_y;
      slope[2] += z.slope[k] * layer;
    }
    for (int column = 0; column < 3; ++column) {
      gradient[column] = 0;
      for (int row = 0; row < 3; ++row) gradient[column] += to_indices[3 * column + row] * slope[row];
    }
    return true;
  }
};

/// The terms of one atom: value, force, torque, weight.
struct SlopeTerm {
  Spline map;
  const glm::dvec3* places;
  const double* weights;
  double rotation[9], translation[3], centre[3];  ///< columns, as glm's

  __device__ void add(std::size_t, std::size_t i, double* sums) const {
    const double* p = &places[i].x;
    double at[3];
    for (int row = 0; row < 3; ++row)
      at[row] = rotation[row] * p[0] + rotation[3 + row] * p[1] + rotation[6 + row] * p[2] + translation[row];
    const double w = weights[i];
    sums[7] += w;
    double value, g[3];
    if (!map.at(at, value, g)) return;
    const double x = at[0] - centre[0], y = at[1] - centre[1], z = at[2] - centre[2];
    sums[0] += w * value;
    for (int axis = 0; axis < 3; ++axis) sums[1 + axis] += w * g[axis];
    sums[4] += w * (y * g[2] - z * g[1]);
    sums[5] += w * (z * g[0] - x * g[2]);
    sums[6] += w * (x * g[1] - y * g[0]);
  }
};

class Slopes final : public RigidSlopes::OnCuda {
 public:
  Slopes(const MapSpline& map, const RigidModel& model, Device device)
      : device_(device),
        coefficients_(DeviceArray<double>::from_host(map.coefficients(), device, "map of a fit")),
        places_(DeviceArray<glm::dvec3>::from_host(model.positions, device, "atoms of a fit")),
        weights_(DeviceArray<double>::from_host(model.weights, device, "atoms of a fit")) {
    spline_.coefficients = coefficients_.data();
    for (int axis = 0; axis < 3; ++axis) {
      spline_.origin[axis] = map.grid().origin[axis];
      spline_.counts[axis] = map.grid().counts[axis];
      for (int row = 0; row < 3; ++row) spline_.to_indices[3 * axis + row] = map.to_indices()[axis][row];
    }
  }

  void sums(const RigidMotion& motion, glm::dvec3 centre, double (&out)[8]) const override {
    Stream stream(device_);
    SlopeTerm term{};
    term.map = spline_;
    term.places = places_.data();
    term.weights = weights_.data();
    const glm::dmat3 rotation = glm::mat3_cast(motion.rotation);
    for (int column = 0; column < 3; ++column) {
      for (int row = 0; row < 3; ++row) term.rotation[3 * column + row] = rotation[column][row];
      term.translation[column] = motion.translation[column];
      term.centre[column] = centre[column];
    }
    const std::vector<double> found =
        frame_kernels::totals<8>("slopes of a fit", stream, term, 1, places_.size()).copy_to_host();
    for (int k = 0; k < 8; ++k) out[k] = found[static_cast<std::size_t>(k)];
  }

 private:
  Device device_;
  DeviceArray<double> coefficients_, weights_;
  DeviceArray<glm::dvec3> places_;
  Spline spline_{};
};

}  // namespace

std::unique_ptr<RigidSlopes::OnCuda> rigid_slopes_cuda(const MapSpline& map, const RigidModel& model, Device device) {
  return std::make_unique<Slopes>(map, model, device);
}

}  // namespace isolume
