// Fields of small inputs against formulas and references, and their surfaces.
#include "app/fields/fields.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/fields/device_volume.h"
#include "app/fields/field_memory.h"
#include "compute/base/memory.h"
#include "compute/density/gaussian_density.h"
#include "compute/orbitals/orbital.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/app/documents/gate.h"
#include "tests/app/fields/field_request_of.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::complaint;
using test::request_of;

std::shared_ptr<const Molecule> water() {
  return std::make_shared<const Molecule>(read_file(test::data("H2O-631Gd-cart.molden")));
}

std::vector<glm::dvec3> points_of(const Grid& grid) {
  std::vector<glm::dvec3> points;
  for (int k = 0; k < grid.counts.z; ++k)
    for (int j = 0; j < grid.counts.y; ++j)
      for (int i = 0; i < grid.counts.x; ++i) points.push_back(grid.point(i, j, k));
  return points;
}

TEST(Fields, GaussianIsTheSumOfItsAtoms) {
  auto request = request_of(Field::Kind::gaussian, test::molecule_of({{0, 0, 0}, {2, 0.5f, 0}, {1, 2, -1}}), 0.4);
  request.field.radius_scale = 0.8f;
  Job job;
  const ComputedVolume volume = compute_volume(request, job);
  const std::vector<DensityAtom> atoms{{{0, 0, 0}, 1.5f, {}}, {{2, 0.5f, 0}, 1.5f, {}}, {{1, 2, -1}, 1.5f, {}}};
  std::vector<double> expected(volume.grid.size());
  gaussian_density_reference(atoms, volume.grid, {0.8f, GaussianDensityOptions().cutoff_sigmas}, expected, {});
  ASSERT_EQ(volume.values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(volume.values[i], expected[i], 3e-5) << i;
}

TEST(Fields, ParticlesOfLatticeModelsHaveStepsOfTheirSize) {
  TopologyBuilder builder;
  for (int i = 0; i < 2; ++i) {
    Atom atom;
    atom.name = "K0";
    atom.radius = 40;
    builder.add(atom, "LAT", 1, ' ', "A");
  }
  auto molecule = std::make_shared<Molecule>();
  molecule->topology = std::make_shared<Topology>(builder.finish());
  Frame frame;
  frame.positions = {{0, 0, 0}, {5000, 5000, 5000}};  // angstrom: more points than can be at steps of atoms
  molecule->trajectory = std::make_shared<test::GatedTrajectory>(frame, nullptr);
  Job job;
  const ComputedVolume volume = compute_volume(request_of(Field::Kind::gaussian, molecule, 0), job);
  EXPECT_LT(volume.grid.size(), 4'000'000u);
  EXPECT_LT(volume.grid.step[0][0], 40);
  EXPECT_GT(interpolate({volume.grid, volume.values, "", ""}, {0, 0, 0}), 0.9f);
}

TEST(Fields, OnlySelectedAtomsAndFirstAlternatesCount) {
  TopologyBuilder builder;
  for (const char altloc : {' ', 'A', 'B', ' '}) {
    Atom atom;
    atom.name = "C";
    atom.element = 6;
    atom.radius = 1.5f;
    atom.altloc = altloc;
    builder.add(atom, "MOL", 1, ' ', "A");
  }
  auto molecule = std::make_shared<Molecule>();
  molecule->topology = std::make_shared<Topology>(builder.finish());
  Frame frame;
  frame.positions = {{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {100, 0, 0}};
  molecule->trajectory = std::make_shared<test::GatedTrajectory>(frame, nullptr);
  auto request = request_of(Field::Kind::gaussian, molecule, 0.5);
  request.field.selection = "x < 50";
  Job job;
  const ComputedVolume volume = compute_volume(request, job);
  const std::vector<DensityAtom> atoms{{{0, 0, 0}, 1.5f, {}}, {{3, 0, 0}, 1.5f, {}}};
  std::vector<double> expected(volume.grid.size());
  gaussian_density_reference(atoms, volume.grid, {}, expected, {});
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(volume.values[i], expected[i], 3e-5) << i;
}

TEST(Fields, OrbitalIsTheReferenceOnItsGrid) {
  auto request = request_of(Field::Kind::orbital, water(), 0.5);
  request.field.orbital = "homo-1";
  Job job;
  const ComputedVolume volume = compute_volume(request, job);
  EXPECT_EQ(volume.unit, "bohr^-3/2");
  EXPECT_EQ(volume.name, "HOMO-1 (4 of 19)");
  const auto points = points_of(volume.grid);
  std::vector<double> expected(points.size());
  orbital_reference(*request.molecule->orbitals[0], 3, points, expected);
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(volume.values[i], expected[i], 2e-6) << i;
}

TEST(Fields, SurfacesOfAnOrbitalLieAtItsIsovalues) {
  auto request = request_of(Field::Kind::orbital, water(), 0.04);
  request.number = 11;
  request.field_index = 2;
  request.field.opacity = 0.5f;
  Job job;
  const FieldResult result = compute_field(request, nullptr, job);
  EXPECT_EQ(result.number, 11u);
  EXPECT_EQ(result.field_index, 2u);
  EXPECT_EQ(result.path, "host");
  EXPECT_NE(result.summary.find("HOMO (5 of 19)"), std::string::npos) << result.summary;
  ASSERT_EQ(result.items.size(), 2u);
  for (int sign = 0; sign < 2; ++sign) {
    const DrawItem& item = *result.items[sign];
    const auto& surface = std::get<Surface>(item.shape);
    EXPECT_EQ(item.opacity, 0.5f);
    EXPECT_EQ(surface.colour, sign == 0 ? request.field.colour : request.field.negative_colour);
    const Mesh& mesh = *surface.mesh;
    ASSERT_GT(mesh.triangles.size(), 100u);
    EXPECT_EQ(euler_characteristic(mesh), 2) << "one lobe without holes, not cut by the grid";
    EXPECT_GT(enclosed_volume(mesh), 0.0) << "triangles face outwards";
    std::vector<glm::dvec3> points(mesh.positions.begin(), mesh.positions.end());
    std::vector<double> values(points.size());
    orbital_reference(*request.molecule->orbitals[0], 4, points, values);
    // Linear interpolation along an edge of h = 0.0756 bohr is off by at most h^2/8 |psi''|. That is largest next to
    // the oxygen: 2 z N of N x exp(-z r) with Slater's z = 2.275 and N = (z^5/pi)^(1/2), 20 bohr^-7/2; elsewhere ten
    // times less at the most.
    double sum = 0;
    for (const double value : values) {
      const double off = std::abs(value - (sign == 0 ? 0.05 : -0.05));
      ASSERT_LE(off, 0.0756 * 0.0756 / 8 * 20);
      sum += off;
    }
    EXPECT_LE(sum / static_cast<double>(values.size()), 0.0756 * 0.0756 / 8 * 0.5);
  }
}

TEST(Fields, ANegativeIsovalueSwapsTheSigns) {
  auto request = request_of(Field::Kind::orbital, water(), 0.2);
  request.field.isovalue = -0.06;
  Job job;
  const FieldResult result = compute_field(request, nullptr, job);
  ASSERT_EQ(result.items.size(), 2u);
  for (int sign = 0; sign < 2; ++sign) {
    const Mesh& mesh = *std::get<Surface>(result.items[sign]->shape).mesh;
    EXPECT_GT(enclosed_volume(mesh), 0.0);
    std::vector<double> value(1);
    orbital_reference(*request.molecule->orbitals[0], 4, std::vector<glm::dvec3>{glm::dvec3(mesh.positions[0])}, value);
    EXPECT_EQ(value[0] < 0, sign == 0);
  }
}

TEST(Fields, PotentialIsCoulombsLaw) {
  const std::vector<glm::vec3> positions{{0, 0, 0}, {3, 0, 0}};
  auto request = request_of(Field::Kind::potential, test::molecule_of(positions, {1.0f, -0.5f}), 0.7);
  Job job;
  const ComputedVolume volume = compute_volume(request, job);
  EXPECT_EQ(volume.unit, "V");
  const auto points = points_of(volume.grid);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double expected = units::coulomb_volt_angstrom *
                            (1.0 / glm::length(points[i]) - 0.5 / glm::distance(points[i], glm::dvec3(3, 0, 0)));
    ASSERT_NEAR(volume.values[i], expected, 2e-6 * std::abs(expected) + 2e-5) << i;
  }
}

TEST(Fields, VolumeIsThatOfTheFile) {
  auto molecule = std::make_shared<Molecule>();
  auto volume = std::make_shared<Volume>();
  volume->grid.counts = {3, 2, 2};
  volume->name = "test";
  volume->unit = "e";
  for (int i = 0; i < 12; ++i) volume->values.push_back(static_cast<float>(i));
  molecule->volumes = {volume};
  auto request = request_of(Field::Kind::volume, molecule, 0);
  Job job;
  const ComputedVolume copy = compute_volume(request, job);
  EXPECT_EQ(copy.values, volume->values);
  EXPECT_EQ(copy.grid, volume->grid);
  EXPECT_EQ(copy.unit, "e");
  request.field.volume = 1;
  EXPECT_EQ(complaint([&] { compute_volume(request, job); }, Error::Kind::usage), "volume 1: the file has 0 to 0");
}

TEST(Fields, GivenGridsAreUsed) {
  auto request = request_of(Field::Kind::gaussian, test::molecule_of({{0, 0, 0}}), 0.1);
  Grid grid;
  grid.origin = {-2, -2, -2};
  grid.counts = {5, 4, 3};
  request.grid = grid;
  Job job;
  EXPECT_EQ(compute_volume(request, job).grid, grid);
}

TEST(Fields, ColoursAreThoseOfTheAtomsNearby) {
  auto request = request_of(Field::Kind::gaussian, test::molecule_of({{0, 0, 0}, {20, 0, 0}}), 0.5);
  request.field.colouring = Colouring::element;
  request.field.colour = {255, 0, 0, 255};  // not that of carbon
  Job job;
  const FieldResult result = compute_field(request, nullptr, job);
  const Mesh& mesh = *std::get<Surface>(result.items[0]->shape).mesh;
  constexpr glm::u8vec4 carbon{204, 200, 192, 255};  // paler than that of sticks: a surface is mostly carbon
  ASSERT_EQ(mesh.colours.size(), mesh.vertex_count());
  for (const glm::u8vec4& colour : mesh.colours)
    for (int c = 0; c < 3; ++c) ASSERT_NEAR(colour[c], carbon[c], 1);
  EXPECT_EQ(euler_characteristic(mesh), 4) << "two spheres";
}

TEST(Fields, RefusalsSayWhy) {
  Job job;
  const auto carbon = test::molecule_of({{0, 0, 0}});
  const auto message = [&](const FieldRequest& request, Error::Kind kind = Error::Kind::usage) {
    return complaint([&] { compute_field(request, nullptr, job); }, kind);
  };
  EXPECT_EQ(
      message(request_of(Field::Kind::potential, carbon, 1)),
      "made.pdb has no partial charges, so it has no potential. Make a PQR, which has them (isolume compute charges "
      "made.pdb --out made.pqr). PSF, PRMTOP, MOL2 and extended XYZ files have charges too.");
  EXPECT_EQ(message(request_of(Field::Kind::orbital, carbon, 1)), "made.pdb has no orbitals");
  auto orbital = request_of(Field::Kind::orbital, water(), 1);
  orbital.field.orbital = "99";
  EXPECT_NE(message(orbital).find("19"), std::string::npos);
  set_memory_limit(10);
  const std::string memory = message(request_of(Field::Kind::gaussian, carbon, 0.1), Error::Kind::failed);
  set_memory_limit(0);
  EXPECT_NE(memory.find("needs"), std::string::npos) << memory;
}

TEST(Fields, StopsWhenCancelled) {
  Job job;
  job.cancel();
  const auto request = request_of(Field::Kind::gaussian, test::molecule_of({{0, 0, 0}}), 0.1);
  complaint([&] { compute_field(request, nullptr, job); }, Error::Kind::cancelled);
}

}  // namespace
}  // namespace isolume
