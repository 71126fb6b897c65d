// The ways in which programs write orbitals, and a file read by one of them.
#include "formats/orbitals/orbital_habits.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace isolume {
namespace {

/// log of the norm of the primitive r^l exp(-a r^2), up to a constant that depends on l only.
double log_primitive_norm(double exponent, int l) {
  return (2 * l + 3) * 0.25 * std::log(exponent);
}

bool is_spherical(const FileOrbitals& file, const FileShell& shell, bool unsaid_spherical) {
  return shell.l >= 2 &&
         (shell.spherical || (unsaid_spherical && file.maybe_spherical[static_cast<std::size_t>(shell.l)]));
}

}  // namespace

std::string describe(const FileOrbitals& file, const Habit& habit) {
  std::string text = file.format;
  const auto add = [&](const std::string& what) { text += (text == file.format ? " with " : ", ") + what; };
  if (habit.components == Habit::Components::psi4) add("Psi4's normalisation of Cartesian functions");
  if (habit.components == Habit::Components::cfour) add("CFOUR's normalisation of Cartesian functions");
  if (habit.components == Habit::Components::turbomole) add("Turbomole's normalisation of d, f and g functions");
  if (habit.raw_primitives) add("contraction coefficients that contain the primitives' norms (ORCA, xtb, old Psi4)");
  if (habit.as_contracted) add("contractions that are not normalised");
  if (habit.orca_signs) add("the opposite sign for |m| = 3 and 4 (ORCA)");
  if (habit.unsaid_spherical) add("spherical shells that it does not declare");
  if (habit.other_order) add(file.other_order_name);
  return text;
}

std::size_t function_count(const FileOrbitals& file, bool unsaid_spherical) {
  std::size_t count = 0;
  for (const FileShell& shell : file.shells) {
    const auto l = static_cast<std::size_t>(shell.l);
    count += is_spherical(file, shell, unsaid_spherical) ? 2 * l + 1 : (l + 1) * (l + 2) / 2;
  }
  return count;
}

Contractions contract(const FileOrbitals& file, bool raw_primitives) {
  Contractions out;
  for (const FileShell& source : file.shells) {
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

FunctionMap read_with(const FileOrbitals& file, const Contractions& contractions, const Habit& habit) {
  const FunctionOrder& order = habit.other_order && file.other_order ? *file.other_order : file.order;
  FunctionMap map;
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < file.shells.size(); ++i) {
    const FileShell& source = file.shells[i];
    Shell shell = contractions.shells[i];
    shell.spherical = is_spherical(file, source, habit.unsaid_spherical);
    const double scale = habit.as_contracted ? contractions.norms[i] : 1.0;
    const double turbo = std::sqrt(odd_factorial(source.l));
    const std::size_t count = shell.function_count();
    for (std::size_t n = 0; n < count; ++n) {
      double factor = scale;
      if (habit.components == Habit::Components::turbomole) factor *= turbo;
      std::size_t index = n;
      if (shell.spherical) {
        const int m = order.spherical(source.l, static_cast<int>(n)), from_zero = m + source.l;
        index = static_cast<std::size_t>(from_zero);
        if (habit.orca_signs && (std::abs(m) == 3 || std::abs(m) == 4)) factor = -factor;
      } else if (source.l >= 2) {
        const glm::ivec3 p = order.cartesian(source.l, static_cast<int>(n));
        index = cartesian_index(p);
        const double product = odd_factorial(p.x) * odd_factorial(p.y) * odd_factorial(p.z);
        if (habit.components == Habit::Components::psi4) factor *= std::sqrt(product / odd_factorial(source.l));
        if (habit.components == Habit::Components::cfour) factor *= std::sqrt(product);
      }
      map.place.push_back(first + static_cast<std::uint32_t>(index));
      map.factor.push_back(factor);
    }
    first += static_cast<std::uint32_t>(count);
    map.basis.shells.push_back(std::move(shell));
  }
  return map;
}

std::vector<Habit> other_habits(const FileOrbitals& file, bool maybe_spherical) {
  int highest = 0;
  for (const FileShell& shell : file.shells) highest = std::max(highest, shell.l);
  std::vector<Habit> habits;
  if (file.other_order) {
    for (const auto components : {Habit::Components::own, Habit::Components::psi4})
      habits.push_back({components, false, false, false, false, true});
  }
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
            habits.push_back({components, raw, contracted, signs, spherical, false});
          }
        }
      }
    }
  }
  return habits;
}

}  // namespace isolume
