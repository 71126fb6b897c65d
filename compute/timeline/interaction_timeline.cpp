// Interactions over the frames, by pairs of residues.
#include "compute/timeline/interaction_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/analysis/analysis.h"
#include "compute/base/job_part.h"
#include "compute/base/parallel_for.h"
#include "compute/timeline/residue_words.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/missing.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

void check_any(const std::vector<std::uint8_t>& mask, const std::string& words, const Topology& topology) {
  if (std::find(mask.begin(), mask.end(), 1) == mask.end())
    throw Error(empty_selection(words, topology), Error::Kind::usage);
}

}  // namespace

PairsOfFrame residue_pairs(const Topology& topology, const std::vector<Interaction>& found) {
  PairsOfFrame shortest;
  for (const Interaction& i : found) {
    const ResiduePair pair{i.kind, topology.atoms[i.first.front()].residue, topology.atoms[i.second.front()].residue};
    const auto [entry, fresh] = shortest.emplace(pair, i.distance);
    if (!fresh) entry->second = std::min(entry->second, static_cast<double>(i.distance));
  }
  return shortest;
}

InteractionTimeline interaction_timeline(const InteractionTimelineRequest& request, Job& job) {
  const Molecule& molecule = *request.molecule;
  if (!molecule.topology || molecule.frame_count() == 0) throw Error(missing_positions(molecule), Error::Kind::usage);
  if (request.frames.empty()) throw Error("interactions: there are no frames", Error::Kind::usage);
  const Topology& topology = *molecule.topology;
  const Selection first(request.selection), second(request.other.empty() ? "none" : request.other);
  const Frame opening = frame_at(molecule, request.frames.front());
  check_any(first.mask(topology, opening), request.selection, topology);
  if (!request.other.empty()) check_any(second.mask(topology, opening), request.other, topology);
  const InteractionSites sites = interaction_sites(topology, opening);

  std::vector<PairsOfFrame> found(request.frames.size());
  parallel_for(request.frames.size(), job, "interactions", [&](std::size_t k) {
    JobPart part(job);
    const Frame frame = frame_at(molecule, request.frames[k]);
    const auto others = request.other.empty() ? std::vector<std::uint8_t>{} : second.mask(topology, frame);
    found[k] = residue_pairs(topology, interactions(topology, sites, frame, first.mask(topology, frame), others,
                                                    request.kinds, request.rules, part));
  });

  std::map<ResiduePair, InteractionTimelineRow> rows;
  for (std::size_t k = 0; k < found.size(); ++k)
    for (const auto& [pair, distance] : found[k]) {
      InteractionTimelineRow& row = rows[pair];
      row.pair = pair;
      row.distances.resize(found.size(), std::numeric_limits<float>::quiet_NaN());
      row.distances[k] = static_cast<float>(distance);
      row.mean_distance += distance;
      ++row.present;
    }
  InteractionTimeline line{request.frames, {}};
  line.rows.reserve(rows.size());
  for (auto& [pair, row] : rows) {
    row.mean_distance /= static_cast<double>(row.present);
    line.rows.push_back(std::move(row));
  }
  return line;
}

std::string interaction_table(const InteractionTimeline& line, const Topology& topology) {
  std::string text = "interaction,chain,residue,number,chain 2,residue 2,number 2,occupancy,mean distance (angstrom)";
  for (const std::size_t frame : line.frames) text += fmt::format(",frame {}", frame);
  text += '\n';
  for (std::size_t r = 0; r < line.rows.size(); ++r) {
    const InteractionTimelineRow& row = line.rows[r];
    text += fmt::format("{},{},{},{:.4f},{:.3f}", name(row.pair.kind), residue_words(topology, row.pair.first),
                        residue_words(topology, row.pair.second), line.share(r), row.mean_distance);
    for (const float distance : row.distances) text += std::isfinite(distance) ? ",1" : ",0";
    text += '\n';
  }
  return text;
}

}  // namespace isolume
