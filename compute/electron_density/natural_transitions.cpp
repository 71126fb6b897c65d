// Natural transition orbitals, transition, attachment and detachment densities of excited states.
#include "compute/electron_density/natural_transitions.h"

#include <fmt/core.h>

#include <Eigen/Core>
#include <cmath>

#include "compute/electron_density/density_derivatives.h"
#include "compute/electron_density/hirshfeld.h"
#include "compute/linear_algebra/decompositions.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix matrix_of(const std::vector<double>& values, const Excitations& all) {
  const auto rows = static_cast<Eigen::Index>(all.occupied), columns = static_cast<Eigen::Index>(all.virtuals);
  if (values.empty()) return Matrix::Zero(rows, columns);
  return Eigen::Map<const Matrix>(values.data(), rows, columns);
}

/// Coefficients of orbitals `first` to first + count, one a row.
Matrix rows_of(const Orbitals& orbitals, std::size_t first, std::size_t count) {
  const auto functions = static_cast<Eigen::Index>(orbitals.basis->function_count());
  Matrix rows(static_cast<Eigen::Index>(count), functions);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = orbitals.row(first + i);
    for (Eigen::Index f = 0; f < functions; ++f)
      rows(static_cast<Eigen::Index>(i), f) = row[static_cast<std::size_t>(f)];
  }
  return rows;
}

/// Orbitals with these coefficients (one a row) and occupations, over the basis of `of`.
Orbitals with_rows(const Orbitals& of, const Matrix& rows, const Eigen::VectorXd& occupations) {
  Orbitals result;
  result.basis = of.basis;
  result.centres = of.centres;
  result.coefficients.assign(rows.data(), rows.data() + rows.size());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) result.orbitals.emplace_back().occupation = occupations[i];
  return result;
}

/// Natural orbitals of a density matrix over `rows`, largest first.
Orbitals natural(const Orbitals& of, const Matrix& rows, const Matrix& density) {
  const Eigenvectors found = symmetric_eigenvectors({density.data(), static_cast<std::size_t>(density.size())},
                                                    static_cast<std::size_t>(density.rows()));
  const Matrix vectors =
      Eigen::Map<const Matrix>(found.vectors.data(), density.rows(), density.rows()).rowwise().reverse();
  const Eigen::Map<const Eigen::VectorXd> values(found.values.data(), density.rows());
  return with_rows(of, vectors.transpose() * rows, values.reverse());
}

struct Singular {
  Eigen::VectorXd values;
  Matrix left, right;  // their vectors as columns
};

Singular singular(const Matrix& matrix) {
  const SingularVectors found =
      singular_vectors({matrix.data(), static_cast<std::size_t>(matrix.size())},
                       static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols()));
  const auto count = static_cast<Eigen::Index>(found.values.size());
  return {Eigen::Map<const Eigen::VectorXd>(found.values.data(), count),
          Eigen::Map<const Matrix>(found.left.data(), matrix.rows(), count),
          Eigen::Map<const Matrix>(found.right.data(), matrix.cols(), count)};
}

std::vector<double> occupations_of(const Orbitals& orbitals) {
  std::vector<double> weights;
  for (const Orbital& orbital : orbitals.orbitals) weights.push_back(orbital.occupation);
  return weights;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

void check_amplitudes(const Orbitals& orbitals, const Excitations& all) {
  const auto refuse = [](bool when, const std::string& what) {
    if (when) throw Error("amplitudes: " + what, Error::Kind::input);
  };
  bool open = orbitals.unrestricted;
  std::size_t occupied = 0;
  for (const Orbital& orbital : orbitals.orbitals) {
    open = open || (std::abs(orbital.occupation) > 1e-6 && std::abs(orbital.occupation - 2) > 1e-6);
    occupied += orbital.occupation > 1;
  }
  refuse(open, "they are those of a closed shell, and the orbitals are of an open one");
  refuse(occupied == orbitals.count(), "the file has no virtual orbitals");
  refuse(all.occupied != occupied || all.occupied + all.virtuals != orbitals.count(),
         fmt::format("they are for {} occupied and {} virtual orbitals, the file has {} and {}", all.occupied,
                     all.virtuals, occupied, orbitals.count() - occupied));
  for (std::size_t i = 0; i < occupied; ++i)
    refuse(orbitals.orbitals[i].occupation < 1, "the occupied orbitals are not the first of the file");
}

NaturalTransitions natural_transitions(const Orbitals& orbitals, const Excitations& all, const Excitation& state) {
  const Singular svd = singular(std::sqrt(2.0) * matrix_of(state.x, all));
  const Eigen::VectorXd weights = svd.values.array().square();
  Matrix holes = svd.left.transpose() * rows_of(orbitals, 0, all.occupied);
  Matrix particles = svd.right.transpose() * rows_of(orbitals, all.occupied, all.virtuals);
  for (Eigen::Index k = 0; k < holes.rows(); ++k) {
    Eigen::Index largest = 0;
    holes.row(k).cwiseAbs().maxCoeff(&largest);
    if (holes(k, largest) > 0) continue;
    holes.row(k) *= -1;
    particles.row(k) *= -1;
  }
  NaturalTransitions result;
  result.weights.assign(weights.data(), weights.data() + weights.size());
  result.holes = with_rows(orbitals, holes, weights);
  result.particles = with_rows(orbitals, particles, weights);
  return result;
}

DensityOrbitals detachment(const Orbitals& orbitals, const Excitations& all, const Excitation& state) {
  const Matrix x = matrix_of(state.x, all), y = matrix_of(state.y, all);
  return natural(orbitals, rows_of(orbitals, 0, all.occupied), 2 * (x * x.transpose() + y * y.transpose()));
}

DensityOrbitals attachment(const Orbitals& orbitals, const Excitations& all, const Excitation& state) {
  const Matrix x = matrix_of(state.x, all), y = matrix_of(state.y, all);
  return natural(orbitals, rows_of(orbitals, all.occupied, all.virtuals), 2 * (x.transpose() * x + y.transpose() * y));
}

DensityOrbitals transition(const Orbitals& orbitals, const Excitations& all, const Excitation& state) {
  const Singular svd = singular(2 * (matrix_of(state.x, all) + matrix_of(state.y, all)));
  const Matrix holes = svd.left.transpose() * rows_of(orbitals, 0, all.occupied);
  const Matrix particles = svd.right.transpose() * rows_of(orbitals, all.occupied, all.virtuals);
  // h p = ((h + p)^2 - (h - p)^2) / 4.
  Matrix rows(2 * holes.rows(), holes.cols());
  rows << holes + particles, holes - particles;
  Eigen::VectorXd weights(2 * holes.rows());
  weights << svd.values / 4, -svd.values / 4;
  return with_rows(orbitals, rows, weights);
}

StateMeasures state_measures(const Orbitals& orbitals, const Excitations& all, const Excitation& state,
                             const std::vector<int>& elements, Job& job) {
  StateMeasures result;
  result.norm = 2 * (matrix_of(state.x, all).squaredNorm() - matrix_of(state.y, all).squaredNorm());
  const Orbitals lost = detachment(orbitals, all, state), gained = attachment(orbitals, all, state);
  const Orbitals between = transition(orbitals, all, state);
  const std::vector<double> weights = natural_transitions(orbitals, all, state).weights;
  double squares = 0;
  for (const double weight : weights) squares += weight * weight;
  result.participation = squares > 0 ? sum_of(weights) * sum_of(weights) / squares : 0;
  result.detached = sum_of(occupations_of(lost));
  result.attached = sum_of(occupations_of(gained));
  const DensityEvaluator of_lost(lost, occupations_of(lost)), of_gained(gained, occupations_of(gained)),
      of_transition(between, occupations_of(between));
  glm::dvec3 centre_lost(0), centre_gained(0);
  for (std::size_t centre = 0; centre < elements.size(); ++centre) {
    const AtomicGrid grid = atomic_grid(orbitals.centres, elements, centre, {60, 16});
    const auto minus = of_lost.at(grid.points, DensityOrder::value, job);
    const auto plus = of_gained.at(grid.points, DensityOrder::value, job);
    const auto mixed = of_transition.at(grid.points, DensityOrder::value, job);
    for (std::size_t n = 0; n < grid.points.size(); ++n) {
      const double weight = grid.weights[n];
      centre_lost += weight * minus[n].density * grid.points[n];
      centre_gained += weight * plus[n].density * grid.points[n];
      result.transition_charge += weight * mixed[n].density;
      result.dipole -= weight * mixed[n].density * grid.points[n];
      result.overlap += weight * std::sqrt(std::max(0.0, minus[n].density) * std::max(0.0, plus[n].density));
    }
  }
  if (result.detached > 0) centre_lost /= result.detached;
  if (result.attached > 0) centre_gained /= result.attached;
  result.distance = glm::distance(centre_lost, centre_gained);
  if (result.detached > 0) result.overlap /= result.detached;
  result.strength = 2.0 / 3 * state.energy * glm::dot(result.dipole, result.dipole);
  return result;
}

}  // namespace isolume
