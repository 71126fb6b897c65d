// Fluctuations of atoms and residues about their mean places.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/analysis/analysis_parts.h"
#include "compute/analysis/fluctuation.h"
#include "molecule/base/error.h"

namespace isolume::analysis {

AnalysisTable rmsf(const AnalysisRequest& request, Job& job) {
  Opening opening(request);
  AnalysisTable& table = opening.table;
  const Topology& topology = opening.topology;
  const std::vector<std::uint32_t> atoms = opening.select();
  const std::vector<std::uint32_t> fitted =
      request.superpose ? opening.select_other(request.fit, atoms) : std::vector<std::uint32_t>();
  if (request.superpose && fitted.size() < 3)
    throw Error(fmt::format("RMSF: '{}' holds {} atoms; superposing takes at least 3", table.other, fitted.size()),
                Error::Kind::usage);
  if (request.frames.size() < 2) throw Error("RMSF takes at least 2 frames, and there is 1", Error::Kind::usage);
  const Fluctuations found = fluctuations(
      request.frames.size(),
      [&](std::size_t i, FluctuationFrame& into) {
        const Frame frame = frame_of(request, i);
        into.points = positions(frame, atoms);
        into.fitted = positions(frame, fitted);
      },
      job);
  // Rows: atoms, or runs of atoms of one residue.
  std::vector<double> squares;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < atoms.size();) {
    std::size_t end = i + 1;
    double sum = found.squares[i];
    std::uint32_t stands = atoms[i];
    const std::uint32_t residue = topology.atoms[atoms[i]].residue;
    for (; !request.per_atom && end < atoms.size() && topology.atoms[atoms[end]].residue == residue; ++end) {
      sum += found.squares[end];
      if (topology.atoms[atoms[end]].name == "CA") stands = atoms[end];
    }
    squares.push_back(sum / static_cast<double>(end - i));
    table.atoms.push_back(stands);
    names.push_back(topology.atoms[stands].name);
    i = end;
  }
  add_residue_texts(table, topology, table.atoms);
  if (request.per_atom) table.texts.emplace_back("atom", names);
  AnalysisColumn rmsf{"rmsf", "angstrom", {}, 5}, b{"B", "angstrom^2", {}, 4};
  for (const double square : squares) {
    rmsf.values.push_back(std::sqrt(square));
    b.values.push_back(b_factor(square));
  }
  table.columns = {std::move(rmsf), std::move(b)};
  table.facts = {{"atoms", std::to_string(atoms.size())},
                 {"frames", std::to_string(request.frames.size())},
                 {"superposed", request.superpose ? table.other : "no"},
                 {"rounds", std::to_string(found.rounds)},
                 {"last_change", fmt::format("{:.2e}", found.change)}};
  return std::move(table);
}

}  // namespace isolume::analysis
