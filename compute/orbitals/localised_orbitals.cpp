// Localised molecular orbitals, by the criteria of Pipek and Mezey or of Boys.
#include "compute/orbitals/localised_orbitals.h"

#include <fmt/core.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "compute/base/memory.h"
#include "compute/linear_algebra/decompositions.h"
#include "compute/orbitals/jacobi_sweeps.h"
#include "compute/orbitals/orbital_tracking.h"
#include "molecule/base/error.h"
#include "molecule/quantum/dipole_integrals.h"

namespace isolume {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double whole = 1e-6;       ///< electrons by which an occupation may miss a whole number
constexpr double least_share = 0.1;  ///< population of an atom that is named
constexpr double alike = 0.1;        ///< least singular value of overlaps with the former frame

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// Orbitals that are mixed with each other.
struct Group {
  std::vector<std::size_t> members;
  Spin spin;
  double occupation;
};

std::vector<Group> groups_of(const Orbitals& orbitals, bool virtuals) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < orbitals.count(); ++i) {
    const Orbital& orbital = orbitals.orbitals[i];
    const double occupation = std::round(orbital.occupation);
    if (std::abs(orbital.occupation - occupation) > whole || occupation < 0 ||
        occupation > (orbitals.unrestricted ? 1 : 2))
      throw Error(
          fmt::format("orbital {} has {:.4f} electrons: only orbitals that are full, singly occupied or empty can "
                      "be localised, not natural ones or partly occupied ones",
                      i + 1, orbital.occupation),
          Error::Kind::input);
    if (occupation == 0 && !virtuals) continue;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& g) { return g.spin == orbital.spin && g.occupation == occupation; });
    if (group == groups.end()) group = groups.insert(groups.end(), {{}, orbital.spin, occupation});
    group->members.push_back(i);
  }
  if (groups.empty()) throw Error("localised orbitals: no orbital is occupied", Error::Kind::input);
  return groups;
}

/// The functions of the basis atom by atom, and where each atom begins.
struct ByAtom {
  std::vector<std::size_t> functions, borders;
};

ByAtom by_atom(const Orbitals& orbitals) {
  const Basis& basis = *orbitals.basis;
  const std::vector<std::size_t> offsets = basis.offsets();
  ByAtom result;
  for (std::size_t atom = 0; atom < orbitals.centres.size(); ++atom) {
    result.borders.push_back(result.functions.size());
    for (std::size_t shell = 0; shell < basis.shells.size(); ++shell)
      if (basis.shells[shell].centre == atom)
        for (std::size_t f = offsets[shell]; f < offsets[shell + 1]; ++f) result.functions.push_back(f);
  }
  result.borders.push_back(result.functions.size());
  return result;
}

/// Cholesky vectors of the density of these orbitals: the function with most of what is left, orbital by orbital.
Matrix cholesky_rotation(const Matrix& rows) {
  const Eigen::Index n = rows.rows();
  Matrix rotation(n, n), left = rows;
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::VectorXd norms = left.colwise().squaredNorm();
    const double most = norms.maxCoeff();
    Eigen::Index pivot = 0;
    while (norms[pivot] < most * (1 - 1e-6)) ++pivot;  // of equal ones the first
    Eigen::VectorXd u = left.col(pivot);
    for (Eigen::Index j = 0; j < k; ++j) u -= rotation.row(j).dot(u) * rotation.row(j).transpose();
    u.normalize();
    rotation.row(k) = u.transpose();
    left -= u * (u.transpose() * left);
  }
  return rotation;
}

/// The rotation that brings `rows` nearest to the former orbitals; empty where they have too little in common.
Matrix rotation_to(const Orbitals& former, const Orbitals& now, const Group& group, const Matrix& rows) {
  if (former.count() != now.count() || former.centres.size() != now.centres.size()) return {};
  const Eigen::Index functions = rows.cols();
  if (index(former.basis->function_count()) != functions) return {};
  for (const std::size_t member : group.members) {
    const Orbital& orbital = former.orbitals[member];
    if (orbital.spin != group.spin || std::abs(orbital.occupation - group.occupation) > whole) return {};
  }
  const std::vector<double> s = overlap_matrix(*former.basis, former.centres, *now.basis, now.centres);
  const Matrix image = rows * Eigen::Map<const Matrix>(s.data(), functions, functions).transpose();
  Matrix overlaps(rows.rows(), rows.rows());  // former ones in rows
  for (std::size_t k = 0; k < group.members.size(); ++k) {
    const auto row = former.row(group.members[k]);
    overlaps.row(index(k)) = (image * Eigen::Map<const Eigen::VectorXd>(row.data(), functions)).transpose();
  }
  const auto n = static_cast<std::size_t>(rows.rows());
  const SingularVectors svd = singular_vectors({overlaps.data(), n * n}, n, n);
  if (svd.values.back() < alike) return {};
  const Eigen::Map<const Matrix> u(svd.left.data(), rows.rows(), rows.rows());
  const Eigen::Map<const Matrix> v(svd.right.data(), rows.rows(), rows.rows());
  return u * v.transpose();
}

/// What the sweeps turn, for rows of coefficients that are rotated already.
class Criterion {
 public:
  Criterion(const Orbitals& orbitals, Localisation method) : method_(method), atoms_(by_atom(orbitals)) {
    const Basis& basis = *orbitals.basis;
    const std::size_t n = basis.function_count();
    require_memory((method == Localisation::boys ? 5 : 2) * n * n * sizeof(double), Device::cpu(),
                   "localised orbitals");
    overlap_ = overlap_matrix(basis, orbitals.centres, basis, orbitals.centres);
    if (method != Localisation::boys) return;
    glm::dvec3 mean(0);
    for (const glm::dvec3& centre : orbitals.centres) mean += centre / static_cast<double>(orbitals.centres.size());
    dipoles_ = dipole_matrices(basis, orbitals.centres);
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t k = 0; k < n * n; ++k) dipoles_[axis][k] -= mean[static_cast<int>(axis)] * overlap_[k];
  }

  SweepRows rows(const Matrix& c) const {
    SweepRows rows;
    rows.count = static_cast<std::size_t>(c.rows());
    const auto image = [&](const std::vector<double>& matrix) -> Matrix {
      return c * Eigen::Map<const Matrix>(matrix.data(), c.cols(), c.cols());
    };
    if (method_ == Localisation::boys) {  // in the space of the orbitals
      rows.width = rows.count;
      rows.blocks = {0, rows.width};
      const Matrix one = Matrix::Identity(c.rows(), c.rows());
      rows.left.assign(one.data(), one.data() + one.size());
      for (const std::vector<double>& dipole : dipoles_) {
        const Matrix r = image(dipole) * c.transpose();
        rows.images.emplace_back(r.data(), r.data() + r.size());
      }
      return rows;
    }
    rows.width = static_cast<std::size_t>(c.cols());
    rows.blocks = atoms_.borders;
    rows.left = sorted(c);
    rows.images = {sorted(image(overlap_))};
    return rows;
  }

  /// Mulliken populations of every orbital, atom by atom.
  std::vector<std::vector<AtomShare>> shares(const Matrix& c) const {
    const Matrix image = c * Eigen::Map<const Matrix>(overlap_.data(), c.cols(), c.cols());
    const std::vector<double> left = sorted(c), right = sorted(image);
    const auto width = static_cast<std::size_t>(c.cols());
    std::vector<std::vector<AtomShare>> result(static_cast<std::size_t>(c.rows()));
    for (std::size_t i = 0; i < result.size(); ++i) {
      for (std::size_t atom = 0; atom + 1 < atoms_.borders.size(); ++atom) {
        double sum = 0;
        for (std::size_t m = atoms_.borders[atom]; m < atoms_.borders[atom + 1]; ++m)
          sum += left[i * width + m] * right[i * width + m];
        if (sum >= least_share) result[i].push_back({atom, sum});
      }
      // Atoms that are equal by symmetry stay in their order.
      std::stable_sort(result[i].begin(), result[i].end(),
                       [](const AtomShare& a, const AtomShare& b) { return a.population > b.population + 1e-4; });
    }
    return result;
  }

 private:
  std::vector<double> sorted(const Matrix& rows) const {
    std::vector<double> result(static_cast<std::size_t>(rows.size()));
    std::size_t place = 0;
    for (Eigen::Index i = 0; i < rows.rows(); ++i)
      for (const std::size_t f : atoms_.functions) result[place++] = rows(i, index(f));
    return result;
  }

  Localisation method_;
  ByAtom atoms_;
  std::vector<double> overlap_;
  std::array<std::vector<double>, 3> dipoles_;
};

/// Rows by energy, each with its largest coefficient positive.
void put_in_order(Matrix& rows, std::vector<double>& energies) {
  std::vector<std::size_t> order(energies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rounded = [&](std::size_t i) { return std::round(energies[i] * 1e6); };
  const auto largest_of = [&](std::size_t i) {
    Eigen::Index f = 0;
    rows.row(index(i)).cwiseAbs().maxCoeff(&f);
    return f;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(rounded(a), largest_of(a)) < std::pair(rounded(b), largest_of(b));
  });
  const Matrix before = rows;
  const std::vector<double> old = energies;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double sign = before(index(order[k]), largest_of(order[k])) < 0 ? -1 : 1;
    rows.row(index(k)) = sign * before.row(index(order[k]));
    energies[k] = old[order[k]];
  }
}

}  // namespace

LocalisedOrbitals localised_orbitals(const Orbitals& canonical, const LocalisationOptions& options, Job& job,
                                     const Orbitals* former) {
  if (!canonical.basis) throw Error("localised orbitals: there is no basis", Error::Kind::input);
  const std::vector<Group> groups = groups_of(canonical, options.virtuals);
  const Criterion criterion(canonical, options.method);
  const auto functions = static_cast<Eigen::Index>(canonical.basis->function_count());
  LocalisedOrbitals result;
  result.orbitals = canonical;
  result.orbitals.convention = options.method == Localisation::boys ? "Boys" : "Pipek-Mezey";
  result.shares.resize(canonical.count());
  result.converged = true;
  for (const Group& group : groups) {
    Matrix rows(index(group.members.size()), functions);
    for (std::size_t k = 0; k < group.members.size(); ++k) {
      const auto row = canonical.row(group.members[k]);
      rows.row(index(k)) = Eigen::Map<const Eigen::RowVectorXd>(row.data(), functions);
    }
    const auto localise = [&](const Matrix& start) {
      const Matrix begun = start * rows;
      SweepResult found = maximise_by_sweeps(criterion.rows(begun), job);
      const Matrix turned = Eigen::Map<const Matrix>(found.rotation.data(), start.rows(), start.rows()) * start;
      std::copy_n(turned.data(), turned.size(), found.rotation.data());
      return found;
    };
    const Matrix kept = former ? rotation_to(*former, canonical, group, rows) : Matrix();
    SweepResult best;
    if (kept.size() > 0) {
      best = localise(kept);
    } else {
      best = localise(Matrix::Identity(rows.rows(), rows.rows()));
      const SweepResult other = localise(cholesky_rotation(rows));
      if (other.functional > best.functional + 1e-7) best = other;
    }
    const Eigen::Map<const Matrix> rotation(best.rotation.data(), rows.rows(), rows.rows());
    std::vector<double> energies(group.members.size(), 0.0);
    for (std::size_t k = 0; k < energies.size(); ++k)
      for (std::size_t i = 0; i < energies.size(); ++i) {
        const double u = rotation(index(k), index(i));
        energies[k] += u * u * canonical.orbitals[group.members[i]].energy;
      }
    Matrix turned = rotation * rows;
    if (kept.size() == 0) put_in_order(turned, energies);
    std::vector<std::vector<AtomShare>> shares = criterion.shares(turned);
    for (std::size_t k = 0; k < group.members.size(); ++k) {
      const std::size_t at = group.members[k];
      std::copy_n(turned.row(index(k)).data(), functions, result.orbitals.coefficients.data() + index(at) * functions);
      result.orbitals.orbitals[at].energy = energies[k];
      result.orbitals.orbitals[at].symmetry.clear();
      result.shares[at] = std::move(shares[k]);
    }
    result.functional += best.functional;
    result.gradient = std::max(result.gradient, best.gradient);
    result.sweeps = std::max(result.sweeps, best.sweeps);
    result.converged = result.converged && best.converged;
  }
  return result;
}

}  // namespace isolume
