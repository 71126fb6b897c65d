// The bodies of the search of a map: for each place of a model's centre the turn that agrees best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "molecule/grid.h"

namespace isolume {

/// The mesh of the search: points of the map, and room for the model beyond them.
struct SearchMesh {
  Grid grid;           ///< the points that the centre goes to, along x, y and z
  glm::ivec3 size{0};  ///< with the room; the grid's points are its first along each axis
  std::size_t points() const {
    return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) * static_cast<std::size_t>(size.z);
  }
  /// Points `spacing` (angstrom) apart, or the map's own where those are coarser, with room for a model that reaches so
  /// far from its centre.
  static SearchMesh of(const Grid& map, double spacing, double reach);
};

/// What is searched. Atoms reach less far from the centre than the mesh has room for.
struct MapSearchTask {
  const SearchMesh& mesh;
  std::span<const float> map;          ///< mesh.points() values, x fastest, 0 in the room
  std::span<const glm::dvec3> places;  ///< atoms about the centre of the model, angstrom
  std::span<const double> weights;     ///< as many, of a sum above 0
  std::span<const glm::dquat> turns;
};

/// For each point of mesh.grid the best score of all turns, the mean of the map at the atoms, between mesh points
/// linear; and which turn it is, the first of equals.
struct BestTurns {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<float> scores;
  std::vector<std::uint32_t> turns;
};

/// Sums in single precision: 1e-6 of the largest value of the map. On CUDA weights are added as integers, so that the
/// same input gives the same bits. Throws Error (usage) for arrays of other sizes and (cancelled); map_search_memory()
/// says what it takes.
BestTurns best_turns(const MapSearchTask& task, Device device, Job& job);
std::size_t map_search_memory(const MapSearchTask& task, Device device);

/// The score of one turn at one point in plain double precision; for tests.
double search_score_reference(const MapSearchTask& task, std::size_t turn, glm::ivec3 at);

BestTurns best_turns_cpu(const MapSearchTask& task, Job& job);
BestTurns best_turns_cuda(const MapSearchTask& task, Device device, Job& job);
/// False without cuFFT: transforms on the host, one after another, would take longer than the search there.
bool search_pays_on_cuda();
/// Turns that go through the device at once.
std::size_t search_batch(const SearchMesh& mesh, std::size_t turns);

}  // namespace isolume
