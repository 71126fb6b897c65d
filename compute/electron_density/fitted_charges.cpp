// Atomic charges fitted to an electrostatic potential.
#include "compute/electron_density/fitted_charges.h"

#include <fmt/core.h>

#include <Eigen/Dense>
#include <cmath>

#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

void check(std::span<const glm::dvec3> centres, std::span<const glm::dvec3> points, std::span<const double> potential,
           const ChargeFitOptions& options) {
  const std::size_t atoms = centres.size();
  const auto refuse = [](bool when, const std::string& what) {
    if (when) throw Error("charges: " + what, Error::Kind::usage);
  };
  refuse(points.size() != potential.size(), "as many values of the potential as points are needed");
  refuse(points.size() < atoms, fmt::format("{} points for {} atoms", points.size(), atoms));
  refuse(!options.restrained.empty() && options.restrained.size() != atoms, "a restraint for each atom is needed");
  refuse(!options.fixed.empty() && (options.fixed.size() != atoms || options.charges.size() != atoms),
         "fixed charges are needed for each atom");
  for (const auto& group : options.equal) {
    for (const std::uint32_t atom : group) refuse(atom >= atoms, fmt::format("atom {} of {}", atom + 1, atoms));
  }
}

/// One variable for each group and each atom alone; of fixed atoms none (-1).
struct Variables {
  std::vector<int> of_atom;
  int count = 0;

  Variables(std::size_t atoms, const ChargeFitOptions& options) : of_atom(atoms, -2) {
    const auto fixed = [&](std::size_t atom) { return !options.fixed.empty() && options.fixed[atom]; };
    for (const auto& group : options.equal) {
      int variable = -1;
      for (const std::uint32_t atom : group) {
        if (fixed(atom)) continue;
        if (of_atom[atom] >= 0) variable = of_atom[atom];
      }
      for (const std::uint32_t atom : group) {
        if (fixed(atom)) continue;
        if (variable < 0) variable = count++;
        of_atom[atom] = variable;
      }
    }
    for (std::size_t atom = 0; atom < atoms; ++atom) {
      if (fixed(atom)) of_atom[atom] = -1;
      if (of_atom[atom] == -2) of_atom[atom] = count++;
    }
  }
};

}  // namespace

double merz_kollman_radius(int element) {
  switch (element) {
    case 1:
      return 1.20;
    case 6:
      return 1.70;
    case 7:
      return 1.55;
    case 8:
      return 1.52;
    default:
      return static_cast<double>(isolume::element(element).vdw_radius);
  }
}

double chelpg_radius(int element) {
  switch (element) {
    case 1:
      return 1.45;
    case 6:
      return 1.50;
    case 7:
      return 1.70;
    case 8:
      return 1.70;
    default:
      return static_cast<double>(isolume::element(element).vdw_radius);
  }
}

std::vector<glm::dvec3> merz_kollman_points(std::span<const glm::dvec3> centres, std::span<const double> radii,
                                            std::span<const double> scales, double density) {
  std::vector<glm::dvec3> points;
  for (const double scale : scales) {
    for (std::size_t a = 0; a < centres.size(); ++a) {
      const double radius = scale * radii[a];
      const int count = static_cast<int>(density * 4 * units::pi * radius * radius);
      for (int i = 0; i < count; ++i) {
        const double k = i + 0.5, z = 1 - 2 * k / count, turn = units::pi * (1 + std::sqrt(5.0)) * k;
        const double around = std::sqrt(1 - z * z);
        const glm::dvec3 point = centres[a] + units::angstrom_in_bohr * radius *
                                                  glm::dvec3(around * std::cos(turn), around * std::sin(turn), z);
        bool inside = false;
        for (std::size_t b = 0; b < centres.size() && !inside; ++b)
          inside = b != a && glm::distance(point, centres[b]) < units::angstrom_in_bohr * scale * radii[b];
        if (!inside) points.push_back(point);
      }
    }
  }
  return points;
}

std::vector<glm::dvec3> chelpg_points(std::span<const glm::dvec3> centres, std::span<const double> radii,
                                      double spacing, double reach) {
  std::vector<glm::dvec3> points;
  if (centres.empty()) return points;
  glm::dvec3 lower = centres[0], upper = centres[0];
  for (const glm::dvec3& centre : centres) {
    lower = glm::min(lower, centre);
    upper = glm::max(upper, centre);
  }
  const double step = spacing * units::angstrom_in_bohr, far = reach * units::angstrom_in_bohr;
  lower -= far;
  const glm::ivec3 counts(glm::floor((upper + far - lower) / step + 1.0));
  for (int k = 0; k < counts.z; ++k) {
    for (int j = 0; j < counts.y; ++j) {
      for (int i = 0; i < counts.x; ++i) {
        const glm::dvec3 point = lower + step * glm::dvec3(i, j, k);
        bool inside = false, near = false;
        for (std::size_t a = 0; a < centres.size() && !inside; ++a) {
          const double distance = glm::distance(point, centres[a]);
          inside = distance < radii[a] * units::angstrom_in_bohr;
          near = near || distance <= far;
        }
        if (near && !inside) points.push_back(point);
      }
    }
  }
  return points;
}

ChargeFit fit_charges(std::span<const glm::dvec3> centres, std::span<const glm::dvec3> points,
                      std::span<const double> potential, const ChargeFitOptions& options) {
  check(centres, points, potential, options);
  const std::size_t atoms = centres.size();
  const Variables variables(atoms, options);
  ChargeFit fit;
  fit.charges.assign(atoms, 0.0);
  double left = options.total_charge;
  for (std::size_t a = 0; a < atoms; ++a) {
    if (variables.of_atom[a] >= 0) continue;
    fit.charges[a] = options.charges[a];
    left -= options.charges[a];
  }
  const int n = variables.count;
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n), members = Eigen::VectorXd::Zero(n), row(n);
  for (std::size_t k = 0; k < points.size(); ++k) {
    row.setZero();
    double rest = potential[k];
    for (std::size_t a = 0; a < atoms; ++a) {
      const double inverse = 1 / glm::distance(points[k], centres[a]);
      if (variables.of_atom[a] >= 0) {
        row[variables.of_atom[a]] += inverse;
      } else {
        rest -= fit.charges[a] * inverse;
      }
    }
    normal.selfadjointView<Eigen::Lower>().rankUpdate(row);
    right += rest * row;
  }
  normal = normal.selfadjointView<Eigen::Lower>();
  for (const int variable : variables.of_atom) {
    if (variable >= 0) members[variable] += 1;
  }
  Eigen::VectorXd charges = Eigen::VectorXd::Zero(n);
  constexpr int most_iterations = 1000;
  for (fit.iterations = 1; n > 0; ++fit.iterations) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + 1, n + 1);
    Eigen::VectorXd vector(n + 1);
    matrix.topLeftCorner(n, n) = normal;
    matrix.topRightCorner(n, 1) = members;
    matrix.bottomLeftCorner(1, n) = members.transpose();
    vector.head(n) = right;
    vector[n] = left;
    if (options.restraint > 0) {
      for (std::size_t a = 0; a < atoms; ++a) {
        const int v = variables.of_atom[a];
        if (v < 0 || (!options.restrained.empty() && !options.restrained[a])) continue;
        const double b = options.tightness;
        matrix(v, v) += options.restraint / std::sqrt(charges[v] * charges[v] + b * b);
      }
    }
    const Eigen::VectorXd next = matrix.partialPivLu().solve(vector).head(n);
    const double change = (next - charges).cwiseAbs().maxCoeff();
    charges = next;
    if (!std::isfinite(change)) throw Error("charges: the potential at the points does not determine them");
    if (change < 1e-12 || options.restraint <= 0) break;
    if (fit.iterations == most_iterations) throw Error("charges: the restrained fit does not converge");
  }
  for (std::size_t a = 0; a < atoms; ++a) {
    if (variables.of_atom[a] >= 0) fit.charges[a] = charges[variables.of_atom[a]];
  }
  double squares = 0, all = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    double value = 0;
    for (std::size_t a = 0; a < atoms; ++a) value += fit.charges[a] / glm::distance(points[k], centres[a]);
    squares += (potential[k] - value) * (potential[k] - value);
    all += potential[k] * potential[k];
  }
  fit.rms = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, points.size())));
  fit.relative = all > 0 ? std::sqrt(squares / all) : 0;
  return fit;
}

}  // namespace isolume
