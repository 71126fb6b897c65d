// Meshes of spheres and tori: parts, curvature, smoothing.
#include "compute/analysis/mesh_shape.h"

#include "compute/isosurface/marching_cubes.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using namespace test;

constexpr double pi = 3.14159265358979323846;

/// The mesh of a field that is positive inside, on a cube about the origin.
template <class Field>
Mesh mesh_of(double half, double step, const Field& field) {
  const int n = static_cast<int>(2 * half / step) + 1;
  const Grid grid = make_grid(glm::dvec3(-half), glm::dvec3(step), glm::ivec3(n));
  std::vector<float> values;
  for (const glm::dvec3& p : grid_points(grid)) values.push_back(static_cast<float>(field(p)));
  Job job;
  return marching_cubes(Span<const float>(Span<float>(values)), grid, {0, true}, {}, job);
}

Mesh sphere(double radius, double step, glm::dvec3 centre = {0.03, -0.02, 0.01}) {
  return mesh_of(radius + 2 * step, step, [&](glm::dvec3 p) { return radius - glm::distance(p, centre); });
}

Mesh torus(double ring, double tube, double step) {
  return mesh_of(ring + tube + 2 * step, step, [&](glm::dvec3 p) {
    const double along = std::hypot(p.x, p.y) - ring;
    return tube - std::hypot(along, p.z);
  });
}

TEST(MeshShape, areas_and_volumes_converge_to_those_of_spheres_and_tori) {
  double last = 1;
  for (const double step : {0.4, 0.2, 0.1}) {
    const Mesh mesh = torus(3, 1.2, step);
    EXPECT_EQ(euler_characteristic(mesh), 0);
    const double area = surface_area(mesh) / (4 * pi * pi * 3 * 1.2) - 1;
    const double volume = enclosed_volume(mesh) / (2 * pi * pi * 3 * 1.2 * 1.2) - 1;
    EXPECT_LT(std::abs(area), 0.3 * step * step);
    EXPECT_LT(std::abs(volume), 0.6 * step * step);
    EXPECT_LT(std::abs(volume), last);
    last = std::abs(volume);
  }
  for (const double step : {0.4, 0.2}) {
    const Mesh mesh = sphere(3, step);
    EXPECT_NEAR(surface_area(mesh), 4 * pi * 9, 0.1 * step * step * 4 * pi * 9);
    EXPECT_NEAR(enclosed_volume(mesh), 36 * pi, 0.15 * step * step * 36 * pi);
  }
  // Two overlapping spheres of radius 2 whose centres are 3 apart: each without a cap of height 0.5.
  const Mesh pair = mesh_of(4, 0.1, [](glm::dvec3 p) {
    return 2 - std::min(glm::distance(p, {-1.5, 0.01, 0.02}), glm::distance(p, {1.5, 0.01, 0.02}));
  });
  EXPECT_EQ(euler_characteristic(pair), 2);
  EXPECT_NEAR(surface_area(pair), 2 * (4 * pi * 4 - 2 * pi * 2 * 0.5), 0.005 * 2 * 4 * pi * 4);
  EXPECT_NEAR(enclosed_volume(pair), 2 * (4 * pi / 3 * 8 - pi * 0.25 / 3 * (6 - 0.5)), 0.005 * 64 * pi / 3);
}

TEST(MeshShape, counts_parts_and_borders) {
  const Mesh two = mesh_of(4, 0.3, [](glm::dvec3 p) {
    return 1 - std::min(glm::distance(p, {-2, 0.01, 0.02}), glm::distance(p, {2, 0.01, 0.02}));
  });
  EXPECT_EQ(mesh_parts(two).parts, 2u);
  EXPECT_EQ(mesh_parts(two).border_edges, 0u);
  EXPECT_EQ(euler_characteristic(two), 4);
  Mesh square;
  square.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {5, 5, 5}};
  square.triangles = {{0, 1, 2}, {0, 2, 3}};
  EXPECT_EQ(mesh_parts(square).parts, 1u);  // the fifth vertex is of no triangle
  EXPECT_EQ(mesh_parts(square).border_edges, 4u);
}

TEST(MeshShape, curvature_of_a_sphere_is_one_over_its_radius) {
  Job job;
  for (const double radius : {2.0, 5.0}) {
    const Mesh mesh = sphere(radius, 0.25);
    const MeshCurvature curvature = mesh_curvature(mesh, job);
    double worst = 0;
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
      worst = std::max(worst, std::abs(static_cast<double>(curvature.mean[i]) * radius - 1));
      worst = std::max(worst, 0.5 * std::abs(static_cast<double>(curvature.gaussian[i]) * radius * radius - 1));
    }
    EXPECT_LT(worst, 0.05) << radius;
  }
}

TEST(MeshShape, curvature_of_a_torus_changes_its_sign) {
  Job job;
  const double ring = 4, tube = 1.5;
  const Mesh mesh = torus(ring, tube, 0.2);
  const MeshCurvature curvature = mesh_curvature(mesh, job);
  double squares = 0, total = 0;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const glm::dvec3 p(mesh.positions[i]);
    const double c = (std::hypot(p.x, p.y) - ring) / tube;  // cosine of the angle about the tube
    const double other = c / (ring + tube * c);
    const double mean = 0.5 * (1 / tube + other), gaussian = other / tube;
    squares += std::pow(static_cast<double>(curvature.mean[i]) - mean, 2);
    total += std::pow(static_cast<double>(curvature.gaussian[i]) - gaussian, 2);
  }
  const auto n = static_cast<double>(mesh.positions.size());
  EXPECT_LT(std::sqrt(squares / n), 0.02 / tube);
  EXPECT_LT(std::sqrt(total / n), 0.03 / (tube * tube));
}

TEST(MeshShape, smoothing_keeps_the_volume_and_evens_the_surface) {
  Job job;
  Mesh mesh = sphere(4, 0.25);
  Random random(5);
  for (glm::vec3& p : mesh.positions) p += glm::vec3(random.in_box(-0.1, 0.1));
  const double volume = enclosed_volume(mesh);
  const auto roughness = [&] {
    double sum = 0;
    for (const glm::vec3& p : mesh.positions) sum += std::pow(static_cast<double>(glm::length(p)) - 4, 2);
    return std::sqrt(sum / static_cast<double>(mesh.positions.size()));
  };
  const double before = roughness();
  const double change = smooth_mesh(mesh, 15, job);
  EXPECT_LT(std::abs(change), 0.02);
  EXPECT_NEAR(enclosed_volume(mesh), volume, 1e-4 * volume);
  EXPECT_LT(roughness(), 0.5 * before);
  EXPECT_EQ(euler_characteristic(mesh), 2);
  for (std::size_t i = 0; i < mesh.normals.size(); ++i)
    ASSERT_GT(glm::dot(mesh.normals[i], mesh.positions[i]), 3.5f) << i;
}

TEST(MeshShape, smoothing_keeps_volumes_of_any_shape_and_borders_where_they_are) {
  Job job;
  Random random(6);
  // A handle, a room inside, and two parts; steps well above what is used in pictures.
  const auto with_room = [](glm::dvec3 p) { return std::min(5 - glm::length(p), glm::distance(p, {0.2, 0, 0}) - 2.5); };
  const auto two = [](glm::dvec3 p) {
    return std::max(2.5 - glm::distance(p, {-3.5, 0, 0}), 2 - glm::distance(p, {3, 0.3, 0}));
  };
  for (Mesh mesh : {torus(5, 2, 0.4), mesh_of(6, 0.3, with_room), mesh_of(7, 0.3, two)}) {
    for (glm::vec3& p : mesh.positions) p += glm::vec3(random.in_box(-0.06, 0.06));
    const double volume = enclosed_volume(mesh);
    const int euler = static_cast<int>(euler_characteristic(mesh));
    smooth_mesh(mesh, 40, job);
    EXPECT_NEAR(enclosed_volume(mesh), volume, 1e-3 * volume) << euler;
    EXPECT_EQ(euler_characteristic(mesh), euler);
  }
  // A ball cut by the side of its grid.
  Mesh open = mesh_of(4, 0.3, [](glm::dvec3 p) { return 3 - glm::distance(p, {2.5, 0, 0}); });
  const Mesh before = open;
  float side = 0;
  for (const glm::vec3& p : open.positions) side = std::max(side, p.x);
  smooth_mesh(open, 10, job);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < open.positions.size(); ++i) {
    if (before.positions[i].x < side - 1e-4f) continue;
    EXPECT_EQ(open.positions[i], before.positions[i]);
    ++kept;
  }
  EXPECT_GT(kept, 30u);
}

TEST(MeshShape, samples_a_map_along_the_normals) {
  const Mesh mesh = sphere(2, 0.3, {0, 0, 0});
  Volume volume;
  volume.grid = make_grid({-5, -5, -5}, {0.5, 0.5, 0.5}, {21, 21, 21});
  for (const glm::dvec3& p : grid_points(volume.grid)) volume.values.push_back(static_cast<float>(3 * p.x - p.z + 1));
  const std::vector<float> values = sample_at_vertices(volume, mesh, 1.4);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const glm::vec3 p = mesh.positions[i] + 1.4f * mesh.normals[i];
    ASSERT_NEAR(values[i], 3 * p.x - p.z + 1, 1e-4);
  }
}

TEST(MeshShape, refuses_what_makes_no_sense) {
  Job job;
  Mesh mesh = sphere(1, 0.3);
  EXPECT_THROW(smooth_mesh(mesh, -1, job), Error);
  mesh.normals.clear();
  EXPECT_THROW(mesh_curvature(mesh, job), Error);
}

}  // namespace
}  // namespace isolume
