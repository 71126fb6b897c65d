// Lennard-Jones energies and forces of listed pairs: the bodies.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/dynamics/lennard_jones_math.h"
#include "compute/dynamics/neighbour_list.h"
#include "molecule/force_field/force_field.h"

namespace isolume {

/// Types and their tables as the bodies read them: A and B of types s and t stand at pairs[2 (s types + t)] and after.
struct LennardJonesTable {
  std::vector<std::uint32_t> types;  ///< per atom
  std::uint32_t count = 0;
  std::vector<float> pairs;

  explicit LennardJonesTable(const ForceField& field);
};

/// The sum over the pairs of a list on the CPU, in vectors of single precision, summed in double. Made once, used with
/// many positions; results do not depend on the number of threads.
class LennardJonesCpu {
 public:
  LennardJonesCpu(const ForceField& field, const ImageBox& box, const LennardJonesOptions& options);

  /// Adds the forces (kcal/(mol angstrom)) on all atoms and returns the energy where it is wanted, else 0. Accuracy:
  /// 2e-5 of the RMS force against molecular_energy_reference(). Throws Error (cancelled).
  double add(std::span<const glm::dvec3> positions, const NeighbourList& list, bool energy,
             std::span<glm::dvec3> forces, Job& job);

 private:
  LennardJonesTable table_;
  ImageBox box_;
  SwitchedCutoff<float> cutoff_;
  std::vector<float> x_, y_, z_;
  std::vector<double> energies_;  ///< of the parts, added up in their order
};

}  // namespace isolume
