// Representations as triangles, against closed formulas.
#include "render/represent/solid_mesh.h"

#include <cmath>
#include <limits>

#include "molecule/base/error.h"
#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

using Items = std::vector<std::shared_ptr<const DrawItem>>;

std::shared_ptr<DrawItem> item_of(decltype(DrawItem::shape) shape) {
  auto item = std::make_shared<DrawItem>();
  item->shape = std::move(shape);
  return item;
}
Items one(std::shared_ptr<DrawItem> item) {
  Items items;
  items.push_back(std::move(item));
  return items;
}
Items one_sphere(float radius) {
  return one(item_of(Spheres{{{1, -2, 3, radius}}, {{10, 20, 30, 255}}, {0}, {}}));
}
Items one_cylinder(float radius, bool round) {
  Cylinders shape;
  shape.cylinders = {{{1, 2, 3}, {3, 5, 9}, radius}};  // 7 long
  shape.colours_a = {{255, 0, 0, 255}};
  shape.colours_b = {{0, 0, 255, 255}};
  shape.round_ends = round;
  return one(item_of(shape));
}

/// Normals are unit vectors, and triangles are counter-clockwise seen from where they point.
void check_normals(const Mesh& mesh) {
  ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
  ASSERT_EQ(mesh.colours.size(), mesh.positions.size());
  for (const glm::vec3& normal : mesh.normals) ASSERT_NEAR(glm::length(normal), 1, 1e-5);
  for (const glm::uvec3& t : mesh.triangles) {
    const glm::vec3 a = mesh.positions[t.x];
    const glm::vec3 face = glm::cross(mesh.positions[t.y] - a, mesh.positions[t.z] - a);
    ASSERT_GT(glm::length(face), 0);
    ASSERT_GT(glm::dot(face, mesh.normals[t.x] + mesh.normals[t.y] + mesh.normals[t.z]), 0);
  }
}

void check_count(const Items& items, int cuts, const Mesh& mesh) {
  const SolidCount count = count_solids(items, cuts);
  EXPECT_EQ(count.vertices, mesh.vertex_count());
  EXPECT_EQ(count.triangles, mesh.triangles.size());
  EXPECT_EQ(count.bytes(), mesh.vertex_count() * 28 + mesh.triangles.size() * 12);
}

TEST(SolidMesh, ASphereIsAnIcosahedronCutInFour) {
  const double radius = 1.7;
  const Mesh coarse = solid_mesh(one_sphere(1.7f), 0);
  ASSERT_EQ(coarse.triangles.size(), 20u);
  // Of the regular icosahedron in a sphere: edge r / sin(2 pi / 5), volume 5 (3 + sqrt 5) / 12 edge^3.
  const double edge = radius / std::sin(2 * M_PI / 5);
  EXPECT_NEAR(enclosed_volume(coarse), 5 * (3 + std::sqrt(5.0)) / 12 * edge * edge * edge, 1e-4);
  for (int cuts = 0; cuts <= 3; ++cuts) {
    const Mesh mesh = solid_mesh(one_sphere(1.7f), cuts);
    EXPECT_EQ(mesh.triangles.size(), std::size_t{20} << (2 * cuts));
    EXPECT_EQ(euler_characteristic(mesh), 2) << "closed";
    check_normals(mesh);
    check_count(one_sphere(1.7f), cuts, mesh);
    for (const glm::vec3& p : mesh.positions) ASSERT_NEAR(glm::distance(p, {1, -2, 3}), radius, 1e-5);
    EXPECT_EQ(mesh.colours.front(), glm::u8vec4(10, 20, 30, 255));
  }
  const double whole = 4 * M_PI / 3 * radius * radius * radius;
  const auto missing = [&](int cuts) { return 1 - enclosed_volume(solid_mesh(one_sphere(1.7f), cuts)) / whole; };
  // Facets half as wide miss a quarter of the volume.
  EXPECT_NEAR(missing(2) / missing(3), 4, 0.2);
  EXPECT_LT(missing(3), 0.01);
}

TEST(SolidMesh, ACylinderIsAPrismWithTheColoursOfItsEnds) {
  for (int cuts = 1; cuts <= 3; ++cuts) {
    const Items items = one_cylinder(0.5f, false);
    const Mesh mesh = solid_mesh(items, cuts);
    check_normals(mesh);
    check_count(items, cuts, mesh);
    const double n = 4 << cuts, base = 0.5 * n * 0.25 * std::sin(2 * M_PI / n);
    EXPECT_NEAR(enclosed_volume(mesh), 7 * base, 1e-4);
    EXPECT_NEAR(surface_area(mesh), 7 * n * 2 * 0.5 * std::sin(M_PI / n) + 2 * base, 1e-4);
    const glm::vec3 axis = glm::vec3(2, 3, 6) / 7.0f;
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
      const float along = glm::dot(mesh.positions[i] - glm::vec3(1, 2, 3), axis);
      if (along > 3.4f && along < 3.6f) continue;  // both colours meet in the middle
      EXPECT_EQ(mesh.colours[i], along < 3.5f ? glm::u8vec4(255, 0, 0, 255) : glm::u8vec4(0, 0, 255, 255));
    }
  }
}

TEST(SolidMesh, ARoundEndIsHalfASphere) {
  const Items items = one_cylinder(0.5f, true);
  const Mesh mesh = solid_mesh(items, 3);
  check_normals(mesh);
  check_count(items, 3, mesh);
  const double whole = M_PI * 0.25 * 7 + 4 * M_PI / 3 * 0.125;
  EXPECT_LT(enclosed_volume(mesh), whole);
  EXPECT_NEAR(enclosed_volume(mesh) / whole, 1, 0.01);
  for (const glm::vec3& p : mesh.positions) {
    const glm::vec3 a(1, 2, 3), axis = glm::vec3(2, 3, 6) / 7.0f;
    const float along = std::clamp(glm::dot(p - a, axis), 0.0f, 7.0f);
    ASSERT_NEAR(glm::distance(p, a + along * axis), 0.5, 1e-5);
  }
}

TEST(SolidMesh, CopiesAndOpacityComeAlongAndLinesDoNot) {
  auto ball = std::make_shared<DrawItem>(*one_sphere(1)[0]);
  ball->copies = {{0, 0, 0}, {10, 0, 0}, {0, 20, 0}};
  ball->opacity = 0.4f;
  Items items = one(ball);
  items.push_back(item_of(Lines{{{0, 0, 0}, {1, 0, 0}}, {}, {}}));
  items.push_back(nullptr);
  Surface dots;
  dots.mesh = std::make_shared<Mesh>(solid_mesh(one_sphere(2), 0));
  dots.style = Surface::Style::points;
  items.push_back(item_of(dots));
  const Mesh mesh = solid_mesh(items, 1);
  check_count(items, 1, mesh);
  EXPECT_EQ(mesh.triangles.size(), 3u * 80);
  EXPECT_NEAR(enclosed_volume(mesh), 3 * enclosed_volume(solid_mesh(one_sphere(1), 1)), 1e-3);
  EXPECT_EQ(mesh.colours.front().a, 102);
  EXPECT_NEAR(mesh.positions[2 * 42].y - mesh.positions[0].y, 20, 1e-5);
}

TEST(SolidMesh, FewAreCutFinerThanMany) {
  const auto balls = [](std::size_t n) {
    Spheres many;
    many.spheres.assign(n, {0, 0, 0, 1});
    return one(item_of(many));
  };
  EXPECT_EQ(cuts_of(balls(2'000)), 3);
  EXPECT_EQ(cuts_of(balls(2'001)), 2);
  EXPECT_EQ(cuts_of(balls(50'001)), 1);
  // Refused before it is made: copies of one ball with more vertices than triangles can name.
  auto ball = std::make_shared<DrawItem>(*one_sphere(1)[0]);
  ball->copies.resize(std::size_t{7'000'000});
  EXPECT_THROW(solid_mesh(one(ball), 3), Error);
}

TEST(SolidMesh, EveryStyleOfAPeptideHasOneButLinesAndPoints) {
  const Peptide p = small_fold();
  const auto colours = colour_atoms(p.topology, Colouring::element, {});
  const std::vector<std::uint8_t> mask(p.topology.atoms.size(), 1);
  std::vector<SecondaryStructure> structure;
  for (const Residue& residue : p.topology.residues) structure.push_back(residue.structure);
  for (const Style style : {Style::lines, Style::sticks, Style::ball_and_stick, Style::spheres, Style::cartoon,
                            Style::tube, Style::trace, Style::points, Style::ellipsoids}) {
    const auto items = represent(p.topology, p.frame, mask, style, {}, colours, structure, 1, 1);
    const Mesh mesh = solid_mesh(items, 2);
    EXPECT_EQ(!mesh.triangles.empty(), has_solids(style)) << name(style);
    check_count(items, 2, mesh);
  }
}

TEST(SolidMesh, StopsWhereProgressThrows) {
  double last = 0;
  EXPECT_THROW(solid_mesh(one_sphere(1), 1,
                          [&](double part) {
                            last = part;
                            throw Error("cancelled", Error::Kind::cancelled);
                          }),
               Error);
  EXPECT_GT(last, 0);
}

}  // namespace
}  // namespace isolume::test
