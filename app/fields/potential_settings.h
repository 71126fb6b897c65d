// The options of a potential's method as the settings of a field say.
#pragma once

#include <span>

#include "app/scene/scene.h"
#include "compute/electrostatics/method.h"

namespace isolume {

/// The options of the method but for what depends on the charges. Throws Error (usage) where the settings make no sense
/// together, or a periodic cell is asked for and `cell` is none.
PotentialOptions basic_options(const PotentialSettings& settings, const Cell& cell);

/// What the settings of a field come to for these charges: where they say automatic, the direct sum if it takes about a
/// second at most and nothing is periodic, else multilevel summation; the parameters of that and of spme by
/// choose_parameters(). `moving`: it is for every frame of a trajectory, and the direct sum may take a hundredth of a
/// second. Throws Error (usage).
PotentialOptions settled_options(const PotentialSettings& settings, const Cell& cell,
                                 std::span<const ChargedSphere> spheres, const Grid& grid, Device device,
                                 bool moving = false);

}  // namespace isolume
