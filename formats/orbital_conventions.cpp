// The habits of programs that write orbitals: tried one after another.
#include "formats/orbital_conventions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "formats/electron_check.h"
#include "formats/orbital_atom_order.h"
#include "formats/orbital_diagnosis.h"
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

std::string describe(const std::string& format, const Habit& habit) {
  std::string text = format;
  const auto add = [&](const char* what) { text += (text == format ? " with " : ", ") + std::string(what); };
  if (habit.components == Habit::Components::psi4) add("Cartesian components that share the norm of x^l (Psi4)");
  if (habit.components == Habit::Components::cfour) add("Cartesian components that share the norm of xyz (CFOUR)");
  if (habit.components == Habit::Components::turbomole) add("d, f and g functions of norm sqrt((2l-1)!!) (Turbomole)");
  if (habit.raw_primitives) add("contraction coefficients that contain the primitives' norms (ORCA, xtb, old Psi4)");
  if (habit.as_contracted) add("contractions that are not normalised");
  if (habit.orca_signs) add("the opposite sign for |m| = 3 and 4 (ORCA)");
  if (habit.unsaid_spherical) add("spherical shells that it does not declare");
  return text;
}

/// log of the norm of the primitive r^l exp(-a r^2), up to a constant that depends on l only.
double log_primitive_norm(double exponent, int l) {
  return (2 * l + 3) * 0.25 * std::log(exponent);
}

bool is_spherical(const FileOrbitals& file, const FileShell& shell, bool unsaid_spherical) {
  return shell.l >= 2 &&
         (shell.spherical || (unsaid_spherical && file.maybe_spherical[static_cast<std::size_t>(shell.l)]));
}

std::size_t function_count(const FileOrbitals& file, bool unsaid_spherical) {
  std::size_t count = 0;
  for (const FileShell& shell : file.shells) {
    const auto l = static_cast<std::size_t>(shell.l);
    count += is_spherical(file, shell, unsaid_spherical) ? 2 * l + 1 : (l + 1) * (l + 2) / 2;
  }
  return count;
}

/// The shells with normalised contractions, and the norms that they had.
struct Contractions {
  std::vector<Shell> shells;
  std::vector<double> norms;
};

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
        const int m = file.order.spherical(source.l, static_cast<int>(n)), from_zero = m + source.l;
        index = static_cast<std::size_t>(from_zero);
        if (habit.orca_signs && (std::abs(m) == 3 || std::abs(m) == 4)) factor = -factor;
      } else if (source.l >= 2) {
        const glm::ivec3 p = file.order.cartesian(source.l, static_cast<int>(n));
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

/// Chooses the habit that makes the orbitals orthonormal.
class Chooser {
 public:
  explicit Chooser(const FileOrbitals& file) : file_(file) {}

  /// `whole`: the residuals are wanted themselves, not only whether they are better than those before.
  OrbitalResidual try_habit(const Habit& habit, bool whole = false) {
    const FunctionMap map = read(habit);
    // Only the primitives and the shape of the shells change the overlap; the rest scales the orbitals.
    const int key = (habit.raw_primitives ? 1 : 0) + (habit.unsaid_spherical ? 2 : 0);
    if (overlap_key_ != key) {
      overlap_ = {};
      overlap_ = overlap_matrix(map.basis, file_.centres, map.basis, file_.centres);
      overlap_key_ = key;
    }
    const OrbitalResidual known{best_residual, best_occupied, best_occupied >= 0};
    const OrbitalResidual residual =
        orbital_residual(file_, map, overlap_, whole || best_residual < 0 ? nullptr : &known);
    if (best_residual < 0 || residual.all < best_residual) {
      best_residual = residual.all;
      best = habit;
    }
    if (residual.any_occupied && (best_occupied < 0 || residual.occupied < best_occupied)) {
      best_occupied = residual.occupied;
      best_of_occupied = habit;
    }
    return residual;
  }
  /// The overlap of the habit that was tried last.
  const std::vector<double>& overlap() const { return overlap_; }

  FunctionMap read(const Habit& habit) {
    auto& contractions = contractions_[habit.raw_primitives ? 1 : 0];
    if (!contractions) contractions = contract(file_, habit.raw_primitives);
    return read_with(file_, *contractions, habit);
  }

  Habit best, best_of_occupied;
  double best_residual = -1;
  double best_occupied = -1;  ///< residual among the occupied orbitals alone

 private:
  const FileOrbitals& file_;
  std::array<std::optional<Contractions>, 2> contractions_;
  int overlap_key_ = -1;
  std::vector<double> overlap_;  ///< for the habit of the key
};

std::vector<Habit> other_habits(const FileOrbitals& file, bool maybe_spherical) {
  int highest = 0;
  for (const FileShell& shell : file.shells) highest = std::max(highest, shell.l);
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

std::string not_orthonormal(const FileOrbitals& file, double residual, const std::string& why) {
  return fmt::format(
      "The orbitals are not orthonormal over this basis by any convention known (residual {:.2g}); they are taken as "
      "the {} format defines them.{}",
      residual, file.format, why.empty() ? "" : " " + why);
}

/// "2 1 3", or the first of many.
std::string order_text(const std::vector<std::uint32_t>& order) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), most); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : " ", order[i] + 1);
  return order.size() > most ? text + " ..." : text;
}

/// The file with its basis on the atoms in another order, where that makes the orbitals orthonormal, and a warning.
std::optional<FileOrbitals> in_other_order(const FileOrbitals& file, const FunctionMap& map,
                                           const std::vector<double>& implied, std::vector<std::string>& warnings) {
  const std::vector<std::uint32_t> order = other_atom_order(file, map, implied);
  if (order.empty()) return std::nullopt;
  FunctionMap moved = map;
  for (Shell& shell : moved.basis.shells) shell.centre = order[shell.centre];
  const std::vector<double> overlap = overlap_matrix(moved.basis, file.centres, moved.basis, file.centres);
  const double residual = orbital_residual(file, moved, overlap).all;
  if (residual > accepted_residual) return std::nullopt;
  FileOrbitals result = file;
  for (FileShell& shell : result.shells) shell.centre = order[shell.centre];
  warnings.push_back(fmt::format(
      "The basis lists the atoms in another order than the geometry. It is read for the atoms {}, so that the orbitals "
      "are orthonormal (residual {:.1g}).",
      order_text(order), residual));
  return result;
}

std::string virtuals_not_orthonormal(double occupied, double all) {
  return fmt::format(
      "The occupied orbitals are orthonormal (residual {:.1g}), but unoccupied ones of the file are not (residual "
      "{:.2g}).",
      occupied, all);
}

std::string too_large(std::size_t functions) {
  return fmt::format("The basis is too large ({} functions) to check that the orbitals are orthonormal.", functions);
}

}  // namespace

Orbitals convert_orbitals(const FileOrbitals& file, std::vector<std::string>& warnings) {
  const std::size_t functions = function_count(file, false);
  const std::size_t spherical_functions = function_count(file, true);
  check_functions(file, functions);
  std::size_t highest = 0;
  for (const auto& row : file.rows) {
    for (const FileCoefficient& c : row) highest = std::max<std::size_t>(highest, c.function + std::size_t{1});
  }
  const bool maybe_spherical = spherical_functions < functions && highest == spherical_functions;

  Chooser chooser(file);
  Habit habit;
  double residual = -1;
  if (affordable_overlap(chooser.read({}).basis) && !file.orbitals.empty()) {
    // Signs of f and g do not show in the norms of a single atom: where the file names ORCA, its habits come first.
    if (file.names_orca) chooser.try_habit({Habit::Components::own, true, false, true, false});
    if (chooser.best_residual < 0 || chooser.best_residual > accepted_residual) chooser.try_habit({});
    if (chooser.best_residual > accepted_residual) {
      for (const Habit& other : other_habits(file, maybe_spherical)) {
        chooser.try_habit(other);
        if (chooser.best_residual <= 1e-6) break;
      }
    }
    residual = chooser.best_residual;
    if (residual <= accepted_residual) {
      habit = chooser.best;
    } else if (chooser.best_occupied >= 0 && chooser.best_occupied <= accepted_residual) {
      // What programs do not need they do not always make well: the occupied orbitals decide.
      habit = chooser.best_of_occupied;
      residual = chooser.try_habit(habit, true).all;
      warnings.push_back(virtuals_not_orthonormal(chooser.best_occupied, residual));
    } else {
      residual = chooser.try_habit({}, true).all;
      const FunctionMap map = chooser.read({});
      const std::vector<double> implied = implied_overlap(file, map);
      if (const auto other = in_other_order(file, map, implied, warnings)) return convert_orbitals(*other, warnings);
      warnings.push_back(not_orthonormal(file, residual, why_not_orthonormal(map, chooser.overlap(), implied)));
    }
    if (!(habit == Habit{})) {
      warnings.push_back(fmt::format("The file is read as {}: so its orbitals are orthonormal (residual {:.1g}).",
                                     describe(file.format, habit),
                                     residual <= accepted_residual ? residual : chooser.best_occupied));
    }
  } else if (!file.orbitals.empty()) {
    warnings.push_back(too_large(functions));
  }

  if (std::string wrong = wrong_electrons(file); !wrong.empty()) warnings.push_back(std::move(wrong));
  Orbitals orbitals = assemble_orbitals(file, chooser.read(habit));
  orbitals.norm_residual = residual;
  orbitals.convention = describe(file.format, habit);
  return orbitals;
}

Orbitals convert_orbitals(const FileOrbitals& file, FunctionMap map, std::vector<std::string>& warnings) {
  check_functions(file, map.place.size());
  double residual = -1;
  if (!file.orbitals.empty() && affordable_overlap(map.basis)) {
    const std::vector<double> overlap = overlap_matrix(map.basis, file.centres, map.basis, file.centres);
    const OrbitalResidual found = orbital_residual(file, map, overlap);
    residual = found.all;
    if (residual > accepted_residual && found.any_occupied && found.occupied <= accepted_residual) {
      warnings.push_back(virtuals_not_orthonormal(found.occupied, found.all));
    } else if (residual > accepted_residual) {
      const std::vector<double> implied = implied_overlap(file, map);
      warnings.push_back(not_orthonormal(file, residual, why_not_orthonormal(map, overlap, implied)));
    }
  } else if (!file.orbitals.empty()) {
    warnings.push_back(too_large(map.basis.function_count()));
  }
  if (std::string wrong = wrong_electrons(file); !wrong.empty()) warnings.push_back(std::move(wrong));
  Orbitals orbitals = assemble_orbitals(file, std::move(map));
  orbitals.norm_residual = residual;
  orbitals.convention = file.format;
  return orbitals;
}

}  // namespace isolume
