// Interacting pairs of residues: their frames and distances, as tables.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "compute/timeline/interaction_timeline.h"
#include "molecule/frame_part.h"

namespace isolume::cli {

/// What tables say of a residue.
using ResidueTexts = std::function<std::string(std::uint32_t residue)>;

class PairHistory {
 public:
  /// `place`: that of the frame in the list of frames.
  void add(const PairsOfFrame& found, std::size_t place);
  std::size_t size() const { return all_.size(); }

  std::string occupancy_table(std::size_t frames, const ResidueTexts& texts) const;
  std::string timeline_table(std::span<const std::size_t> frames, const ResidueTexts& texts) const;

 private:
  struct Occurrence {
    std::vector<std::size_t> frames;  ///< places in the list of frames
    double distances = 0;             ///< sum of the shortest of each frame
  };
  std::map<ResiduePair, Occurrence> all_;
};

/// Puts the pairs of a part's frames, in their order, into the part.
void add_pairs(FramePart& part, const std::vector<PairsOfFrame>& frames, const ResidueTexts& texts);
bool has_pairs(const FramePart& part);
/// Throws Error (input) where the part has none.
PairHistory pairs_of(const FramePart& part);
ResidueTexts residue_texts_of(const FramePart& part);

}  // namespace isolume::cli
