// Files while they are joined into molecules: which belong together, and how frames find their atoms.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "formats/trajectories/namd_coordinates.h"
#include "molecule/molecule.h"

namespace isolume::parts {

/// A molecule while files are joined.
struct Part {
  Molecule molecule;
  std::string path;
  bool frames_joined = false;  ///< its frames are those of trajectory files

  bool only_trajectory() const { return !molecule.topology && molecule.trajectory; }
  bool only_velocities() const { return only_trajectory() && isolume::only_velocities(*molecule.trajectory); }
  bool only_volumes() const { return !molecule.topology && !molecule.trajectory && !molecule.volumes.empty(); }
  bool only_topology() const { return molecule.topology && !molecule.trajectory; }
};

/// Index of the nearest part before `at`, else after it, for which `fits`.
template <class Fits>
std::optional<std::size_t> nearest(const std::vector<Part>& parts, std::size_t at, Fits fits) {
  for (std::size_t i = at; i-- > 0;) {
    if (fits(parts[i])) return i;
  }
  for (std::size_t i = at + 1; i < parts.size(); ++i) {
    if (fits(parts[i])) return i;
  }
  return std::nullopt;
}

/// Appends notes or paths.
void append(std::vector<std::string>& to, const std::vector<std::string>& from);

/// A topology without coordinates (PSF) takes those of a structure file with as many atoms; its own names and bonds
/// stay.
void join_topologies(std::vector<Part>& parts);

/// Trajectories replace the frames of the structure that they fit; several follow one another. Throws Error (input)
/// where one fits none.
void join_trajectories(std::vector<Part>& parts);

/// Velocities go to the structure that they fit, which has one frame by now. Throws Error (input).
void join_velocities(std::vector<Part>& parts);

/// Frames without a cell take that of the topology file, where it has one.
void give_cells(std::vector<Part>& parts);

}  // namespace isolume::parts
