// Fields that show a difference: of frames, structures, selections, methods and maps, against closed formulas.
#include "app/fields/difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "app/documents/documents.h"
#include "app/fields/field_memory.h"
#include "app/fields/scene_request.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/map_comparison.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/app/cli/program.h"
#include "tests/app/fields/field_request_of.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::complaint;
constexpr double k = units::coulomb_volt_angstrom;

/// A charge of +1 at the place and one of -1 at 20 A along x from the origin.
std::shared_ptr<const Molecule> pair_of_charges(const test::Folder& folder, const char* name,
                                                const std::vector<float>& places) {
  test::write_text(folder / name,
                   "ATOM      1 NA   ION A   1       0.000   0.000   0.000  1.0000 1.8000\n"
                   "ATOM      2 CL   ION A   2      20.000   0.000   0.000 -1.0000 1.8000\n");
  auto molecule = std::make_shared<Molecule>(read_file(folder / name));
  std::vector<Frame> frames(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) frames[i].positions = {{places[i], 0, 0}, {20, 0, 0}};
  molecule->trajectory = std::make_shared<MemoryTrajectory>(std::move(frames));
  return molecule;
}

/// A potential less another one of the same molecule; both are direct sums.
FieldRequest potential_less(std::shared_ptr<const Molecule> molecule, std::size_t frame) {
  FieldRequest request = test::request_of(Field::Kind::potential, molecule, 1);
  request.field.potential.method = PotentialMethod::direct;
  request.field.minus.kind = Subtrahend::Kind::potential;
  request.field.minus.potential.method = PotentialMethod::direct;
  request.minus.molecule = std::move(molecule);
  request.minus.frame = frame;
  return request;
}

double potential_of(double charge, glm::dvec3 place, glm::dvec3 at) {
  return k * charge / glm::length(at - place);
}

template <class Expected>
void expect_values(const ComputedVolume& volume, const Expected& expected) {
  ASSERT_EQ(volume.values.size(), volume.grid.size());
  std::size_t compared = 0;
  for (int z = 0; z < volume.grid.counts.z; z += 3)
    for (int y = 0; y < volume.grid.counts.y; y += 3)
      for (int x = 0; x < volume.grid.counts.x; ++x) {
        const glm::dvec3 at = volume.grid.point(x, y, z);
        const double value = expected(at);
        if (!(std::abs(value) < 50)) continue;  // at a charge
        ASSERT_NEAR(volume.values[volume.grid.index(x, y, z)], value, 2e-5) << x << ' ' << y << ' ' << z;
        ++compared;
      }
  EXPECT_GT(compared, 60u);
}

TEST(FieldDifference, OfAPotentialWithItselfIsZero) {
  const test::Folder folder;
  Job job;
  const FieldRequest request = potential_less(pair_of_charges(folder, "a.pqr", {0}), 0);
  for (const float value : compute_volume(request, job).values) ASSERT_EQ(value, 0);
  const FieldResult result = compute_field(request, nullptr, job);
  ASSERT_TRUE(result.legend.has_value());
  EXPECT_NE(result.legend->note.find("no difference"), std::string::npos) << result.legend->note;
  EXPECT_NE(result.summary.find("no surface"), std::string::npos) << result.summary;
  EXPECT_EQ(result.summary.find("relative"), std::string::npos) << result.summary;
}

TEST(FieldDifference, OfTwoFramesIsThatOfWhatMoved) {
  const test::Folder folder;
  Job job;
  FieldRequest request = potential_less(pair_of_charges(folder, "a.pqr", {0, 1}), 0);
  request.frame = 1;
  request.field.minus.fixed = true;
  const ComputedVolume volume = compute_volume(request, job);
  EXPECT_EQ(volume.name, "potential less that of frame 0");
  expect_values(volume, [](glm::dvec3 at) { return potential_of(1, {1, 0, 0}, at) - potential_of(1, {0, 0, 0}, at); });
  // Far away it is the field of a dipole of 1 e A in the middle of both places: its next term is the octupole,
  // (1/24) d^3 P3(cos)/r^4, below 1/(24 r^2) of it along x.
  const Grid& grid = volume.grid;
  const glm::dvec3 far = grid.point(0, grid.counts.y / 2, grid.counts.z / 2) - glm::dvec3(0.5, 0, 0);
  const double r = glm::length(far);
  const double dipole = k * far.x / (r * r * r);
  EXPECT_NEAR(volume.values[grid.index(0, grid.counts.y / 2, grid.counts.z / 2)], dipole,
              std::abs(dipole) / (4 * r * r) + 1e-6);
  const FieldResult result = compute_field(request, nullptr, job);
  EXPECT_EQ(result.legend->total_charge, 0);
  EXPECT_EQ(result.items.size(), 2u) << "surfaces of both signs";
}

/// How often the potential that is taken off was computed.
std::size_t times_computed(const FieldRequest& request, FieldMemory& memory) {
  Job job;
  const LaunchRecord record;
  compute_on_device(request, job, &memory);
  for (const LaunchEntry& entry : record.entries())
    if (entry.name == "field: potential to take off") return entry.launches;
  return 0;
}

TEST(FieldDifference, KeepsAFixedFrameWhileItsInputsStay) {
  const test::Folder folder;
  FieldRequest request = potential_less(pair_of_charges(folder, "a.pqr", {0, 1, 2}), 0);
  request.field.minus.fixed = true;
  request.grid = Grid::covering(glm::dvec3(-5), glm::dvec3(25, 5, 5), 1);
  FieldMemory memory;
  EXPECT_EQ(times_computed(request, memory), 1u);
  request.frame = 2;
  EXPECT_EQ(times_computed(request, memory), 0u) << "another frame shown, the same taken off";
  Job job;
  const DeviceVolume volume = compute_on_device(request, job, &memory);
  expect_values(ComputedVolume{volume.grid, volume.host_values(job), volume.name, volume.unit}, [](glm::dvec3 at) {
    return potential_of(1, {2, 0, 0}, at) - potential_of(1, {0, 0, 0}, at);
  });
  request.minus.frame = 1;
  request.minus.atoms.reset();
  EXPECT_EQ(times_computed(request, memory), 1u) << "another frame";
  request.field.minus.potential.dielectric = 4;
  EXPECT_EQ(times_computed(request, memory), 1u) << "another medium";
  request.grid = Grid::covering(glm::dvec3(-5), glm::dvec3(25, 5, 6), 1);
  EXPECT_EQ(times_computed(request, memory), 1u) << "another grid";
  EXPECT_EQ(times_computed(request, memory), 0u);
}

TEST(FieldDifference, OfTwoStructuresIsOnAGridAroundBoth) {
  const test::Folder folder;
  Job job;
  FieldRequest request = potential_less(pair_of_charges(folder, "a.pqr", {0}), 0);
  FieldRequest alone = request;
  alone.field.minus = {};
  const Grid own = compute_volume(alone, job).grid;
  request.minus.molecule = pair_of_charges(folder, "b.pqr", {-30.3f});
  request.field.minus.molecule = 1;
  const ComputedVolume volume = compute_volume(request, job);
  EXPECT_EQ(volume.name, "potential less that of b.pqr");
  EXPECT_EQ(volume.grid.step, own.step);
  // Points of the own grid are points of the larger one, and the other's charges are as far inside.
  const glm::dvec3 first = volume.grid.coordinates(own.origin);
  EXPECT_NEAR(first.x, std::round(first.x), 1e-9);
  EXPECT_LE(volume.grid.origin.x, -30.3 - 6 + 1e-9);
  EXPECT_LT(own.origin.x, -5);
  EXPECT_GT(own.origin.x, -20);
  expect_values(volume, [](glm::dvec3 at) {
    return potential_of(1, {0, 0, 0}, at) - potential_of(1, {-30.3f, 0, 0}, at);
  });
}

TEST(FieldDifference, OfTwoSelectionsIsThatOfTheRest) {
  const test::Folder folder;
  Job job;
  FieldRequest request = potential_less(pair_of_charges(folder, "a.pqr", {0}), 0);
  request.field.minus.selection = "name NA";
  const ComputedVolume volume = compute_volume(request, job);
  EXPECT_EQ(volume.name, "potential less that of name NA");
  expect_values(volume, [](glm::dvec3 at) { return potential_of(-1, {20, 0, 0}, at); });
  EXPECT_NEAR(compute_field(request, nullptr, job).legend->total_charge, -1, 1e-6);
}

TEST(FieldDifference, OfTwoMethodsIsWhatTheSecondLeavesOut) {
  const test::Folder folder;
  Job job;
  FieldRequest request = potential_less(pair_of_charges(folder, "a.pqr", {0}), 0);
  request.field.minus.potential.method = PotentialMethod::debye_hueckel;
  const PotentialSettings& s = request.field.minus.potential;
  // Screened: exp(-(r - a) / l) / (epsilon (1 + a / l)) of it about a sphere of radius a, l^2 = epsilon kT / (8 pi (e^2
  // / 4 pi eps0) I).
  const double a = 1.8;
  const double per_cubic_angstrom = 2 * s.ionic_strength * 6.02214076e-4;
  const double inverse = std::sqrt(4 * units::pi * k / (s.solvent_dielectric * units::thermal_voltage(s.temperature)) *
                                   per_cubic_angstrom);
  const ComputedVolume volume = compute_volume(request, job);
  EXPECT_EQ(volume.name, "potential less that of Debye-Hückel");
  expect_values(volume, [&](glm::dvec3 at) {
    double sum = 0;
    for (const auto& [charge, x] : {std::pair(1.0, 0.0), {-1.0, 20.0}}) {
      const double v = potential_of(charge, {x, 0, 0}, at);
      const double r = glm::length(at - glm::dvec3(x, 0, 0));
      if (r < a) return 1e9;  // within the sphere
      sum += v - v * std::exp(-inverse * (r - a)) / (s.solvent_dielectric * (1 + inverse * a));
    }
    return sum;
  });
  const FieldResult result = compute_field(request, nullptr, job);
  EXPECT_NE(result.legend->method.find("direct sum, vacuum less "), std::string::npos) << result.legend->method;
}

/// 9 x 8 x 7 points 2 A apart; the values are those of `value`.
template <class Value>
std::shared_ptr<Volume> map_of(const std::string& name, const std::string& unit, glm::dvec3 origin, double step,
                               const Value& value) {
  auto volume = std::make_shared<Volume>();
  volume->grid = {origin, glm::dmat3(step), glm::ivec3(9, 8, 7)};
  volume->name = name;
  volume->unit = unit;
  for (int z = 0; z < 7; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 9; ++x) volume->values.push_back(static_cast<float>(value(volume->grid.point(x, y, z))));
  return volume;
}

std::shared_ptr<const Molecule> with_maps(std::vector<std::shared_ptr<const Volume>> maps) {
  auto molecule = std::make_shared<Molecule>();
  molecule->volumes = std::move(maps);
  return molecule;
}

TEST(FieldDifference, OfAPotentialAndAMapIsOnTheGridOfTheMap) {
  const test::Folder folder;
  Job job;
  FieldRequest request = potential_less(pair_of_charges(folder, "a.pqr", {0}), 0);
  request.field.minus.kind = Subtrahend::Kind::map;
  const auto map = map_of("apbs", "kT/e", {-8, -9, 3}, 2, [](glm::dvec3 p) { return p.x + 2 * p.y; });
  request.minus.molecule = with_maps({map});
  const ComputedVolume volume = compute_volume(request, job);
  EXPECT_EQ(volume.name, "potential less apbs");
  EXPECT_TRUE(same_points(volume.grid, map->grid));
  const double thermal = units::thermal_voltage(request.field.potential.temperature);
  expect_values(volume, [&](glm::dvec3 at) {
    return potential_of(1, {0, 0, 0}, at) + potential_of(-1, {20, 0, 0}, at) - thermal * (at.x + 2 * at.y);
  });
  // A map that names no unit has that of the field.
  auto bare = std::make_shared<Volume>(*map);
  bare->unit.clear();
  request.minus.molecule = with_maps({bare});
  request.field.potential.unit = PotentialSettings::Unit::thermal;
  EXPECT_EQ(compute_volume(request, job).values, volume.values);
  bare->unit = "e/A^3";
  EXPECT_NE(complaint([&] { compute_volume(request, job); }, Error::Kind::usage).find("have no difference"),
            std::string::npos);
  request.field.minus.volume = 3;
  EXPECT_NE(complaint([&] { compute_volume(request, job); }, Error::Kind::usage).find("minus.volume 3"),
            std::string::npos);
}

TEST(FieldDifference, OfTwoMapsIsInterpolatedWhereAskedAndRefusedElse) {
  Job job;
  const auto ramp = [](glm::dvec3 p) { return 3 * p.x - p.y + 0.5 * p.z; };
  const auto first = map_of("first", "A", {0, 0, 0}, 1, [](glm::dvec3 p) { return p.x * p.y; });
  FieldRequest request = test::request_of(Field::Kind::volume, with_maps({first}), 0);
  request.field.minus.kind = Subtrahend::Kind::map;
  request.minus.molecule = with_maps({map_of("same points", "A", {0, 0, 0}, 1, ramp)});
  const auto expected = [&](glm::dvec3 p) { return p.x * p.y - ramp(p); };
  const ComputedVolume same = compute_volume(request, job);
  EXPECT_EQ(same.name, "first less same points");
  EXPECT_EQ(same.unit, "A");
  expect_values(same, expected);
  // Two means have the same name: files tell them apart.
  auto of_file = std::make_shared<Molecule>(*request.minus.molecule);
  of_file->paths = {"/somewhere/apo.dx"};
  request.minus.molecule = of_file;
  EXPECT_EQ(compute_volume(request, job).name, "first less apo.dx");
  request.minus.molecule = with_maps({map_of("others", "A", {-0.5, -0.5, -0.5}, 2, ramp)});
  const std::string refused = complaint([&] { compute_volume(request, job); }, Error::Kind::usage);
  EXPECT_NE(refused.find("others has other points"), std::string::npos) << refused;
  EXPECT_NE(refused.find("minus.resample"), std::string::npos) << refused;
  request.field.minus.resample = true;
  expect_values(compute_volume(request, job), expected);  // a linear map is interpolated as it is
  request.field.repeat = {1, 0, 0};
  EXPECT_NE(complaint([&] { compute_volume(request, job); }, Error::Kind::usage).find("without copies"),
            std::string::npos);
}

TEST(FieldDifference, IsFadedWhereItIsWithinItsStandardError) {
  Job job;
  // Differences of 0, 1, 2, ... 8 along x with the standard error hypot(0.6, 0.8) = 1: nothing up to 2, all from 4 on.
  const auto first = map_of("mean", "V", {0, 0, 0}, 1, [](glm::dvec3 p) { return 10 + p.x; });
  const auto second = map_of("other mean", "V", {0, 0, 0}, 1, [](glm::dvec3) { return 10.0; });
  FieldRequest request = test::request_of(Field::Kind::volume, with_maps({first}), 0);
  request.field.minus.kind = Subtrahend::Kind::map;
  request.minus.molecule = with_maps({second});
  request.minus.own_error = map_of("standard error", "V", {0, 0, 0}, 1, [](glm::dvec3) { return 0.6; });
  // Not known at z = 0.
  request.minus.error = map_of("standard error", "V", {0, 0, 0}, 1, [](glm::dvec3 p) { return p.z == 0 ? -1 : 0.8; });
  const ComputedVolume volume = compute_volume(request, job);
  const double weights[] = {0, 0, 0, 0.5, 1, 1, 1, 1, 1};
  for (int z = 0; z < 7; ++z)
    for (int x = 0; x < 9; ++x)
      EXPECT_NEAR(volume.values[volume.grid.index(x, 2, z)], z == 0 ? 0 : x * weights[x], 1e-5) << x << ' ' << z;
  const FieldResult result = compute_field(request, nullptr, job);
  // 6 of 9 points along x are above two errors, in 6 of 7 layers.
  EXPECT_NE(result.summary.find("; faded within its standard error"), std::string::npos) << result.summary;
  EXPECT_NE(result.legend->note.find("significant at 57.1 % of the points"), std::string::npos) << result.legend->note;
}

TEST(FieldDifference, OfWhatColoursASurfaceIsThatOfTheColours) {
  const test::Folder folder;
  Job job;
  FieldRequest request = potential_less(pair_of_charges(folder, "a.pqr", {0, 1}), 0);
  request.frame = 1;
  request.field.minus.fixed = true;
  request.field.kind = Field::Kind::gaussian;
  request.field.selection = "name CL";  // the surface, and the charges, of the one that stays
  request.field.minus.selection = "name NA";
  request.field.paint = Field::Paint::potential;
  request.field.spacing = 0.5;
  DeviceVolume volume = compute_on_device(request, job);
  ASSERT_FALSE(volume.scalars.empty());
  ASSERT_TRUE(volume.legend.has_value());
  EXPECT_EQ(volume.legend->title, "potential less that of frame 0, name NA");
  EXPECT_TRUE(volume.legend->at_surface);
  EXPECT_GT(volume.legend->error_points, 100u);
  EXPECT_NEAR(volume.legend->total_charge, -2, 1e-6);
  const std::vector<float> scalars = volume.scalars.copy_to_host();
  std::size_t compared = 0;
  for (int z = 0; z < volume.grid.counts.z; ++z)
    for (int x = 0; x < volume.grid.counts.x; ++x) {
      const glm::dvec3 at = volume.grid.point(x, 3, z);
      const double expected = potential_of(-1, {20, 0, 0}, at) - potential_of(1, {0, 0, 0}, at);
      if (!(std::abs(expected) < 50)) continue;
      ASSERT_NEAR(scalars[volume.grid.index(x, 3, z)], expected, 2e-5);
      ++compared;
    }
  EXPECT_GT(compared, 50u);
  // Both sums are in one medium, with the errors of the interpolation between points each: their squares add.
  FieldRequest alone = request;
  alone.field.minus = {};
  const double own = compute_on_device(alone, job).legend->error;
  EXPECT_GT(volume.legend->error, own * (1 - 1e-9));
  EXPECT_LT(volume.legend->error, 2 * own);
  // A map in place of the potential: on the surface it is interpolated, wherever its points are.
  request.field.minus.kind = Subtrahend::Kind::map;
  auto map = map_of("ramp", "V", {8, -12, -12}, 3, [](glm::dvec3 p) { return p.x + p.y; });
  request.minus = {};
  request.minus.molecule = with_maps({map});
  volume = compute_on_device(request, job);
  const std::vector<float> less = volume.scalars.copy_to_host();
  const int y = volume.grid.counts.y / 2, z = volume.grid.counts.z / 2;
  const glm::dvec3 at = volume.grid.point(2, y, z);
  EXPECT_NEAR(less[volume.grid.index(2, y, z)], potential_of(-1, {20, 0, 0}, at) - (at.x + at.y), 2e-5);
  EXPECT_EQ(volume.legend->title, "potential less ramp");
}

TEST(FieldDifference, OfAColouringMapIsFadedToo) {
  const test::Folder folder;
  Job job;
  FieldRequest request = test::request_of(Field::Kind::gaussian, pair_of_charges(folder, "a.pqr", {0}), 0.5);
  request.field.selection = "name NA";
  request.field.paint = Field::Paint::map;
  request.field.minus.kind = Subtrahend::Kind::map;
  const auto constant = [](double value) { return [value](glm::dvec3) { return value; }; };
  request.map.volume = map_of("a", "V", {-12, -12, -12}, 4, constant(7));
  request.map.title = "a";
  request.minus.molecule = with_maps({map_of("b", "V", {-12, -12, -12}, 4, constant(4))});
  const auto centre = [&] {
    const DeviceVolume volume = compute_on_device(request, job);
    const glm::ivec3 middle = volume.grid.counts / 2;
    return volume.scalars.copy_to_host()[volume.grid.index(middle.x, middle.y, middle.z)];
  };
  EXPECT_NEAR(centre(), 3, 1e-5);
  request.minus.error = map_of("standard error", "V", {-12, -12, -12}, 4, constant(1));
  EXPECT_NEAR(centre(), 1.5, 1e-5);
  request.minus.own_error = request.minus.error;
  EXPECT_NEAR(centre(), 3 * (3 / std::sqrt(2.0) / 2 - 1), 1e-5);
  const DeviceVolume volume = compute_on_device(request, job);
  EXPECT_LT(volume.legend->lower, 0) << "differences have both signs";
  EXPECT_EQ(volume.legend->title, "a less b");
}

TEST(FieldDifference, SaysWhatCannotBe) {
  const test::Folder folder;
  Job job;
  FieldRequest request = potential_less(pair_of_charges(folder, "a.pqr", {0, 1}), 2);
  request.field.minus.fixed = true;
  EXPECT_NE(complaint([&] { compute_volume(request, job); }, Error::Kind::usage)
                .find("frame 2 is taken off: a.pqr has frames 0 to 1"),
            std::string::npos);
  Scene scene;
  Documents documents;
  scene.molecules = documents.open({folder / "a.pqr"});
  Field field = request.field;
  field.minus.molecule = 4;
  EXPECT_NE(complaint([&] { taken_off(scene, field, documents, true); }, Error::Kind::usage).find("minus.molecule 4"),
            std::string::npos);
  field.minus.molecule = 0;
  field.minus.charges = "/etc/passwd";
  EXPECT_NE(complaint([&] { taken_off(scene, field, documents, true); }, Error::Kind::usage).find("tables:amber"),
            std::string::npos);
  field.minus.charges = "file";
  field.minus.frame = 0;
  const TakenOff taken = taken_off(scene, field, documents, true);
  ASSERT_TRUE(taken.molecule != nullptr);
  EXPECT_EQ(taken.molecule->topology->atoms.size(), 2u);
  field.minus.error = {true, 0, 0};
  EXPECT_NE(complaint([&] { taken_off(scene, field, documents, true); }, Error::Kind::usage).find("minus.error.volume"),
            std::string::npos);
}

TEST(FieldDifference, IsOfChargeSetsOfOneMolecule) {
  const test::Folder folder;
  Job job;
  Documents documents;
  Scene scene;
  scene.molecules = documents.open({test::data("../../resources/examples/crambin.pdb.gz")});
  scene.molecules[0].templates = {"tables:amber"};
  Field field;
  field.kind = Field::Kind::potential;
  field.potential.method = field.minus.potential.method = PotentialMethod::direct;
  field.selection = field.minus.selection = "resid 10 and name CA";
  field.spacing = 2;
  field.minus.kind = Subtrahend::Kind::potential;
  field.minus.charges = "tables:charmm";
  scene.fields = {field};
  const FieldRequest request = scene_request(scene, 0, documents, Device::cpu());
  const auto amber = documents.molecule(scene.molecules[0]);
  ASSERT_TRUE(request.minus.molecule != nullptr);
  const auto charge = [](const Molecule& molecule) {
    const auto& atoms = molecule.topology->atoms;
    for (std::size_t i = 0; i < atoms.size(); ++i)
      if (atoms[i].name == "CA" && molecule.topology->residues[atoms[i].residue].number == 10)
        return std::pair(i, static_cast<double>(atoms[i].charge));
    return std::pair(std::size_t{0}, 0.0);
  };
  const auto [atom, first] = charge(*amber);
  const auto [other, second] = charge(*request.minus.molecule);
  ASSERT_GT(std::abs(first - second), 0.01) << "arginine 10: AMBER and CHARMM differ";
  const glm::dvec3 place = amber->trajectory->frame(0).positions[atom];
  expect_values(compute_volume(request, job),
                [&, a = first, b = second](glm::dvec3 at) { return potential_of(a - b, place, at); });
}

}  // namespace
}  // namespace isolume
