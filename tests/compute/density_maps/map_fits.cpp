// Rigid fits into density maps: splines, a model that was moved by a known amount, and a search of all places.
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "compute/density_maps/density_map.h"
#include "compute/density_maps/rigid_fit.h"
#include "formats/read.h"
#include "tests/compute/base/devices.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using namespace test;
using nlohmann::json;

json read_json(const std::string& path) {
  std::ifstream in(path);
  return json::parse(in);
}

RigidModel crambin() {
  RigidModel model;
  const json excerpt = read_json(data("maps/1crn_molmap_4A.json"));
  for (const json& atom : excerpt["atoms"]) {
    model.positions.emplace_back(atom[0].get<double>(), atom[1].get<double>(), atom[2].get<double>());
    model.weights.push_back(atom[3].get<double>());
  }
  return model;
}

MapSpline smooth_spline(const Volume& volume, double sigma) {
  Job job;
  return {volume.grid, smoothed_map(volume.grid, volume.values, sigma, job)};
}

double angle_of(const glm::dquat& q) {
  return glm::degrees(2 * std::acos(std::min(1.0, std::abs(q.w))));
}

TEST(MapSpline, HasTheMapsValuesAndItsOwnSlopes) {
  Random random(1);
  const Grid grid = make_skewed_grid({1, 2, 3}, 0.8, {7, 5, 6});
  std::vector<float> values(grid.size());
  for (float& v : values) v = static_cast<float>(random(-1, 1));
  const MapSpline spline(grid, values);
  const auto points = grid_points(grid);
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_NEAR(spline.at(points[i]).value, static_cast<double>(values[i]), 1e-12);
  for (int n = 0; n < 40; ++n) {
    const glm::dvec3 p = grid.point(random(0.1, 5.9), random(0.1, 3.9), random(0.1, 4.9));
    for (int axis = 0; axis < 3; ++axis) {
      glm::dvec3 step(0);
      step[axis] = 1e-5;
      EXPECT_NEAR(spline.at(p).gradient[axis], (spline.at(p + step).value - spline.at(p - step).value) / 2e-5, 1e-6);
    }
  }
  EXPECT_FALSE(spline.at({-10, 0, 0}).inside);
}

TEST(SmoothedMap, OfAGaussianIsAWiderGaussian) {
  const Grid grid = make_grid({-12, -12, -12}, {1, 1, 1}, {25, 25, 25});
  std::vector<float> values;
  for (const glm::dvec3& p : grid_points(grid)) values.push_back(static_cast<float>(std::exp(-glm::dot(p, p) / 8)));
  Job job;
  const auto smooth = smoothed_map(grid, values, 1.5, job);
  // Variances add: 4 + 2.25; integrals stay.
  const double variance = 6.25, height = std::pow(4 / variance, 1.5);
  const auto points = grid_points(grid);
  for (std::size_t i = 0; i < points.size(); ++i)
    ASSERT_NEAR(static_cast<double>(smooth[i]), height * std::exp(-glm::dot(points[i], points[i]) / (2 * variance)),
                1e-5);
}

TEST(RigidFit, ReturnsFromAKnownShiftAndTurn) {
  const RigidModel model = crambin();
  const Volume volume = *read_file(data("maps/1crn_molmap_4A.mrc.gz")).volumes.front();
  const MapSpline map = smooth_spline(volume, 0.9);
  const glm::dvec3 centre = model.centre();
  Random random(7);
  for (int n = 0; n < 6; ++n) {
    const glm::dquat turn = glm::angleAxis(glm::radians(8.0 + 2 * n), glm::normalize(random.in_box(-1, 1)));
    const glm::dvec3 shift = random.in_box(-1, 1);
    const RigidMotion start{turn, centre - turn * centre + shift};
    Job job;
    const RigidFit fit = rigid_fit(map, model, start, job);
    EXPECT_GT(fit.after, fit.before);
    EXPECT_NEAR(mean_at_atoms(map, model, fit.motion), fit.after, 1e-9);
    EXPECT_LT(angle_of(fit.motion.rotation), 0.5) << "start " << n;
    EXPECT_LT(rmsd_of_places(model, {}, fit.motion), 0.1) << "start " << n;
  }
}

TEST(SpreadRotations, ReachEveryTurn) {
  // 15 degrees: no turn is farther than that from the nearest of them.
  const double radians = glm::radians(15.0);
  const auto count = static_cast<std::size_t>(8 * std::numbers::pi * std::numbers::pi / std::pow(radians, 3));
  const auto turns = spread_rotations(count);
  Random random(4);
  double farthest = 0;
  for (int n = 0; n < 300; ++n) {
    glm::dquat q(random(-1, 1), random(-1, 1), random(-1, 1), random(-1, 1));
    q = glm::normalize(q);
    double nearest = 360;
    for (const glm::dquat& t : turns)
      nearest = std::min(nearest, glm::degrees(2 * std::acos(std::min(1.0, std::abs(glm::dot(q, t))))));
    farthest = std::max(farthest, nearest);
    EXPECT_NEAR(glm::length(turns[static_cast<std::size_t>(n)]), 1, 1e-12);
  }
  EXPECT_LT(farthest, 15);
}

TEST(MapSearch, FindsCrambinFromAnywhere) {
  RigidModel model = crambin();
  const RigidModel right = model;
  const Volume volume = *read_file(data("maps/1crn_molmap_4A.mrc.gz")).volumes.front();
  // Far away and turned: the search knows nothing of the right place.
  const RigidMotion away{glm::angleAxis(2.1, glm::normalize(glm::dvec3(1, -2, 0.5))), {40, -70, 15}};
  for (glm::dvec3& p : model.positions) p = away(p);
  MapSearchOptions options;
  options.resolution = 4;
  options.angle = 18;
  options.solutions = 5;
  MapSearchStatistics statistics;
  Job job;
  const auto places = search_map(smooth_spline(volume, 0.9), model, options, job, &statistics);
  ASSERT_FALSE(places.empty());
  EXPECT_GT(statistics.rotations, 1000u);
  const RigidMotion back = then(away, places.front().motion);
  EXPECT_LT(angle_of(back.rotation), 0.5);
  EXPECT_LT(rmsd_of_places(right, {}, back), 0.1);
  for (std::size_t i = 1; i < places.size(); ++i) {
    EXPECT_LE(places[i].after, places[i - 1].after);
    EXPECT_GE(rmsd_of_places(model, places[i].motion, places[0].motion), 2);
  }
}

// Maps with noise and an X-ray map, where the collection is there: the known place is the first found.
TEST(MapSearch, FindsTheKnownPlacesOfTheCollection) {
  for (const char* name : {"1ubq_noise", "4hhb_chainA_noise", "1cbs_2fofc_masked"}) {
    const std::string file = shared_data(std::string("map-fit/fitting/") + name + ".json");
    ISOLUME_NEEDS(file);
    const json j = read_json(file);
    const std::string folder = shared_data("map-fit/fitting/");
    const Molecule molecule = read_file(folder + j["model"].get<std::string>());
    const Volume volume = *read_file(folder + name + ".mrc.gz").volumes.front();
    RigidModel model;
    const Frame frame = molecule.trajectory->frame(0);
    for (std::size_t i = 0; i < frame.positions.size(); ++i) {
      model.positions.emplace_back(frame.positions[i]);
      model.weights.push_back(molecule.topology->atoms[i].element);
    }
    ASSERT_EQ(model.positions.size(), j["atoms"].get<std::size_t>());
    MapSearchOptions options;
    options.resolution = j["resolution"].get<double>();
    options.solutions = 5;
    Job job;
    const auto places = search_map(smooth_spline(volume, j["sigma_for_S2"].get<double>()), model, options, job);
    ASSERT_FALSE(places.empty());
    // Chain C of haemoglobin is an almost equal place for chain A: one of the first two.
    double nearest = 1e9;
    for (std::size_t i = 0; i < std::min<std::size_t>(places.size(), 2); ++i)
      nearest = std::min(nearest, rmsd_of_places(model, {}, places[i].motion));
    EXPECT_LT(nearest, 0.25) << name;
  }
}

}  // namespace
}  // namespace isolume
