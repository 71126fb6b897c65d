// Parts of averages: intermediate results, to be resumed or merged with others.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compute/over_time/running_statistics.h"
#include "molecule/grid.h"
#include "molecule/molecule.h"

namespace isolume::cli {

/// An average of some frames.
struct AveragePart {
  /// What must be the same in all parts of one average: the computation with its parameters, the atoms, the reference.
  nlohmann::ordered_json provenance;
  std::vector<std::pair<std::string, std::string>> inputs;  ///< files, by part_origin.h
  std::string name, unit;                                   ///< "mean electrostatic potential", "V"
  std::string comment;                                      ///< how it was made
  Grid grid;                                                ///< where it is a map
  std::vector<glm::dvec3> points;                           ///< where it is of points
  std::vector<std::uint64_t> frames;                        ///< in the order in which they were added or merged
  nlohmann::ordered_json convergence = nlohmann::ordered_json::array();
  RunningStatistics statistics;

  bool is_map() const { return points.empty(); }
  std::size_t size() const { return is_map() ? grid.size() : points.size(); }
};

/// The word for averages among the kinds of parts.
inline constexpr const char* average_kind = "average";

/// Whole or not at all.
void write_part(const std::string& path, const AveragePart& part);
/// Throws Error (input) for what is not a part of an average, cut off or damaged.
AveragePart read_part(const std::string& path);

/// Throws Error (input) that names what differs where `other` is not a part of the same average.
void require_same_average(const AveragePart& part, const AveragePart& other, const std::string& other_path);
/// Throws Error (input) where `other` is on another grid, at other points or in another unit.
void require_same_place(const AveragePart& part, const AveragePart& other, const std::string& other_path);
/// Adds the frames of another part. Throws Error (input) where both have a frame.
void merge_parts(AveragePart& part, const AveragePart& other, const std::string& other_path);

/// Where the first of some frames is among those that a whole average would have: its number over their step, so that
/// parts have the blocks of the whole. 0 where they have no step.
std::uint64_t position_of(std::span<const std::size_t> frames);

/// A number for the atoms of a molecule (names, residues, charges, radii) and their positions in a frame.
std::string fingerprint(const Molecule& molecule, const Frame& frame);

}  // namespace isolume::cli
