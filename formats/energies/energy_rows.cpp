// Rows of energies while a file is read: terms that come and go, restarts, and a limit on what they take.
#include "formats/energies/energy_rows.h"

#include <cmath>
#include <limits>
#include <utility>

#include "formats/bytes/binary.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t most_terms = 2000;  // files have up to a few hundred
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

EnergyRows::EnergyRows(const ByteSource& source, std::string program) : source_(&source) {
  series_.program = std::move(program);
}

void EnergyRows::fail(const std::string& message) const {
  throw Error::in_file(source_->name(), 0, message);
}

void EnergyRows::check_size() const {
  const std::uint64_t values = saturating_product(series_.rows() + 1, series_.terms.size() + 2);
  if (saturating_product(values, sizeof(double)) > source_->limits().bytes_out)
    fail(std::to_string(series_.terms.size()) + " terms in " + std::to_string(series_.rows()) +
         " rows are more than the limit on content");
}

std::size_t EnergyRows::add(std::string name, std::string unit) {
  if (series_.terms.size() >= most_terms) fail("more than " + std::to_string(most_terms) + " terms of energy");
  const std::string first = name;
  for (int copy = 2; places_.contains(name); ++copy) name = first + " (" + std::to_string(copy) + ")";
  places_.emplace(name, series_.terms.size());
  series_.terms.push_back({std::move(name), std::move(unit), {}});
  check_size();
  return series_.terms.size() - 1;
}

void EnergyRows::begin(std::int64_t step, std::optional<double> time) {
  if (!time) without_time_ = true;
  const auto later = [&] {
    if (series_.steps.empty()) return false;
    return time && !without_time_ ? series_.times.back() >= *time : series_.steps.back() >= step;
  };
  std::size_t kept = series_.rows();
  while (later()) {
    series_.steps.pop_back();
    series_.times.pop_back();
    --kept;
    ++replaced_;
  }
  for (EnergyTerm& term : series_.terms)
    if (term.values.size() > kept) term.values.resize(kept);
  check_size();
  series_.steps.push_back(step);
  series_.times.push_back(time.value_or(nothing));
}

void EnergyRows::set(std::size_t term, double value) {
  std::vector<double>& values = series_.terms[term].values;
  values.resize(series_.rows(), nothing);
  values.back() = std::isfinite(value) ? value : nothing;
}

void EnergyRows::set(const std::string& name, const std::string& unit, double value) {
  const auto there = places_.find(name);
  set(there == places_.end() ? add(name, unit) : there->second, value);
}

EnergySeries EnergyRows::take() && {
  if (series_.rows() == 0) fail("the file has no energies");
  if (without_time_) series_.times.clear();
  for (EnergyTerm& term : series_.terms) term.values.resize(series_.rows(), nothing);
  if (replaced_ > 0)
    warn(std::to_string(replaced_) + (replaced_ == 1 ? " row is" : " rows are") +
         " replaced by later ones of the same time (the run was continued from there).");
  return std::move(series_);
}

}  // namespace isolume
