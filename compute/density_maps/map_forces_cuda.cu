// Forces of a density map on CUDA: a thread an atom, splines and sums in double precision.
#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/density_maps/map_forces.h"
#include "compute/density_maps/map_spline.cuh"
#include "compute/frames/frame_kernels.cuh"

namespace isolume {
namespace {

/// The energy of one atom, while its force is added.
struct MapForceTerm {
  Spline map;
  double outside;  ///< V beyond the map's box
  const glm::dvec3* positions;
  const double* weights;
  glm::dvec3* forces;

  __device__ void add(std::size_t, std::size_t i, double (&sums)[1]) const {
    const double w = weights[i];
    if (w == 0) return;
    const double at[3] = {positions[i].x, positions[i].y, positions[i].z};
    double value, g[3];
    if (!map.at(at, value, g)) {
      sums[0] += w * outside;
      return;
    }
    sums[0] += w * value;
    forces[i].x -= w * g[0];
    forces[i].y -= w * g[1];
    forces[i].z -= w * g[2];
  }
};

class Forces final : public MapForces::OnCuda {
 public:
  Forces(const MapPotential& potential, const std::vector<double>& weights, Device device)
      : coefficients_(DeviceArray<double>::from_host(potential.spline().coefficients(), device, "map potential")),
        weights_(DeviceArray<double>::from_host(weights, device, "weights of atoms")),
        spline_(Spline::of(potential.spline(), coefficients_.data())),
        outside_(potential.scale()) {}

  double add(const glm::dvec3* positions, glm::dvec3* forces, Stream& stream) const override {
    if (weights_.empty()) return 0;
    const MapForceTerm term{spline_, outside_, positions, weights_.data(), forces};
    return frame_kernels::totals<1>("map potential: forces", stream, term, 1, weights_.size()).copy_to_host().front();
  }

 private:
  DeviceArray<double> coefficients_, weights_;
  Spline spline_;
  double outside_;
};

}  // namespace

std::unique_ptr<MapForces::OnCuda> map_forces_cuda(const MapPotential& potential, const std::vector<double>& weights,
                                                   Device device) {
  return std::make_unique<Forces>(potential, weights, device);
}

}  // namespace isolume
