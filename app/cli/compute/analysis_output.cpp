// The output and messages of an analysis, made in one run or joined from parts.
#include "app/cli/compute/analysis_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/compute/npy.h"
#include "compute/analysis/analysis_part.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

Json facts_of(const AnalysisTable& table) {
  Json json = Json::object();
  for (const auto& [name, text] : table.facts) {
    const Json number = Json::parse(text, nullptr, false);
    json[name] = number.is_number() ? number : Json(text);
  }
  return json;
}

Json statistics(const AnalysisColumn& column) {
  double sum = 0, squares = 0, least = INFINITY, most = -INFINITY;
  std::size_t count = 0;
  for (const double value : column.values) {
    if (!std::isfinite(value)) continue;
    sum += value;
    least = std::min(least, value);
    most = std::max(most, value);
    ++count;
  }
  if (count == 0) return nullptr;
  const double mean = sum / static_cast<double>(count);
  for (const double value : column.values)
    if (std::isfinite(value)) squares += (value - mean) * (value - mean);
  return {{"mean", mean},
          {"standard_deviation", std::sqrt(squares / static_cast<double>(count))},
          {"minimum", least},
          {"maximum", most},
          {"unit", column.unit}};
}

const char* method_of(AnalysisKind kind) {
  switch (kind) {
    case AnalysisKind::rmsd:
      return "root mean square distance to the reference, superposed by least squares of quaternions";
    case AnalysisKind::rmsf:
      return "root mean square fluctuation about the iterated mean";
    case AnalysisKind::rdf:
      return "histogram of nearest-image distances";
    case AnalysisKind::gyration:
      return "tensor of gyration";
    case AnalysisKind::contacts:
    case AnalysisKind::contact_map:
      return "pairs within a cutoff";
    case AnalysisKind::dipole:
      return "sum of charge times position";
    case AnalysisKind::hydrogen_bonds:
      return "distance and angle (Baker and Hubbard 1984)";
    default:
      return "distances";
  }
}

void write_table(const std::string& path, const AnalysisTable& table) {
  if (path.empty()) {
    fmt::print("{}", table.csv());
  } else {
    write_atomically(path, [&](std::ostream& out) { out << table.csv(); });
  }
}

// The largest value of g(r) and where it is, the number of neighbours up to the first minimum behind it.
Json radial_result(const AnalysisTable& table) {
  const std::vector<double>& r = table.columns[0].values;
  const std::vector<double>& g = table.columns[1].values;
  const auto top = static_cast<std::size_t>(std::max_element(g.begin(), g.end()) - g.begin());
  return {{"highest", {{"r", r[top]}, {"value", g[top]}}},
          {"coordination_number_at_maximum", table.column("coordination number").values.back()}};
}

/// "protein", or of what is between two selections "chain A with chain B".
std::string whose(AnalysisKind kind, const AnalysisTable& table) {
  const bool two =
      kind == AnalysisKind::contacts || kind == AnalysisKind::distance || kind == AnalysisKind::hydrogen_bonds;
  return two && !table.other.empty() && table.other != table.selection ? table.selection + " with " + table.other
                                                                       : table.selection;
}

std::string summary(AnalysisKind kind, const AnalysisTable& table) {
  if (kind == AnalysisKind::rdf) {
    const Json result = radial_result(table);
    return fmt::format("{} of {}, highest {:.3f} at {:.2f} angstrom", table.columns[1].name, table.selection,
                       result["highest"]["value"].get<double>(), result["highest"]["r"].get<double>());
  }
  if (kind == AnalysisKind::contact_map) return counted(table.rows(), "pair") + " of residues";
  const bool frames = table.atoms.empty();
  const AnalysisColumn& column =
      frames ? table.columns[table.columns[1].name == "time" ? 2 : 1] : table.columns.front();
  const Json values = statistics(column);
  if (values.is_null()) return column.name + ": no values";
  const auto least = values["minimum"].get<double>(), most = values["maximum"].get<double>();
  const bool whole = column.decimals == 0;  // counts
  std::string mean = fmt::format("{:.{}f}", values["mean"].get<double>(), whole ? 1 : 3);
  if (whole && mean.ends_with(".0")) mean.resize(mean.size() - 2);
  return fmt::format("{} of {}: mean {}{}{}, {:.{}f} to {:.{}f}, {}", column.name, whose(kind, table), mean,
                     column.unit.empty() ? "" : " ", column.unit, least, whole ? 0 : 3, most, whole ? 0 : 3,
                     counted(table.rows(), frames ? "frame" : "row"));
}

}  // namespace

void check_outputs_of(const AnalysisOutputs& outputs, const char* map_extensions) {
  for (const std::string* path : {&outputs.out, &outputs.bonds, &outputs.correlation})
    if (!path->empty()) check_output(*path, "csv");
  if (!outputs.map.empty()) check_output(outputs.map, map_extensions);
}

bool has_matrix(const AnalysisOutputs& outputs) {
  return outputs.map.ends_with(".npy");
}

bool has_map(const FramePart& part) {
  return std::any_of(part.arrays.begin(), part.arrays.end(),
                     [](const FrameArray& array) { return array.rule == FrameArray::Rule::keyed; });
}

AnalysisResult result_of(const FramePart& part, const AnalysisOutputs& outputs, Job& job) {
  AnalysisResult result;
  result.kind = analysis_kind(part.kind);
  result.pbc = part.text("--pbc");
  if (!outputs.map.empty() && !has_map(part))
    throw Error("--map: the parts have no map of contacts; make them with --map", Error::Kind::usage);
  const bool bonds = !outputs.bonds.empty() || !outputs.correlation.empty();
  if (bonds && !has_bonds(part))
    throw Error("--bonds and --correlation: the parts have no single bonds; make them with one of both",
                Error::Kind::usage);
  result.table = table_of(part, result.kind, job);
  if (!outputs.map.empty()) result.map = table_of(part, AnalysisKind::contact_map, job);
  if (bonds) result.bonds = bond_tables(part, result.table, job);
  return result;
}

void write_analysis(Run& run, const AnalysisResult& analysis, const AnalysisOutputs& outputs) {
  const AnalysisTable& table = analysis.table;
  if (outputs.prints || !outputs.out.empty()) write_table(outputs.out, table);
  if (has_matrix(outputs)) {
    write_npy(outputs.map, analysis.matrix.values, analysis.matrix.residues.size());
  } else if (!outputs.map.empty()) {
    write_table(outputs.map, analysis.map);
  }
  if (analysis.bonds) analysis.bonds->write(outputs.bonds, outputs.correlation);
  for (const std::string& note : table.notes) run.say("note: " + note);
  run.report.method = {{"name", method_of(analysis.kind)},
                       {"selection", table.selection},
                       {"pbc", analysis.pbc.empty() ? "whole" : analysis.pbc}};
  if (!table.other.empty()) run.report.method["other_selection"] = table.other;
  run.report.method.update(facts_of(table));
  Json result = Json::object();
  result["rows"] = table.rows();
  if (analysis.kind == AnalysisKind::rdf) {
    run.report.unit = table.columns[1].unit;
    result.update(radial_result(table));
  } else {
    std::string unit;
    for (const AnalysisColumn& column : table.columns) {
      if (column.name == "frame" || column.name == "time") continue;
      if (unit.empty()) unit = column.unit;
      result[column.name] = statistics(column);
    }
    run.report.unit = unit;
  }
  if (analysis.bonds) result.update(analysis.bonds->result);
  if (has_matrix(outputs)) result["map_residues"] = analysis.matrix_words;
  run.report.result = result;
  run.report.phase("write");
  run.say(fmt::format("{}{}", outputs.out.empty() ? "" : outputs.out + ": ", summary(analysis.kind, table)));
  if (analysis.bonds) run.say(analysis.bonds->summary);
}

}  // namespace isolume::cli
