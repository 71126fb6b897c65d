// Solutions of the Poisson-Boltzmann equation for tests: a cube around the origin, salts, a map in kT/e.
#pragma once

#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"

namespace isolume::test {

/// The atoms of a PQR file.
inline std::vector<ChargedSphere> read_pqr(const std::string& path) {
  std::vector<ChargedSphere> atoms;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("ATOM") && !line.starts_with("HETATM")) continue;
    std::istringstream text(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    const auto number = [&](std::size_t from_end) { return std::stof(words[words.size() - from_end]); };
    atoms.push_back({{number(5), number(4), number(3)}, number(2), number(1)});
  }
  return atoms;
}

constexpr double kT = 2.478957029602388;  // kJ/mol at 298.15 K
constexpr double kJ = 4.184;              // a kcal
inline const double volts = units::thermal_voltage(298.15);
inline const double bjerrum = units::coulomb_volt_angstrom / volts;  // of vacuum, angstrom

struct Solution {
  PoissonBoltzmannResult result;
  Volume map;  // kT/e

  double at(glm::dvec3 point) const { return static_cast<double>(interpolate(map, point)); }
};

inline Solution solve_map(Device device, const std::vector<ChargedSphere>& atoms, const Grid& grid,
                          const PoissonBoltzmannOptions& options) {
  Solution solution;
  Job job;
  solution.map.grid = grid;
  solution.map.values = on_device<float>(device, grid.size(), [&](Span<float> potential) {
    solution.result = poisson_boltzmann(atoms, grid, options, potential, job);
  });
  for (float& value : solution.map.values) value /= static_cast<float>(volts);
  return solution;
}

inline Grid cube(double half, double step, glm::dvec3 centre = glm::dvec3(0)) {
  const int n = 2 * static_cast<int>(std::lround(half / step)) + 1;
  return make_grid(centre - step * (n - 1) / 2, glm::dvec3(step), glm::ivec3(n));
}

inline PoissonBoltzmannOptions salt(double strength, double ion_radius, double inside = 2) {
  PoissonBoltzmannOptions options;
  options.solute_permittivity = inside;
  options.ions = {{1, strength, ion_radius}, {-1, strength, ion_radius}};
  return options;
}

}  // namespace isolume::test
