// Slopes of rigid fits on CUDA: a thread an atom, splines and sums in double precision.
#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/density_maps/map_spline.cuh"
#include "compute/density_maps/rigid_slopes.h"
#include "compute/frames/frame_kernels.cuh"

namespace isolume {
namespace {

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
    spline_ = Spline::of(map, coefficients_.data());
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
