// Tests of the styles apart from the usual ones: ellipsoids, hydrogen bonds, vectors, profiles, ladders, images,
// materials.
#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"
#include "render/gl/framebuffer.h"
#include "render/gl/texture.h"
#include "render/represent/ellipsoid_scale.h"
#include "render/represent/palette.h"
#include "render/represent/represent.h"
#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

using Items = std::vector<std::shared_ptr<const DrawItem>>;

template <class Shape>
const Shape* find(const Items& items) {
  for (const auto& item : items)
    if (const auto* shape = std::get_if<Shape>(&item->shape)) return shape;
  return nullptr;
}

Items draw(const Topology& topology, const Frame& frame, Style style, const StyleOptions& options = {}) {
  const std::vector<std::uint8_t> mask(topology.atoms.size(), 1);
  const auto colours = colour_atoms(topology, Colouring::element, {});
  std::vector<SecondaryStructure> structure;
  for (const Residue& residue : topology.residues) structure.push_back(residue.structure);
  return represent(topology, frame, mask, style, options, colours, structure, 1, 1);
}

Topology atoms(int count) {
  TopologyBuilder builder;
  for (int i = 0; i < count; ++i) {
    Atom atom;
    atom.name = "C";
    atom.element = 6;
    atom.mass = 12;
    builder.add(atom, "LIG", i, ' ', "A");
  }
  return builder.finish();
}

TEST(Ellipsoids, ScaleIsTheQuantileOfThreeNormalDeviates) {
  // Square roots of the chi-square quantiles with three degrees of freedom: 2.365974, 6.251389, 11.344867.
  EXPECT_NEAR(ellipsoid_scale(0.5), std::sqrt(2.365974), 1e-6);
  EXPECT_NEAR(ellipsoid_scale(0.9), std::sqrt(6.251389), 1e-6);
  EXPECT_NEAR(ellipsoid_scale(0.99), std::sqrt(11.344867), 1e-6);
}

TEST(Ellipsoids, PointsLieWhereTheQuadraticFormIsTheScale) {
  Topology topology = atoms(2);
  topology.displacements = {{0.09f, 0.04f, 0.01f, 0.02f, -0.005f, 0.003f}, {}};
  topology.atoms.change(1, [](Atom& atom) { atom.b_factor = 12; });
  Frame frame;
  frame.positions = {{1, 2, 3}, {9, 9, 9}};
  const Items items = draw(topology, frame, Style::ellipsoids);
  const auto* surface = find<Surface>(items);
  ASSERT_NE(surface, nullptr);
  const auto& u = topology.displacements[0];
  const glm::dmat3 inverse = glm::inverse(glm::dmat3(u[0], u[3], u[4], u[3], u[1], u[5], u[4], u[5], u[2]));
  const double scale = ellipsoid_scale(0.5), radius = scale * std::sqrt(12 / (8 * M_PI * M_PI));
  const Mesh& mesh = *surface->mesh;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const glm::dvec3 d = glm::dvec3(mesh.positions[i]) - glm::dvec3(frame.positions[surface->parts[i]]);
    if (surface->parts[i] == 0) {
      ASSERT_NEAR(glm::dot(d, inverse * d), scale * scale, 2e-4);
      // The normal is the gradient of the form.
      ASSERT_NEAR(glm::dot(glm::normalize(inverse * d), glm::dvec3(mesh.normals[i])), 1, 1e-4);
    } else {
      ASSERT_NEAR(glm::length(d), radius, 1e-5);
    }
  }
}

TEST(HydrogenBondDashes, LieBetweenHydrogenAndAcceptor) {
  TopologyBuilder builder;
  Frame frame;
  const auto add = [&](std::uint8_t element, int residue, glm::vec3 place) {
    Atom atom;
    atom.name = element == 1 ? "H" : "O";
    atom.element = element;
    builder.add(atom, "HOH", residue, ' ', "A");
    frame.positions.push_back(place);
  };
  add(8, 1, {0, 0, 0});
  add(1, 1, {0.96f, 0, 0});
  add(8, 2, {2.9f, 0, 0});
  builder.topology().bonds.push_back({0, 1, 1});
  const Items items = draw(builder.finish(), frame, Style::hydrogen_bonds);
  const auto* dashes = find<Cylinders>(items);
  ASSERT_NE(dashes, nullptr);
  ASSERT_GE(dashes->cylinders.size(), 3u);
  float drawn = 0;
  for (const auto& c : dashes->cylinders) {
    EXPECT_GT(c.a.x, 0.96f);
    EXPECT_LT(c.b.x, 2.9f);
    EXPECT_FLOAT_EQ(c.a.y, 0);
    drawn += c.b.x - c.a.x;
  }
  EXPECT_NEAR(drawn, 0.58f * (2.9f - 0.96f), 0.01f) << "a little more than half is drawn";
}

TEST(Vectors, OfADipolePointFromMinusToPlusAboutTheCentreOfMass) {
  Topology topology = atoms(2);
  Frame frame;
  frame.positions = {{0, 0, 0}, {2, 0, 0}};
  EXPECT_THROW(draw(topology, frame, Style::vectors), Error) << "no charges";
  topology.has_charges = true;
  topology.atoms.change(0, [](Atom& atom) { atom.charge = -0.5f; });
  topology.atoms.change(1, [](Atom& atom) { atom.charge = 0.5f; });
  StyleOptions options;
  options.vector_scale = 0.5f;  // angstrom for each debye
  const Items items = draw(topology, frame, Style::vectors, options);
  const auto* head = find<Surface>(items);
  ASSERT_NE(head, nullptr);
  float tip = -1e9f, tail = find<Cylinders>(items)->cylinders[0].a.x;
  for (const glm::vec3& p : head->mesh->positions) tip = std::max(tip, p.x);
  const float length = 0.5f * 4.80320f;  // 0.5 e over 2 angstrom
  EXPECT_NEAR(tip, 1 + 0.5f * length, 1e-4);
  EXPECT_NEAR(tail, 1 - 0.5f * length, 1e-4);
  options.vectors = VectorKind::velocities;
  EXPECT_THROW(draw(topology, frame, Style::vectors, options), Error) << "no velocities";
  frame.velocities = {{0, 1, 0}, {0, 0, 0}};
  options.vector_scale = 3;
  const Items moving = draw(topology, frame, Style::vectors, options);
  EXPECT_EQ(find<Cylinders>(moving)->cylinders.size(), 1u) << "what rests has no arrow";
  tip = -1e9f;
  for (const glm::vec3& p : find<Surface>(moving)->mesh->positions) tip = std::max(tip, p.y);
  EXPECT_NEAR(tip, 3, 1e-4);
}

TEST(Profiles, CylindersStandOnTheAxisOfAHelix) {
  // An ideal helix of alanines, phi -57, psi -47.
  const std::size_t n = 20;
  const Peptide helix = peptide(std::vector<std::array<double, 2>>(n, {-57, -47}),
                                std::vector<SecondaryStructure>(n, SecondaryStructure::helix));
  StyleOptions options;
  options.profile = RibbonProfile::cylinders;
  const Items items = draw(helix.topology, helix.frame, Style::cartoon, options);
  const auto* columns = find<Cylinders>(items);
  ASSERT_NE(columns, nullptr);
  EXPECT_GE(columns->cylinders.size(), n - 2);
  const glm::vec3 axis = glm::normalize(columns->cylinders.back().b - columns->cylinders.front().a);
  const glm::vec3 start = columns->cylinders.front().a;
  for (std::size_t i = 1; i < 4 * n; i += 4) {
    const glm::vec3 d = helix.frame.positions[i] - start;
    EXPECT_NEAR(glm::length(d - axis * glm::dot(d, axis)), 2.3f, 0.35f)
        << "alpha carbons lie 2.3 angstrom from the axis";
  }
  const float length = glm::distance(columns->cylinders.back().b, columns->cylinders.front().a);
  EXPECT_NEAR(length, 1.5f * (n - 1), 1.5f) << "1.5 angstrom for each residue";
}

TEST(Copies, AreDrawnWhereTheyAreShiftedAndPickedAsTheOriginal) {
  auto ball = item(sphere({-4, 0, 0}, 1, {200, 30, 30, 255}, 7), 3, 1, false);
  ball->copies = {glm::vec3(0), glm::vec3(8, 0, 0)};
  const SceneView view = scene({ball});
  const Image image = renderer().picture(view, {.width = 200, .height = 200, .samples = 1});
  const int left = 100 - 40, right = 100 + 40;  // 20 angstrom are 200 pixels
  EXPECT_EQ(pixel(image, left, 100)[0], 200);
  EXPECT_EQ(pixel(image, right, 100)[0], 200);
  EXPECT_EQ(pixel(image, 100, 100)[0], 255) << "nothing between them";
  EXPECT_EQ(renderer().pick(left, 100), (PickId{3, 7}));
  EXPECT_EQ(renderer().pick(right, 100), (PickId{3, 7}));
}

TEST(Thinning, DrawsEveryNthOfManyAndPicksTheRightOnes) {
  // A sheet of 250 x 200 balls.
  Spheres balls;
  for (int i = 0; i < 50'000; ++i) {
    balls.spheres.emplace_back(0.08f * static_cast<float>(i % 250) - 10, 0.08f * static_cast<float>(i / 250) - 8, 0,
                               0.05f);
    balls.colours.emplace_back(0, 0, 0, 255);
    balls.parts.push_back(static_cast<std::uint32_t>(i));
  }
  const SceneView view = scene({item(balls, 1, 1, false)});
  context();
  const gl::Texture pixels(0x8058 /* GL_RGBA8 */, 200, 200);
  const gl::Framebuffer target({&pixels}, nullptr);
  renderer().set_fast(true, 8);
  ASSERT_TRUE(renderer().draw(view, target.name(), 200, 200));
  std::size_t hits = 0;
  for (int y = 40; y < 160; y += 3)
    for (int x = 10; x < 190; x += 3) {
      const PickId found = renderer().pick(x, y, 0);
      if (found.object == 0) continue;
      ++hits;
      EXPECT_EQ(found.part % 8, 0u) << "only every eighth is there";
      const glm::vec4 ball = balls.spheres[found.part];
      EXPECT_NEAR(100 + 10 * ball.x, x, 3) << "and it is the one under the pixel";
      EXPECT_NEAR(100 - 10 * ball.y, y, 3);
    }
  EXPECT_GT(hits, 300u);
  // A picture that may be stopped is drawn in parts; one that is stopped says so.
  renderer().set_fast(false);
  int asked = 0;
  renderer().set_stop([&asked] { return ++asked > 1'000'000; });
  ASSERT_TRUE(renderer().draw(view, target.name(), 200, 200));
  EXPECT_GT(asked, 4);
  const PickId in_parts = renderer().pick(150, 60, 2);
  renderer().set_stop(nullptr);
  ASSERT_TRUE(renderer().draw(view, target.name(), 200, 200));
  EXPECT_EQ(renderer().pick(150, 60, 2), in_parts);
  renderer().set_stop([] { return true; });
  EXPECT_FALSE(renderer().draw(view, target.name(), 200, 200));
  EXPECT_EQ(renderer().pick(150, 60, 2), PickId{}) << "nothing to pick in half a picture";
  renderer().set_stop(nullptr);
}

TEST(Materials, DifferWhereLightFallsAndKeepTheirColour) {
  const auto shown = [](Material material) {
    auto ball = item(sphere({0, 0, 0}, 8, {60, 110, 190, 255}), 1);
    ball->material = material;
    SceneView view = scene({ball});
    view.look.background = view.look.background_bottom = {1, 1, 1};
    return renderer().picture(view, {.width = 160, .height = 160, .samples = 4});
  };
  // Highlights are whiter than the ball: how much red there is in their pixels.
  const auto shine = [](const Image& image) {
    double sum = 0;
    for (int y = 30; y < 130; ++y)
      for (int x = 30; x < 130; ++x) sum += std::max(0, pixel(image, x, y)[0] - 110);
    return sum;
  };
  const Image matt = shown(Material::matt), standard = shown(Material::standard), glossy = shown(Material::glossy);
  EXPECT_LT(shine(matt), shine(standard));
  EXPECT_GT(shine(glossy), shine(matt));
  EXPECT_NE(shine(glossy), shine(standard));
  for (const Material material : {Material::matt, Material::standard, Material::glossy, Material::toon}) {
    const auto p = pixel(shown(material), 95, 105);  // away from the highlight
    EXPECT_GT(p[2], p[0] + 30) << "still blue";
  }
  // Glass is clear in front and dense at the rim.
  const Image glass = shown(Material::glass);
  EXPECT_GT(pixel(glass, 85, 85)[0], 150);
  EXPECT_LT(pixel(glass, 80, 80 + 62)[0], pixel(glass, 80, 80)[0]);
}

TEST(DepthOfField, BlursWhatLiesOffTheSharpPlane) {
  auto near = item(sphere({-5, 0, 8}, 1, {0, 0, 0, 255}), 1, 1, false);
  auto sharp = item(sphere({5, 0, 0}, 1, {0, 0, 0, 255}), 2, 1, false);
  SceneView view = scene({near, sharp});
  view.camera.projection = Camera::Projection::orthographic;
  // The steps in grey along a row through a ball: pixels that are neither black nor white.
  const auto soft_pixels = [](const Image& image, int from, int to) {
    int count = 0;
    for (int x = from; x < to; ++x) count += pixel(image, x, 100)[0] > 10 && pixel(image, x, 100)[0] < 245;
    return count;
  };
  const PictureOptions options{.width = 200, .height = 200, .samples = 4};
  const Image all_sharp = renderer().picture(view, options);
  EXPECT_LE(soft_pixels(all_sharp, 20, 80), 4);
  view.look.depth_of_field = 0.03f;
  const Image blurred = renderer().picture(view, options);
  EXPECT_GE(soft_pixels(blurred, 20, 80), 8);
  EXPECT_LE(soft_pixels(blurred, 120, 180), 4) << "the one in the plane stays sharp";
  view.look.focus = 8;
  const Image other = renderer().picture(view, options);
  EXPECT_LE(soft_pixels(other, 20, 80), 4);
  EXPECT_GE(soft_pixels(other, 120, 180), 8);
}

TEST(Colours, OfNumbersHaveAKeyWithUnitAndRange) {
  Topology topology = atoms(5);
  const std::vector<float> values = {-2, -1, 0, 1, 4};
  ColourRule rule;
  rule.colouring = Colouring::value;
  const AtomColours found = colour_atoms(topology, rule, values, "charge", "e", {});
  ASSERT_TRUE(found.key);
  EXPECT_EQ(found.key->title, "charge");
  EXPECT_EQ(found.key->unit, "e");
  EXPECT_DOUBLE_EQ(found.key->lower, -4);
  EXPECT_DOUBLE_EQ(found.key->upper, 4) << "with a sign: as far to both sides";
  EXPECT_EQ(found.colours[2], diverging_colour(0));
  EXPECT_EQ(found.colours[4], diverging_colour(1));
  rule.lower = 0, rule.upper = 2, rule.map = ColourMap::cividis;
  const AtomColours cut = colour_atoms(topology, rule, values, "charge", "e", {});
  EXPECT_EQ(cut.colours[3], cividis_colour(0.5));
  EXPECT_EQ(cut.colours[0], cividis_colour(0)) << "beyond the ends the last colour holds";
  EXPECT_THROW(colour_atoms(topology, rule, std::vector<float>(3), "", "", {}), Error);
}

TEST(Colours, OfNamesListWhatIsShown) {
  Topology topology = atoms(4);
  topology.atoms.change(1, [](Atom& atom) { atom.element = 7; });
  topology.atoms.change(3, [](Atom& atom) { atom.element = 8; });
  ColourRule rule;
  const std::vector<std::uint8_t> shown = {1, 1, 1, 0};
  const AtomColours found = colour_atoms(topology, rule, {}, {}, {}, shown);
  ASSERT_TRUE(found.key);
  ASSERT_EQ(found.key->entries.size(), 2u) << "oxygen is not shown";
  EXPECT_EQ(found.key->entries[0].first, "C");
  EXPECT_EQ(found.key->entries[1].first, "N");
}

}  // namespace
}  // namespace isolume::test
