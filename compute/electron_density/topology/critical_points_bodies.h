// What the CPU and the CUDA bodies of critical points do: Newton's iteration from many starts, and paths to maxima.
#pragma once

#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/electron_density/density_derivatives.h"

namespace isolume {

/// One of the two walkers of a bond path. bohr.
struct PathWalker {
  glm::dvec3 position{0};
  double length = 0;  ///< that it has walked
  int maximum = -1;   ///< where it ended
  bool done = false;
  std::vector<glm::dvec3>* trace = nullptr;  ///< the places that it comes to, after the first; of the CPU's body alone
};

/// Searches in one density. One thread at a time.
class DensitySearch {
 public:
  DensitySearch() = default;
  virtual ~DensitySearch() = default;
  DensitySearch(const DensitySearch&) = delete;
  DensitySearch& operator=(const DensitySearch&) = delete;

  /// Where Newton's iteration ends, most places many times. Starts that do not converge, or come to where the density
  /// is below a tenth of `least_density`, are left out. The order does not depend on the number of threads.
  virtual std::vector<glm::dvec3> converge(std::vector<glm::dvec3> starts, double least_density, Job& job) const = 0;
  /// Density, gradient and Hessian.
  virtual std::vector<DensityDerivatives> at(std::span<const glm::dvec3> points, Job& job) const = 0;
  /// Takes each walker along the gradient, upwards, until it is near one of `maxima` or moves no more.
  virtual void follow(std::span<const glm::dvec3> maxima, std::vector<PathWalker>& walkers, Job& job) const = 0;
};

/// The evaluator must outlive it.
std::unique_ptr<DensitySearch> density_search_cpu(const DensityEvaluator& evaluator);
struct DensityFunctions;
/// The functions are copied to the device, and stay there.
std::unique_ptr<DensitySearch> density_search_cuda(const DensityFunctions& functions, Device device);

}  // namespace isolume
