// Pairs of residues: how near they are in a frame, and in which part of the frames they touch.
#include "compute/timeline/residue_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>
#include <limits>

#include "compute/analysis/analysis_parts.h"
#include "compute/base/parallel_for.h"
#include "compute/timeline/residue_words.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();

std::vector<std::uint32_t> residues_of(const Topology& topology, std::span<const std::uint32_t> atoms) {
  std::vector<std::uint32_t> residues;
  residues.reserve(atoms.size());
  for (const std::uint32_t atom : atoms) residues.push_back(topology.atoms[atom].residue);
  std::sort(residues.begin(), residues.end());
  residues.erase(std::unique(residues.begin(), residues.end()), residues.end());
  if (residues.empty()) throw Error("contact map: there are no atoms", Error::Kind::usage);
  if (residues.size() > most_matrix_residues)
    throw Error(fmt::format("contact map: {} residues, at most {} can be shown; select fewer, as one chain",
                            residues.size(), most_matrix_residues),
                Error::Kind::usage);
  return residues;
}

/// Where a residue is in a list that holds it.
std::size_t place_of(const std::vector<std::uint32_t>& residues, std::uint32_t residue) {
  return static_cast<std::size_t>(std::lower_bound(residues.begin(), residues.end(), residue) - residues.begin());
}

/// The atoms of a residue, and a sphere around them. Those that the cell's face divides are put together.
struct Group {
  std::vector<glm::dvec3> points;
  glm::dvec3 centre{0};
  double radius = 0;

  void close(const Cell& cell) {
    for (glm::dvec3& point : points) {
      if (cell.exists()) point = points.front() + cell.minimum_image(point - points.front());
      centre += point / static_cast<double>(points.size());
    }
    for (const glm::dvec3& point : points) radius = std::max(radius, glm::length(point - centre));
  }
};

float distance(const Group& a, const Group& b, const Cell& cell, double range) {
  const auto between = [&](const glm::dvec3& d) { return cell.exists() ? cell.minimum_image(d) : d; };
  if (glm::length(between(b.centre - a.centre)) > range + a.radius + b.radius) return none;
  double least = std::numeric_limits<double>::infinity();
  for (const glm::dvec3& p : a.points)
    for (const glm::dvec3& q : b.points) {
      const glm::dvec3 d = between(q - p);
      least = std::min(least, glm::dot(d, d));
    }
  least = std::sqrt(least);
  return least > range ? none : static_cast<float>(least);
}

}  // namespace

ResidueMatrix residue_distances(const Topology& topology, const Frame& frame, std::span<const std::uint32_t> atoms,
                                double range, Job& job) {
  if (!(range > 0)) throw Error("contact map: the range has to be above 0", Error::Kind::usage);
  if (frame.positions.size() != topology.atoms.size())
    throw Error("contact map: the frame has not a position for every atom", Error::Kind::usage);
  ResidueMatrix matrix{residues_of(topology, atoms), {}};
  const std::size_t n = matrix.residues.size();
  std::vector<Group> groups(n);
  for (const std::uint32_t atom : atoms)
    groups[place_of(matrix.residues, topology.atoms[atom].residue)].points.emplace_back(frame.positions[atom]);
  const Cell& cell = frame.cell;
  for (Group& group : groups) group.close(cell);
  matrix.values.assign(n * n, none);
  parallel_for(n, job, "distances", [&](std::size_t i) {
    matrix.values[i * n + i] = 0;
    for (std::size_t j = i + 1; j < n; ++j)
      matrix.values[i * n + j] = matrix.values[j * n + i] = distance(groups[i], groups[j], cell, range);
  });
  return matrix;
}

ResidueMatrix residue_contacts(const AnalysisRequest& request, Job& job) {
  AnalysisRequest asked = request;
  asked.kind = AnalysisKind::contact_map;
  analysis::Opening opening(asked);
  std::vector<std::uint32_t> atoms = opening.select();
  const std::vector<std::uint32_t> others = opening.select_other(asked.other, atoms);
  atoms.insert(atoms.end(), others.begin(), others.end());
  ResidueMatrix matrix{residues_of(opening.topology, atoms), {}};
  const std::size_t n = matrix.residues.size();
  matrix.values.assign(n * n, 0);
  for (const auto& [pair, frames] : analysis::touching_residues(opening, job)) {
    const std::size_t i = place_of(matrix.residues, pair.first), j = place_of(matrix.residues, pair.second);
    const auto share = static_cast<float>(static_cast<double>(frames) / static_cast<double>(asked.frames.size()));
    // Between two selections a pair may be there twice, by atoms of either side.
    float& value = matrix.values[i * n + j];
    value = matrix.values[j * n + i] = std::max(value, share);
  }
  return matrix;
}

std::string residue_table(const ResidueMatrix& matrix, const Topology& topology, const std::string& heading,
                          int decimals) {
  std::string text = "chain,residue,number,other chain,other residue,other number," + csv_field(heading) + "\n";
  for (std::size_t i = 0; i < matrix.residues.size(); ++i)
    for (std::size_t j = i + 1; j < matrix.residues.size(); ++j) {
      const float value = matrix.at(i, j);
      if (!std::isfinite(value) || value == 0) continue;
      text += fmt::format("{},{},{:.{}f}\n", residue_words(topology, matrix.residues[i]),
                          residue_words(topology, matrix.residues[j]), value, decimals);
    }
  return text;
}

}  // namespace isolume
