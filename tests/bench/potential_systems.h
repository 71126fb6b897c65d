// What the benchmarks of potentials share: boxes of water and maps around them.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "compute/device.h"
#include "compute/potential/direct.h"
#include "compute/timing.h"
#include "molecule/grid.h"
#include "molecule/water_box.h"

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

inline std::vector<PointCharge> water(double side) {
  const Molecule molecule = make_water_box(side);
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

/// Time and error of multilevel summation over sizes and accuracies: maps of one angstrom around boxes of water.
void potential_table(const Settings& s, double largest);
/// The error of one level over h at fixed a, for the degrees and their smoothings: what the bound h^p / a^(p+1) says.
void potential_slopes(const Settings& s);
/// What the planner's tables are made from: the error on three boxes of water by basis, degree, smoothing, a and a/h.
void potential_errors(const Settings& s);

}  // namespace isolume::bench
