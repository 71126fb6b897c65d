// Energies of a simulation over time, as its program wrote them.
#include "molecule/energy_series.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

bool same_letters(const std::string& a, const std::string& b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

/// Rows of `series` that are before the first of `next`.
std::size_t rows_before(const EnergySeries& series, const EnergySeries& next) {
  if (!series.times.empty() && !next.times.empty()) {
    const auto end = std::lower_bound(series.times.begin(), series.times.end(), next.times.front());
    return static_cast<std::size_t>(end - series.times.begin());
  }
  const auto end = std::lower_bound(series.steps.begin(), series.steps.end(), next.steps.front());
  return static_cast<std::size_t>(end - series.steps.begin());
}

void append(EnergySeries& to, EnergySeries&& next) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  to.warnings.insert(to.warnings.end(), next.warnings.begin(), next.warnings.end());
  if (next.rows() == 0) return;
  if (next.program != to.program)
    throw Error("energies of " + to.program + " and of " + next.program + " are not parts of one run",
                Error::Kind::usage);
  const std::size_t kept = rows_before(to, next);
  if (to.times.empty() != next.times.empty() && to.rows() > 0)
    throw Error("one part of the run has times and another has none", Error::Kind::usage);
  to.steps.resize(kept);
  if (!to.times.empty() || kept == 0) to.times.resize(next.times.empty() ? 0 : kept);
  to.steps.insert(to.steps.end(), next.steps.begin(), next.steps.end());
  to.times.insert(to.times.end(), next.times.begin(), next.times.end());
  for (EnergyTerm& term : to.terms) term.values.resize(kept);
  for (EnergyTerm& term : next.terms) {
    auto there =
        std::find_if(to.terms.begin(), to.terms.end(), [&](const EnergyTerm& t) { return t.name == term.name; });
    if (there == to.terms.end()) {
      to.terms.push_back({term.name, term.unit, std::vector<double>(kept, nothing)});
      there = to.terms.end() - 1;
    }
    if (there->unit != term.unit)
      throw Error(term.name + " is in " + there->unit + " in one part of the run and in " + term.unit + " in another",
                  Error::Kind::usage);
    there->values.insert(there->values.end(), term.values.begin(), term.values.end());
  }
  for (EnergyTerm& term : to.terms) term.values.resize(to.rows(), nothing);
}

}  // namespace

const EnergyTerm& find_term(const EnergySeries& series, const std::string& name) {
  std::string known;
  for (const EnergyTerm& term : series.terms) {
    if (same_letters(term.name, name)) return term;
    known += (known.empty() ? "" : ", ") + term.name;
  }
  throw Error("term " + name + ": the files have " + (known.empty() ? "none" : known), Error::Kind::usage);
}

EnergySeries joined_energies(std::vector<EnergySeries> parts) {
  if (parts.empty()) throw Error("energies: no file was given", Error::Kind::usage);
  EnergySeries all = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) append(all, std::move(parts[i]));
  return all;
}

void convert_energies(EnergySeries& series, const std::string& unit) {
  for (EnergyTerm& term : series.terms) {
    double factor = 1;
    if (term.unit == "kJ/mol" && unit == "kcal/mol") {
      factor = 1 / units::calorie_in_joule;
    } else if (term.unit == "kcal/mol" && unit == "kJ/mol") {
      factor = units::calorie_in_joule;
    } else {
      continue;
    }
    term.unit = unit;
    for (double& value : term.values) value *= factor;
  }
}

}  // namespace isolume
