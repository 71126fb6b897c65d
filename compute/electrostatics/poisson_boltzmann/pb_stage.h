// One box of a Poisson-Boltzmann computation: its problem, its solution and the values read from it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/electrostatics/poisson_boltzmann/pb_harmonic_fit.h"
#include "compute/electrostatics/poisson_boltzmann/pb_solver.h"
#include "compute/molecular_surface/molecular_surface.h"

namespace isolume {

/// A box's nodes; `first` is where the grid that was asked for begins.
struct PbBox {
  glm::dvec3 origin{0.0}, step{1.0};
  glm::ivec3 counts{0}, first{0};

  glm::dvec3 end() const { return origin + step * glm::dvec3(counts - 1); }
  PbBox coarser() const { return {origin, 2.0 * step, (counts - 1) / 2 + 1, glm::ivec3(0)}; }
  bool contains(glm::dvec3 point) const {
    return glm::all(glm::greaterThanEqual(point, origin)) && glm::all(glm::lessThanEqual(point, end()));
  }
  Grid grid() const;
};

/// What two solutions of one box differ by at the nodes of the solvent that both have; kT/e.
struct PbDifference {
  double square = 0;  ///< sum of the squares
  double values = 0;  ///< sum of the squares of the finer solution
  double most = 0;
  std::size_t count = 0;
};

/// Stages of one computation are of one kind: the ones given to a stage come from the same maker.
class PbStage {
 public:
  explicit PbStage(const PbBox& box) : box_(box) {}
  virtual ~PbStage() = default;
  PbStage(const PbStage&) = delete;
  PbStage& operator=(const PbStage&) = delete;

  /// u on the faces: of another stage's solution around this one, or Debye and Hückel's sums.
  virtual void set_faces(const PbStage* outer, Job& job) = 0;
  /// From the stage with half the steps on the same box.
  virtual void take_faces(const PbStage& finer) = 0;
  /// A first guess inside.
  virtual void start_from(const PbStage& other) = 0;
  /// The same of a kept solution; of nodes that were on the other side of the surface the guess stays.
  virtual void start_from(const PoissonBoltzmannStart& kept) = 0;
  virtual void keep(PoissonBoltzmannStart& kept) const = 0;
  virtual void solve(Job& job) = 0;

  /// The reaction potential (kT/e) at the charges within the box.
  virtual void reaction(std::span<double> values, std::span<char> known) const = 0;
  /// What the ions add to the solvation energy where the equation is not linear, kT.
  virtual double ion_energy() const = 0;
  /// The potential on a grid whose nodes are this stage's; times `unit`.
  virtual void potential(const Grid& grid, Span<float> values, double unit, Job& job) const = 0;
  /// Of a stage of the same box with steps twice as long.
  virtual PbDifference difference(const PbStage& coarser) const = 0;
  /// Of every charged atom in the box, 1 where none of the eight nodes about it is in the solute.
  virtual std::vector<std::uint8_t> without_nodes() const = 0;
  virtual bool solute_on_faces() const = 0;

  const PbBox& box() const { return box_; }
  PbProgress progress;
  /// Nodes of potential()'s grid that need Coulomb's part in the solute: 1; empty: all. Others may be without.
  std::span<const std::uint8_t> wanted;

 protected:
  const PbBox box_;
};

/// Makes the stages of one computation, and outlives them.
class PbStageMaker {
 public:
  virtual ~PbStageMaker() = default;
  /// Surfaces and coefficients of a box.
  virtual std::unique_ptr<PbStage> make(const PbBox& box, Job& job) = 0;
};

/// `atoms` and `options` must live as long as the maker.
std::unique_ptr<PbStageMaker> pb_stages_host(std::span<const ChargedSphere> atoms,
                                             const PoissonBoltzmannOptions& options);
/// `boxes` will be made, from the widest to the one with the shortest steps.
std::unique_ptr<PbStageMaker> pb_stages_cuda(std::span<const ChargedSphere> atoms,
                                             const PoissonBoltzmannOptions& options, std::span<const PbBox> boxes,
                                             Device device);

/// What both kinds take from the options.
double pb_bjerrum(const PoissonBoltzmannOptions& options);
double pb_ion_radius(const PoissonBoltzmannOptions& options);
/// The atoms and the solvent of the sums on the outermost faces.
std::vector<ChargedSphere> pb_face_spheres(std::span<const ChargedSphere> atoms,
                                           const PoissonBoltzmannOptions& options);
DebyeHueckelOptions pb_face_solvent(const PoissonBoltzmannOptions& options);
PbNodes pb_nodes(const PbBox& box);
/// How Coulomb's potential is summed at so many nodes of the solute, on all devices.
enum class PbSoluteSum : unsigned char {
  pairs,     ///< one by one
  lattices,  ///< CoulombSum's
  map,       ///< fast_direct_potential() of the whole grid: of many nodes and charges too few for lattices
};
PbSoluteSum pb_solute_sum(std::size_t charges, std::size_t nodes);
/// The atoms of the surfaces, and the surfaces: of the dielectric, and of the ions.
std::vector<DensityAtom> pb_surface_atoms(std::span<const ChargedSphere> atoms);
MolecularSurfaceOptions pb_dielectric_surface(const PoissonBoltzmannOptions& options);
MolecularSurfaceOptions pb_ion_surface(const PoissonBoltzmannOptions& options);

}  // namespace isolume
