// Slopes of rigid fits: the CPU's body and the choice of it.
#include "compute/density_maps/rigid_slopes.h"

#include <algorithm>
#include <vector>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

RigidSlope slope_on_cpu(const MapSpline& map, const RigidModel& model, const RigidMotion& motion,
                        const glm::dvec3& centre, Job& job) {
  constexpr std::size_t block = 2048;
  const std::size_t count = model.positions.size();
  std::vector<RigidSlope> parts((count + block - 1) / block);
  std::vector<double> weights(parts.size());
  parallel_for(parts.size(), job, "fit", [&](std::size_t b) {
    RigidSlope& part = parts[b];
    for (std::size_t i = b * block; i < std::min(count, (b + 1) * block); ++i) {
      const glm::dvec3 at = motion(model.positions[i]);
      const MapSpline::Sample sample = map.at(at);
      const double w = model.weights[i];
      weights[b] += w;
      part.value += w * sample.value;
      part.force += w * sample.gradient;
      part.torque += w * glm::cross(at - centre, sample.gradient);
    }
  });
  RigidSlope sum;
  double weight = 0;
  for (std::size_t b = 0; b < parts.size(); ++b) {
    sum.value += parts[b].value;
    sum.force += parts[b].force;
    sum.torque += parts[b].torque;
    weight += weights[b];
  }
  sum.value /= weight;
  sum.force /= weight;
  sum.torque /= weight;
  return sum;
}

}  // namespace

RigidSlopes::RigidSlopes(const MapSpline& map, const RigidModel& model, Device device)
    : map_(map), model_(model), centre_(model.centre()) {
  if (model.positions.empty() || model.weights.size() != model.positions.size())
    throw Error("fit: a model of atoms with a weight each is needed", Error::Kind::usage);
  if (!device.is_cuda()) return;
  require_memory(memory(map.grid(), model.positions.size()), device, "fit");
  cuda_ = rigid_slopes_cuda(map, model, device);
}

RigidSlopes::~RigidSlopes() = default;

RigidSlope RigidSlopes::at(const RigidMotion& motion, Job& job) const {
  const glm::dvec3 centre = motion(centre_);
  if (!cuda_) return slope_on_cpu(map_, model_, motion, centre, job);
  job.check();
  double sums[8];
  cuda_->sums(motion, centre, sums);
  const double weight = sums[7];
  return {sums[0] / weight, glm::dvec3(sums[1], sums[2], sums[3]) / weight,
          glm::dvec3(sums[4], sums[5], sums[6]) / weight};
}

}  // namespace isolume
