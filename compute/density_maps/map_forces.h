// Forces of a density map on the atoms of a simulation, on the device that it runs on.
#pragma once

#include <glm/glm.hpp>
#include <memory>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/base/stream.h"
#include "compute/density_maps/map_potential.h"

namespace isolume {

/// A potential and the weight of each atom; on a CUDA device both are copied there once. Double precision on all
/// devices, which agree to 1e-12 of the sum of sizes of terms; on each the same input gives the same bits. Bytes on a
/// CUDA device: memory().
class MapForces {
 public:
  MapForces(std::shared_ptr<const MapPotential> potential, std::vector<double> weights, Device device);
  ~MapForces();
  /// Adds to `forces` (kcal/(mol angstrom)) of as many atoms as there are weights, in `stream` of the device; returns
  /// the energy, kcal/mol. Throws Error (usage) for other numbers of atoms.
  double add(Span<const glm::dvec3> positions, Span<glm::dvec3> forces, Stream& stream, Job& job) const;
  static std::size_t memory(const Grid& map, std::size_t atoms) { return map.size() * 8 + atoms * 9; }

  class OnCuda;

 private:
  std::shared_ptr<const MapPotential> potential_;
  std::vector<double> weights_;
  std::unique_ptr<OnCuda> cuda_;
};

/// The CUDA body.
class MapForces::OnCuda {
 public:
  virtual ~OnCuda() = default;
  virtual double add(const glm::dvec3* positions, glm::dvec3* forces, Stream& stream) const = 0;
};
std::unique_ptr<MapForces::OnCuda> map_forces_cuda(const MapPotential& potential, const std::vector<double>& weights,
                                                   Device device);

}  // namespace isolume
