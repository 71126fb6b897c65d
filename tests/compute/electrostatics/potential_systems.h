// Charges to sum, for the tests of the potential methods.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "compute/electrostatics/direct/direct.h"
#include "molecule/crystal/water_box.h"
#include "molecule/grid.h"
#include "tests/compute/base/devices.h"

namespace isolume::test {

/// `count` charges of mixed sign, evenly spread in [0, side]^3, that add up to 0 (to rounding).
inline std::vector<PointCharge> random_charges(std::size_t count, double side, std::uint32_t seed = 7) {
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1.0p-53; };
  std::vector<PointCharge> charges(count);
  double total = 0;
  for (PointCharge& c : charges) {
    c.position = glm::vec3(glm::dvec3(uniform(), uniform(), uniform()) * side);
    c.charge = static_cast<float>(2 * uniform() - 1);
    total += static_cast<double>(c.charge);
  }
  for (PointCharge& c : charges) c.charge -= static_cast<float>(total / static_cast<double>(count));
  return charges;
}

/// The charges of make_water_box().
inline std::vector<PointCharge> water_charges(double side, std::uint32_t seed = 1) {
  const Molecule water = make_water_box(side, seed);
  const Frame frame = water.trajectory->frame(0);
  std::vector<PointCharge> charges(frame.positions.size());
  for (std::size_t i = 0; i < charges.size(); ++i) {
    charges[i] = {frame.positions[i], water.topology->atoms[i].charge};
  }
  return charges;
}

/// RMS of the difference over RMS of the reference, and the largest difference over RMS of the reference.
struct Deviation {
  double rms = 0;
  double max = 0;
};
template <class A, class B>
Deviation deviation(const A& values, const B& reference) {
  double squares = 0;
  double scale = 0;
  double most = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double difference = static_cast<double>(values[i]) - static_cast<double>(reference[i]);
    squares += difference * difference;
    scale += static_cast<double>(reference[i]) * static_cast<double>(reference[i]);
    if (!(std::abs(difference) <= most)) most = std::abs(difference);  // NaN stays
  }
  const double rms = std::sqrt(scale / static_cast<double>(reference.size()));
  return {std::sqrt(squares / scale), most / rms};
}

}  // namespace isolume::test
