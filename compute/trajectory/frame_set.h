// The places of some atoms in many frames, in memory.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "molecule/cell.h"
#include "molecule/molecule.h"

namespace isolume {

/// Frames one after another: `places` has atoms() of the first frame, then those of the second. Angstrom.
struct FrameSet {
  std::vector<std::uint32_t> atoms;  ///< numbers in the molecule
  std::vector<std::size_t> frames;   ///< numbers in the trajectory
  std::vector<glm::dvec3> places;    ///< frames.size() x atoms.size()
  std::vector<double> times;         ///< ps; empty where a frame has none
  std::vector<Cell> cells;           ///< of each frame
  std::string selection;             ///< as it was taken

  std::span<const glm::dvec3> frame(std::size_t row) const {
    return {places.data() + row * atoms.size(), atoms.size()};
  }
  std::span<glm::dvec3> frame(std::size_t row) { return {places.data() + row * atoms.size(), atoms.size()}; }
};

/// Reads them. The selection is looked up in the first of the frames; an empty one means CA and P of polymers, else all
/// atoms. Its bytes are asked for before. Throws Error (usage) for no atoms and no frames.
FrameSet read_frames(const Molecule& molecule, std::span<const std::size_t> frames, const std::string& selection,
                     Job& job);

/// Moves the centre of every frame to the origin; `weights` (one per atom) may be empty.
void centre_frames(FrameSet& set, std::span<const double> weights = {});

}  // namespace isolume
