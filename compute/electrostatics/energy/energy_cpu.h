// What the CPU bodies of energies and forces share.
#pragma once

#include <array>
#include <mutex>
#include <vector>

#include "compute/base/job.h"
#include "compute/electrostatics/energy/electrostatics.h"
#include "compute/electrostatics/pairs/pair_loop_cpu.h"

namespace isolume {

/// Forces, energies per atom and sums of one evaluation, in kcal/mol, collected in double precision.
class ForceCollector {
 public:
  /// Begins an evaluation: all zero. Without `several` every atom has one contribution, which put() takes.
  void begin(const ElectrostaticProblem& problem, const ElectrostaticOutput& out, Job& job, bool several = true);
  /// Energies or the virial are wanted.
  bool all() const { return out_.sums || !out_.energies.empty(); }

  /// An atom's sums over its partners, every pair being met from both sides, added to the atom; its share of the energy
  /// and the virial to `energy` and `virial`. One thread at a time for an atom.
  void add_pairs(std::size_t atom, const PairSums& sums, double& energy, double (&virial)[6]);
  void add_force(std::size_t atom, glm::dvec3 force) { forces_[atom] += force; }
  void add_energy(std::size_t atom, double energy) { energies_[atom] += energy; }
  /// Adds to a part of `sums` and to the virial; any thread, in any order: what is added is kept until settle() or
  /// finish() and summed by its index.
  void add_sums(double ElectrostaticSums::*part, std::size_t index, double energy, const double (&virial)[6]);
  /// The last contribution to an atom, with which its force and energy are written; one thread at a time for an atom.
  void put(std::size_t atom, glm::dvec3 force, double energy) {
    if (!out_.forces.empty()) out_.forces.data[atom] = glm::vec3(several_ ? forces_[atom] + force : force);
    if (!out_.energies.empty()) {
      out_.energies.data[atom] = static_cast<float>(several_ ? energies_[atom] + energy : energy);
    }
  }
  /// Where put() will write.
  void expect(std::size_t atom) const {
    if (!out_.forces.empty()) __builtin_prefetch(out_.forces.data + atom, 1);
  }

  /// For excluded and scaled pairs kept/r (the near part) - smooth(r) (the far part), by the nearest image where
  /// `periodic`.
  void add_exclusions(Span<const glm::vec3> positions, const SmoothKernel& smooth, bool periodic, Job& job);
  /// For each atom -smooth(0)/2 q^2.
  void add_self(const SmoothKernel& smooth);
  /// -pi/(2 alpha^2 V) Q^2, of a net charge Q.
  void add_background(double alpha);
  /// Writes forces and energies, and completes `sums`.
  void finish(Job& job);
  /// Completes `sums` alone, after put().
  void settle();

  ElectrostaticSums sums;

 private:
  const ElectrostaticProblem* problem_ = nullptr;
  ElectrostaticOutput out_;
  bool several_ = true;
  std::vector<glm::dvec3> forces_;
  std::vector<double> energies_;
  struct Addend {
    double* to;
    std::size_t index;
    double energy;
    std::array<double, 6> virial;
  };
  std::vector<Addend> addends_;
  std::mutex mutex_;
};

/// The sum over all pairs within the cutoff of `function`, but the excluded and scaled ones. Throws Error (cancelled).
void add_near_pairs_cpu(const ElectrostaticProblem& problem, Span<const glm::vec3> positions,
                        const ShortRange& function, bool periodic, ForceCollector& collector, Job& job);

}  // namespace isolume
