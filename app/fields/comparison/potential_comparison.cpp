// Methods of the potential on one grid: their maps, times and errors, and the differences to one of them.
#include "app/fields/comparison/potential_comparison.h"

#include <fmt/format.h>

#include <array>

#include "app/fields/potential_field.h"
#include "molecule/base/error.h"

namespace isolume {

PotentialComparison compare_potentials(FieldRequest request, std::span<const PotentialSettings> settings,
                                       std::size_t reference, int repeats, Job& job,
                                       std::span<const std::shared_ptr<const FieldAtoms>> own_atoms) {
  if (settings.size() < 2 || settings.size() > most_compared || reference >= settings.size())
    throw Error(fmt::format("a comparison of {} methods with number {}; expected two to {}", settings.size(),
                            reference + 1, most_compared),
                Error::Kind::usage);
  PotentialComparison result;
  result.reference = reference;
  request.field.kind = Field::Kind::potential;
  const std::array<Device, 1> devices{request.device};
  const auto atoms = request.atoms ? request.atoms : field_atoms(request.field, request.molecule, request.frame);
  for (std::size_t side = 0; side < settings.size(); ++side) {
    request.field.potential = settings[side];
    const FieldAtoms& its = side < own_atoms.size() && own_atoms[side] ? *own_atoms[side] : *atoms;
    const PotentialPlan plan = plan_potential(request.field, its, request.device, request.grid);
    if (result.sides.empty()) result.grid = plan.grid;
    request.grid = result.grid;
    result.charges = plan.spheres.size();
    result.sides.push_back(compared_side(plan.spheres, seen_from(result.grid, plan.origin), plan.options, devices,
                                         repeats, quick_error_points(plan.spheres.size()), job));
  }
  result.differences = differences_of(result.grid, result.sides, reference);
  return result;
}

}  // namespace isolume
