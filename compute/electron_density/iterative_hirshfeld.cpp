// Iterative Hirshfeld charges: the density at all points once, then the shares of the atoms until they stay.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "compute/base/parallel_for.h"
#include "compute/electron_density/density_derivatives.h"
#include "compute/electron_density/free_atom.h"
#include "compute/electron_density/hirshfeld.h"
#include "compute/orbitals/electron_density.h"
#include "molecule/base/error.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

constexpr double enough = 1e-7;  // e, of what an iteration changes
constexpr int most_iterations = 500;

/// Electrons at points: the density times the weight of the integral.
struct Amounts {
  std::vector<glm::dvec3> points;
  std::vector<double> electrons;
};

Amounts amounts_of(const Orbitals& orbitals, std::span<const int> elements, const AtomicGridSize& size, Job& job) {
  const DensityEvaluator evaluator(orbitals, density_weights(orbitals, DensityKind::electron));
  std::vector<Amounts> parts(elements.size());
  parallel_for(parts.size(), job, "atomic grids", [&](std::size_t centre) {
    AtomicGrid grid = atomic_grid(orbitals.centres, elements, centre, size);
    parts[centre] = {std::move(grid.points), std::move(grid.weights)};
  });
  Amounts all;
  for (const Amounts& part : parts) {
    all.points.insert(all.points.end(), part.points.begin(), part.points.end());
    all.electrons.insert(all.electrons.end(), part.electrons.begin(), part.electrons.end());
  }
  const std::vector<DensityDerivatives> density = evaluator.at(all.points, DensityOrder::value, job);
  for (std::size_t n = 0; n < density.size(); ++n) all.electrons[n] *= density[n].density;
  return all;
}

/// Free atoms and ions as they are needed.
class Ions {
 public:
  explicit Ions(const Orbitals& orbitals) : orbitals_(orbitals) {}

  /// Logarithms of the density of atom `a` with so many electrons, on the mesh of all free atoms.
  void set(std::size_t a, int element, double electrons, std::vector<double>& logarithms) {
    const double whole = std::floor(electrons), part = electrons - whole;
    // Of whole numbers the next ion is not needed, and a basis may not have it.
    const auto table_of = [&](double count, double weight) {
      return count > 0 && weight > 0 ? of(a, element, static_cast<int>(count)).table() : RadialTable{};
    };
    const RadialTable below = table_of(whole, 1 - part), above = table_of(whole + 1, part);
    if (below.count > 0 || above.count > 0) mesh_ = below.count > 0 ? below : above;
    logarithms.resize(static_cast<std::size_t>(mesh_.count));
    for (std::size_t n = 0; n < logarithms.size(); ++n) {
      double sum = 0;
      if (below.count > 0) sum += (1 - part) * std::exp(below.logarithms[n]);
      if (above.count > 0) sum += part * std::exp(above.logarithms[n]);
      logarithms[n] = std::log(std::max(sum, 1e-300));
    }
  }
  RadialTable table(const std::vector<double>& logarithms) const {
    return {logarithms.data(), mesh_.count, mesh_.first, mesh_.step};
  }

 private:
  const FreeAtom& of(std::size_t a, int element, int electrons) {
    const auto found = made_.find({element, electrons});
    if (found != made_.end()) return found->second;
    std::vector<Shell> shells;
    for (const Shell& shell : orbitals_.basis->shells) {
      if (shell.centre == a) shells.push_back(shell);
    }
    return made_.emplace(std::pair(element, electrons), FreeAtom(element, electrons, shells)).first->second;
  }

  const Orbitals& orbitals_;
  std::map<std::pair<int, int>, FreeAtom> made_;
  RadialTable mesh_;
};

/// The electrons that fall to each atom.
std::vector<double> shares(const Amounts& all, std::span<const glm::dvec3> centres,
                           const std::vector<RadialTable>& tables, Job& job) {
  constexpr std::size_t part = 2048;
  const std::size_t atoms = centres.size(), parts = (all.points.size() + part - 1) / part;
  std::vector<std::vector<double>> sums(parts);
  parallel_for(parts, job, "iterative Hirshfeld charges", [&](std::size_t p) {
    std::vector<double>& to = sums[p];
    to.assign(atoms, 0.0);
    std::vector<double> of_atoms(atoms);
    for (std::size_t n = p * part; n < std::min(all.points.size(), (p + 1) * part); ++n) {
      double sum = 0;
      for (std::size_t a = 0; a < atoms; ++a) {
        of_atoms[a] = tables[a].density(glm::distance(all.points[n], centres[a]));
        sum += of_atoms[a];
      }
      if (sum <= 0) continue;
      for (std::size_t a = 0; a < atoms; ++a) to[a] += all.electrons[n] * of_atoms[a] / sum;
    }
  });
  // Parts are added in their order, so that the number of threads does not matter.
  std::vector<double> result(atoms, 0.0);
  for (const std::vector<double>& from : sums) {
    for (std::size_t a = 0; a < atoms; ++a) result[a] += from[a];
  }
  return result;
}

}  // namespace

IterativeCharges iterative_hirshfeld_charges(const Orbitals& orbitals, std::span<const int> elements,
                                             std::span<const double> charges, Job& job, const AtomicGridSize& size) {
  check_free_atoms(orbitals, elements, charges);
  const std::size_t atoms = elements.size();
  const Amounts all = amounts_of(orbitals, elements, size, job);
  Ions ions(orbitals);
  std::vector<std::vector<double>> logarithms(atoms);
  std::vector<RadialTable> tables(atoms);
  std::vector<double> electrons(charges.begin(), charges.end()), before, change_before;
  IterativeCharges result;
  for (;; ++result.iterations) {
    for (std::size_t a = 0; a < atoms; ++a) {
      job.check();
      ions.set(a, elements[a], std::max(0.0, electrons[a]), logarithms[a]);
      tables[a] = ions.table(logarithms[a]);
    }
    const std::vector<double> next = shares(all, orbitals.centres, tables, job);
    std::vector<double> change(atoms);
    result.change = 0;
    for (std::size_t a = 0; a < atoms; ++a) {
      change[a] = next[a] - electrons[a];
      result.change = std::max(result.change, std::abs(change[a]));
    }
    if (result.change < enough || result.iterations == most_iterations) {
      electrons = next;
      break;
    }
    // Anderson's step from the last two: changes fall by a constant factor otherwise, and slowly.
    double along = 0, length = 0;
    for (std::size_t a = 0; a < atoms && !before.empty(); ++a) {
      const double difference = change[a] - change_before[a];
      along += difference * change[a];
      length += difference * difference;
    }
    const double back = length > 0 ? std::clamp(along / length, -5.0, 1.0) : 0;
    std::vector<double> to(atoms);
    for (std::size_t a = 0; a < atoms; ++a) to[a] = next[a] - (before.empty() ? 0 : back * (next[a] - before[a]));
    before = next;
    change_before = change;
    electrons = std::move(to);
  }
  if (result.change >= enough) {
    throw Error(fmt::format("iterative Hirshfeld: charges still change by {:.1e} e after {} iterations", result.change,
                            result.iterations));
  }
  for (std::size_t a = 0; a < atoms; ++a) result.hirshfeld.charges.push_back(charges[a] - electrons[a]);
  for (const double amount : all.electrons) result.hirshfeld.electrons += amount;
  result.hirshfeld.points = all.points.size();
  return result;
}

}  // namespace isolume
