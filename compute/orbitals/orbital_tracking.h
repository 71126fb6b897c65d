// Following orbitals from frame to frame by their overlap.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "compute/base/job.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

struct TrackingOptions {
  /// Only orbitals whose energies differ by less than this are compared, hartree. Where a frame has no energies (all
  /// equal) everything is compared.
  double energy_window = 0.35;
  /// A match below this overlap is marked weak: less than half of the orbital is in the one that follows it.
  double weak_below = 0.70710678118654752;
};

/// One orbital's successor in the next frame.
struct OrbitalMatch {
  std::size_t index = 0;  ///< in Orbitals::orbitals of the next frame
  double overlap = 0;     ///< <i(this frame)|j(next frame)>, with its sign
  bool weak = false;      ///< below TrackingOptions::weak_below
};

/// The orbitals of one spin of frame `a` matched with those of frame `b`: the assignment that makes the sum of squares
/// of the overlaps largest, by shortest augmenting paths (Jonker and Volgenant, Computing 38 (1987) 325). Analytic
/// overlap between the two bases at the two geometries, without alignment. For each orbital of `a` (index in
/// Orbitals::orbitals; empty for the other spin): its match, or nothing where `b` has none in the window.
/// Throws Error (input) where the frames have different numbers of atoms or functions.
std::vector<std::optional<OrbitalMatch>> match_orbitals(const Orbitals& a, const Orbitals& b, Spin spin,
                                                        const TrackingOptions& options = {});

/// Where one followed orbital is in one frame.
struct TrackedOrbital {
  std::size_t index = 0;  ///< in Orbitals::orbitals of the frame
  int sign = 1;           ///< factor of its amplitude that makes the phase that of the first frame
  double overlap = 1;     ///< |<this|the one before>|; 1 in the first frame
  bool weak = false;      ///< the overlap is below TrackingOptions::weak_below
};

/// Followed orbitals, frame by frame.
class OrbitalTracks {
 public:
  /// Follows every orbital of every spin through the frames from the first that has orbitals. A frame without orbitals
  /// is passed over: the next one is compared with the last that has them.
  OrbitalTracks(std::vector<std::shared_ptr<const Orbitals>> frames, Job& job, const TrackingOptions& options = {});

  std::size_t frame_count() const { return frames_.size(); }
  /// The orbital that is `index` in frame `from`, as it is in frame `to` (either way in time). The sign is relative to
  /// frame `from`, the overlap and the mark are those of the weakest step in between. Nothing where it was lost on the
  /// way or a frame has no orbitals. Throws Error (usage) for a frame or an orbital that is not there.
  std::optional<TrackedOrbital> follow(std::size_t from, std::size_t index, std::size_t to) const;
  /// follow() to every frame, with the overlap of each single step.
  std::vector<std::optional<TrackedOrbital>> track(std::size_t from, std::size_t index) const;

 private:
  std::optional<TrackedOrbital> step(std::size_t frame, std::size_t index, bool forward) const;
  void check(std::size_t frame, std::size_t index) const;

  std::vector<std::shared_ptr<const Orbitals>> frames_;
  /// By frame: the matches of its orbitals in the next frame that has any, and of that frame's orbitals in it.
  std::vector<std::vector<std::optional<OrbitalMatch>>> forward_, backward_;
  std::vector<std::size_t> next_, previous_;  ///< the neighbouring frame with orbitals; frame_count() for none
};

/// <i|j> between orbitals of one spin of two frames: count(spin) of `a` rows, of `b` columns.
std::vector<double> orbital_overlaps(const Orbitals& a, const Orbitals& b, Spin spin);

}  // namespace isolume
