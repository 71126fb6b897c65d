// Analyses: the table of kinds, the usual atoms of each, and tables as text.
#include "compute/analysis/analysis.h"

#include <fmt/format.h>

#include <cmath>

#include "compute/analysis/analysis_parts.h"
#include "molecule/base/error.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume {

namespace {

struct Kind {
  const char* name;   ///< of the command line
  const char* usual;  ///< atoms where none are chosen
  AnalysisTable (*run)(const AnalysisRequest&, Job&);
};

constexpr const char* polymer = "protein or nucleic";
constexpr const char* trace = "polymer and name CA P";

/// In the order of AnalysisKind.
constexpr Kind kinds[analysis_kinds] = {
    {"rmsd", trace, analysis::over_frames},        {"gyration", polymer, analysis::over_frames},
    {"contacts", polymer, analysis::over_frames},  {"dipole", polymer, analysis::over_frames},
    {"sasa", polymer, analysis::over_frames},      {"hbonds", polymer, analysis::over_frames},
    {"distance", polymer, analysis::over_frames},  {"rmsf", trace, analysis::rmsf},
    {"rdf", "water and element O", analysis::rdf}, {"contact-map", polymer, analysis::contact_map}};

const Kind& kind_of(AnalysisKind kind) {
  return kinds[static_cast<std::size_t>(kind)];
}

}  // namespace

const char* name(AnalysisKind kind) {
  return kind_of(kind).name;
}

const AnalysisColumn& AnalysisTable::column(const std::string& wanted) const {
  for (const AnalysisColumn& column : columns)
    if (column.name == wanted) return column;
  throw Error("an analysis has no column '" + wanted + "'");
}

std::string csv_field(const std::string& text) {
  std::string result;
  bool quotes = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    quotes = quotes || c == ',' || c == '"';
    if (c == '"') result += '"';
    result += byte < 32 || byte == 127 ? ' ' : c;
  }
  return quotes ? "\"" + result + "\"" : result;
}

std::string AnalysisTable::csv() const {
  std::string text;
  const auto separate = [&] {
    if (!text.empty() && text.back() != '\n') text += ',';
  };
  for (const auto& [heading, values] : texts) {
    separate();
    text += csv_field(heading);
  }
  for (const AnalysisColumn& column : columns) {
    separate();
    text += csv_field(column.unit.empty() ? column.name : column.name + " (" + column.unit + ")");
  }
  text += '\n';
  for (std::size_t row = 0; row < rows(); ++row) {
    bool first = true;
    for (const auto& [heading, values] : texts) {
      if (!std::exchange(first, false)) text += ',';
      text += csv_field(values[row]);
    }
    for (const AnalysisColumn& column : columns) {
      if (!std::exchange(first, false)) text += ',';
      if (std::isfinite(column.values[row])) text += fmt::format("{:.{}f}", column.values[row], column.decimals);
    }
    text += '\n';
  }
  return text;
}

void check_request(const AnalysisRequest& request) {
  if (!request.molecule || !request.molecule->topology || request.molecule->frame_count() == 0)
    throw Error("this needs atoms with positions, and there are none", Error::Kind::usage);
  if (request.frames.empty()) throw Error("there are no frames to look at", Error::Kind::usage);
  const auto check = [&](std::size_t frame) {
    if (frame >= request.molecule->frame_count())
      throw Error(fmt::format("frame {}: there are 0 to {}", frame, request.molecule->frame_count() - 1),
                  Error::Kind::usage);
  };
  for (const std::size_t frame : request.frames) check(frame);
  if (request.opening) check(*request.opening);
}

AnalysisTable analyse(const AnalysisRequest& request, Job& job) {
  check_request(request);
  return kind_of(request.kind).run(request, job);
}

std::vector<std::uint32_t> analysis::atoms_of(const Molecule& molecule, const Frame& frame, AnalysisKind kind,
                                              std::string& words) {
  const Topology& topology = *molecule.topology;
  if (words.empty()) {
    words = kind_of(kind).usual;
    std::vector<std::uint32_t> atoms = Selection(words).atoms(topology, frame);
    if (!atoms.empty()) return atoms;
    words = "all";
  }
  std::vector<std::uint32_t> atoms = Selection(words).atoms(topology, frame);
  if (atoms.empty()) throw Error(empty_selection(words, topology), Error::Kind::usage);
  return atoms;
}

}  // namespace isolume
