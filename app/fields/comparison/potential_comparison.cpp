// Methods of the potential on one grid: their maps, times and errors, and the differences to one of them.
#include "app/fields/comparison/potential_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "app/fields/potential_field.h"
#include "molecule/base/error.h"

namespace isolume {

namespace {

/// Volts for each unit of a map. Throws Error (usage).
double volts_of(const PotentialSide& side) {
  PotentialSettings settings = side.settings;
  const std::string& unit = side.map->unit;
  if (unit.empty()) return 1 / per_volt(settings);
  for (const auto known :
       {PotentialSettings::Unit::volt, PotentialSettings::Unit::thermal, PotentialSettings::Unit::kcal}) {
    settings.unit = known;
    if (unit == name(known)) return 1 / per_volt(settings);
  }
  throw Error(fmt::format("{} is in {}, which is no unit of a potential (V, kT/e, kcal/mol/e)", side.title, unit),
              Error::Kind::usage);
}

/// "65 x 65 x 65, 0.5 x 0.5 x 0.5 A apart, from -8 -8 -8": maps of as many points may differ in where these are.
std::string points_text(const Grid& grid) {
  return fmt::format("{} x {} x {}, {:.3g} x {:.3g} x {:.3g} A apart, from {:.4g} {:.4g} {:.4g}", grid.counts.x,
                     grid.counts.y, grid.counts.z, glm::length(grid.step[0]), glm::length(grid.step[1]),
                     glm::length(grid.step[2]), grid.origin.x, grid.origin.y, grid.origin.z);
}

/// A corner of the one grid is beyond the box of the other.
bool reaches_beyond(const Grid& grid, const Grid& other) {
  for (int corner = 0; corner < 8; ++corner) {
    const glm::dvec3 last(grid.counts - 1), side(corner & 1, corner >> 1 & 1, corner >> 2);
    const glm::dvec3 at = other.coordinates(grid.point(side.x * last.x, side.y * last.y, side.z * last.z));
    for (int axis = 0; axis < 3; ++axis)
      if (at[axis] < -1e-3 || at[axis] > other.counts[axis] - 1 + 1e-3) return true;
  }
  return false;
}

void check_maps(std::span<const PotentialSide> sides, const std::optional<Grid>& grid, bool resample) {
  for (const PotentialSide& side : sides) {
    if (!side.map || same_points(side.map->grid, *grid)) continue;
    if (!resample)
      throw Error(fmt::format("{} has other points ({}) than the first map ({}): \"Resample\" interpolates it",
                              side.title, points_text(side.map->grid), points_text(*grid)),
                  Error::Kind::usage);
    if (reaches_beyond(*grid, side.map->grid))
      throw Error(fmt::format("the first map reaches beyond {}: make {} the first, whose points count for all",
                              side.title, side.title),
                  Error::Kind::usage);
  }
}

}  // namespace

PotentialComparison compare_potentials(FieldRequest request, std::span<const PotentialSide> sides,
                                       std::size_t reference, int repeats, bool resample, Job& job) {
  if (sides.size() < 2 || sides.size() > most_compared || reference >= sides.size())
    throw Error(fmt::format("a comparison of {} potentials with number {}; expected two to {}", sides.size(),
                            reference + 1, most_compared),
                Error::Kind::usage);
  PotentialComparison result;
  result.reference = reference;
  request.field.kind = Field::Kind::potential;
  const auto map =
      std::find_if(sides.begin(), sides.end(), [](const PotentialSide& side) { return side.map != nullptr; });
  if (map != sides.end()) request.grid = map->map->grid;
  check_maps(sides, request.grid, resample);
  const std::array<Device, 1> devices{request.device};
  std::shared_ptr<const FieldAtoms> atoms = request.atoms;
  for (const PotentialSide& side : sides) {
    if (side.map) {
      result.sides.push_back(side_of_map(*side.map, side.title, volts_of(side), *request.grid, resample));
      continue;
    }
    request.field.potential = side.settings;
    if (!side.atoms && !atoms) atoms = field_atoms(request.field, request.molecule, request.frame);
    const FieldAtoms& its = side.atoms ? *side.atoms : *atoms;
    const PotentialPlan plan = plan_potential(request.field, its, request.device, request.grid);
    request.grid = plan.grid;
    result.charges = plan.spheres.size();
    result.sides.push_back(compared_side(plan.spheres, plan.near_grid(), plan.options, devices, repeats,
                                         quick_error_points(plan.spheres.size()), job));
  }
  result.grid = *request.grid;
  result.differences = differences_of(result.grid, result.sides, reference);
  return result;
}

}  // namespace isolume
