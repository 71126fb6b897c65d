// Interactions over the frames, by pairs of residues.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "compute/structure/interactions.h"
#include "molecule/molecule.h"

namespace isolume {

/// Two residues and how they interact.
struct ResiduePair {
  InteractionKind kind;
  std::uint32_t first, second;
  auto operator<=>(const ResiduePair&) const = default;
};
/// Of one frame, with the shortest distance of each (angstrom).
using PairsOfFrame = std::map<ResiduePair, double>;

/// The pairs of residues that interact, of the interactions of one frame.
PairsOfFrame residue_pairs(const Topology& topology, const std::vector<Interaction>& found);

struct InteractionTimelineRequest {
  std::shared_ptr<const Molecule> molecule;
  std::vector<std::size_t> frames;
  std::string selection = "all", other;  ///< the partners, looked up in every frame; no `other`: within the selection
  InteractionKinds kinds{};
  InteractionRules rules;
};

struct InteractionTimelineRow {
  ResiduePair pair;
  std::vector<float> distances;  ///< one for each frame, angstrom; NaN where they do not interact
  std::size_t present = 0;       ///< frames in which they do
  double mean_distance = 0;      ///< of these frames
};

struct InteractionTimeline {
  std::vector<std::size_t> frames;
  std::vector<InteractionTimelineRow> rows;  ///< ascending by pair

  double share(std::size_t row) const {
    return static_cast<double>(rows[row].present) / static_cast<double>(frames.size());
  }
};

/// Rows by pair, as `compute interactions --occupancy` and `--timeline` count them: interactions() of every frame, of
/// each pair the shortest. What can interact is found in the first of the frames. Frames are computed on all threads.
/// Throws Error (usage) for no atoms, no frames, selections that hold nothing in the first frame.
InteractionTimeline interaction_timeline(const InteractionTimelineRequest& request, Job& job);

/// A line for each row: the residues, the part of the frames, the mean distance, and 0 or 1 in every frame.
std::string interaction_table(const InteractionTimeline& line, const Topology& topology);

}  // namespace isolume
