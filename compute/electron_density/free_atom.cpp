// The density of a free atom or ion in a given basis.
#include "compute/electron_density/free_atom.h"

#include <fmt/core.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "compute/linear_algebra/decompositions.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"
#include "molecule/quantum/solid_harmonics.h"

namespace isolume {
namespace {

constexpr int mesh = 4000;
const double first_log = std::log(1e-6), last_log = std::log(40.0);
const double step = (last_log - first_log) / (mesh - 1);

double radius(int i) {
  return std::exp(first_log + i * step);
}

using Function = Eigen::ArrayXd;  // on the mesh

/// The running integral from 0 of f dr, of values f(r) r (the measure of the logarithmic mesh); cubic between points.
Function running(const Function& f) {
  Function sum = Function::Zero(mesh);
  for (int i = 0; i + 1 < mesh; ++i) {
    const double before = i > 0 ? f[i - 1] : 0.0, after = i + 2 < mesh ? f[i + 2] : 0.0;
    sum[i + 1] = sum[i] + step / 24 * (-before + 13 * f[i] + 13 * f[i + 1] - after);
  }
  return sum;
}

double whole(const Function& f) {
  return running(f)[mesh - 1];
}

struct Mesh {
  Function r = Function::Zero(mesh);
  std::array<Function, 8> powers;

  Mesh() {
    for (int i = 0; i < mesh; ++i) r[i] = radius(i);
    powers[0] = Function::Ones(mesh);
    for (std::size_t k = 1; k < powers.size(); ++k) powers[k] = powers[k - 1] * r;
  }
  /// integral of r<^k / r>^(k+1) f(r') dr'.
  Function potential(const Function& f, std::size_t k) const {
    const Function inner = running(f * powers[k] * r), outer = running(f / powers[k]);
    return inner / (powers[k] * r) + (outer[mesh - 1] - outer) * powers[k];
  }
};

/// (l k m; 0 0 0)^2, the square of a 3j symbol.
double squared_3j(int a, int b, int c) {
  const int sum = a + b + c;
  if (sum % 2 != 0 || c > a + b || c < std::abs(a - b)) return 0;
  const auto factorial = [](int n) { return std::tgamma(n + 1.0); };
  const int g = sum / 2;
  const double triangle = factorial(sum - 2 * a) * factorial(sum - 2 * b) * factorial(sum - 2 * c) / factorial(sum + 1);
  const double ratio = factorial(g) / (factorial(g - a) * factorial(g - b) * factorial(g - c));
  return triangle * ratio * ratio;
}

/// The radial functions of one l, and their matrices.
struct Channel {
  int l = 0, electrons = 0;
  std::vector<Function> functions;  ///< r R(r)
  Eigen::MatrixXd overlap, core, transform;
  std::vector<Function> orbitals;  ///< occupied ones
  std::vector<double> occupations;
  Eigen::MatrixXd density;
};

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Solution {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// Eigenvalues of a symmetric matrix, ascending, and its eigenvectors as columns.
Solution diagonalised(const Rows& matrix) {
  const Eigenvectors found = symmetric_eigenvectors({matrix.data(), static_cast<std::size_t>(matrix.size())},
                                                    static_cast<std::size_t>(matrix.rows()));
  return {Eigen::Map<const Eigen::VectorXd>(found.values.data(), matrix.rows()),
          Eigen::Map<const Rows>(found.vectors.data(), matrix.rows(), matrix.rows())};
}

/// integral of r^n exp(-p r^2) dr.
double gaussian_integral(int n, double p) {
  return 0.5 * std::tgamma(0.5 * (n + 1)) / std::pow(p, 0.5 * (n + 1));
}

Channel make_channel(int l, int electrons, double charge, std::span<const Shell> shells, const Mesh& all) {
  struct Radial {
    std::vector<double> exponents, factors;
  };
  std::vector<Radial> radials;
  for (const Shell& shell : shells) {
    if (shell.l != l) continue;
    Radial radial;
    double norm = 0;
    for (std::size_t p = 0; p < shell.exponents.size(); ++p) {
      radial.exponents.push_back(shell.exponents[p]);
      radial.factors.push_back(shell.coefficients[p] * cartesian_norm(shell.exponents[p], l, 0, 0));
    }
    for (std::size_t p = 0; p < radial.exponents.size(); ++p) {
      for (std::size_t q = 0; q < radial.exponents.size(); ++q)
        norm += radial.factors[p] * radial.factors[q] *
                gaussian_integral(2 * l + 2, radial.exponents[p] + radial.exponents[q]);
    }
    for (double& factor : radial.factors) factor /= std::sqrt(norm);
    radials.push_back(std::move(radial));
  }
  Channel channel;
  channel.l = l;
  channel.electrons = electrons;
  const auto n = static_cast<Eigen::Index>(radials.size());
  channel.overlap = channel.core = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Radial& a = radials[static_cast<std::size_t>(i)];
    Function values = Function::Zero(mesh);
    for (std::size_t p = 0; p < a.exponents.size(); ++p)
      values += a.factors[p] * (-a.exponents[p] * all.r * all.r).exp();
    channel.functions.push_back(values * all.powers[static_cast<std::size_t>(l + 1)]);
    for (Eigen::Index j = 0; j < n; ++j) {
      const Radial& b = radials[static_cast<std::size_t>(j)];
      for (std::size_t p = 0; p < a.exponents.size(); ++p) {
        for (std::size_t q = 0; q < b.exponents.size(); ++q) {
          const double sum = a.exponents[p] + b.exponents[q], factor = a.factors[p] * b.factors[q];
          const double s = gaussian_integral(2 * l + 2, sum);
          channel.overlap(i, j) += factor * s;
          channel.core(i, j) += factor * ((2 * l + 3) * a.exponents[p] * b.exponents[q] / sum * s -
                                          charge * gaussian_integral(2 * l + 1, sum));
        }
      }
    }
  }
  if (electrons > 0 && (n == 0 || electrons > n * (4 * l + 2)))
    throw Error(fmt::format("free atom: the basis has {} shells of l = {} for {} electrons", n, l, electrons));
  if (n == 0) return channel;
  // Functions of nearly the same shape (Cartesian d shells are not among them) leave small eigenvalues.
  const Solution solved = diagonalised(channel.overlap);
  Eigen::Index kept = 0;
  channel.transform = Eigen::MatrixXd(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (solved.values[i] < 1e-10) continue;
    channel.transform.col(kept++) = solved.vectors.col(i) / std::sqrt(solved.values[i]);
  }
  channel.transform.conservativeResize(n, kept);
  channel.density = Eigen::MatrixXd::Zero(n, n);
  return channel;
}

/// Fills the lowest orbitals of a Fock matrix.
Eigen::MatrixXd filled(const Channel& channel, const Eigen::MatrixXd& fock) {
  const Solution solved = diagonalised(channel.transform.transpose() * fock * channel.transform);
  const Eigen::MatrixXd coefficients = channel.transform * solved.vectors;
  Eigen::MatrixXd density = Eigen::MatrixXd::Zero(fock.rows(), fock.cols());
  double left = channel.electrons;
  for (Eigen::Index i = 0; i < coefficients.cols() && left > 0; ++i) {
    const double in_this = std::min<double>(left, 4 * channel.l + 2);
    density += in_this * coefficients.col(i) * coefficients.col(i).transpose();
    left -= in_this;
  }
  return density;
}

/// The orbitals of a density matrix (its natural ones), on the mesh.
void set_orbitals(Channel& channel) {
  channel.orbitals.clear();
  channel.occupations.clear();
  const Eigen::MatrixXd half = channel.overlap * channel.transform;
  const Solution solved = diagonalised(half.transpose() * channel.density * half);
  for (Eigen::Index i = 0; i < solved.values.size(); ++i) {
    const double occupation = solved.values[i];
    if (std::abs(occupation) < 1e-12) continue;
    const Eigen::VectorXd c = channel.transform * solved.vectors.col(i);
    Function values = Function::Zero(mesh);
    for (Eigen::Index j = 0; j < c.size(); ++j) values += c[j] * channel.functions[static_cast<std::size_t>(j)];
    channel.orbitals.push_back(values);
    channel.occupations.push_back(occupation);
  }
}

/// 4 pi r^2 rho.
Function radial_density(const std::vector<Channel>& channels) {
  Function sum = Function::Zero(mesh);
  for (const Channel& channel : channels) {
    for (std::size_t i = 0; i < channel.orbitals.size(); ++i)
      sum += channel.occupations[i] * channel.orbitals[i].square();
  }
  return sum;
}

Eigen::MatrixXd fock_of(const Channel& channel, const std::vector<Channel>& channels, const Function& coulomb,
                        const Mesh& all) {
  Eigen::MatrixXd fock = channel.core;
  const auto n = static_cast<Eigen::Index>(channel.functions.size());
  const auto f = [&](Eigen::Index i) -> const Function& { return channel.functions[static_cast<std::size_t>(i)]; };
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) fock(i, j) += whole(f(i) * f(j) * coulomb * all.r);
  }
  for (const Channel& other : channels) {
    for (int k = std::abs(channel.l - other.l); k <= channel.l + other.l; k += 2) {
      const double angular = squared_3j(channel.l, k, other.l);
      if (angular == 0) continue;
      for (std::size_t o = 0; o < other.orbitals.size(); ++o) {
        for (Eigen::Index i = 0; i < n; ++i) {
          const Function product =
              all.potential(f(i) * other.orbitals[o], static_cast<std::size_t>(k)) * other.orbitals[o] * all.r;
          for (Eigen::Index j = 0; j <= i; ++j)
            fock(i, j) -= 0.5 * other.occupations[o] * angular * whole(product * f(j));
        }
      }
    }
  }
  return fock.selfadjointView<Eigen::Lower>();
}

}  // namespace

namespace {

constexpr int madelung[] = {0, 0, 1, 0, 1, 0, 2, 1, 0, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1};  // l of the shells in their order

/// Puts electrons where there is room, in Madelung's order.
void fill(int left, std::vector<int>& electrons) {
  std::array<int, 4> room{};
  for (const int l : madelung) {
    const auto at = static_cast<std::size_t>(l);
    room[at] += 4 * l + 2;
    const int in_this = std::clamp(room[at] - electrons[at], 0, left);
    electrons[at] += in_this;
    left -= in_this;
  }
}

}  // namespace

std::vector<int> ground_state(int element) {
  // The neutral atoms that differ from Madelung's order.
  static const std::map<int, std::array<int, 4>> others{
      {24, {7, 12, 5, 0}},   {29, {7, 12, 10, 0}},  {41, {9, 18, 14, 0}},  {42, {9, 18, 15, 0}},
      {44, {9, 18, 17, 0}},  {45, {9, 18, 18, 0}},  {46, {8, 18, 20, 0}},  {47, {9, 18, 20, 0}},
      {57, {12, 24, 21, 0}}, {58, {12, 24, 21, 1}}, {64, {12, 24, 21, 7}}, {78, {11, 24, 29, 14}},
      {79, {11, 24, 30, 14}}};
  const auto found = others.find(element);
  if (found != others.end()) return {found->second.begin(), found->second.end()};
  std::vector<int> electrons(4, 0);
  fill(element, electrons);
  return electrons;
}

std::vector<int> configuration_of(int element, int electrons) {
  std::vector<int> shells = ground_state(element);
  if (electrons > element) fill(electrons - element, shells);
  for (int left = element - electrons; left > 0;) {
    // The last shell of l has the principal number l + 1 + those below it.
    int outermost = 0, number = 0;
    for (int l = 0; l < 4; ++l) {
      const int of_l = shells[static_cast<std::size_t>(l)], below = (of_l + 4 * l + 1) / (4 * l + 2);
      if (of_l > 0 && l + below >= number) {
        outermost = l;
        number = l + below;
      }
    }
    int& of_l = shells[static_cast<std::size_t>(outermost)];
    const int full = 4 * outermost + 2, taken = std::min(left, (of_l - 1) % full + 1);
    of_l -= taken;
    left -= taken;
  }
  return shells;
}

FreeAtom::FreeAtom(int element, std::span<const Shell> shells) : FreeAtom(element, element, shells) {}

FreeAtom::FreeAtom(int element, int count, std::span<const Shell> shells) {
  static const Mesh all;
  const std::vector<int> electrons = configuration_of(element, count);
  std::vector<Channel> channels;
  for (int l = 0; l < 4; ++l) {
    if (electrons[static_cast<std::size_t>(l)] == 0) continue;
    channels.push_back(make_channel(l, electrons[static_cast<std::size_t>(l)], element, shells, all));
    channels.back().density = filled(channels.back(), channels.back().core);
    set_orbitals(channels.back());
  }
  constexpr int most_iterations = 300;
  double change = 0;
  for (int iteration = 0; count > 1; ++iteration) {
    const Function coulomb = all.potential(radial_density(channels), 0);
    std::vector<Eigen::MatrixXd> densities;
    energy_ = 0;
    change = 0;
    for (const Channel& channel : channels) {
      const Eigen::MatrixXd fock = fock_of(channel, channels, coulomb, all);
      energy_ += 0.5 * (channel.density.cwiseProduct(channel.core + fock)).sum();
      densities.push_back(filled(channel, fock));
      const Eigen::MatrixXd difference = channel.overlap * (densities.back() - channel.density);
      change = std::max(change, difference.cwiseAbs().maxCoeff());
    }
    if (change < 1e-9) break;
    if (iteration == most_iterations)
      throw Error(fmt::format("free atom {} with {} electrons: the field does not converge (by {:.1e})",
                              isolume::element(element).symbol, count, change));
    const double mixing = iteration < 3 ? 0.3 : 0.5;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      channels[i].density += mixing * (densities[i] - channels[i].density);
      set_orbitals(channels[i]);
    }
  }
  if (count == 1) energy_ = channels[0].density.cwiseProduct(channels[0].core).sum();
  const Function density = radial_density(channels) / (4 * units::pi * all.r * all.r);
  logarithms_.resize(mesh);
  for (int i = 0; i < mesh; ++i) logarithms_[static_cast<std::size_t>(i)] = std::log(std::max(density[i], 1e-300));
}

RadialTable FreeAtom::table() const {
  return {logarithms_.data(), mesh, first_log, step};
}

double FreeAtom::electrons() const {
  double sum = 0;
  for (int i = 0; i < mesh; ++i) {
    const double r = radius(i);
    sum += 4 * units::pi * r * r * r * std::exp(logarithms_[static_cast<std::size_t>(i)]) * step;
  }
  return sum;
}

}  // namespace isolume
