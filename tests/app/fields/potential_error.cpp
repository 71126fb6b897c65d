// The measured error of potentials against the comparison at every point of the map, and at every vertex of a surface.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "app/fields/field_atoms.h"
#include "app/fields/potential_paint.h"
#include "compute/electrostatics/method.h"
#include "compute/isosurface/marching_cubes.h"
#include "formats/read.h"
#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

Grid grid_around(std::span<const ChargedSphere> spheres, double padding, double spacing) {
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const ChargedSphere& s : spheres) {
    lower = glm::min(lower, glm::dvec3(s.position));
    upper = glm::max(upper, glm::dvec3(s.position));
  }
  return Grid::covering(lower - padding, upper + padding, spacing);
}

struct Truth {
  double relative = 0, rms = 0;
};

Truth truth_of(std::span<const double> values, std::span<const double> exact) {
  double squares = 0, scale = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - exact[i]) * (values[i] - exact[i]);
    scale += exact[i] * exact[i];
  }
  return {std::sqrt(squares / scale), std::sqrt(squares / static_cast<double>(values.size()))};
}

void expect_honest(double found, double expected, const char* what) {
  EXPECT_GE(found, 0.75 * expected) << what;
  EXPECT_LE(found, 1.5 * expected) << what;
}

/// The error as it is measured, against that of every point.
void expect_honest_error(const std::string& name, std::span<const ChargedSphere> spheres, const Grid& grid,
                         const PotentialOptions& options) {
  SCOPED_TRACE(name + ": " + describe(options));
  Job job;
  std::vector<float> map(grid.size());
  potential(spheres, grid, options, Span<float>(map.data(), map.size(), Device::cpu()), job);
  std::vector<glm::dvec3> points;
  for (int k = 0; k < grid.counts.z; ++k)
    for (int j = 0; j < grid.counts.y; ++j)
      for (int i = 0; i < grid.counts.x; ++i) points.push_back(grid.point(i, j, k));
  std::vector<double> exact(points.size());
  direct_potential_reference(point_charges_of(spheres), points, exact);
  const Truth truth = truth_of(std::vector<double>(map.begin(), map.end()), exact);
  const MapError error =
      measured_error(spheres, grid, options, Span<const float>(map.data(), map.size(), Device::cpu()), job, 2000);
  expect_honest(error.relative, truth.relative, "relative");
  expect_honest(error.rms, truth.rms, "rms");
}

PotentialOptions by(PotentialMethod method) {
  PotentialOptions options = usual_options(method);
  if (auto* const cutoff = std::get_if<CutoffOptions>(&options)) cutoff->cutoff = 9;
  return options;
}

TEST(PotentialError, IsThatOfAllPointsOfAProtein) {
  Field field;
  field.kind = Field::Kind::potential;
  const auto atoms = field_atoms(
      field, std::make_shared<const Molecule>(read_file(test::examples("crambin_charges/crambin_charges.pqr.gz"))), 0);
  const std::vector<ChargedSphere> spheres = charged_spheres(*atoms);
  const Grid grid = grid_around(spheres, 10, 1.7);
  for (const PotentialMethod method : {PotentialMethod::msm, PotentialMethod::cutoff, PotentialMethod::hcp}) {
    PotentialOptions options = by(method);
    if (auto* const hcp = std::get_if<HcpMethod>(&options)) {
      hcp->parts = charge_parts(*atoms->molecule->topology, atoms->chosen->numbers);
      hcp->hcp.thresholds = HcpOptions::parse_thresholds("8/20");
    }
    expect_honest_error("crambin", spheres, grid, options);
  }
}

TEST(PotentialError, IsThatOfAllPointsWhereChargesAreFew) {
  std::vector<ChargedSphere> clusters;
  std::mt19937_64 random(5);
  const auto uniform = [&] { return static_cast<float>(random() >> 40) * 0x1.0p-24f; };
  for (int i = 0; i < 120; ++i) {
    const glm::vec3 centre(i % 3 == 0 ? 0.0f : 25.0f, i % 3 == 1 ? 0.0f : 18.0f, 0.0f);
    const float x = uniform(), y = uniform();
    clusters.push_back({centre + 2.0f * glm::vec3(x, y, uniform()), uniform() - 0.4f, 1.5f});
  }
  const std::vector<ChargedSphere> one{{{0.3f, 0.2f, 0.1f}, 1.0f, 1.5f}};
  const std::vector<ChargedSphere> dipole{{{0, 0, 0}, 1.0f, 1.5f}, {{0.01f, 0, 0}, -1.0f, 1.5f}};
  for (const PotentialMethod method : {PotentialMethod::msm, PotentialMethod::cutoff}) {
    expect_honest_error("clusters", clusters, grid_around(clusters, 10, 1), by(method));
    expect_honest_error("one charge", one, grid_around(one, 14, 0.7), by(method));
    expect_honest_error("two charges 0.01 A apart", dipole, grid_around(dipole, 14, 0.7), by(method));
  }
}

TEST(PotentialError, NearChargesIsNamedApart) {
  const std::vector<ChargedSphere> one{{{0.3f, 0.2f, 0.1f}, 1.0f, 1.5f}};
  const Grid grid = grid_around(one, 20, 1);
  const PotentialOptions options = by(PotentialMethod::cutoff);
  Job job;
  std::vector<float> map(grid.size());
  potential(one, grid, options, Span<float>(map.data(), map.size(), Device::cpu()), job);
  const MapError error =
      measured_error(one, grid, options, Span<const float>(map.data(), map.size(), Device::cpu()), job, 2000);
  EXPECT_GT(error.near_points, 100u);
  // Within 4 A of the charge the shifted sum lacks about 2 r / cutoff of the potential; beyond the cutoff all of it.
  EXPECT_LT(error.near_relative, 0.8 * error.relative);
}

TEST(PotentialError, FarFromTheOriginPositionsAreThoseOfTheFile) {
  const test::Folder folder;
  const glm::dvec3 far(1e5, -1e5, 1e5);
  const std::vector<std::pair<glm::dvec3, double>> charges{
      {{0.123, 0.457, 0.011}, 1.0}, {{1.019, 0.003, 0.777}, -1.0}, {{2.345, 1.111, 1.999}, 0.5}};
  std::string text;
  for (const auto& [p, q] : charges)
    text += fmt::format("ATOM 1 NA ION 1 {:.3f} {:.3f} {:.3f} {:.4f} 1.5\n", p.x + far.x, p.y + far.y, p.z + far.z, q);
  test::write_text(folder / "far.pqr", text);
  FieldRequest request;
  request.molecule = std::make_shared<const Molecule>(read_file(folder / "far.pqr"));
  request.field.kind = Field::Kind::potential;
  request.field.spacing = 1;
  Job job;
  for (const auto method : {PotentialSettings::Method::direct, PotentialSettings::Method::debye_hueckel}) {
    request.field.potential.method = method;
    const DeviceVolume volume = compute_on_device(request, job);
    EXPECT_LT(volume.legend->relative_error, 1e-5);
    if (method != PotentialSettings::Method::direct) continue;
    const std::vector<float> values = volume.values.copy_to_host();
    std::vector<double> shown, exact;
    for (int k = 0; k < volume.grid.counts.z; ++k)
      for (int j = 0; j < volume.grid.counts.y; ++j)
        for (int i = 0; i < volume.grid.counts.x; ++i) {
          double sum = 0;
          for (const auto& [p, q] : charges)
            sum += test::volt_angstrom * q / glm::distance(volume.grid.point(i, j, k), p + far);
          exact.push_back(sum);
          shown.push_back(static_cast<double>(values[volume.grid.index(i, j, k)]));
        }
    EXPECT_LT(truth_of(shown, exact).relative, 1e-5);
  }
}

// The values that are shown are those of shorter steps, at the nodes of the map's own grid.
TEST(PotentialError, OfPoissonBoltzmannIsBroughtToATarget) {
  const test::Folder folder;
  test::write_text(folder / "ions.pqr", test::pqr({{0, 0, 0, 1}, {2.5, 0.3, 0.2, 1}}));
  FieldRequest request;
  request.molecule = std::make_shared<const Molecule>(read_file(folder / "ions.pqr"));
  request.field.kind = Field::Kind::potential;
  request.field.spacing = 1;
  request.field.potential.method = PotentialSettings::Method::pb;
  Job job;
  const DeviceVolume wide = compute_on_device(request, job);
  const double target = 0.5 * wide.legend->relative_error;
  request.field.potential.target_error = target;
  const DeviceVolume shown = compute_on_device(request, job);
  ASSERT_EQ(shown.grid.counts, wide.grid.counts);
  EXPECT_LE(shown.legend->relative_error, target);
  EXPECT_EQ(shown.legend->note.find("not met"), std::string::npos) << shown.legend->note;
  const std::vector<float> values = shown.values.copy_to_host();
  EXPECT_NE(values, wide.values.copy_to_host());
  request.field.potential.target_error = 0;
  int equal = 0;
  for (const int share : {2, 3, 4}) {
    request.grid = wide.grid;
    request.grid->step /= static_cast<double>(share);
    request.grid->counts = (wide.grid.counts - 1) * share + 1;
    const DeviceVolume finer = compute_on_device(request, job);
    const std::vector<float> all = finer.values.copy_to_host();
    double most = 0;
    for (int k = 0; k < wide.grid.counts.z; ++k)
      for (int j = 0; j < wide.grid.counts.y; ++j)
        for (int i = 0; i < wide.grid.counts.x; ++i)
          most = std::max(most, std::abs(static_cast<double>(all[finer.grid.index(i * share, j * share, k * share)]) -
                                         static_cast<double>(values[wide.grid.index(i, j, k)])));
    if (most > 1e-6) continue;
    ++equal;
    EXPECT_DOUBLE_EQ(shown.legend->relative_error, finer.legend->relative_error);
  }
  EXPECT_EQ(equal, 1);
  request.grid.reset();
  request.field.potential.target_error = 1e-6;
  const DeviceVolume missed = compute_on_device(request, job);
  EXPECT_NE(missed.legend->note.find("the target error of 0.0001 % is not met, with steps of 0.25 A"),
            std::string::npos)
      << missed.legend->note;
  EXPECT_LT(missed.legend->relative_error, wide.legend->relative_error);
}

TEST(PotentialError, OfASurfaceIsThatOfItsVertices) {
  const test::Folder folder;
  test::write_text(folder / "ions.pqr", test::pqr({{-4, 0, 0, -1}, {4, 0, 0, 1}, {0, 3, 0, 0.5}}));
  FieldRequest request;
  request.molecule = std::make_shared<const Molecule>(read_file(folder / "ions.pqr"));
  request.field.kind = Field::Kind::gaussian;
  request.field.paint = Field::Paint::potential;
  request.field.spacing = 0.6;
  for (const double offset : {0.0, 1.4}) {
    request.field.paint_offset = offset;
    Job job;
    const DeviceVolume volume = compute_on_device(request, job);
    ASSERT_TRUE(volume.legend.has_value());
    EXPECT_TRUE(volume.legend->at_surface);
    // Every vertex: the scalar that it is coloured by, against the sum of the charges there.
    const Mesh mesh = volume.mesh({0.5f, true}, job);
    const Volume scalars{volume.grid, volume.scalars.copy_to_host(), {}, {}};
    std::vector<glm::dvec3> points;
    std::vector<double> shown;
    for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
      shown.push_back(static_cast<double>(interpolate(scalars, glm::dvec3(mesh.positions[i]))));
      points.push_back(glm::dvec3(mesh.positions[i]) + offset * glm::dvec3(mesh.normals[i]));
    }
    std::vector<double> exact(points.size());
    direct_potential_reference(point_charges_of(charged_spheres(*field_atoms(request.field, request.molecule, 0))),
                               points, exact);
    const Truth truth = truth_of(shown, exact);
    expect_honest(volume.legend->relative_error, truth.relative, "relative");
    expect_honest(volume.legend->error, truth.rms, "rms");
    EXPECT_GT(truth.relative, 1e-4) << "the grid between its points is what there is to measure";
  }
}

}  // namespace
}  // namespace isolume
