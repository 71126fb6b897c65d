// The CUDA bodies of the density's derivatives and of its potential; only the dispatchers and the bodies include this.
#pragma once

#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/base/stream.h"
#include "compute/electron_density/density_derivatives.h"
#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/hermite_density.h"
#include "compute/orbitals/density_functions.h"
#include "molecule/grid.h"

namespace isolume {

/// Sums of one or two sets of functions at points (bohr), one list for each set. Shells are screened as they are cut.
std::vector<std::vector<DensityDerivatives>> derivatives_at_points_cuda(std::span<const DensityFunctions* const> sets,
                                                                        std::span<const glm::dvec3> points,
                                                                        DensityOrder order, Device device, Job& job);

/// A field that a grid is filled with, as the dispatcher asks for it.
struct MeasureTask {
  DensityMeasure measure;
  DensityOrder order;
  int levels;    ///< coarser grids from which it is interpolated; 0: every point is computed
  double scale;  ///< of sums (refinement_scale)
  bool mixed;    ///< interpolated with mixed derivatives
  int slabs;     ///< that are done one after another
};

/// One field on a grid. Two sets are those of the spins; one is that of both, of which the spins are halves. Returns
/// how many points were computed.
std::size_t measure_on_grid_cuda(std::span<const DensityFunctions* const> sets, const MeasureTask& task,
                                 const Grid& grid, Span<float> values, Job& job);

/// Where the values of a grid's points go to: a field of one number, or sums by set, number and point.
struct DensityTarget {
  float* values = nullptr;
  DensityMeasure measure{};
  double* sums = nullptr;
};

/// Some of a grid's parts of 4 x 4 x 4 points, x fastest, on the device.
struct ChosenParts {
  const unsigned* list = nullptr;
  std::size_t count = 0;
};

/// The density's derivatives for what computes on the device with them: by point density, gradient, tau and Hessian.
class DerivativesCuda {
 public:
  static constexpr std::size_t numbers = 11;       ///< of a point
  static constexpr std::size_t mixed_numbers = 8;  ///< the same of fill_mixed()

  DerivativesCuda(const DensityFunctions& functions, const Stream& stream);
  /// Of one set, or of both spins.
  DerivativesCuda(std::span<const DensityFunctions* const> sets, const Stream& stream);
  ~DerivativesCuda();
  DerivativesCuda(const DerivativesCuda&) = delete;
  DerivativesCuda& operator=(const DerivativesCuda&) = delete;

  /// On a grid (angstrom), x fastest, into memory of the stream's device; what `order` does not ask for is not written.
  /// Returns before the last of it is done.
  void on_grid(const Grid& grid, DensityOrder order, double* sums, Stream& stream, Job& job) const;
  /// A field or sums on a grid (angstrom), x fastest; of all points or in the chosen parts. Returns before the last of
  /// it is done.
  void fill(const Grid& grid, DensityOrder order, const DensityTarget& target, const ChosenParts* chosen,
            Stream& stream, Job& job) const;
  /// The density and its mixed derivatives (MixedDensity) on a grid (angstrom), x fastest, by set; of all points or in
  /// the chosen parts. Returns before the last of it is done.
  void fill_mixed(const Grid& grid, double* sums, const ChosenParts* chosen, Stream& stream, Job& job) const;
  /// At points (bohr) on the device, three numbers each.
  void at_points(const double* points, std::size_t count, DensityOrder order, double* sums, Stream& stream,
                 Job& job) const;

 private:
  struct Sets;
  std::unique_ptr<Sets> sets_;
};

/// Nuclei and electrons whose potential is summed.
struct PotentialSources {
  const HermiteDensity& density;
  std::span<const glm::dvec3> centres;  ///< of the nuclei, bohr
  std::span<const double> charges;      ///< of the nuclei; those of 0 cost nothing
};

/// Potential, and where it is not empty the field, at points (bohr), in double precision.
void potential_at_points_cuda(const PotentialSources& sources, std::span<const glm::dvec3> points,
                              std::span<double> potential, std::span<glm::dvec3> field, Device device, Job& job);

/// `factor` times the potential, or times the length of the field, on a grid. Values above 1e30 become 1e30.
void potential_on_grid_cuda(const PotentialSources& sources, bool field, double factor, const Grid& grid,
                            Span<float> values, Job& job);

}  // namespace isolume
