// A trajectory with its motion smoothed, for pictures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "molecule/topology.h"
#include "molecule/trajectory.h"

namespace isolume {

/// Frames on each side that are averaged, at most.
inline constexpr std::size_t most_smoothing = 100;

/// The group of each atom for smoothed_frame(): atoms that bonds join share one, the number of the first of them. Atoms
/// of molecules without an end (endless_bonds() of `first`) are each by themselves.
std::vector<std::uint32_t> smoothing_groups(const Topology& topology, const Frame& first);

/// How many frames on each side of frame `index` are averaged where `half` are asked for: the same number on both
/// sides, so that a steady motion stays what it is. The first and the last frame are those of the trajectory.
std::size_t smoothing_reach(std::size_t index, std::size_t frames, std::size_t half);

/// The running mean: each atom at the mean of its positions in frames index - n to index + n, n = smoothing_reach().
/// A motion a sin(w t) keeps its phase and has the amplitude a sin((2 n + 1) w / 2) / ((2 n + 1) sin(w / 2)), with w in
/// radians for each frame.
///
/// Where frames have a cell that can hold the atoms (cell_holds()), jumps by its vectors are taken back first: going
/// outwards from frame `index`, each group is moved by the cell vectors that bring its mean displacement from the frame
/// before nearest to none. This is right where groups move by less than half of the cell from one frame to the next.
/// `groups` empty: each atom by itself. Cell, time, velocities and forces are those of frame `index`; positions in
/// double precision are left out.
///
/// CPU, sums in double precision. `frame_of` is asked for each of these frames once, outwards.
Frame smoothed_frame(const std::function<std::shared_ptr<const Frame>(std::size_t)>& frame_of, std::size_t index,
                     std::size_t frames, std::size_t half, const std::vector<std::uint32_t>& groups);

/// Every frame of `source` smoothed when it is read, on the thread that reads it; any number of threads may. Keeps the
/// frames that were read last, up to smoothing_memory(). `topology` null: atoms are taken one by one (positions as in
/// the file). `half` from 1 to most_smoothing. Throws Error (usage) beyond that.
std::shared_ptr<const Trajectory> smoothed_trajectory(std::shared_ptr<const Trajectory> source,
                                                      std::shared_ptr<const Topology> topology, std::size_t half);

/// Bytes of the host that smoothing takes at most: the frames that are kept (256 MiB, or none), and the sums.
std::size_t smoothing_memory(std::size_t atoms, std::size_t half);

}  // namespace isolume
