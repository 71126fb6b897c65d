// Binding energies of frames: a table, and JSON for the report.
#include "app/cli/energy/binding_series.h"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "compute/over_time/running_statistics.h"
#include "formats/write/write.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

}  // namespace

Json terms_json(const BindingTerms& t, bool with_lennard_jones) {
  Json json{{"internal", 0.0}};
  for (const BindingTerm& term : binding_terms) json[term.name] = term.value(t);
  if (!with_lennard_jones) json["lennard_jones"] = nullptr;
  json["electrostatic"] = t.coulomb + t.polar;
  return json;
}

Json mean_json(const std::vector<double>& values) {
  const PointStatistics found = series_statistics(values);
  const MeanError& error = found.error;
  const double independent = static_cast<double>(values.size()) / error.inefficiency;
  return {{"mean", found.mean},
          {"standard_deviation", std::sqrt(found.variance)},
          {"standard_error", number_or_null(error.standard_error)},
          {"half_interval_95", number_or_null(interval_factor(error.degrees) * error.standard_error)},
          {"statistical_inefficiency", number_or_null(error.inefficiency)},
          {"independent_blocks", number_or_null(independent)},
          {"enough_blocks", error.known()}};
}

Json molecules_json(const std::array<double, 3>& values) {
  return {{"complex", values[0]}, {"first", values[1]}, {"second", values[2]}};
}

std::vector<double> BindingSeries::of(const BindingTerm& term) const {
  std::vector<double> list;
  for (const BindingFrame& value : values) list.push_back(term.value(value.sum));
  return list;
}

void BindingSeries::write(const std::string& path, bool pb) const {
  write_atomically(path, [&](std::ostream& out) {
    out << "frame,internal (kcal/mol)" << term_headings();
    if (pb) out << ",polar with steps twice as long (kcal/mol)";
    out << ",area buried (A^2),nearest atoms (A)\n";
    for (std::size_t i = 0; i < values.size(); ++i) {
      const BindingFrame& v = values[i];
      out << frames[i] << ",0" << term_columns(v.sum);
      if (pb) out << fmt::format(",{:.6f}", v.coarse_polar());
      out << fmt::format(",{:.3f},{:.4f}\n", v.areas[1] + v.areas[2] - v.areas[0], v.nearest);
    }
  });
}

}  // namespace isolume::cli
