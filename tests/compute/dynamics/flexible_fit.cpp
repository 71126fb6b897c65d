// A model that a density map pulls, on every device.
#include "compute/dynamics/flexible_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "compute/density_maps/density_map.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "tests/compute/base/devices.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

class FlexibleFitOn : public test::OnDevice {
 protected:
  /// The hairpin of trpzip2 in its first conformation, and the map of the second at 6 angstrom.
  void open() {
    auto molecule = std::make_shared<Molecule>(
        read_files({test::shared_data("trajectories/tz2/tz2.parm7"), test::shared_data("trajectories/tz2/tz2.nc")})
            .front());
    for (std::uint32_t i = 0; i < molecule->topology->atoms.size(); ++i)
      if (molecule->topology->atoms[i].element != 1) input_.atoms.push_back(i);
    input_.frame = molecule->trajectory->frame(0);
    const Frame other = molecule->trajectory->frame(1);
    const auto gaussians = gaussians_of(*molecule, other.positions);
    glm::vec3 lower(1e9f), upper(-1e9f);
    for (const glm::vec3& p : other.positions) {
      lower = glm::min(lower, p);
      upper = glm::max(upper, p);
    }
    auto map = std::make_shared<Volume>();
    map->grid = Grid{glm::dvec3(glm::floor(lower)) - 8.0, glm::dmat3(1.0), glm::ivec3(glm::ceil(upper - lower)) + 18};
    map->values.resize(map->grid.size());
    density_map(gaussians, map->grid, {map->values.data(), map->values.size(), Device::cpu()}, job_);
    input_.molecule = molecule;
    input_.map = map;
    input_.name = "the map";
    input_.remedy = "move it";
    options_.resolution = 6;
    options_.friction = 5;
    options_.pull.scale = 0.5;
    options_.pull.restraints = MapRestraints::centres;
    options_.device = GetParam();
  }
  std::vector<MapAtom> gaussians_of(const Molecule& molecule, std::span<const glm::vec3> positions) const {
    return map_atoms(*molecule.topology, positions, input_.atoms, 6, MapConvention::chimerax, MapWeights::electrons);
  }
  /// Pearson's correlation of the map with that of the model, in double precision.
  double correlation(const Frame& frame) {
    const Volume& map = *input_.map;
    std::vector<glm::dvec3> points;
    for (int z = 0; z < map.grid.counts.z; ++z)
      for (int y = 0; y < map.grid.counts.y; ++y)
        for (int x = 0; x < map.grid.counts.x; ++x) points.push_back(map.grid.point(x, y, z));
    std::vector<double> model(points.size());
    density_map_reference(gaussians_of(*input_.molecule, frame.positions), points, model);
    double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
    const auto n = static_cast<double>(model.size());
    for (std::size_t i = 0; i < model.size(); ++i) {
      const auto x = static_cast<double>(map.values[i]);
      a += x, b += model[i], aa += x * x, bb += model[i] * model[i], ab += x * model[i];
    }
    return (ab - a * b / n) / std::sqrt((aa - a * a / n) * (bb - b * b / n));
  }
  std::string fault() {
    try {
      flexible_fit(input_, options_, job_, [](const FlexibleFitSample&) { ADD_FAILURE() << "it began"; });
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      return error.what();
    }
    return {};
  }

  Job job_;
  FlexibleFitInput input_;
  FlexibleFitOptions options_;
};
ISOLUME_ON_EVERY_DEVICE(FlexibleFitOn);

TEST_P(FlexibleFitOn, TheModelMovesIntoTheMap) {
  ISOLUME_NEEDS(test::shared_data("trajectories/tz2/tz2.nc"));
  open();
  options_.length = 2;
  std::vector<FlexibleFitSample> samples;
  flexible_fit(input_, options_, job_, [&](FlexibleFitSample sample) { samples.push_back(std::move(sample)); });
  ASSERT_EQ(samples.size(), 41u) << "2000 steps, every 50, and the start";
  for (const std::size_t s : {0u, 20u, 40u})
    EXPECT_NEAR(samples[s].correlation, correlation(samples[s].frame), 2e-5) << s;
  EXPECT_GT(samples.back().correlation, samples.front().correlation + 0.02);
  EXPECT_NEAR(samples.back().time, 2, 1e-9);
}

TEST_P(FlexibleFitOn, WhatCannotBeIsSaidBeforeWork) {
  ISOLUME_NEEDS(test::shared_data("trajectories/tz2/tz2.nc"));
  open();
  options_.resolution = 1.9;  // points are 1 angstrom apart
  EXPECT_NE(fault().find("Nyquist"), std::string::npos);
  options_.resolution = 6;
  const FlexibleFitInput before = input_;
  for (glm::vec3& p : input_.frame.positions) p.x += 300;
  EXPECT_NE(fault().find("do not meet"), std::string::npos);
  input_ = before;
  input_.atoms.clear();
  EXPECT_NE(fault().find("no atoms are selected"), std::string::npos);
  input_ = before;
  auto bare = std::make_shared<Molecule>(*before.molecule);
  bare->force_field = nullptr;
  input_.molecule = bare;
  EXPECT_NE(fault().find("force field"), std::string::npos);
}

}  // namespace
}  // namespace isolume
