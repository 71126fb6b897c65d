// How well a model agrees with a density map in each of many frames, which devices share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/density_maps/density_map.h"
#include "compute/frames/frame_stream.h"
#include "compute/schedule/tile_book.h"
#include "molecule/molecule.h"

namespace isolume {

/// What is compared. Everything named has to outlive the computation.
struct CorrelationFrames {
  const Molecule& molecule;
  std::span<const std::size_t> frames;
  std::span<const std::uint32_t> atoms;  ///< of the model
  std::span<const MapAtom> shapes;       ///< width and height of each of them
  const Grid& grid;
  std::span<const float> map;
  float threshold = 0;                                   ///< the mask are points with map > threshold
  std::optional<double> mask_distance{};                 ///< if given, the points so near to an atom (angstrom) instead
  std::span<const std::vector<std::uint32_t>> groups{};  ///< of local correlation; numbers among `atoms`
  double window = 3;                                     ///< angstrom around the atoms of a group
};

struct FrameCorrelation {
  MapSums all, masked;
  std::vector<MapSums> groups;
};

/// Sums of every frame, in the order of request.frames. The devices share the frames (run_tiles()); those of one kind
/// give the same bits, whoever computed which frame. `workers` gets what each did, `times` the seconds of reading and
/// of computing, of all devices together. Throws Error as MapSeries does, and where a frame cannot be read.
std::vector<FrameCorrelation> correlation_of_frames(const CorrelationFrames& request, std::span<const Device> devices,
                                                    std::vector<WorkerRecord>& workers, FrameTimes& times, Job& job);

/// Bytes that it takes of one device.
std::size_t correlation_memory(const CorrelationFrames& request, Device device);

}  // namespace isolume
