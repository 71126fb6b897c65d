// What the benchmarks of potentials share: boxes of water and maps around them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/direct/direct.h"
#include "molecule/crystal/water_box.h"
#include "molecule/grid.h"

namespace isolume::bench {

struct Settings {
  Device device;
  double side = 246.6;   // of the water box, angstrom
  double margin = 12;    // of the map beyond it
  double spacing = 0.5;  // of the map
  int repeats = 5;
  std::size_t error_points = 1000;
  bool json = false;  // results as objects of an array instead of as text
};

inline std::vector<PointCharge> water(double side, std::uint32_t seed = 1) {
  const Molecule molecule = make_water_box(side, seed);
  const Frame frame = molecule.trajectory->frame(0);
  std::vector<PointCharge> charges(frame.positions.size());
  for (std::size_t i = 0; i < charges.size(); ++i) {
    charges[i] = {frame.positions[i], molecule.topology->atoms[i].charge};
  }
  return charges;
}

inline Grid map_of(const Settings& s) {
  const int n = static_cast<int>((s.side + 2 * s.margin) / s.spacing + 1e-9);
  return Grid{glm::dvec3(-s.margin), glm::dmat3(s.spacing), glm::ivec3(n)};
}

/// What one computation took, and what else is to be said of it ("relative error", "evaluations/s").
struct Timing {
  std::string name;
  std::size_t repeats = 0;
  double median = 0, least = 0, most = 0;  ///< s, from outside
  std::vector<LaunchEntry> steps;
  std::vector<std::pair<std::string, double>> facts;
  std::vector<double> in_order;  ///< s, one after the other: whether a device warms up, or slows down
};
void print(const Settings& s, const Timing& timing);

/// A map of 128^3 points within a box of water.
void direct_sum(const Settings& s, double side);
/// The fast direct sum over accuracies.
void fast_sum(const Settings& s);
/// Shifted cutoffs of 6 and 12 angstrom.
void cutoff_sum(const Settings& s);
/// On the six faces of a box, and on CUDA on a grid.
void debye_hueckel_sum(const Settings& s);

/// Time and error of multilevel summation over sizes (smallest to largest number of atoms) and accuracies (all, or
/// `only`): maps of one angstrom around boxes of water.
void potential_table(const Settings& s, double smallest, double largest, double only);
/// The error of one level over h at fixed a, for the degrees and their smoothings: what the bound h^p / a^(p+1) says.
/// Rows are kept in the file `keep`, none is begun after so many seconds (KeptRows).
void potential_slopes(const Settings& s, const std::string& keep, double seconds);
/// What the planner's tables are made from: the error on three boxes of water by basis, degree, smoothing, a and a/h.
void potential_errors(const Settings& s);
/// The measured error on a box of so many atoms over that of the planner's tables, by basis, degree, smoothing and a,
/// for seven accuracies: what the planner must allow for the size of a box. `basis`: "nodal", "bspline" or "" for both.
void potential_allowance(const Settings& s, double atoms, std::uint32_t seed, const std::string& basis,
                         const std::string& keep, double seconds);

}  // namespace isolume::bench
