// Fluctuations of atoms and residues about their mean places.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "compute/analysis/analysis_parts.h"
#include "compute/analysis/fluctuation.h"
#include "molecule/base/error.h"

namespace isolume::analysis {

namespace {

/// The atoms whose fluctuation is asked for, and those by which frames are superposed.
struct FluctuationAtoms {
  explicit FluctuationAtoms(Opening& opening) : atoms(opening.select()) {
    if (opening.request.superpose) fitted = opening.select_other(opening.request.fit, atoms);
    if (opening.request.superpose && fitted.size() < 3)
      throw Error(
          fmt::format("RMSF: '{}' holds {} atoms; superposing takes at least 3", opening.table.other, fitted.size()),
          Error::Kind::usage);
    opening.reads_only({atoms, fitted});
  }

  std::vector<std::uint32_t> atoms, fitted;
};

/// A row for each residue, or each atom: of so many atoms, one of which stands for it.
struct FluctuationRows {
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint32_t> atoms;
};

FluctuationRows rows_of(const Topology& topology, const std::vector<std::uint32_t>& atoms, bool per_atom) {
  FluctuationRows rows;
  for (std::size_t i = 0; i < atoms.size();) {
    std::size_t end = i + 1;
    std::uint32_t stands = atoms[i];
    const std::uint32_t residue = topology.atoms[atoms[i]].residue;
    for (; !per_atom && end < atoms.size() && topology.atoms[atoms[end]].residue == residue; ++end)
      if (topology.atoms[atoms[end]].name == "CA") stands = atoms[end];
    rows.sizes.push_back(end - i);
    rows.atoms.push_back(stands);
    i = end;
  }
  return rows;
}

void add_texts(AnalysisTable& table, const Topology& topology, const FluctuationRows& rows, bool per_atom) {
  table.atoms = rows.atoms;
  add_residue_texts(table, topology, table.atoms);
  if (!per_atom) return;
  std::vector<std::string> names;
  for (const std::uint32_t atom : rows.atoms) names.push_back(topology.atoms[atom].name);
  table.texts.emplace_back("atom", names);
}

void fill(AnalysisTable& table, const Fluctuations& found, const std::vector<std::uint64_t>& sizes, std::size_t frames,
          bool superposed) {
  AnalysisColumn rmsf{"rmsf", "angstrom", {}, 5}, b{"B", "angstrom^2", {}, 4};
  std::size_t at = 0;
  for (const std::uint64_t size : sizes) {
    double sum = 0;
    for (const std::size_t end = at + size; at < end; ++at) sum += found.squares[at];
    const double square = sum / static_cast<double>(size);
    rmsf.values.push_back(std::sqrt(square));
    b.values.push_back(b_factor(square));
  }
  table.columns = {std::move(rmsf), std::move(b)};
  table.facts = {{"atoms", std::to_string(found.squares.size())},
                 {"frames", std::to_string(frames)},
                 {"superposed", superposed ? table.other : "no"},
                 {"rounds", std::to_string(found.rounds)},
                 {"last_change", fmt::format("{:.2e}", found.change)}};
}

void require_frames(std::size_t count) {
  if (count < 2) throw Error("RMSF takes at least 2 frames, and there is 1", Error::Kind::usage);
}

}  // namespace

AnalysisTable rmsf(const AnalysisRequest& request, Job& job) {
  Opening opening(request);
  const FluctuationAtoms of(opening);
  require_frames(request.frames.size());
  std::vector<std::uint32_t> atoms = of.atoms;
  const PointRange points{0, atoms.size()};
  PointRange fitted{0, of.fitted.size()};
  if (of.fitted != of.atoms) {
    fitted.first = atoms.size();
    atoms.insert(atoms.end(), of.fitted.begin(), of.fitted.end());
  }
  const std::vector<glm::dvec3> first = positions(frame_of(request, 0, opening.leading), atoms);
  FrameStream stream(stream_plan(request, atoms, opening.leading, "superposing on the mean"));
  const Fluctuations found = fluctuations(
      request.frames.size(),
      [&](Job& part, double begin, double end, const std::function<void(const FrameGroup&)>& body) {
        stream.again(part, begin, end, [&](std::size_t, const FrameGroup& group) { body(group); });
      },
      points, fitted, first, request.device, job);
  const FluctuationRows rows = rows_of(opening.topology, of.atoms, request.per_atom);
  add_texts(opening.table, opening.topology, rows, request.per_atom);
  fill(opening.table, found, rows.sizes, request.frames.size(), request.superpose);
  return std::move(opening.table);
}

FramePart rmsf_part(const AnalysisRequest& request, Job& job) {
  using Rule = FrameArray::Rule;
  Opening opening(request);
  const FluctuationAtoms of(opening);
  const FluctuationRows rows = rows_of(opening.topology, of.atoms, request.per_atom);
  add_texts(opening.table, opening.topology, rows, request.per_atom);
  FramePart part = begin_part(request, opening.table);
  for (std::size_t row = 0; row < rows.sizes.size(); ++row) {
    std::vector<std::string> texts;
    for (const auto& [heading, values] : opening.table.texts) texts.push_back(values[row]);
    part.names.emplace(row, joined_texts(texts));
  }
  FrameArray sizes{"atoms of rows", Rule::same, 1, {}, true}, atoms{"rows", Rule::same, 1, {}, true};
  sizes.counts = rows.sizes;
  atoms.counts.assign(rows.atoms.begin(), rows.atoms.end());
  part.arrays = {std::move(sizes), std::move(atoms)};
  const bool apart = of.fitted != of.atoms && request.superpose;
  for (const auto* which : {&of.atoms, &of.fitted}) {
    if (which == &of.fitted && !apart) continue;
    FrameArray array{which == &of.atoms ? "positions" : "fitted positions", Rule::rows, 3 * which->size(), {}};
    array.numbers.resize(request.frames.size() * array.width);
    for_frames(
        request, job, "positions",
        [&](std::size_t row, const Frame& frame) {
          double* at = array.numbers.data() + row * array.width;
          for (const std::uint32_t atom : *which)
            for (const glm::dvec3 p = position(frame, atom); const double x : {p.x, p.y, p.z}) *at++ = x;
        },
        opening.leading);
    part.arrays.push_back(std::move(array));
  }
  part.fixed.emplace_back("superposed", !request.superpose ? "no" : apart ? "by others" : "by the selection");
  part.fixed.emplace_back("rows are", request.per_atom ? "atoms" : "residues");
  return part;
}

AnalysisTable rmsf_table(const FramePart& part, Job& job) {
  const std::size_t frames = part.frames.size();
  require_frames(frames);
  const FrameArray &sizes = part.array("atoms of rows"), &atoms = part.array("rows"), &points = part.array("positions");
  const std::string superposed = part.text("superposed");
  const FrameArray* fitted = superposed == "no"          ? nullptr
                             : superposed == "by others" ? &part.array("fitted positions")
                                                         : &points;
  std::uint64_t sum = 0;
  bool whole = sizes.counts.size() == atoms.counts.size() && points.numbers.size() == frames * points.width;
  for (const std::uint64_t size : sizes.counts) {
    whole = whole && size > 0 && size <= points.width - std::min<std::uint64_t>(sum, points.width);
    sum += whole ? size : 0;
  }
  whole = whole && sum * 3 == points.width && (fitted == nullptr || fitted->numbers.size() == frames * fitted->width) &&
          (fitted == nullptr || fitted->width % 3 == 0);
  if (!whole) throw Error("the part has not what belongs to an RMSF", Error::Kind::input);
  const auto read = [](const FrameArray& array, std::size_t row, std::vector<glm::dvec3>& into) {
    into.resize(array.width / 3);
    const double* at = array.numbers.data() + row * array.width;
    for (glm::dvec3& p : into) {
      p = {at[0], at[1], at[2]};
      at += 3;
    }
  };
  const Fluctuations found = fluctuations(
      frames,
      [&](std::size_t i, FluctuationFrame& into) {
        read(points, i, into.points);
        into.fitted.clear();
        if (fitted != nullptr) read(*fitted, i, into.fitted);
      },
      job);
  AnalysisTable table = begin_table(part);
  const bool per_atom = part.text("rows are") == "atoms";
  for (const char* heading : {"chain", "residue", "number", "atom"})
    if (per_atom || std::string_view(heading) != "atom") table.texts.emplace_back(heading, std::vector<std::string>());
  for (std::size_t row = 0; row < sizes.counts.size(); ++row) {
    const auto name = part.names.find(row);
    std::vector<std::string> texts = name == part.names.end() ? std::vector<std::string>() : split_texts(name->second);
    texts.resize(table.texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) table.texts[i].second.push_back(std::move(texts[i]));
    table.atoms.push_back(static_cast<std::uint32_t>(atoms.counts[row]));
  }
  fill(table, found, sizes.counts, frames, fitted != nullptr);
  return table;
}

}  // namespace isolume::analysis
