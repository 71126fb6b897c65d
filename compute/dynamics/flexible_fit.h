// A flexible fit: dynamics in which a density map pulls a model into it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "compute/dynamics/map_pull.h"

namespace isolume {

struct FlexibleFitOptions {
  MapPullOptions pull;
  double resolution = 5;       ///< angstrom, of the correlations
  double length = 20;          ///< ps
  double time_step = 0.001;    ///< ps
  double temperature = 300;    ///< K
  double friction = 1;         ///< 1/ps, of Langevin dynamics
  std::uint64_t seed = 1;      ///< the same seed gives the same run
  std::size_t every = 50;      ///< steps between samples
  std::size_t minimise = 200;  ///< steps downhill before
  Device device;               ///< of all forces and of the correlations
};

struct FlexibleFitSample {
  double time = 0;         ///< ps
  double correlation = 0;  ///< of the map and the model's
  double temperature = 0;  ///< K
  Frame frame;             ///< where the atoms are
};

/// What is fitted into what.
struct FlexibleFitInput {
  std::shared_ptr<const Molecule> molecule;  ///< with a force field
  Frame frame;                               ///< where it begins
  std::vector<std::uint32_t> atoms;          ///< that the map pulls
  std::shared_ptr<const Volume> map;
  std::string name;    ///< of the map, in messages
  std::string remedy;  ///< what helps where map and model do not meet
};

/// Runs it without periodicity: the restraints of MapPull, electrostatics by hierarchical charge
/// partitioning in a sigmoidal dielectric, Lennard-Jones pairs to 12 angstrom. sample() is called from the calling
/// thread with the start, then after every so many steps. Progress is the part of the time. Throws Error (usage) where
/// there is no force field, and as MapPull, check_dynamics(); Error (cancelled) within a step; DeviceFault.
void flexible_fit(const FlexibleFitInput& input, const FlexibleFitOptions& options, Job& job,
                  const std::function<void(FlexibleFitSample)>& sample);

}  // namespace isolume
