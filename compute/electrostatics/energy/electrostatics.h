// Electrostatics: energies and forces of point charges on themselves, whatever the method.
#pragma once

#include <array>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/base/stream.h"
#include "compute/electrostatics/charges/exclusions.h"
#include "molecule/cell.h"

namespace isolume {

/// What does not change from step to step.
struct ElectrostaticProblem {
  std::vector<float> charges;  ///< e, one per atom
  PairExclusions exclusions;
  Cell cell;  ///< of a periodic system; methods without periodicity leave it aside

  std::size_t atoms() const { return charges.size(); }
  double total_charge() const;
  /// Throws Error (usage) where there are no charges, one is not finite, or the exclusions are not those of the atoms.
  void check(const char* what) const;
};

/// Energies in kcal/mol by where they come from, and the virial. Methods differ in the parts, not in their sum.
///
/// The virial W_ab = -dE/d(strain_ab), with positions and cell strained together; its trace is the energy (Coulomb's
/// law is homogeneous of degree -1, in a periodic system too), and the electrostatic pressure is trace / (3 volume).
struct ElectrostaticSums {
  double pairs = 0;                ///< the short-ranged part, over pairs
  double long_range = 0;           ///< from a mesh, lattices or waves
  double self = 0;                 ///< of each charge with its own smooth part
  double background = 0;           ///< of a net charge with the uniform background that neutralises it
  double exclusions = 0;           ///< correction for excluded and scaled pairs
  std::array<double, 6> virial{};  ///< xx, yy, zz, xy, xz, yz in kcal/mol; see has_virial
  bool has_virial = false;

  double energy() const { return pairs + long_range + self + background + exclusions; }
};

/// Parts of the forces that change at different speeds.
enum class ElectrostaticPart {
  all,
  near,  ///< pairs within the cutoff, and the 1/r that the exclusions keep of their pairs
  far,   ///< what a mesh or lattices sum, less what they sum of excluded and scaled pairs
};

/// What an evaluation fills; spans that are empty are not computed. Memory of the device that computes.
struct ElectrostaticOutput {
  Span<glm::vec3> forces;  ///< kcal/(mol angstrom), one per atom
  Span<float> energies;    ///< kcal/mol, one per atom: half of its charge times the potential there; they add up to E
  bool sums = true;        ///< energies and the virial are wanted (forces alone are faster)
  ElectrostaticPart part = ElectrostaticPart::all;  ///< one part where the method splits(): forces alone
};

/// A method, prepared for one problem on one device: plans, tables and memory are made once, an evaluation allocates
/// nothing after the first. E = 1/2 sum_ij q_i q_j / (4 pi eps0 r_ij) with exclusions, over all images where the method
/// is periodic. Distinct atoms within 1e-4 angstrom of each other do not interact. Not for several threads at once.
class Electrostatics {
 public:
  virtual ~Electrostatics() = default;
  Electrostatics(const Electrostatics&) = delete;
  Electrostatics& operator=(const Electrostatics&) = delete;

  const ElectrostaticProblem& problem() const { return problem_; }
  Device device() const { return device_; }
  /// Where a CUDA body works: put what comes before and after an evaluation there.
  Stream& stream() { return *stream_; }

  /// "spme": as on the command line.
  virtual std::string name() const = 0;
  /// The parameters in one line, for reports.
  virtual std::string describe() const = 0;
  /// Bytes taken on the device.
  virtual std::size_t memory() const = 0;
  /// Whether it computes the near and the far part of the forces by themselves.
  virtual bool splits() const { return false; }
  /// The same problem in another cell (constant pressure). Throws Error (usage) where the method cannot use it.
  virtual void set_cell(const Cell& cell);

  /// Positions in angstrom, one per atom, on device(); with periodicity anywhere in space. Returns when all is done.
  /// Throws Error (usage) for sizes that differ and spans of another device, for a part with energies or by a method
  /// that does not split, and for positions that are not finite where sums are wanted.
  ElectrostaticSums evaluate(Span<const glm::vec3> positions, const ElectrostaticOutput& out, Job& job);

  /// The same without waiting: on CUDA it is put into stream(). sums() waits and gives those of the last evaluation
  /// that wanted them.
  void start(Span<const glm::vec3> positions, const ElectrostaticOutput& out, Job& job);
  virtual ElectrostaticSums sums() = 0;

 protected:
  Electrostatics(ElectrostaticProblem problem, Device device, const char* what);
  virtual void compute(Span<const glm::vec3> positions, const ElectrostaticOutput& out, Job& job) = 0;

  ElectrostaticProblem problem_;

 private:
  Device device_;
  std::unique_ptr<Stream> stream_;
};

/// Every pair, 1/r, without periodicity. O(atoms^2); the measure of all others for isolated systems.
/// Accuracy: 1e-5 of the RMS force against direct_energy_reference().
std::unique_ptr<Electrostatics> direct_electrostatics(ElectrostaticProblem problem, Device device);

/// Energies and forces in plain double precision.
struct ElectrostaticReference {
  std::vector<glm::dvec3> forces;
  std::vector<double> energies;
  ElectrostaticSums sums;
};

/// Every pair in one loop, without periodicity.
ElectrostaticReference direct_energy_reference(const ElectrostaticProblem& problem,
                                               std::span<const glm::dvec3> positions);
/// Ewald's sum to convergence (1e-12), periodic along the three cell vectors: conducting surroundings, no surface term,
/// a uniform background for a net charge. For tests: O(atoms^2).
ElectrostaticReference ewald_energy_reference(const ElectrostaticProblem& problem,
                                              std::span<const glm::dvec3> positions);

/// Positions in double precision.
std::vector<glm::dvec3> precise(std::span<const glm::vec3> positions);

}  // namespace isolume
