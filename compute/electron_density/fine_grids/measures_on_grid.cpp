// Fields of the density on a grid: which device, and which way on fine grids.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "compute/base/checks.h"
#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "compute/electron_density/density_bodies_cuda.h"
#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/fine_grids/density_refinement.h"
#include "compute/electron_density/fine_grids/mixed_refinement.h"
#include "compute/electron_density/fine_grids/pair_fields.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double left_out = 1e-9;  // of a function of norm 1 (bohr^-3/2), where little density does not count

/// Whether errors count against the field's largest values. Quotients need sums to all their digits where there is
/// little density.
bool has_absolute_error(const DensityMeasureInfo& measure) {
  return std::string_view(measure.unit) != "1";
}

void measure_on_cpu(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid, float* values,
                    Job& job) {
  constexpr int side = 4;
  const Tiling runs{grid.counts, {16 * side, side, side}};
  parallel_for(runs.size(), job, measure.title, [&](std::size_t r) {
    std::array<glm::dvec3, DensityEvaluator::batch> points;
    std::array<DensityDerivatives, DensityEvaluator::batch> alpha, beta;
    std::array<std::size_t, DensityEvaluator::batch> places;
    const glm::ivec3 begin = runs.tile(r) * runs.side;
    const glm::ivec3 end = glm::min(begin + runs.side, grid.counts);
    for (int x = begin.x; x < end.x; x += side) {
      job.check();
      std::size_t count = 0;
      for (int k = begin.z; k < end.z; ++k) {
        for (int j = begin.y; j < end.y; ++j) {
          for (int i = x; i < std::min(x + side, end.x); ++i, ++count) {
            points[count] = units::angstrom_in_bohr * grid.point(i, j, k);
            places[count] = grid.index(i, j, k);
          }
        }
      }
      evaluator.evaluate({points.data(), count}, measure.order, {alpha.data(), count}, {beta.data(), count});
      for (std::size_t n = 0; n < count; ++n) {
        const double value = measure_value(measure.measure, alpha[n], beta[n]);
        values[places[n]] = static_cast<float>(std::min(value, 1e30));
      }
    }
  });
}

}  // namespace

std::size_t measure_on_grid(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid,
                            Span<float> values, Job& job, std::size_t slab_points) {
  check_grid(grid, measure.title);
  check_values(grid, values, measure.title);
  job.check();
  if (values.empty()) return 0;
  const int levels = refinement_levels(grid);
  const double scale = levels > 0 ? refinement_scale(evaluator) : 0;
  const bool mixed = levels > 0 && has_mixed_refinement(measure, grid);
  const int slabs = refinement_slabs(grid, slab_points);
  if (values.device.is_cuda()) {
    const MeasureTask what{measure.measure, measure.order, levels, scale, mixed, slabs};
    if (levels == 0 || !has_absolute_error(measure))
      return measure_on_grid_cuda(evaluator.functions(), what, grid, values, job);
    std::vector<DensityFunctions> cut;
    std::vector<const DensityFunctions*> sets;
    for (const DensityFunctions* const set : evaluator.functions()) cut.emplace_back(*set).cut_below(left_out);
    for (const DensityFunctions& set : cut) sets.push_back(&set);
    return measure_on_grid_cuda(sets, what, grid, values, job);
  }
  if (levels == 0) {
    measure_on_cpu(evaluator, measure, grid, values.data, job);
    return grid.size();
  }
  if (has_pair_fields(measure, grid)) return pair_fields_on_cpu(evaluator, measure, grid, slabs, values.data, job);
  std::size_t computed = 0;
  for (int index = 0; index < slabs; ++index) {
    int first = 0;
    const Grid slab = slab_of(grid, index, slabs, first);
    float* const of_slab = values.data + grid.index(0, 0, first);
    computed += mixed ? mixed_refine_on_cpu(evaluator, measure, slab, levels, scale, of_slab, job)
                      : refine_on_cpu(evaluator, measure, slab, levels, scale, of_slab, job);
  }
  return computed;
}

std::size_t measure_memory(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid,
                           Device device) {
  const std::size_t sets = evaluator.functions().size();
  const bool fine = refinement_levels(grid) > 0;
  if (!device.is_cuda() && fine && has_pair_fields(measure, grid))
    return evaluator.memory() + pair_fields_memory(evaluator, measure, grid, refinement_slabs(grid));
  return evaluator.memory() + (fine && has_mixed_refinement(measure, grid)
                                   ? mixed_refinement_memory(grid, sets)
                                   : refinement_memory(grid, sets, measure.order));
}

}  // namespace isolume
