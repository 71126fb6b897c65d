// From a Molden file's basis functions to those of molecule/basis.h.
#include "formats/molden_conventions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "molecule/error.h"

namespace isolume {
namespace {

constexpr double accepted_residual = 1e-4;

/// One way of reading the numbers of a file.
struct Habit {
  enum class Components { own, psi4, cfour, turbomole } components = Components::own;
  bool raw_primitives = false;    ///< contraction coefficients contain the norms of the primitives
  bool as_contracted = false;     ///< orbitals refer to contractions that are not normalised
  bool orca_signs = false;        ///< opposite sign for |m| = 3, 4
  bool unsaid_spherical = false;  ///< d, f, ... are spherical although the file does not say so
  bool operator==(const Habit&) const = default;
};

std::string describe(const Habit& habit) {
  std::string text = "Molden";
  const auto add = [&](const char* what) { text += (text == "Molden" ? " with " : ", ") + std::string(what); };
  if (habit.components == Habit::Components::psi4) add("Cartesian components that share the norm of x^l (Psi4)");
  if (habit.components == Habit::Components::cfour) add("Cartesian components that share the norm of xyz (CFOUR)");
  if (habit.components == Habit::Components::turbomole) add("d, f and g functions of norm sqrt((2l-1)!!) (Turbomole)");
  if (habit.raw_primitives) add("contraction coefficients that contain the primitives' norms (ORCA)");
  if (habit.as_contracted) add("contractions that are not normalised");
  if (habit.orca_signs) add("the opposite sign for |m| = 3 and 4 (ORCA)");
  if (habit.unsaid_spherical) add("spherical shells that it does not declare");
  return text;
}

double odd_factorial(int n) {  // (2n-1)!!
  double value = 1;
  for (int i = 2 * n - 1; i > 1; i -= 2) value *= i;
  return value;
}

/// log of the norm of the primitive r^l exp(-a r^2), up to a constant that depends on l only.
double log_primitive_norm(double exponent, int l) {
  return (2 * l + 3) * 0.25 * std::log(exponent);
}

/// Norm of a contraction of normalised primitives: sqrt(sum c_k c_m (2 sqrt(a_k a_m) / (a_k + a_m))^(l+3/2)).
double contraction_norm(const Shell& shell) {
  double sum = 0;
  for (std::size_t k = 0; k < shell.exponents.size(); ++k) {
    for (std::size_t m = 0; m <= k; ++m) {
      const double a = shell.exponents[k], b = shell.exponents[m];
      const double overlap = std::pow(2 * std::sqrt(a * b) / (a + b), shell.l + 1.5);
      sum += (k == m ? 1 : 2) * shell.coefficients[k] * shell.coefficients[m] * overlap;
    }
  }
  if (!(sum > 1e-200) || !std::isfinite(sum)) throw Error("a shell of the basis has norm 0", Error::Kind::input);
  return std::sqrt(sum);
}

/// Index of x^i y^j z^k in the order of molecule/basis.h.
std::size_t cartesian_index(glm::ivec3 p) {
  return static_cast<std::size_t>((p.y + p.z) * (p.y + p.z + 1) / 2 + p.z);
}

bool is_spherical(const MoldenOrbitals& file, int l, bool unsaid_spherical) {
  const auto at = static_cast<std::size_t>(l);
  return l >= 2 && (file.spherical[at] || (unsaid_spherical && !file.declared[at]));
}

std::size_t function_count(const MoldenOrbitals& file, bool unsaid_spherical) {
  std::size_t count = 0;
  for (const MoldenShell& shell : file.shells) {
    const auto l = static_cast<std::size_t>(shell.l);
    count += is_spherical(file, shell.l, unsaid_spherical) ? 2 * l + 1 : (l + 1) * (l + 2) / 2;
  }
  return count;
}

/// The shells with normalised contractions, and the norms that they had.
struct Contractions {
  std::vector<Shell> shells;
  std::vector<double> norms;
};

Contractions contract(const MoldenOrbitals& file, bool raw_primitives) {
  Contractions out;
  for (const MoldenShell& source : file.shells) {
    Shell shell;
    shell.centre = source.centre;
    shell.l = static_cast<std::uint8_t>(source.l);
    shell.exponents = source.exponents;
    shell.coefficients = source.coefficients;
    if (raw_primitives) {
      // Relative to the tightest primitive, so that no power overflows.
      const double tightest = *std::max_element(shell.exponents.begin(), shell.exponents.end());
      for (std::size_t k = 0; k < shell.exponents.size(); ++k) {
        shell.coefficients[k] *=
            std::exp(log_primitive_norm(tightest, source.l) - log_primitive_norm(shell.exponents[k], source.l));
      }
    }
    const double norm = contraction_norm(shell);
    for (double& coefficient : shell.coefficients) coefficient /= norm;
    out.shells.push_back(std::move(shell));
    out.norms.push_back(norm);
  }
  return out;
}

/// The basis by one habit, and for each function of the file its place and factor.
struct Reading {
  Basis basis;
  std::vector<std::uint32_t> place;
  std::vector<double> factor;
};

Reading read_with(const MoldenOrbitals& file, const Contractions& contractions, const Habit& habit) {
  Reading reading;
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < file.shells.size(); ++i) {
    const MoldenShell& source = file.shells[i];
    Shell shell = contractions.shells[i];
    shell.spherical = is_spherical(file, source.l, habit.unsaid_spherical);
    const double scale = habit.as_contracted ? contractions.norms[i] : 1.0;
    const double turbo = std::sqrt(odd_factorial(source.l));
    const std::size_t count = shell.function_count();
    for (std::size_t n = 0; n < count; ++n) {
      double factor = scale;
      if (habit.components == Habit::Components::turbomole) factor *= turbo;
      std::size_t index = n;
      if (shell.spherical) {
        const int m = n % 2 == 1 ? static_cast<int>(n + 1) / 2 : -static_cast<int>(n) / 2;  // 0 +1 -1 +2 -2 ...
        index = static_cast<std::size_t>(m + source.l);
        if (habit.orca_signs && (std::abs(m) == 3 || std::abs(m) == 4)) factor = -factor;
      } else if (source.l >= 2) {
        const glm::ivec3 p = molden_powers(source.l, static_cast<int>(n));
        index = cartesian_index(p);
        const double product = odd_factorial(p.x) * odd_factorial(p.y) * odd_factorial(p.z);
        if (habit.components == Habit::Components::psi4) factor *= std::sqrt(product / odd_factorial(source.l));
        if (habit.components == Habit::Components::cfour) factor *= std::sqrt(product);
      }
      reading.place.push_back(first + static_cast<std::uint32_t>(index));
      reading.factor.push_back(factor);
    }
    first += static_cast<std::uint32_t>(count);
    reading.basis.shells.push_back(std::move(shell));
  }
  return reading;
}

std::vector<double> dense_row(const std::vector<MoldenCoefficient>& row, const Reading& reading) {
  std::vector<double> values(reading.place.size(), 0.0);
  for (const MoldenCoefficient& c : row) values[reading.place[c.function]] += reading.factor[c.function] * c.value;
  return values;
}

/// The orbitals that the self-check looks at: all of them, or in large files evenly spaced ones.
std::vector<std::size_t> sample_of(std::size_t orbitals, std::size_t functions) {
  const std::size_t affordable =
      std::max<std::size_t>(16, 200'000'000 / std::max<std::size_t>(1, functions * functions));
  std::vector<std::size_t> sample;
  const std::size_t count = std::min(orbitals, affordable);
  for (std::size_t i = 0; i < count; ++i) sample.push_back(i * orbitals / count);
  return sample;
}

/// Largest |<i|j> - delta_ij| over the sample, within each spin.
double residual_of(const MoldenOrbitals& file, const Reading& reading, const std::vector<double>& overlap,
                   const std::vector<std::size_t>& sample) {
  const std::size_t n = reading.place.size();
  std::vector<std::vector<double>> rows;
  double residual = 0;
  std::vector<double> product(n);
  for (std::size_t a = 0; a < sample.size(); ++a) {
    rows.push_back(dense_row(file.rows[sample[a]], reading));
    std::fill(product.begin(), product.end(), 0.0);
    for (std::size_t mu = 0; mu < n; ++mu) {
      const double c = rows[a][mu];
      if (c == 0) continue;
      const double* s = overlap.data() + mu * n;
      for (std::size_t nu = 0; nu < n; ++nu) product[nu] += c * s[nu];
    }
    for (std::size_t b = 0; b <= a; ++b) {
      if (file.orbitals[sample[a]].spin != file.orbitals[sample[b]].spin) continue;
      const double value = std::inner_product(product.begin(), product.end(), rows[b].begin(), a == b ? -1.0 : 0.0);
      residual = std::max(residual, std::isfinite(value) ? std::abs(value) : 1e300);
    }
  }
  return residual;
}

/// Chooses the habit that makes the orbitals orthonormal.
class Chooser {
 public:
  explicit Chooser(const MoldenOrbitals& file, std::size_t functions)
      : file_(file), sample_(sample_of(file.orbitals.size(), functions)) {}

  double try_habit(const Habit& habit) {
    const Reading reading = read(habit);
    // Only the primitives and the shape of the shells change the overlap; the rest scales the orbitals.
    const int key = (habit.raw_primitives ? 1 : 0) + (habit.unsaid_spherical ? 2 : 0);
    if (overlap_key_ != key) {
      overlap_ = {};
      overlap_ = overlap_matrix(reading.basis, file_.centres, reading.basis, file_.centres);
      overlap_key_ = key;
    }
    const double residual = residual_of(file_, reading, overlap_, sample_);
    if (best_residual < 0 || residual < best_residual) {
      best_residual = residual;
      best = habit;
    }
    return residual;
  }

  Reading read(const Habit& habit) {
    auto& contractions = contractions_[habit.raw_primitives ? 1 : 0];
    if (!contractions) contractions = contract(file_, habit.raw_primitives);
    return read_with(file_, *contractions, habit);
  }

  Habit best;
  double best_residual = -1;

 private:
  const MoldenOrbitals& file_;
  std::vector<std::size_t> sample_;
  std::array<std::optional<Contractions>, 2> contractions_;
  int overlap_key_ = -1;
  std::vector<double> overlap_;  ///< for the habit of the key
};

std::vector<Habit> other_habits(const MoldenOrbitals& file, bool maybe_spherical) {
  int highest = 0;
  for (const MoldenShell& shell : file.shells) highest = std::max(highest, shell.l);
  std::vector<Habit> habits;
  for (const bool spherical : {false, true}) {
    if (spherical && !maybe_spherical) continue;
    for (const bool raw : {false, true}) {
      for (const bool contracted : {false, true}) {
        if (raw && contracted) continue;  // the norm of such a contraction says nothing
        for (const auto components : {Habit::Components::own, Habit::Components::psi4, Habit::Components::cfour,
                                      Habit::Components::turbomole}) {
          if (components != Habit::Components::own && highest < 2) continue;
          for (const bool signs : {false, true}) {
            if (signs && highest < 3) continue;
            habits.push_back({components, raw, contracted, signs, spherical});
          }
        }
      }
    }
  }
  return habits;
}

}  // namespace

glm::ivec3 molden_powers(int l, int n) {
  static constexpr std::array<glm::ivec3, 6> d = {{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}}};
  static constexpr std::array<glm::ivec3, 10> f = {
      {{3, 0, 0}, {0, 3, 0}, {0, 0, 3}, {1, 2, 0}, {2, 1, 0}, {2, 0, 1}, {1, 0, 2}, {0, 1, 2}, {0, 2, 1}, {1, 1, 1}}};
  static constexpr std::array<glm::ivec3, 15> g = {{{4, 0, 0},
                                                    {0, 4, 0},
                                                    {0, 0, 4},
                                                    {3, 1, 0},
                                                    {3, 0, 1},
                                                    {1, 3, 0},
                                                    {0, 3, 1},
                                                    {1, 0, 3},
                                                    {0, 1, 3},
                                                    {2, 2, 0},
                                                    {2, 0, 2},
                                                    {0, 2, 2},
                                                    {2, 1, 1},
                                                    {1, 2, 1},
                                                    {1, 1, 2}}};
  const auto at = static_cast<std::size_t>(n);
  if (l == 2) return d[at];
  if (l == 3) return f[at];
  if (l == 4) return g[at];
  // s, p, and h and above, which the format does not define: x before y before z.
  for (int i = l; i >= 0; --i) {
    if (n <= l - i) return {i, l - i - n, n};
    n -= l - i + 1;
  }
  throw Error("no such Cartesian function");
}

Orbitals convert_molden(const MoldenOrbitals& file, std::vector<std::string>& warnings) {
  const std::size_t functions = function_count(file, false);
  const std::size_t spherical_functions = function_count(file, true);
  std::size_t highest = 0;
  for (const auto& row : file.rows) {
    for (const MoldenCoefficient& c : row) highest = std::max<std::size_t>(highest, c.function + 1);
  }
  if (highest > functions) {
    throw Error(fmt::format("an orbital has a coefficient for function {}; the basis has {}", highest, functions),
                Error::Kind::input);
  }
  const bool maybe_spherical = spherical_functions < functions && highest == spherical_functions;

  // The overlap takes some 30 ns for every pair of primitives and 8 ns for every pair of their components.
  std::size_t primitives = 0, components = 0;
  for (const MoldenShell& shell : file.shells) {
    primitives += shell.exponents.size();
    components += shell.exponents.size() * static_cast<std::size_t>((shell.l + 1) * (shell.l + 2) / 2);
  }
  Chooser chooser(file, functions);
  Habit habit;
  double residual = -1;
  if (functions <= 4000 && primitives <= 8000 && components <= 16'000 && !file.orbitals.empty()) {
    const bool orca = file.title.find("orca") != std::string::npos;
    // Signs of f and g do not show in the norms of a single atom: where the file names ORCA, its habits come first.
    if (orca) chooser.try_habit({Habit::Components::own, true, false, true, false});
    if (chooser.best_residual < 0 || chooser.best_residual > accepted_residual) chooser.try_habit({});
    if (chooser.best_residual > accepted_residual) {
      for (const Habit& other : other_habits(file, maybe_spherical)) {
        chooser.try_habit(other);
        if (chooser.best_residual <= 1e-6) break;
      }
    }
    residual = chooser.best_residual;
    if (residual <= accepted_residual) habit = chooser.best;
    if (residual > accepted_residual) {
      residual = chooser.try_habit({});
      warnings.push_back(
          fmt::format("The orbitals are not orthonormal over this basis by any convention known (residual {:.2g}); "
                      "they are taken as the Molden format defines them.",
                      residual));
    } else if (!(habit == Habit{})) {
      warnings.push_back(fmt::format("The file is read as {}: so its orbitals are orthonormal (residual {:.1g}).",
                                     describe(habit), residual));
    }
  } else if (!file.orbitals.empty()) {
    warnings.push_back(
        fmt::format("The basis is too large ({} functions) to check that the orbitals are orthonormal.", functions));
  }

  Reading reading = chooser.read(habit);
  const std::size_t count = reading.place.size();
  Orbitals orbitals;
  orbitals.basis = std::make_shared<const Basis>(std::move(reading.basis));
  orbitals.centres = file.centres;
  orbitals.norm_residual = residual;
  orbitals.convention = describe(habit);
  orbitals.coefficients.reserve(file.orbitals.size() * count);
  for (const Spin spin : {Spin::alpha, Spin::beta}) {
    for (std::size_t i = 0; i < file.orbitals.size(); ++i) {
      if (file.orbitals[i].spin != spin) continue;
      orbitals.orbitals.push_back(file.orbitals[i]);
      const std::vector<double> row = dense_row(file.rows[i], reading);
      orbitals.coefficients.insert(orbitals.coefficients.end(), row.begin(), row.end());
      orbitals.unrestricted = orbitals.unrestricted || spin == Spin::beta;
    }
  }
  return orbitals;
}

}  // namespace isolume
