// Surfaces coloured by the potential: signs, range, legend, and what is said without charges.
#include "app/fields/potential_paint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/fields/field_atoms.h"
#include "app/fields/potential_field.h"
#include "app/fields/shown_result.h"
#include "compute/analysis/level_sets.h"
#include "compute/analysis/mesh_shape.h"
#include "compute/isosurface/marching_cubes.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "render/represent/diverging_scale.h"
#include "tests/app/cli/program.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

// Two ions 12 angstrom apart, -1 on the left and +1 on the right.
FieldRequest ions(const test::Folder& folder) {
  test::write_text(folder / "ions.pqr",
                   "ATOM      1 CL   ION A   1      -6.000   0.000   0.000 -1.0000 1.8000\n"
                   "ATOM      2 NA   ION A   2       6.000   0.000   0.000  1.0000 1.8000\n");
  FieldRequest request;
  request.field.kind = Field::Kind::gaussian;
  request.field.paint = Field::Paint::potential;
  request.field.spacing = 0.3;
  request.molecule = std::make_shared<const Molecule>(read_file(folder / "ions.pqr"));
  return request;
}

TEST(PotentialPaint, ColoursHaveTheirSigns) {
  EXPECT_EQ(red_white_blue(-1), red_white_blue(-5));
  EXPECT_GT(red_white_blue(-1).r, 0.7f);
  EXPECT_LT(red_white_blue(-1).b, 0.2f);
  EXPECT_GT(red_white_blue(1).b, 0.7f);
  EXPECT_LT(red_white_blue(1).r, 0.2f);
  for (int c = 0; c < 3; ++c) EXPECT_GT(red_white_blue(0)[c], 0.95f);
  EXPECT_EQ(round_number(0), 1);
  EXPECT_NEAR(round_number(0.021), 0.02, 1e-12);
  EXPECT_NEAR(round_number(290), 300, 1e-9);
  EXPECT_NEAR(round_number(9), 10, 1e-12);
}

TEST(PotentialPaint, SurfaceIsRedAboutTheAnionAndBlueAboutTheCation) {
  const test::Folder folder;
  FieldRequest request = ions(folder);
  Job job;
  const DeviceVolume volume = compute_on_device(request, job);
  ASSERT_TRUE(volume.legend.has_value());
  const Mesh mesh = volume.mesh({0.5f, true}, job);
  ASSERT_FALSE(mesh.colours.empty());
  // On the spheres r = 1.161 R = 2.09: e/(4 pi eps0 r) = 6.9 V less 1.0 to 1.4 V of the other; 5 is the nearest
  // round number.
  EXPECT_NEAR(volume.legend->upper, 5, 1e-9);
  EXPECT_NEAR(volume.legend->lower, -5, 1e-9);
  EXPECT_EQ(volume.legend->unit, "V");
  // Of the colours on the surface: linear between points 0.3 A apart, where the potential goes as 1/r at r = 2.09. The
  // second derivative 2/r^3 leaves at most h^2/8 of it along an edge: 0.3^2 / (4 * 2.12^2) of the value.
  EXPECT_TRUE(volume.legend->at_surface);
  EXPECT_LE(volume.legend->relative_error, 0.3 * 0.3 / (4 * 2.12 * 2.12));
  EXPECT_GT(volume.legend->error_points, 100u);
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const auto colour = mesh.colours[i];
    if (mesh.positions[i].x < 0) {
      ASSERT_GT(colour.r, 150);
      ASSERT_LT(colour.b, 100);
    } else {
      ASSERT_GT(colour.b, 150);
      ASSERT_LT(colour.r, 100);
    }
  }
  // At 20 times the potential the same surface is nearly white.
  request.field.paint_range = 100;
  const DeviceVolume pale = compute_on_device(request, job);
  EXPECT_EQ(pale.legend->upper, 100);
  for (const auto colour : pale.mesh({0.5f, true}, job).colours) {
    ASSERT_GT(colour.r, 210);
    ASSERT_GT(colour.g, 210);
  }
}

TEST(PotentialPaint, ResultsCarryTheLegend) {
  const test::Folder folder;
  Job job;
  const FieldResult result = compute_field(ions(folder), nullptr, job);
  ASSERT_TRUE(result.legend.has_value());
  EXPECT_NE(result.summary.find("-5 V (red) to 5 V (blue), direct sum"), std::string::npos) << result.summary;
  ASSERT_GT(result.legend->error_points, 0u);
  EXPECT_NE(result.summary.find(" rms at " + std::to_string(result.legend->error_points) + " points ("),
            std::string::npos)
      << result.summary;
}

// A potential of the field's own settings, and what its legend says of it.
FieldResult potential_of(FieldRequest request, const PotentialSettings& settings) {
  request.field.kind = Field::Kind::potential;
  request.field.paint = Field::Paint::atoms;
  request.field.spacing = 1;
  request.field.potential = settings;
  Job job;
  return compute_field(request, nullptr, job);
}

TEST(PotentialField, IsComputedByItsSettings) {
  const test::Folder folder;
  const FieldRequest request = ions(folder);
  PotentialSettings settings;
  const FieldResult direct = potential_of(request, settings);
  ASSERT_TRUE(direct.legend.has_value());
  EXPECT_TRUE(direct.legend->isosurfaces);
  EXPECT_EQ(direct.legend->unit, "V");
  EXPECT_EQ(direct.legend->upper, 0.5);
  EXPECT_EQ(direct.legend->lower, -0.5);
  EXPECT_NEAR(direct.legend->total_charge, 0, 1e-6);
  EXPECT_NE(direct.legend->method.find("direct sum, vacuum"), std::string::npos);
  EXPECT_EQ(direct.items.size(), 2u);

  settings.unit = PotentialSettings::Unit::kcal;
  settings.method = PotentialSettings::Method::msm;
  settings.accuracy = 1e-3;
  const FieldResult multilevel = potential_of(request, settings);
  EXPECT_NE(multilevel.legend->method.find("multilevel"), std::string::npos);
  EXPECT_LE(multilevel.legend->relative_error, 1e-3);
  EXPECT_NEAR(multilevel.legend->upper, 0.5 * 23.060548, 1e-4);

  settings.method = PotentialSettings::Method::debye_hueckel;
  EXPECT_NE(potential_of(request, settings).legend->method.find("0.15 mol/l"), std::string::npos);
  EXPECT_NE(potential_of(request, settings).legend->note.find("not of the model"), std::string::npos);
  settings.method = PotentialSettings::Method::cutoff;
  settings.cutoff = 7;
  const FieldResult cut = potential_of(request, settings);
  EXPECT_NE(cut.legend->method.find("cutoff at 7 A"), std::string::npos);
  EXPECT_GT(cut.legend->relative_error, 1e-3) << "what lies beyond the cutoff is an error, and said";
  settings.method = PotentialSettings::Method::direct;
  settings.medium = PotentialSettings::Medium::sigmoidal;
  EXPECT_NE(potential_of(request, settings).legend->method.find("sigmoidal"), std::string::npos);
  settings.method = PotentialSettings::Method::hcp;
  settings.hcp_charges = 2;
  const FieldResult parts = potential_of(request, settings);
  EXPECT_NE(parts.legend->method.find("2 charges each for groups beyond 15 A, chains beyond 66 A"), std::string::npos)
      << parts.legend->method;
  EXPECT_NE(parts.legend->method.find("sigmoidal"), std::string::npos);
  EXPECT_LE(parts.legend->relative_error, 1e-4);  // nothing is that far
  settings.medium = PotentialSettings::Medium::constant;
  settings.method = PotentialSettings::Method::spme;
  EXPECT_THROW(potential_of(request, settings), Error);  // no cell
}

TEST(PotentialField, PeriodicityNeedsACellAndSaysItsZero) {
  const test::Folder folder;
  PotentialSettings settings;
  settings.periodic = true;
  try {
    potential_of(ions(folder), settings);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no cell"), std::string::npos) << error.what();
  }
  test::write_text(folder / "cell.pqr",
                   "CRYST1   12.000   12.000   12.000  90.00  90.00  90.00 P 1\n"
                   "ATOM      1 NA   ION A   1       6.000   6.000   6.000  1.0000 1.8000\n");
  FieldRequest request;
  request.molecule = std::make_shared<const Molecule>(read_file(folder / "cell.pqr"));
  const FieldResult result = potential_of(request, settings);
  EXPECT_NE(result.legend->note.find("mean over the cell 0"), std::string::npos);
  EXPECT_NE(result.legend->note.find("background"), std::string::npos);
  EXPECT_LE(result.legend->relative_error, settings.accuracy);
  EXPECT_EQ(result.grid.counts, glm::ivec3(12));
  EXPECT_EQ(result.grid.origin, glm::dvec3(0));
  settings.periodic = false;  // particle-mesh Ewald always is
  settings.method = PotentialSettings::Method::spme;
  const FieldResult mesh = potential_of(request, settings);
  EXPECT_NE(mesh.legend->method.find("particle-mesh Ewald"), std::string::npos);
  EXPECT_NE(mesh.legend->note.find("background"), std::string::npos);
  EXPECT_LE(mesh.legend->relative_error, settings.accuracy);
  EXPECT_EQ(mesh.grid.counts, result.grid.counts);
}

TEST(PotentialField, TheLegendTakesTheColoursThatTheFieldHasNow) {
  const test::Folder folder;
  FieldRequest request = ions(folder);
  const FieldResult result = potential_of(request, {});
  request.field.kind = Field::Kind::potential;
  request.field.colour = {255, 0, 0, 255};
  request.field.negative_colour = {0, 0, 255, 255};
  const auto legend = legend_of(request.field, result);
  ASSERT_EQ(legend->colours.size(), 2u);
  EXPECT_EQ(legend->colours[0], glm::vec3(0, 0, 1));
  EXPECT_EQ(legend->colours[1], glm::vec3(1, 0, 0));
  request.field.both_signs = false;
  request.field.isovalue = -2;
  const auto single = legend_of(request.field, result);
  EXPECT_EQ(single->colours.size(), 1u);
  EXPECT_EQ(single->upper, -2);
}

TEST(PotentialPaint, ColoursTheSurfaceOfAVolumeToo) {
  const test::Folder folder;
  FieldRequest request = ions(folder);
  Molecule molecule = *request.molecule;
  Volume volume{Grid{glm::dvec3(-10, -4, -4), glm::dmat3(1), {21, 9, 9}}, {}, "two balls", ""};
  for (std::size_t i = 0; i < volume.grid.size(); ++i) {
    const glm::dvec3 p = volume.grid.point(double(i % 21), double(i / 21 % 9), double(i / 189));
    volume.values.push_back(static_cast<float>(
        4 - std::min(glm::distance(p, glm::dvec3(-6, 0, 0)), glm::distance(p, glm::dvec3(6, 0, 0)))));
  }
  molecule.volumes = {std::make_shared<const Volume>(volume)};
  request.molecule = std::make_shared<const Molecule>(molecule);
  request.field.kind = Field::Kind::volume;
  request.field.isovalue = 1.5;
  Job job;
  const DeviceVolume painted = compute_on_device(request, job);
  ASSERT_TRUE(painted.legend.has_value());
  // At 2.5 angstrom from an ion of 12 to the other: 14.4 (1/2.5 - 1/9.5 to 14.5) = 4.2 to 4.8 V.
  EXPECT_NEAR(painted.legend->upper, 5, 1e-9);
  EXPECT_FALSE(painted.scalars.empty());
}

// On a sphere of radius r about one ion the potential is e / (4 pi eps0) (1 / r - 1 / d), d from 12 - r to 12 + r.
TEST(PotentialPaint, ExtremesAreOnTheAxisOfTwoIons) {
  const test::Folder folder;
  FieldRequest request = ions(folder);
  request.field.spacing = 0.15;
  request.field.extremes = true;
  Job job;
  const FieldResult result = compute_field(request, nullptr, job);
  std::vector<double> values;
  for (const Label& label : result.labels) {
    EXPECT_NEAR(label.position.y, 0, 0.6) << label.text;
    EXPECT_NEAR(label.position.z, 0, 0.6) << label.text;
    EXPECT_EQ(label.position.x > 0, label.text.front() == '+') << label.text;
    values.push_back(std::stod(label.text));
  }
  std::sort(values.begin(), values.end());
  const double coulomb = 14.399645, r = 1.161 * 1.8;
  const double far = coulomb * (1 / r - 1 / (12 + r)), near = coulomb * (1 / r - 1 / (12 - r));
  ASSERT_EQ(values.size(), 4u);
  for (const auto& [i, expected] : {std::pair(0, -far), std::pair(1, -near), std::pair(2, near), std::pair(3, far)})
    EXPECT_NEAR(values[static_cast<std::size_t>(i)], expected, 0.1);
  EXPECT_NE(result.summary.find("on the surface"), std::string::npos) << result.summary;
  request.field.extremes = false;
  EXPECT_TRUE(compute_field(request, nullptr, job).labels.empty());
}

/// The colours of a surface next to those of the potential at all points of the grid, along all normals.
void expect_colours_of_the_whole_map(const FieldRequest& request, const std::vector<MarchingCubesOptions>& surfaces) {
  Job job;
  const DeviceVolume painted = compute_on_device(request, job);
  const auto atoms = field_atoms(request.field, request.molecule, 0);
  const PotentialPlan plan = plan_potential(request.field, *atoms, Device::cpu(), painted.grid);
  std::vector<float> map(painted.grid.size()), inwards = painted.values.copy_to_host();
  potential(plan.spheres, plan.near_grid(), plan.options, Span<float>(map), job);
  if (!wraps_atoms(request.field.kind) && request.field.both_signs)
    for (float& value : inwards) value = std::abs(value);
  const double offset = request.field.paint_offset;
  if (offset != 0) map = along_normals(painted.grid, inwards, map, offset, {}, job);
  const std::vector<float> scalars = painted.scalars.copy_to_host();
  for (const MarchingCubesOptions& surface : surfaces) {
    const Mesh mesh = painted.mesh(surface, job);
    ASSERT_GT(mesh.vertex_count(), 50u);
    const std::vector<float> colours = sample_at_vertices({painted.grid, scalars, {}, {}}, mesh, 0);
    const std::vector<float> expected = sample_at_vertices({painted.grid, map, {}, {}}, mesh, 0);
    for (std::size_t i = 0; i < colours.size(); ++i)
      ASSERT_NEAR(colours[i], expected[i], 1e-5 * (0.02 + std::abs(expected[i]))) << offset;
  }
  if (!request.colours_everywhere) return;
  for (std::size_t i = 0; i < map.size(); ++i) ASSERT_NEAR(scalars[i], map[i], 1e-5 * (0.02 + std::abs(map[i])));
}

TEST(PotentialPaint, PoissonBoltzmannIsThatOfTheWholeMap) {
  const test::Folder folder;
  FieldRequest request = ions(folder);
  request.field.kind = Field::Kind::solvent_excluded;
  request.field.spacing = 0.5;
  request.field.potential.method = PotentialMethod::pb;
  Job job;
  for (const double offset : {0.0, 1.4}) {
    request.field.paint_offset = offset;
    expect_colours_of_the_whole_map(request, {{0.0f, true}});
    const DeviceVolume painted = compute_on_device(request, job);
    const Mesh mesh = painted.mesh({0.0f, true}, job);
    ASSERT_GT(mesh.vertex_count(), 300u);
    const std::vector<float> colours =
        sample_at_vertices({painted.grid, painted.scalars.copy_to_host(), {}, {}}, mesh, 0);
    // What the solver leaves is small next to the error that is shown.
    const auto atoms = field_atoms(request.field, request.molecule, 0);
    const PotentialPlan plan = plan_potential(request.field, *atoms, Device::cpu(), painted.grid);
    std::vector<float> map(painted.grid.size());
    PoissonBoltzmannOptions exact = std::get<PoissonBoltzmannOptions>(plan.options);
    exact.tolerance = 1e-9;
    potential(plan.spheres, plan.near_grid(), exact, Span<float>(map), job);
    if (offset != 0) map = along_normals(painted.grid, painted.values.copy_to_host(), map, offset, {}, job);
    const std::vector<float> solved = sample_at_vertices({painted.grid, map, {}, {}}, mesh, 0);
    double squares = 0;
    for (std::size_t i = 0; i < colours.size(); ++i) {
      const double apart = static_cast<double>(colours[i] - solved[i]) * per_volt(request.field.potential);
      squares += apart * apart;
    }
    ASSERT_GT(painted.legend->error, 0);
    EXPECT_LT(std::sqrt(squares / static_cast<double>(colours.size())), 0.05 * painted.legend->error) << offset;
  }
}

TEST(PotentialPaint, HierarchicalPartitioningIsSummedAtTheSurfaceAlone) {
  FieldRequest request;
  request.field.kind = Field::Kind::gaussian;
  request.field.paint = Field::Paint::potential;
  request.field.spacing = 1;
  request.molecule =
      std::make_shared<const Molecule>(read_file(test::examples("crambin_charges/crambin_charges.pqr.gz")));
  request.field.potential.method = PotentialMethod::hcp;
  request.field.potential.hcp_thresholds = "8/20";
  Job job;
  for (const double offset : {0.0, 1.4}) {
    request.field.paint_offset = offset;
    expect_colours_of_the_whole_map(request, {{0.5f, true}});
    const DeviceVolume painted = compute_on_device(request, job);
    EXPECT_TRUE(painted.legend->at_surface);
    EXPECT_GT(painted.legend->error_points, 100u);
    EXPECT_GT(painted.legend->relative_error, 1e-4) << "residues that act by one charge are an error, and said";
    EXPECT_LT(painted.legend->relative_error, 0.5);
    const std::vector<float> scalars = painted.scalars.copy_to_host();
    const auto empty = static_cast<std::size_t>(std::count(scalars.begin(), scalars.end(), 0.0F));
    EXPECT_GT(empty, scalars.size() / 2) << "points away from the surface were summed";
  }
  request.colours_everywhere = true;
  expect_colours_of_the_whole_map(request, {{0.5f, true}});
}

TEST(PotentialPaint, SurfacesOfBothSignsMayCutOneCell) {
  const test::Folder folder;
  FieldRequest request = ions(folder);
  Molecule molecule = *request.molecule;
  Volume volume{Grid{glm::dvec3(-10, -4.3, -4.2), glm::dmat3(1), {21, 9, 9}}, {}, "a step", ""};
  for (std::size_t i = 0; i < volume.grid.size(); ++i) {
    const glm::dvec3 p = volume.grid.point(double(i % 21), double(i / 21 % 9), double(i / 189));
    // Through an ion; no value is between -1 and 1.
    volume.values.push_back(static_cast<float>((p.x < -5.5 ? -1 : 1) * (5 + 0.5 * p.z)));
  }
  molecule.volumes = {std::make_shared<const Volume>(volume)};
  request.molecule = std::make_shared<const Molecule>(molecule);
  request.field.kind = Field::Kind::volume;
  request.field.isovalue = 1;
  request.field.both_signs = true;
  request.field.potential.method = PotentialMethod::pb;
  for (const double offset : {0.0, 1.4}) {
    request.field.paint_offset = offset;
    expect_colours_of_the_whole_map(request, {{1.0f, true}, {-1.0f, false}});
  }
}

TEST(PotentialPaint, IsEverywhereForAMeshThatIsMoved) {
  const test::Folder folder;
  FieldRequest request = ions(folder);
  request.field.kind = Field::Kind::solvent_excluded;
  request.field.spacing = 0.5;
  request.field.potential.method = PotentialMethod::pb;
  request.colours_everywhere = true;
  for (const double offset : {0.0, 1.4}) {
    request.field.paint_offset = offset;
    expect_colours_of_the_whole_map(request, {{0.0f, true}});
  }
}

TEST(PotentialPaint, NeedsCharges) {
  FieldRequest request;
  request.field.paint = Field::Paint::potential;
  request.molecule = std::make_shared<const Molecule>(read_file(test::data("H2O-631Gd-cart.molden")));
  try {
    plan_field(request);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_NE(std::string(error.what()).find("orbitals but no partial charges"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace isolume
