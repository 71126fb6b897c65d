// Maps of the electrostatic potential by any of the methods.
#pragma once

#include <span>
#include <vector>

#include "app/fields/field_atoms.h"
#include "app/fields/potential_options.h"

namespace isolume {

/// The parts of the molecule that the charges of charged_spheres() belong to, in their order: residues, chains, and one
/// complex. A file without residues is one group.
std::shared_ptr<const HcpHierarchy> charge_parts(const FieldRequest& request);

/// The grid for the potential of `spheres` where the request names none: its spacing (0: by size), around the charges;
/// the cell where it is periodic along all three axes. Throws Error (usage) for absurd sizes.
Grid potential_map_grid(const FieldRequest& request, std::span<const ChargedSphere> spheres,
                        const PotentialOptions& options);

/// Bytes of `device` that potential_map() takes, the map included.
std::size_t potential_map_memory(std::span<const ChargedSphere> spheres, const Grid& grid,
                                 const PotentialOptions& options, Device device);

/// What the maps of consecutive frames share. Results do not depend on it.
struct PotentialRoom {
  std::vector<PointCharge> charges;  ///< of the last map, divided by charge_divisor()
  MsmField msm;                      ///< of the last map, where that was msm on a CUDA device

  /// Gives back what is too large to be held between frames.
  void end_frame();
};

/// The potential in volts at the points of a grid, on the device of `potential`. Throws Error.
void potential_map(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options,
                   Span<float> potential, Job& job, PotentialRoom* room = nullptr);

/// A cutoff sum that reaches from every charge to every point: the direct sum with a dielectric that depends on the
/// distance.
CutoffOptions cutoff_of_everything(std::span<const ChargedSphere> spheres, const Dielectric& dielectric,
                                   std::span<const glm::dvec3> points);

}  // namespace isolume
