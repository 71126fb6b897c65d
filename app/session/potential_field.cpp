// The potential as a field of the scene.
#include "app/session/potential_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/frames.h"
#include "app/session/potential_map.h"
#include "app/session/potential_points.h"
#include "compute/memory.h"
#include "molecule/error.h"

namespace isolume {
namespace {

constexpr int most_tries = 3;
constexpr double finest = 2e-5;  // what plan_msm() can be asked for

Cell cell_of(const FieldRequest& request) {
  return frame_at(*request.molecule, request.frame).cell;
}

}  // namespace

PotentialPlan plan_potential(const FieldRequest& request) {
  PotentialPlan plan;
  plan.spheres = charged_spheres(request);
  for (const ChargedSphere& sphere : plan.spheres) plan.total_charge += static_cast<double>(sphere.charge);
  const PotentialSettings& settings = request.field.potential;
  const Cell cell = cell_of(request);
  plan.grid = potential_map_grid(request, plan.spheres, basic_options(settings, cell));
  plan.options = settled_options(settings, cell, plan.spheres, plan.grid, request.device);
  if (plan.options.method == PotentialMethod::hcp) plan.options.parts = charge_parts(request);
  plan.bytes = potential_map_memory(plan.spheres, plan.grid, plan.options, request.device);
  return plan;
}

MapError compute_potential(const FieldRequest& request, PotentialPlan& plan, Span<float> values, Job& job) {
  double accuracy = request.field.potential.accuracy;
  for (int attempt = 1;; ++attempt) {
    require_memory(plan.bytes, request.device, "electrostatic potential");
    potential_map(plan.spheres, plan.grid, plan.options, values, job);
    const MapError error = potential_map_error(plan.spheres, plan.grid, plan.options, values, job,
                                               quick_error_points(plan.spheres.size()));
    const bool fine = !has_accuracy(plan.options.method) || error.relative <= request.field.potential.accuracy;
    if (fine || attempt == most_tries || accuracy <= finest) return error;
    accuracy = std::max(finest, accuracy / 3);
    choose_parameters(accuracy, plan.spheres, plan.grid, request.device, plan.options);
    plan.bytes = potential_map_memory(plan.spheres, plan.grid, plan.options, request.device);
  }
}

FieldLegend potential_legend(const Field& field, const PotentialPlan& plan, const MapError& error) {
  const double factor = per_volt(field.potential);
  FieldLegend legend;
  legend.title = "electrostatic potential";
  legend.unit = name(field.potential.unit);
  legend.method = describe(plan.options);
  legend.error = error.rms * factor;
  legend.relative_error = error.relative;
  legend.maximum_error = error.max * factor;
  legend.error_points = error.points;
  legend.total_charge = plan.total_charge;
  if (is_fully_periodic(plan.options)) {
    legend.note = "mean over the cell 0";
    if (std::abs(plan.total_charge) > 1e-3) legend.note += ", neutralised by a uniform background";
  }
  return legend;
}

}  // namespace isolume
