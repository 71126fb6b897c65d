// What the CPU bodies of energies and forces share.
#include "compute/electrostatics/energy/energy_cpu.h"

#include <algorithm>
#include <functional>

#include "compute/base/parallel_for.h"
#include "compute/electrostatics/charges/direct_math.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {
constexpr double coulomb = units::coulomb_kcal_angstrom;

/// use(begin, end) for some atoms at a time.
template <class Use>
void by_part(std::size_t atoms, Job& job, const Use& use) {
  constexpr std::size_t part = 16384;
  parallel_for((atoms + part - 1) / part, job, "atoms",
               [&](std::size_t p) { use(p * part, std::min(atoms, (p + 1) * part)); });
}

}  // namespace

void ForceCollector::begin(const ElectrostaticProblem& problem, const ElectrostaticOutput& out, Job& job,
                           bool several) {
  problem_ = &problem;
  out_ = out;
  several_ = several;
  sums = {};
  sums.has_virial = true;
  addends_.clear();
  if (!several) return;
  forces_.resize(problem.atoms());
  energies_.resize(problem.atoms());
  by_part(problem.atoms(), job, [&](std::size_t begin, std::size_t end) {
    std::fill(forces_.data() + begin, forces_.data() + end, glm::dvec3(0));
    std::fill(energies_.data() + begin, energies_.data() + end, 0.0);
  });
}

void ForceCollector::add_pairs(std::size_t atom, const PairSums& pairs, double& energy, double (&virial)[6]) {
  const double scale = coulomb * static_cast<double>(problem_->charges[atom]);
  forces_[atom] += scale * glm::dvec3(pairs.force[0], pairs.force[1], pairs.force[2]);
  if (!all()) return;
  const double own = scale / 2 * pairs.potential;
  energies_[atom] += own;
  energy += own;
  for (int k = 0; k < 6; ++k) virial[k] += scale / 2 * pairs.virial[k];
}

void ForceCollector::add_sums(double ElectrostaticSums::*part, std::size_t index, double energy,
                              const double (&virial)[6]) {
  if (!all()) return;
  const std::lock_guard lock(mutex_);
  addends_.push_back({&(sums.*part), index, energy, std::to_array(virial)});
}

void ForceCollector::settle() {
  std::sort(addends_.begin(), addends_.end(), [](const Addend& a, const Addend& b) {
    return a.to != b.to ? std::less<>()(a.to, b.to) : a.index < b.index;
  });
  for (const Addend& a : addends_) {
    *a.to += a.energy;
    for (std::size_t k = 0; k < 6; ++k) sums.virial[k] += a.virial[k];
  }
  addends_.clear();
}

void ForceCollector::add_exclusions(Span<const glm::vec3> positions, const SmoothKernel& smooth, bool periodic,
                                    Job& job) {
  const PairExclusions& x = problem_->exclusions;
  if (x.empty()) return;
  // Every row by itself: a pair is met from both sides, and no two threads write to an atom.
  constexpr std::size_t chunk = 4096;
  const std::size_t atoms = problem_->atoms();
  const Cell& cell = problem_->cell;
  const bool near = out_.part != ElectrostaticPart::far, far = out_.part != ElectrostaticPart::near;
  const bool simple = periodic && cell.orthogonal();
  const glm::dvec3 edges = periodic ? cell.lengths() : glm::dvec3(1);
  parallel_for((atoms + chunk - 1) / chunk, job, "excluded pairs", [&](std::size_t part) {
    double energy = 0;
    double virial[6] = {};
    for (std::size_t i = part * chunk; i < std::min(atoms, (part + 1) * chunk); ++i) {
      PairSums pairs;
      for (std::uint32_t k = x.offsets[i]; k < x.offsets[i + 1]; ++k) {
        const std::size_t j = x.partners[k];
        glm::dvec3 d = glm::dvec3(positions.data[i]) - glm::dvec3(positions.data[j]);
        if (simple) {
          for (int axis = 0; axis < 3; ++axis) d[axis] -= edges[axis] * std::round(d[axis] / edges[axis]);
        } else if (periodic) {
          d = cell.minimum_image(d);
        }
        const double r = glm::length(d);
        double slope = 0;
        double e = far ? -smooth.value(r, &slope) : 0;
        double f = -slope;
        if (near && r >= coincidence) {
          const double kept = static_cast<double>(x.kept[k]);
          e += kept / r;
          f += kept / (r * r * r);
        }
        const double q = static_cast<double>(problem_->charges[j]);
        pairs.potential += q * e;
        for (int axis = 0; axis < 3; ++axis) {
          pairs.force[axis] += q * f * d[axis];
          pairs.virial[axis] += q * f * d[axis] * d[axis];
        }
        pairs.virial[3] += q * f * d.x * d.y;
        pairs.virial[4] += q * f * d.x * d.z;
        pairs.virial[5] += q * f * d.y * d.z;
      }
      add_pairs(i, pairs, energy, virial);
    }
    add_sums(&ElectrostaticSums::exclusions, part, energy, virial);
  });
}

void ForceCollector::add_self(const SmoothKernel& smooth) {
  double slope = 0;
  const double value = smooth.value(0.0, &slope);
  for (std::size_t i = 0; i < problem_->atoms(); ++i) {
    const double q = static_cast<double>(problem_->charges[i]);
    const double e = -coulomb / 2 * value * q * q;
    energies_[i] += e;
    sums.self += e;
  }
}

void ForceCollector::add_background(double alpha) {
  const double total = problem_->total_charge();
  const double each = -coulomb * units::pi / (2 * alpha * alpha * problem_->cell.volume()) * total;
  for (std::size_t i = 0; i < problem_->atoms(); ++i) energies_[i] += each * static_cast<double>(problem_->charges[i]);
  sums.background = each * total;
  for (std::size_t k = 0; k < 3; ++k) sums.virial[k] += sums.background;
}

void ForceCollector::finish(Job& job) {
  settle();
  by_part(problem_->atoms(), job, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !out_.forces.empty(); ++i) out_.forces.data[i] = glm::vec3(forces_[i]);
    for (std::size_t i = begin; i < end && !out_.energies.empty(); ++i) {
      out_.energies.data[i] = static_cast<float>(energies_[i]);
    }
  });
}

}  // namespace isolume
