// Overlap of contracted Gaussians, and the check of orbitals by it.
#include <algorithm>
#include <array>
#include <cmath>

#include "molecule/base/error.h"
#include "molecule/base/threads.h"
#include "molecule/base/units.h"
#include "molecule/quantum/dipole_integrals.h"
#include "molecule/quantum/orbitals.h"
#include "molecule/quantum/solid_harmonics.h"

namespace isolume {

namespace {

constexpr int max_cartesian = (max_angular_momentum + 1) * (max_angular_momentum + 2) / 2;
constexpr int l_count = max_angular_momentum + 1;
constexpr int table_size = l_count + 1;  // one power more, for dipole integrals

// Beyond exp(-50) = 2e-22 a product of normalised Gaussians adds nothing to a double near 1.
constexpr double negligible_exponent = 50;

// What does not depend on the shell but on its l.
struct Components {
  std::vector<glm::ivec3> powers;
  std::vector<double> norms;  // cartesian_norm without the part that depends on the exponent
  std::vector<double> harmonics;
};

const Components& components(int l) {
  static const std::array<Components, l_count> all = [] {
    std::array<Components, l_count> result;
    for (int i = 0; i < l_count; ++i) {
      Components& c = result[static_cast<std::size_t>(i)];
      c.powers = cartesian_powers(i);
      c.harmonics = solid_harmonic_matrix(i);
      const double first = cartesian_norm(1, 0, 0, 0) * std::pow(2.0, i);
      for (const glm::ivec3& p : c.powers) c.norms.push_back(cartesian_norm(1, p.x, p.y, p.z) / first);
    }
    return result;
  }();
  return all[static_cast<std::size_t>(l)];
}

// A shell at its place, with coefficients for primitives that are normalised but for the component's own factor.
struct Placed {
  int l;
  bool spherical;
  glm::dvec3 centre;
  std::size_t first;
  double smallest_exponent;
  std::vector<double> exponents;
  std::vector<double> coefficients;
};

std::vector<Placed> place(const Basis& basis, std::span<const glm::dvec3> centres) {
  std::vector<Placed> placed;
  placed.reserve(basis.shells.size());
  std::size_t first = 0;
  for (const Shell& shell : basis.shells) {
    if (shell.centre >= centres.size()) {
      throw Error("a shell is centred on atom " + std::to_string(shell.centre + 1) + "; there are " +
                      std::to_string(centres.size()) + " atoms",
                  Error::Kind::input);
    }
    if (shell.l > max_angular_momentum) {
      throw Error("a shell has l = " + std::to_string(shell.l) + "; shells up to l = 6 (i) are known",
                  Error::Kind::input);
    }
    if (shell.exponents.empty() || shell.exponents.size() != shell.coefficients.size()) {
      throw Error("a shell has " + std::to_string(shell.exponents.size()) + " exponents and " +
                      std::to_string(shell.coefficients.size()) + " coefficients",
                  Error::Kind::input);
    }
    Placed p{shell.l, shell.spherical, centres[shell.centre], first, 0, shell.exponents, shell.coefficients};
    p.smallest_exponent = *std::min_element(p.exponents.begin(), p.exponents.end());
    for (std::size_t i = 0; i < p.exponents.size(); ++i) {
      p.coefficients[i] *= cartesian_norm(p.exponents[i], 0, 0, 0) * std::pow(4 * p.exponents[i], 0.5 * p.l);
    }
    first += shell.function_count();
    placed.push_back(std::move(p));
  }
  return placed;
}

using Table = std::array<std::array<double, table_size>, table_size>;

// One-dimensional overlaps <x_A^i | x_B^j> over exp(-p x_P^2), in units of <0|0>. Obara and Saika 1986, eq. A4.
void fill(Table& s, int la, int lb, double pa, double pb, double half_over_p) {
  s[0][0] = 1;
  for (int j = 0; j < lb; ++j) s[0][j + 1] = pb * s[0][j] + (j > 0 ? half_over_p * j * s[0][j - 1] : 0);
  for (int i = 0; i < la; ++i) {
    for (int j = 0; j <= lb; ++j) {
      double value = pa * s[i][j];
      if (i > 0) value += half_over_p * i * s[i - 1][j];
      if (j > 0) value += half_over_p * j * s[i][j - 1];
      s[i + 1][j] = value;
    }
  }
}

using Block = std::array<double, max_cartesian * max_cartesian>;

constexpr int no_axis = -1;

// rows x columns block of Cartesian overlaps, or of the coordinate along `axis` (0 to 2); false where it is zero for
// distance.
bool cartesian_block(const Placed& a, const Placed& b, Block& block, int axis_of_dipole = no_axis) {
  const glm::dvec3 ab = a.centre - b.centre;
  const double squared = glm::dot(ab, ab);
  const auto reduced = [](double x, double y) { return x * y / (x + y); };
  if (reduced(a.smallest_exponent, b.smallest_exponent) * squared > negligible_exponent) return false;
  const Components& ca = components(a.l);
  const Components& cb = components(b.l);
  const std::size_t rows = ca.powers.size();
  const std::size_t columns = cb.powers.size();
  std::fill_n(block.begin(), rows * columns, 0.0);
  std::array<Table, 3> s;
  for (std::size_t i = 0; i < a.exponents.size(); ++i) {
    for (std::size_t j = 0; j < b.exponents.size(); ++j) {
      const double p = a.exponents[i] + b.exponents[j];
      const double decay = reduced(a.exponents[i], b.exponents[j]) * squared;
      if (decay > negligible_exponent) continue;
      const glm::dvec3 centre = (a.exponents[i] * a.centre + b.exponents[j] * b.centre) / p;
      const double ratio = units::pi / p;
      const double scale = a.coefficients[i] * b.coefficients[j] * ratio * std::sqrt(ratio) * std::exp(-decay);
      for (int axis = 0; axis < 3; ++axis) {
        Table& table = s[static_cast<std::size_t>(axis)];
        const int more = axis == axis_of_dipole ? 1 : 0;
        fill(table, a.l, b.l + more, centre[axis] - a.centre[axis], centre[axis] - b.centre[axis], 0.5 / p);
        // <x_A^i | x | x_B^j> = <x_A^i | x_B^(j+1)> + B <x_A^i | x_B^j>; ascending j finds the power above as it was.
        for (int i = 0; more == 1 && i <= a.l; ++i)
          for (int j = 0; j <= b.l; ++j) table[i][j] = table[i][j + 1] + b.centre[axis] * table[i][j];
      }
      for (std::size_t row = 0; row < rows; ++row) {
        const glm::ivec3 pa = ca.powers[row];
        for (std::size_t column = 0; column < columns; ++column) {
          const glm::ivec3 pb = cb.powers[column];
          block[row * columns + column] += scale * s[0][pa.x][pb.x] * s[1][pa.y][pb.y] * s[2][pa.z][pb.z];
        }
      }
    }
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      block[row * columns + column] *= ca.norms[row] * cb.norms[column];
    }
  }
  return true;
}

// Rows (then columns) of Cartesian functions to solid harmonics where the shell has them.
void to_spherical(const Placed& a, const Placed& b, Block& block) {
  std::size_t rows = components(a.l).powers.size();
  std::size_t columns = components(b.l).powers.size();
  Block copy;
  if (a.spherical) {
    const std::vector<double>& m = components(a.l).harmonics;
    const std::size_t kept = static_cast<std::size_t>(2 * a.l + 1);
    std::copy_n(block.begin(), rows * columns, copy.begin());
    std::fill_n(block.begin(), kept * columns, 0.0);
    for (std::size_t i = 0; i < kept; ++i) {
      for (std::size_t k = 0; k < rows; ++k) {
        const double factor = m[i * rows + k];
        if (factor == 0) continue;
        for (std::size_t j = 0; j < columns; ++j) block[i * columns + j] += factor * copy[k * columns + j];
      }
    }
    rows = kept;
  }
  if (b.spherical) {
    const std::vector<double>& m = components(b.l).harmonics;
    const std::size_t kept = static_cast<std::size_t>(2 * b.l + 1);
    std::copy_n(block.begin(), rows * columns, copy.begin());
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < kept; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < columns; ++k) sum += m[j * columns + k] * copy[i * columns + k];
        block[i * kept + j] = sum;
      }
    }
  }
}

std::size_t functions(const Placed& shell) {
  return shell.spherical ? static_cast<std::size_t>(2 * shell.l + 1) : components(shell.l).powers.size();
}

}  // namespace

namespace {

std::vector<double> integrals(const Basis& a, std::span<const glm::dvec3> centres_a, const Basis& b,
                              std::span<const glm::dvec3> centres_b, int axis) {
  const bool itself = &a == &b && centres_a.data() == centres_b.data() && centres_a.size() == centres_b.size();
  const std::vector<Placed> left = place(a, centres_a);
  const std::vector<Placed> right = itself ? left : place(b, centres_b);
  const std::size_t width = b.function_count();
  std::vector<double> matrix(a.function_count() * width, 0.0);
  const auto fill_rows = [&](std::size_t i) {
    Block block;
    for (std::size_t j = itself ? i : 0; j < right.size(); ++j) {
      if (!cartesian_block(left[i], right[j], block, axis)) continue;
      to_spherical(left[i], right[j], block);
      const std::size_t rows = functions(left[i]);
      const std::size_t columns = functions(right[j]);
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
          const double value = block[r * columns + c];
          matrix[(left[i].first + r) * width + right[j].first + c] = value;
          if (itself) matrix[(right[j].first + c) * width + left[i].first + r] = value;
        }
      }
    }
  };
  constexpr std::size_t worth_threads = 20'000;  // pairs of shells
  if (left.size() * right.size() >= worth_threads) {
    on_threads(left.size(), fill_rows);
  } else {
    for (std::size_t i = 0; i < left.size(); ++i) fill_rows(i);
  }
  return matrix;
}

}  // namespace

std::vector<double> overlap_matrix(const Basis& a, std::span<const glm::dvec3> centres_a, const Basis& b,
                                   std::span<const glm::dvec3> centres_b) {
  return integrals(a, centres_a, b, centres_b, no_axis);
}

std::array<std::vector<double>, 3> dipole_matrices(const Basis& basis, std::span<const glm::dvec3> centres) {
  std::array<std::vector<double>, 3> result;
  for (int axis = 0; axis < 3; ++axis)
    result[static_cast<std::size_t>(axis)] = integrals(basis, centres, basis, centres, axis);
  return result;
}

double orthonormality_residual(const Orbitals& orbitals) {
  if (!orbitals.basis || orbitals.count() == 0) return 0;
  const std::size_t n = orbitals.basis->function_count();
  orbitals.row(orbitals.count() - 1);  // throws where coefficients are missing
  const std::vector<double> s = overlap_matrix(*orbitals.basis, orbitals.centres, *orbitals.basis, orbitals.centres);
  double worst = 0;
  std::vector<double> image(n);
  for (std::size_t i = 0; i < orbitals.count(); ++i) {
    // S is symmetric: its rows are its columns, and adding them up by coefficient streams through memory.
    const double* ci = orbitals.coefficients.data() + i * n;
    std::fill(image.begin(), image.end(), 0.0);
    for (std::size_t k = 0; k < n; ++k) {
      if (ci[k] == 0) continue;
      const double* row = s.data() + k * n;
      for (std::size_t q = 0; q < n; ++q) image[q] += ci[k] * row[q];
    }
    for (std::size_t j = 0; j <= i; ++j) {
      if (orbitals.orbitals[i].spin != orbitals.orbitals[j].spin) continue;
      const double* cj = orbitals.coefficients.data() + j * n;
      double product = 0;
      for (std::size_t q = 0; q < n; ++q) product += cj[q] * image[q];
      const double deviation = std::abs(product - (i == j ? 1.0 : 0.0));
      if (std::isnan(deviation)) return deviation;  // must not pass as a perfect orbital
      worst = std::max(worst, deviation);
    }
  }
  return worst;
}

}  // namespace isolume
