// The habits of programs that write orbitals: tried one after another.
#include "formats/orbitals/orbital_conventions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "formats/orbitals/electron_check.h"
#include "formats/orbitals/orbital_atom_order.h"
#include "formats/orbitals/orbital_diagnosis.h"
#include "formats/orbitals/orbital_habits.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr double accepted_residual = 1e-4;

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
    if (file.names_orca) {
      const Habit orca{Habit::Components::own, true, false, true, false, false};
      chooser.try_habit(orca);
      // ORCA does not declare h and above.
      Habit undeclared = orca;
      undeclared.unsaid_spherical = true;
      if (maybe_spherical && chooser.best_residual > accepted_residual) chooser.try_habit(undeclared);
    }
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
      warnings.push_back(fmt::format("Recognised {}: with it the orbitals are orthonormal (residual {:.1g}).",
                                     describe(file, habit),
                                     residual <= accepted_residual ? residual : chooser.best_occupied));
    }
  } else if (!file.orbitals.empty()) {
    warnings.push_back(too_large(functions));
  }

  if (std::string wrong = wrong_electrons(file); !wrong.empty()) warnings.push_back(std::move(wrong));
  Orbitals orbitals = assemble_orbitals(file, chooser.read(habit));
  orbitals.norm_residual = residual;
  orbitals.convention = describe(file, habit);
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
