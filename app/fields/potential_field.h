// The potential as a field of the scene: its grid, its bytes, its map with the measured error, its legend.
#pragma once

#include "app/fields/device_volume.h"
#include "app/fields/field_atoms.h"
#include "compute/electrostatics/method.h"
#include "compute/electrostatics/potential_grid.h"

namespace isolume {

/// What a potential comes to, and what it was planned for.
struct PotentialPlan {
  PotentialSettings settings;
  Device device;
  std::vector<ChargedSphere> spheres;
  PotentialOptions options;
  Grid grid;
  glm::dvec3 origin{0.0};  ///< that the charges are relative to: FieldAtoms::origin
  std::size_t bytes = 0;   ///< of the device, the map included
  double total_charge = 0;
  /// Of Poisson-Boltzmann and hierarchical partitioning: the grid's points whose values are used, 1; empty: all. On the
  /// CPU others in the solute have the reaction potential alone; of hierarchical partitioning they are 0.
  std::vector<std::uint8_t> wanted;
  std::string missed;  ///< why the field's target error is not met; empty where it is, or where there is none

  /// The grid as the charges see it.
  Grid near_grid() const { return seen_from(grid, origin); }
};

/// What a method that is planned for an accuracy was planned with, kept while a trajectory plays: for the same number
/// of charges, and grids whose counts differ by an eighth at most (or by eight).
struct KeptPotential {
  bool known = false;
  PotentialSettings settings;
  Device device;
  std::size_t charges = 0;
  Grid grid;
  PotentialOptions options;
  std::size_t bytes = 0;  ///< for the grid's counts

  std::vector<ChargedSphere> spheres;  ///< memory of the last frame's
  PotentialRoom room;
};

/// The charges, the method as the field's settings say, and `grid`; where there is none, one around the charges, or the
/// cell where it is periodic. Throws Error (usage) where the file has no charges, or periodicity is asked for without a
/// cell. `kept`: of an earlier frame.
PotentialPlan plan_potential(const Field& field, const FieldAtoms& atoms, Device device,
                             const std::optional<Grid>& grid, KeptPotential* kept = nullptr);

/// The map of a plan, into `values` (plan.grid.size(), volts, on plan.device), and its error. Where the error
/// is above the accuracy that the method (msm, spme) was planned for, it is computed again with finer parameters, twice
/// at most; `plan`, and `kept` for the next frame, then have those. Poisson-Boltzmann with a target error is solved
/// again with 1/2, 1/3 or 1/4 of the grid's steps until its estimated error is within; plan.missed says where it is
/// not. With `kept` the plan's charges go back into it.
MapError compute_potential(PotentialPlan& plan, Span<float> values, Job& job, KeptPotential* kept = nullptr);

/// A legend in the unit of the field's settings, without colours: title, unit, method, error, total charge, and what
/// periodic cells need to have said.
FieldLegend potential_legend(const Field& field, const PotentialPlan& plan, const MapError& error);

}  // namespace isolume
