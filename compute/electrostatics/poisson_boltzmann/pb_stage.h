// One box of a Poisson-Boltzmann computation: its problem, its solution, and what is read from it.
#pragma once

#include "compute/base/device.h"
#include "compute/electrostatics/poisson_boltzmann/pb_solver.h"

namespace isolume {

/// A box's nodes; `first` is where the grid that was asked for begins.
struct PbBox {
  glm::dvec3 origin{0.0}, step{1.0};
  glm::ivec3 counts{0}, first{0};

  glm::dvec3 end() const { return origin + step * glm::dvec3(counts - 1); }
  PbBox coarser() const { return {origin, 2.0 * step, (counts - 1) / 2 + 1, glm::ivec3(0)}; }
};

class PbStage {
 public:
  /// Surfaces and coefficients. `atoms` and `options` must live as long as this.
  PbStage(std::span<const ChargedSphere> atoms, const PbBox& box, const PoissonBoltzmannOptions& options, Device device,
          Job& job);

  /// u on the faces: of another stage's solution around this one, or Debye and Hückel's sums.
  void set_faces(const PbStage* outer, Job& job);
  /// From the stage with half the steps on the same box.
  void take_faces(const PbStage& finer);
  /// A first guess inside.
  void start_from(const PbStage& other);
  /// The same of a kept solution; of nodes that were on the other side of the surface the guess stays.
  void start_from(const PoissonBoltzmannStart& kept);
  void keep(PoissonBoltzmannStart& kept) const;
  void solve(Job& job);

  /// The reaction potential (kT/e) at the charges within the box.
  void reaction(std::span<double> values, std::span<char> known) const;
  std::size_t charges_outside() const;
  /// What the ions add to the solvation energy where the equation is not linear, kT.
  double ion_energy() const;
  /// The potential on a grid whose nodes are this stage's; times `unit`.
  void potential(const Grid& grid, Span<float> values, double unit, Job& job) const;

  PbProblem problem;
  std::vector<double> u;
  PbProgress progress;

 private:
  /// Charges about which no node is in the solute, as on wide grids, act from the nodes about them.
  void keep_lost_charges();
  bool contains(glm::dvec3 point) const;
  /// u at points, as of nodes in the solute or in the solvent.
  void interpolate(std::span<const glm::dvec3> points, std::span<const std::uint8_t> inside, std::span<double> values,
                   Job& job) const;

  std::span<const ChargedSphere> atoms_;
  const PoissonBoltzmannOptions& options_;
  PbBox box_;
  Device device_;
};

}  // namespace isolume
