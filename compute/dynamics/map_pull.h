// A density map that pulls a model into it during dynamics, with restraints that keep its shape (MDFF).
#pragma once

#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "compute/density_maps/map_potential.h"
#include "compute/density_maps/map_series.h"
#include "compute/dynamics/dynamics.h"
#include "compute/dynamics/fit_restraints.h"
#include "molecule/force_field/force_field.h"
#include "molecule/molecule.h"

namespace isolume {

/// Which shapes are kept.
enum class MapRestraints {
  all,      ///< helices and strands, chiral centres, peptide bonds
  centres,  ///< not helices and strands
  none,
};

struct MapPullOptions {
  double scale = 0.3;    ///< kcal/mol per Da
  double threshold = 0;  ///< level of the map below which it does not pull
  MapRestraints restraints = MapRestraints::all;
};

/// A map and the atoms that it pulls, each with its mass. What is given lives at least as long.
class MapPull {
 public:
  /// `atoms` of the molecule, with their positions in `frame`. Throws Error (usage) where none of them is in the box of
  /// the map, which `name` names and `remedy` helps with, where there are none, and as MapPotential does.
  MapPull(std::shared_ptr<const Volume> map, const Molecule& molecule, const Frame& frame,
          std::vector<std::uint32_t> atoms, const MapPullOptions& options, const std::string& name,
          const std::string& remedy);

  /// The force field with the restraints of the frame among its impropers.
  std::shared_ptr<const ForceField> restrained(const ForceField& field) const;
  const FitRestraints& restraints() const { return restraints_; }
  void apply(Dynamics& dynamics) const;
  /// Prepares correlation() on a device: of the map with that of the model's pulled atoms at a resolution (angstrom),
  /// atomic numbers as weights. Throws as check_resolution().
  void measure(double resolution, Device device);
  bool measures() const { return series_ != nullptr; }
  /// Of these positions of all atoms, after measure(); on CUDA from the thread that called that.
  double correlation(std::span<const glm::vec3> positions, Job& job) const;

  std::size_t atoms() const { return atoms_.size(); }
  /// Atoms outside of the map's box, where it does not pull.
  std::size_t outside() const { return outside_; }
  double threshold() const { return potential_->threshold(); }

 private:
  const Molecule& molecule_;
  std::shared_ptr<const Volume> volume_;
  std::shared_ptr<const MapPotential> potential_;
  std::vector<std::uint32_t> atoms_;
  std::vector<double> weights_;  ///< of all atoms
  std::size_t outside_ = 0;
  std::string name_;
  std::unique_ptr<MapSeries> series_;  ///< after measure()
  FitRestraints restraints_;
};

}  // namespace isolume
