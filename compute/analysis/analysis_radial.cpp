// Radial distribution functions of selections over the frames.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compute/analysis/analysis_parts.h"
#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume::analysis {
namespace {

/// The number of each atom's molecule: what bonds join.
std::vector<std::uint32_t> molecules_of(const Topology& topology) {
  std::vector<std::uint32_t> root(topology.atoms.size());
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const Bond& bond : topology.bonds) root[find(bond.b)] = find(bond.a);
  for (std::uint32_t i = 0; i < root.size(); ++i) root[i] = find(i);
  return root;
}

/// Pairs of `a` and `b` (ordered) that are of one group.
double pairs_of_one_group(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::size_t groups) {
  std::vector<double> in_a(groups, 0), in_b(groups, 0);
  for (const std::uint32_t group : a) ++in_a[group];
  for (const std::uint32_t group : b) ++in_b[group];
  double sum = 0;
  for (std::size_t g = 0; g < groups; ++g) sum += in_a[g] * in_b[g];
  return sum;
}

}  // namespace

AnalysisTable rdf(const AnalysisRequest& request, Job& job) {
  Opening opening(request);
  AnalysisTable& table = opening.table;
  const Topology& topology = opening.topology;
  const std::vector<std::uint32_t> a = opening.select();
  const std::vector<std::uint32_t> b = opening.select_other(request.other, a);
  const bool same = a == b;

  // Pairs that do not count share a group: the atom itself, or its molecule.
  std::vector<std::uint32_t> group_a = a, group_b = b;
  if (!request.within_molecules) {
    const std::vector<std::uint32_t> molecule = molecules_of(topology);
    for (std::uint32_t& g : group_a) g = molecule[g];
    for (std::uint32_t& g : group_b) g = molecule[g];
  }
  std::vector<std::uint32_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  const bool grouped = !request.within_molecules || (!same && !both.empty());
  const double left_out = pairs_of_one_group(group_a, group_b, topology.atoms.size());
  const double pairs = static_cast<double>(a.size()) * static_cast<double>(b.size()) - left_out;
  if (!(pairs > 0))
    throw Error(fmt::format("radial distribution: no pairs are left of '{}' and '{}'", table.selection, table.other),
                Error::Kind::usage);

  DistanceBins bins = request.bins;
  const double unique = largest_unique_distance(opening.first.cell);
  // To a whole number of bins of 0.1 angstrom; 2 % less, as cells breathe.
  if (bins.maximum <= 0) bins.maximum = std::min(15.0, std::max(0.1, std::floor(unique * 9.8) / 10));
  if (bins.count == 0)
    bins.count = static_cast<std::uint32_t>(
        std::clamp(std::ceil(bins.maximum / request.bin_width - 1e-9), 1.0, static_cast<double>(most_distance_bins)));

  const std::size_t count = request.frames.size();
  std::vector<std::uint64_t> total(bins.count, 0);
  std::vector<double> weighted(bins.count, 0);  // counts times the volume of their frame
  double volumes = 0;
  DeviceArray<std::uint64_t> counts(bins.count, request.device, "radial distribution");
  for (std::size_t i = 0; i < count; ++i) {
    job.check();
    const Frame frame = i == 0 ? opening.first : frame_of(request, i);
    const double volume = frame.cell.volume();
    if (request.norm == RadialNorm::g && !(volume > 0))
      throw Error(fmt::format("frame {} has no periodic cell, so there is no density to normalise g(r) by; --norm "
                              "density or counts needs none",
                              request.frames[i]),
                  Error::Kind::usage);
    if (bins.maximum > largest_unique_distance(frame.cell) * (1 + 1e-9))
      throw Error(fmt::format("frame {}: distances up to {:.4g} angstrom, but its periodic images are unique only up "
                              "to {:.4g}; choose a smaller maximum",
                              request.frames[i], bins.maximum, largest_unique_distance(frame.cell)),
                  Error::Kind::usage);
    std::vector<glm::vec3> at_a = near_positions(frame, a), at_b;
    if (!same) at_b = near_positions(frame, b);
    DistancePoints set_a{Span<const glm::vec3>(Span<glm::vec3>(at_a)), {}},
        set_b{Span<const glm::vec3>(Span<glm::vec3>(at_b)), {}};
    if (grouped) set_a.groups = group_a;
    if (grouped) set_b.groups = group_b;
    JobPart part(job, static_cast<double>(i) / static_cast<double>(count),
                 static_cast<double>(i + 1) / static_cast<double>(count));
    if (same) {
      count_distances_within(set_a, frame.cell, bins, counts.span(), part);
    } else {
      count_distances(set_a, set_b, frame.cell, bins, counts.span(), part);
    }
    const std::vector<std::uint64_t> found = counts.copy_to_host();
    for (std::size_t k = 0; k < found.size(); ++k) {
      const std::uint64_t ordered = same ? 2 * found[k] : found[k];
      total[k] += ordered;
      weighted[k] += static_cast<double>(ordered) * volume;
    }
    volumes += volume;
  }

  AnalysisColumn r{"r", "angstrom", {}, 5};
  AnalysisColumn value{"g", "", {}, 6}, running{"coordination number", "", {}, 6}, number{"pairs", "", {}, 0};
  if (request.norm == RadialNorm::density) value = {"density", "1/angstrom^3", {}, 8};
  if (request.norm == RadialNorm::counts) value = {"pairs per frame", "", {}, 4};
  const double width = bins.maximum / bins.count, frames = static_cast<double>(count);
  double below = 0;
  for (std::size_t k = 0; k < bins.count; ++k) {
    const double low = width * static_cast<double>(k), high = width * static_cast<double>(k + 1);
    const double shell = 4 * units::pi / 3 * (high * high * high - low * low * low);
    const auto all = static_cast<double>(total[k]);
    below += all;
    r.values.push_back(0.5 * (low + high));
    number.values.push_back(all);
    running.values.push_back(below / (frames * static_cast<double>(a.size())));
    value.values.push_back(request.norm == RadialNorm::g ? weighted[k] / (frames * pairs * shell)
                           : request.norm == RadialNorm::density
                               ? all / (frames * static_cast<double>(a.size()) * shell)
                               : all / frames);
  }
  table.columns = {std::move(r), std::move(value), std::move(running), std::move(number)};
  table.facts = {{"atoms", std::to_string(a.size())},
                 {"other_atoms", std::to_string(b.size())},
                 {"pairs", fmt::format("{:.0f}", pairs)},
                 {"frames", std::to_string(count)},
                 {"volume", fmt::format("{:.3f}", volumes / frames)},
                 {"maximum", fmt::format("{:g}", bins.maximum)},
                 {"bins", std::to_string(bins.count)}};
  return std::move(table);
}

}  // namespace isolume::analysis
