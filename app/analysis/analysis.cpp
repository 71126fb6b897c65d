// Analyses: tables, selections, and the choice of the kind.
#include "app/analysis/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/analysis/analysis_parts.h"
#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume {

const char* name(AnalysisKind kind) {
  constexpr const char* names[analysis_kinds] = {"rmsd",   "gyration", "contacts", "dipole", "sasa",
                                                 "hbonds", "distance", "rmsf",     "rdf",    "contact-map"};
  return names[static_cast<std::size_t>(kind)];
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

AnalysisTable analyse(const AnalysisRequest& request, Job& job) {
  if (!request.molecule || !request.molecule->topology || request.molecule->frame_count() == 0)
    throw Error("this needs atoms with positions, and there are none", Error::Kind::usage);
  if (request.frames.empty()) throw Error("there are no frames to look at", Error::Kind::usage);
  for (const std::size_t frame : request.frames)
    if (frame >= request.molecule->frame_count())
      throw Error(fmt::format("frame {}: there are 0 to {}", frame, request.molecule->frame_count() - 1),
                  Error::Kind::usage);
  switch (request.kind) {
    case AnalysisKind::rmsd:
      return analysis::rmsd(request, job);
    case AnalysisKind::gyration:
      return analysis::gyration(request, job);
    case AnalysisKind::contacts:
      return analysis::contacts(request, job);
    case AnalysisKind::dipole:
      return analysis::dipole(request, job);
    case AnalysisKind::area:
      return analysis::area(request, job);
    case AnalysisKind::hydrogen_bonds:
      return analysis::hydrogen_bonds(request, job);
    case AnalysisKind::distance:
      return analysis::distance(request, job);
    case AnalysisKind::rmsf:
      return analysis::rmsf(request, job);
    case AnalysisKind::rdf:
      return analysis::rdf(request, job);
    case AnalysisKind::contact_map:
      return analysis::contact_map(request, job);
  }
  return {};
}

namespace analysis {

std::vector<std::uint32_t> atoms_of(const Molecule& molecule, const Frame& frame, AnalysisKind kind,
                                    std::string& words) {
  const Topology& topology = *molecule.topology;
  if (words.empty()) {
    switch (kind) {
      case AnalysisKind::rmsd:
      case AnalysisKind::rmsf:
        words = "polymer and name CA P";
        break;
      case AnalysisKind::rdf:
        words = "water and element O";
        break;
      default:
        words = "protein or nucleic";
    }
    std::vector<std::uint32_t> atoms = Selection(words).atoms(topology, frame);
    if (!atoms.empty()) return atoms;
    words = "all";
  }
  std::vector<std::uint32_t> atoms = Selection(words).atoms(topology, frame);
  if (atoms.empty()) throw Error(empty_selection(words, topology), Error::Kind::usage);
  return atoms;
}

glm::dvec3 position(const Frame& frame, std::uint32_t atom) {
  return frame.precise_positions.empty() ? glm::dvec3(frame.positions[atom]) : frame.precise_positions[atom];
}

std::vector<glm::dvec3> positions(const Frame& frame, std::span<const std::uint32_t> atoms) {
  std::vector<glm::dvec3> result;
  result.reserve(atoms.size());
  for (const std::uint32_t atom : atoms) result.push_back(position(frame, atom));
  return result;
}

std::vector<glm::vec3> near_positions(const Frame& frame, std::span<const std::uint32_t> atoms) {
  std::vector<glm::vec3> result;
  result.reserve(atoms.size());
  for (const std::uint32_t atom : atoms) result.push_back(frame.positions[atom]);
  return result;
}

std::vector<double> masses(const Topology& topology, std::span<const std::uint32_t> atoms) {
  std::vector<double> result;
  result.reserve(atoms.size());
  for (const std::uint32_t atom : atoms) {
    const auto mass = static_cast<double>(topology.atoms[atom].mass);
    result.push_back(mass > 0 ? mass : 1.0);  // a bead without a mass counts as 1 Da
  }
  return result;
}

void FrameAxis::take(std::size_t row, const Frame& frame) {
  has_time_[row] = frame.has_time;
  times_[row] = frame.has_time ? frame.time : std::numeric_limits<double>::quiet_NaN();
}

void FrameAxis::add_to(AnalysisTable& table, const std::vector<std::size_t>& frames) const {
  AnalysisColumn numbers{"frame", "", {}, 0};
  for (const std::size_t frame : frames) numbers.values.push_back(static_cast<double>(frame));
  std::vector<AnalysisColumn> columns{std::move(numbers)};
  if (std::find(has_time_.begin(), has_time_.end(), 1) != has_time_.end()) columns.push_back({"time", "ps", times_, 4});
  table.columns.insert(table.columns.begin(), columns.begin(), columns.end());
}

void for_frames(const AnalysisRequest& request, Job& job, const char* what,
                const std::function<void(std::size_t, const Frame&)>& body) {
  const std::size_t atoms = request.molecule->topology->atoms.size();
  parallel_for(request.frames.size(), job, what, [&](std::size_t row) {
    const Frame frame = request.molecule->trajectory->frame(request.frames[row]);
    if (frame.positions.size() != atoms)
      throw Error(
          fmt::format("frame {} has {} positions for {} atoms", request.frames[row], frame.positions.size(), atoms),
          Error::Kind::usage);
    body(row, frame);
  });
}

void add_residue_texts(AnalysisTable& table, const Topology& topology, std::span<const std::uint32_t> atoms,
                       const std::string& prefix) {
  std::vector<std::string> chains, names, numbers;
  for (const std::uint32_t atom : atoms) {
    const Residue& residue = topology.residue_of(atom);
    const Chain& chain = topology.chain_of(atom);
    chains.push_back(chain.id.empty() ? chain.segment : chain.id);
    names.push_back(residue.name);
    numbers.push_back(std::to_string(residue.number) +
                      (residue.insertion == ' ' ? std::string() : std::string(1, residue.insertion)));
  }
  table.texts.emplace_back(prefix + "chain", std::move(chains));
  table.texts.emplace_back(prefix + "residue", std::move(names));
  table.texts.emplace_back(prefix + "number", std::move(numbers));
}

}  // namespace analysis
}  // namespace isolume
