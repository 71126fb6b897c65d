// What the solute and the solvent are at every node, where they are not the same everywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "compute/electrostatics/poisson_boltzmann/pb_problem.h"
#include "compute/molecular_surface/surface_arcs.h"

namespace isolume {

struct PbBox;  // pb_stage.h

/// The membrane, and what of its slab is water.
class PbSlab {
 public:
  /// `options` has a membrane.
  PbSlab(std::span<const ChargedSphere> atoms, const PoissonBoltzmannOptions& options, Job& job);

  /// Whether a point that is outside of the solute is membrane.
  bool holds(glm::dvec3 point) const;
  double lower() const { return lower_; }
  double upper() const { return upper_; }

 private:
  void find_enclosed(std::span<const ChargedSphere> atoms, const PoissonBoltzmannOptions& options, Job& job);

  double lower_ = 0, upper_ = 0;
  double radius_ = 0;  ///< of a cylinder; 0 for none
  glm::dvec2 axis_{0.0};
  /// About the solute in the slab: whether a point is membrane, enclosed water, or solute.
  enum class Kind : std::uint8_t { membrane, water, solute };
  Grid grid_;
  std::vector<Kind> kinds_;
};

/// Of the nodes of a box.
struct PbMedia {
  std::vector<std::uint8_t> membrane;  ///< 1 where the solvent is the membrane; empty without one
  std::vector<float> share;            ///< of the membrane in a node's cell, whose height a face may cut
  std::vector<float> solute;           ///< permittivity of the solute there; empty where it has one
  double lower = 0, upper = 0;         ///< faces of the membrane
  double permittivity = 0;             ///< of the membrane
  CoulombSum* bare = nullptr;          ///< PbMediaMaker::bare_sum(); null: the sum of the call alone
  CoulombSum* screened = nullptr;      ///< screened_sum()
};

/// Data shared by all boxes.
class PbMediaMaker {
 public:
  PbMediaMaker(std::span<const ChargedSphere> atoms, const PoissonBoltzmannOptions& options, Job& job);
  ~PbMediaMaker();
  /// `problem` has its box.
  PbMedia make(const PbProblem& problem, Job& job) const;
  /// Depths below the dielectric surface. One box after another, not at once.
  void dielectric_depth(const PoissonBoltzmannOptions& options, const Grid& grid, Span<float> depth, Job& job) const;
  /// Charges times the options' permittivity of the solute over their own: their Coulomb potential in the options'.
  std::span<const ChargedSphere> screened() const { return screened_.empty() ? atoms_ : screened_; }
  /// Coulomb's sums of the atoms' charges, and of those of screened(), on the processor. One call after another.
  CoulombSum* bare_sum() const { return bare_sum_.get(); }
  CoulombSum* screened_sum() const { return screened_sum_ ? screened_sum_.get() : bare_sum(); }

 private:
  std::span<const ChargedSphere> atoms_;
  std::vector<ChargedSphere> screened_;  ///< empty where all are the same
  double permittivity_, membrane_ = 0;
  std::optional<PbSlab> slab_;
  std::unique_ptr<CoulombSum> bare_sum_, screened_sum_;
  mutable std::unique_ptr<SurfaceArcs> arcs_;  ///< of the dielectric surface, from the first box on
};

/// The problem of a box, its surfaces included.
void pb_form(std::span<const ChargedSphere> atoms, const PbMediaMaker& media, const PbBox& box,
             const PoissonBoltzmannOptions& options, PbProblem& problem, Job& job);

/// Whether a problem has to be formed so, on all devices; else a device may form it itself.
bool pb_formed_by_host(std::span<const ChargedSphere> atoms, const PoissonBoltzmannOptions& options);

/// Atoms with their charges so scaled; empty where no atom has a permittivity of its own.
std::vector<ChargedSphere> pb_screened(std::span<const ChargedSphere> atoms, const PoissonBoltzmannOptions& options);

}  // namespace isolume
