// Density maps, correlations and map forces against references that numpy, scipy, gemmi and BioTEMPy made.
#include <fstream>
#include <glm/gtc/quaternion.hpp>
#include <nlohmann/json.hpp>
#include <numbers>

#include "compute/density_maps/map_forces.h"
#include "compute/density_maps/map_potential.h"
#include "compute/density_maps/map_windows.h"
#include "formats/read.h"
#include "molecule/selection/selection.h"
#include "tests/compute/base/devices.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using namespace test;
using nlohmann::json;
using MapFiles = OnDevice;
ISOLUME_ON_EVERY_DEVICE(MapFiles);

json read_json(const std::string& path) {
  std::ifstream in(path);
  return json::parse(in);
}

glm::dvec3 vector_of(const json& j) {
  return {j[0].get<double>(), j[1].get<double>(), j[2].get<double>()};
}

/// A model as the references have it: atomic numbers as weights.
struct Model {
  std::vector<glm::dvec3> positions;
  std::vector<double> weights;
  std::vector<std::vector<std::uint32_t>> residues;

  std::vector<MapAtom> at(const std::vector<glm::dvec3>& places, double sigma) const {
    const double volume = std::pow(2 * std::numbers::pi * sigma * sigma, 1.5);
    std::vector<MapAtom> atoms;
    for (std::size_t i = 0; i < places.size(); ++i)
      atoms.push_back({glm::vec3(places[i]), static_cast<float>(sigma), static_cast<float>(weights[i] / volume)});
    return atoms;
  }
};

Model model_of_excerpt(const json& excerpt) {
  Model model;
  for (const json& atom : excerpt["atoms"]) {
    model.positions.push_back(vector_of(atom));
    model.weights.push_back(atom[3].get<double>());
    const auto residue = atom[4].get<std::size_t>();
    model.residues.resize(std::max(model.residues.size(), residue + 1));
    model.residues[residue].push_back(static_cast<std::uint32_t>(model.positions.size() - 1));
  }
  return model;
}

Model model_of_file(const std::string& path, std::vector<std::string>* names) {
  const Molecule molecule = read_file(path);
  const Frame frame = molecule.trajectory->frame(0);
  const Topology& topology = *molecule.topology;
  Model model;
  std::uint32_t last = ~0u;
  for (const std::uint32_t i : Selection("not water").atoms(topology, frame)) {
    const Atom& atom = topology.atoms[i];
    if (atom.altloc != ' ' && atom.altloc != 'A') continue;
    if (atom.residue != last) {
      model.residues.emplace_back();
      const Residue& residue = topology.residues[atom.residue];
      if (names) names->push_back(topology.chains[residue.chain].id + std::to_string(residue.number) + residue.name);
    }
    last = atom.residue;
    model.residues.back().push_back(static_cast<std::uint32_t>(model.positions.size()));
    // The three decimals of the file.
    model.positions.push_back(glm::round(glm::dvec3(frame.positions[i]) * 1000.0) / 1000.0);
    model.weights.push_back(atom.element);
  }
  return model;
}

Volume map_of_file(const std::string& path) {
  return *read_file(path).volumes.front();
}

std::vector<glm::dvec3> displaced(const Model& model, const json& displacement, glm::dvec3 centre) {
  const glm::dquat turn = glm::angleAxis(glm::radians(displacement["angle_deg"].get<double>()),
                                         glm::normalize(vector_of(displacement["axis"])));
  std::vector<glm::dvec3> result;
  for (const glm::dvec3& p : model.positions)
    result.push_back(turn * (p - centre) + centre + vector_of(displacement["translation"]));
  return result;
}

void expect_map(Device device, const std::vector<MapAtom>& atoms, const Volume& volume, const std::string& name) {
  Job job;
  const auto values =
      on_device<float>(device, volume.grid.size(), [&](Span<float> to) { density_map(atoms, volume.grid, to, job); });
  const Difference d = compare(values, std::vector<double>(volume.values.begin(), volume.values.end()));
  EXPECT_LT(d.largest, 1e-5 * d.scale) << name;
}

void expect_points(const std::vector<MapAtom>& atoms, const json& points, const json& values, double scale) {
  std::vector<glm::dvec3> at;
  for (const json& p : points) at.push_back(vector_of(p));
  std::vector<double> found(at.size());
  density_map_reference(atoms, at, found);
  // Widths, heights and positions are kept in single precision.
  for (std::size_t i = 0; i < at.size(); ++i) ASSERT_NEAR(found[i], values[i].get<double>(), 2e-6 * scale);
}

/// One displaced model against a map, with all masks; `step` of the residues.
void expect_row(Device device, const Model& model, const Volume& volume, double sigma, double threshold,
                const json& row, glm::dvec3 centre, const std::vector<std::size_t>& residues) {
  Job job;
  const auto places = displaced(model, row["displacement"], centre);
  const auto map = DeviceArray<float>::from_host(volume.values, device, "map");
  DeviceArray<float> kept(volume.grid.size(), device, "model");
  const MapComparison comparison{map.span(), static_cast<float>(threshold), static_cast<float>(threshold)};
  const ComparedSums sums = compared_density_map(model.at(places, sigma), volume.grid, comparison, kept.span(), job);
  const MapPair both{map.span(), kept.span()};
  EXPECT_NEAR(sums.all.correlation(), row["overall"][0].get<double>(), 2e-6);
  EXPECT_NEAR(sums.all.about_zero(), row["overall"][1].get<double>(), 2e-6);
  const auto expect_mask = [&](const MapSums& found, const char* name, double points) {
    const json& expected = row["masks"][name];
    EXPECT_NEAR(found.count, expected[0].get<double>(), points) << name;
    EXPECT_NEAR(found.correlation(), expected[1].get<double>(), points > 0 ? 1e-3 : 2e-6) << name;
    EXPECT_NEAR(found.about_zero(), expected[2].get<double>(), points > 0 ? 1e-3 : 2e-6) << name;
  };
  expect_mask(sums.map_above, "map_above_threshold", 0);
  // A value at the threshold may be on either side of it by rounding.
  expect_mask(sums.model_above, "model_map_above_threshold", 1);
  for (const auto& [name, distance] : {std::pair("within_2A", 2.0), std::pair("within_4A", 4.0)}) {
    DeviceArray<std::uint8_t> mask(volume.grid.size(), device, "mask");
    points_near(volume.grid, places, distance, mask.span(), job);
    expect_mask(masked_sums(both, mask.span(), job), name, 0);
  }
  const auto windows = window_sums(volume.grid, both, places, model.residues, 3, job);
  const json& expected = row["residues"];
  ASSERT_EQ(expected.size(), residues.size());
  for (std::size_t i = 0; i < residues.size(); ++i) {
    const MapSums& window = windows[residues[i]];
    EXPECT_EQ(window.count, expected[i][3].get<double>()) << expected[i];
    if (expected[i][4].is_null()) continue;
    EXPECT_NEAR(window.correlation(), expected[i][4].get<double>(), 2e-5) << expected[i];
    EXPECT_NEAR(window.about_zero(), expected[i][5].get<double>(), 2e-5) << expected[i];
  }
}

const json& excerpt() {
  static const json values = read_json(data("maps/1crn_molmap_4A.json"));
  return values;
}

TEST_P(MapFiles, AMapOfCrambinIsThatOfNumpy) {
  const Model model = model_of_excerpt(excerpt());
  const json& maps = excerpt()["maps"];
  const auto atoms = model.at(model.positions, maps["sigma"].get<double>());
  expect_points(atoms, maps["points"], maps["values"], maps["max"].get<double>());
  expect_map(GetParam(), atoms, map_of_file(data("maps/1crn_molmap_4A.mrc.gz")), "1crn");
}

TEST_P(MapFiles, CorrelationsOfCrambinAreThoseOfNumpy) {
  const Model model = model_of_excerpt(excerpt());
  const Volume volume = map_of_file(data("maps/1crn_molmap_4A.mrc.gz"));
  const json& correlation = excerpt()["correlation"];
  std::vector<std::size_t> residues(model.residues.size());
  for (std::size_t i = 0; i < residues.size(); ++i) residues[i] = i;
  for (const json& row : correlation["rows"])
    expect_row(GetParam(), model, volume, 0.9, correlation["threshold"].get<double>(), row,
               vector_of(correlation["centroid"]), residues);
}

TEST_P(MapFiles, ForcesAreThoseOfScipysSplines) {
  const Volume volume = map_of_file(data("maps/1crn_molmap_4A.mrc.gz"));
  const json& mdff = excerpt()["mdff"];
  const auto shared = std::make_shared<const MapPotential>(volume.grid, volume.values, mdff["threshold"].get<double>(),
                                                           mdff["xi_kcal_mol"].get<double>());
  const MapPotential& potential = *shared;
  std::vector<glm::dvec3> points;
  std::vector<double> weights;
  for (const json& p : mdff["points"]) points.push_back(vector_of(p));
  for (const json& w : mdff["weights_Da"]) weights.push_back(w.get<double>());
  Job job;
  double sum = 0;
  // The last atom is beyond the box, and one has no weight.
  points.emplace_back(1e3, 0, 0);
  weights.push_back(2);
  points.push_back(points.front());
  weights.push_back(0);
  const Device device = GetParam();
  const MapForces map(shared, weights, device);
  const auto places = DeviceArray<glm::dvec3>::from_host(points, device);
  auto there = DeviceArray<glm::dvec3>::from_host(std::vector<glm::dvec3>(points.size(), glm::dvec3(1, 2, 3)), device);
  Stream stream(device);
  const double energy = map.add(places.span(), there.span(), stream, job);
  std::vector<glm::dvec3> forces = there.copy_to_host();
  EXPECT_EQ(forces[points.size() - 1], glm::dvec3(1, 2, 3));
  EXPECT_EQ(forces[points.size() - 2], glm::dvec3(1, 2, 3));
  for (glm::dvec3& force : forces) force -= glm::dvec3(1, 2, 3);
  points.resize(points.size() - 2);
  sum += 2 * mdff["xi_kcal_mol"].get<double>();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double expected = mdff["cubic_bspline"]["energy_kcal_mol"][i].get<double>();
    const glm::dvec3 force = vector_of(mdff["cubic_bspline"]["force_kcal_mol_A"][i]);
    sum += expected;
    // The map's file has single precision, and its origin and spacing a few digits.
    EXPECT_NEAR(weights[i] * potential.at(points[i]).value, expected, 1e-5);
    EXPECT_LT(glm::distance(forces[i], force), 1e-5);
  }
  EXPECT_NEAR(energy, sum, 1e-4);
  // Beyond the box there is neither force nor gain.
  EXPECT_EQ(potential.at({1e3, 0, 0}).value, mdff["xi_kcal_mol"].get<double>());
  EXPECT_EQ(potential.at({1e3, 0, 0}).gradient, glm::dvec3(0));
  EXPECT_THROW(MapPotential(volume.grid, volume.values, 1e3, 1), Error);
}

TEST(MapForces, AreSlopesOfTheEnergy) {
  const Volume volume = map_of_file(data("maps/1crn_molmap_4A.mrc.gz"));
  const MapPotential potential(volume.grid, volume.values, 0.1, 0.3);
  Random random(3);
  for (int n = 0; n < 50; ++n) {
    const glm::dvec3 p = glm::dvec3(9, 10, 7) + random.in_box(-12, 12);
    for (int axis = 0; axis < 3; ++axis) {
      glm::dvec3 step(0);
      step[axis] = 1e-5;
      const double slope = (potential.at(p + step).value - potential.at(p - step).value) / 2e-5;
      EXPECT_NEAR(potential.at(p).gradient[axis], slope, 1e-7);
    }
  }
}

// The whole collection, where it is there.
TEST_P(MapFiles, AllMapsOfTheCollection) {
  const std::string folder = shared_data("map-fit/maps");
  ISOLUME_NEEDS(folder);
  std::size_t maps = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const json j = read_json(entry.path());
    const Model model = model_of_file(shared_data(j["structure"].get<std::string>()), nullptr);
    ASSERT_EQ(model.positions.size(), j["atoms"].get<std::size_t>()) << entry.path();
    const auto atoms = model.at(model.positions, j["sigma"].get<double>());
    if (!GetParam().is_cuda()) expect_points(atoms, j["points"], j["values"], j["grid"]["max"].get<double>());
    expect_map(GetParam(), atoms, map_of_file(folder + "/" + j["grid"]["file"].get<std::string>()), entry.path());
    ++maps;
  }
  EXPECT_GT(maps, 20u);
}

TEST_P(MapFiles, AllCorrelationsOfTheCollection) {
  const std::string folder = shared_data("map-fit/correlation");
  ISOLUME_NEEDS(folder);
  std::size_t rows = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const json j = read_json(entry.path());
    std::vector<std::string> names;
    const Model model = model_of_file(shared_data(j["structure"].get<std::string>()), &names);
    const Volume volume = map_of_file(shared_data("map-fit/maps/" + j["map"].get<std::string>()));
    for (const json& row : j["rows"]) {
      std::vector<std::size_t> residues;
      for (const json& r : row["residues"]) {
        const std::string name = r[0].get<std::string>() + std::to_string(r[1].get<int>()) + r[2].get<std::string>();
        const auto at = std::find(names.begin(), names.end(), name);
        ASSERT_NE(at, names.end()) << name;
        residues.push_back(static_cast<std::size_t>(at - names.begin()));
      }
      SCOPED_TRACE(entry.path().filename().string() + " row " + std::to_string(rows));
      expect_row(GetParam(), model, volume, j["sigma"].get<double>(), j["threshold"].get<double>(), row,
                 vector_of(j["centroid"]), residues);
      ++rows;
    }
  }
  EXPECT_GE(rows, 70u);
}

}  // namespace
}  // namespace isolume
