// Clipping planes: every kind of thing is cut where the plane says, and filled.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/gtc/constants.hpp>

#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

constexpr glm::u8vec4 orange{230, 159, 0, 255}, blue{0, 114, 178, 255};
constexpr int side = 200;

class ClipPlanes : public testing::TestWithParam<Camera::Projection> {
 protected:
  ClipPlanes() : view_(scene({})) {
    view_.camera.projection = GetParam();
    view_.camera.height = 20;
    view_.radius = 9;
  }
  template <class Shape>
  void add(Shape shape, ItemTraits::Kind kind = ItemTraits::Kind::atoms, bool lit = false, float opacity = 1) {
    view_.add(item(std::move(shape), static_cast<std::uint32_t>(view_.items.size() + 1), opacity, lit), {kind, {}});
  }
  static Surface closed(glm::vec3 centre, float radius, glm::u8vec4 colour) {
    Surface made = surface(ball(centre, radius, 96), colour);
    made.closed = true;
    return made;
  }
  Image draw() {
    PictureOptions options;
    options.width = options.height = side;
    options.samples = 1;
    options.transparent = true;
    return renderer().picture(view_, options);
  }
  void plane(glm::dvec3 normal, double offset, ClipPlane::Cuts cuts = ClipPlane::Cuts::everything) {
    ClipPlane made;
    made.normal = normal;
    made.offset = offset;
    made.cuts = cuts;
    view_.clip_planes.push_back(made);
  }
  static int covered(const Image& image) {
    int n = 0;
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) n += image.rgba[i] > 127;
    return n;
  }
  static int count(const Image& image, glm::u8vec4 colour) {
    int n = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4)
      n += image.rgba[i + 3] > 127 && std::abs(image.rgba[i] - colour.r) <= 1 &&
           std::abs(image.rgba[i + 1] - colour.g) <= 1 && std::abs(image.rgba[i + 2] - colour.b) <= 1;
    return n;
  }
  /// Pixels whose line of sight has a part inside `inside(point)`, found by steps of 0.01 angstrom.
  template <class Inside>
  std::vector<bool> expected(const Inside& inside) const {
    std::vector<bool> seen;
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        const auto [origin, direction] = line_of_sight(view_.camera, side, side, x, y);
        const double middle = glm::dot(-origin, direction);
        bool any = false;
        for (double t = middle - 9; t < middle + 9 && !any; t += 0.01) any = inside(origin + t * direction);
        seen.push_back(any);
      }
    return seen;
  }
  int differing(const Image& image, const std::vector<bool>& wanted) const {
    int n = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) n += (image.rgba[4 * i + 3] > 127) != wanted[i];
    return n;
  }
  bool kept(glm::dvec3 point) const {
    for (const ClipPlane& p : view_.clip_planes)
      if (p.on && p.beyond(point) > 0) return false;
    return true;
  }

  SceneView view_;
};

TEST_P(ClipPlanes, SpheresCoverThePixelsThatSeeWhatIsLeft) {
  add(sphere({1, -1, 0.5}, 6, orange));
  plane({1, 0.4, 0.3}, 1.5);
  plane({-0.2, -1, 0.6}, 2);
  const Image cut = draw();
  const auto wanted = expected([&](glm::dvec3 p) { return glm::distance(p, {1, -1, 0.5}) < 6 && kept(p); });
  EXPECT_GT(covered(cut), 3000);
  EXPECT_LE(differing(cut, wanted), covered(cut) / 100) << "the rim, float against steps";
  view_.clip_planes[0].on = view_.clip_planes[1].on = false;
  EXPECT_GT(covered(draw()), covered(cut) + 2000);
}

TEST_P(ClipPlanes, CylindersCoverThePixelsThatSeeWhatIsLeft) {
  for (const bool round : {false, true}) {
    view_.items.clear(), view_.traits.clear(), view_.clip_planes.clear();
    const glm::dvec3 a(-4, -2, 2), b(5, 3, -2);
    add(cylinder(a, b, 2.5f, orange, orange, round));
    plane({0.7, 0.2, 0.8}, 0.5);
    plane({-1, 0.5, 0.1}, 2.5);
    const auto inside = [&](glm::dvec3 p) {
      const glm::dvec3 axis = b - a;
      const double along = glm::dot(p - a, axis) / glm::dot(axis, axis);
      const double nearest = round ? std::clamp(along, 0.0, 1.0) : along;
      return (round || (along > 0 && along < 1)) && glm::distance(p, a + nearest * axis) < 2.5 && kept(p);
    };
    const Image cut = draw();
    EXPECT_GT(covered(cut), 1000);
    EXPECT_LE(differing(cut, expected(inside)), covered(cut) / 50) << "round ends " << round;
  }
}

TEST_P(ClipPlanes, TheCutOfASphereIsItsOwnAndDarker) {
  add(sphere({0, 0, 0}, 5, orange));
  plane({0, 0, 1}, 0);
  const Image cut = draw();
  EXPECT_EQ(pixel(cut, 100, 100), (std::array<int, 4>{184, 127, 0, 255}));  // 0.8 of the colour
  EXPECT_EQ(renderer().pick(100, 100).object, 1u);
  view_.clip_planes[0].normal = {0, 0, -1};  // the far half is cut away: nothing of the cut is seen
  EXPECT_EQ(pixel(draw(), 100, 100), (std::array<int, 4>{230, 159, 0, 255}));
}

TEST_P(ClipPlanes, ClosedSurfacesAreFilledInObliquePlanes) {
  view_.camera.rotation = glm::normalize(glm::dquat(0.9, 0.3, -0.2, 0.1));
  add(closed({0, 0, 0}, 5, orange), ItemTraits::Kind::surface, true);
  // A plane through the centre, 40 degrees off the line of sight: the disc becomes an ellipse.
  const glm::dvec3 towards = glm::conjugate(view_.camera.rotation) * glm::dvec3(0, 0, 1);
  const glm::dvec3 aside = glm::conjugate(view_.camera.rotation) * glm::dvec3(1, 0, 0);
  const double angle = glm::radians(40.0);
  plane(std::cos(angle) * towards + std::sin(angle) * aside, 0);
  const int filled = count(draw(), orange);
  const double disc = glm::pi<double>() * 50 * 50 * std::cos(angle);
  if (GetParam() == Camera::Projection::orthographic)
    EXPECT_NEAR(filled, disc, 0.03 * disc);
  else
    EXPECT_NEAR(filled, disc, 0.08 * disc);
  // A second plane leaves half of the disc.
  plane(glm::conjugate(view_.camera.rotation) * glm::dvec3(0, 1, 0), 0);
  EXPECT_NEAR(count(draw(), orange), 0.5 * filled, 0.04 * filled);
  view_.look.caps = false;
  EXPECT_LT(count(draw(), orange), 0.05 * filled);
}

TEST_P(ClipPlanes, TheFrontPlaneAndOthersFillTogether) {
  add(closed({0, 0, 0}, 5, orange), ItemTraits::Kind::surface, true);
  view_.camera.slab_front = 9 * 1.02 + 0.01;  // the front plane goes through the centre
  const int front = count(draw(), orange);
  const double disc = glm::pi<double>() * 50 * 50;
  EXPECT_NEAR(front, disc, 0.05 * disc);
  plane({1, 0, 0}, 0);  // and the right half is cut away
  EXPECT_NEAR(count(draw(), orange), 0.5 * front, 0.04 * front);
}

TEST_P(ClipPlanes, APlaneCutsWhatItIsToldTo) {
  add(closed({-5, 0, 0}, 3, orange), ItemTraits::Kind::surface);
  add(sphere({5, 0, 0}, 3, blue), ItemTraits::Kind::atoms);
  add(sphere({0, 6, 0}, 1, {0, 0, 0, 255}), ItemTraits::Kind::other);
  const auto areas = [&](ClipPlane::Cuts cuts) {
    view_.clip_planes.clear();
    plane({0, 1, 0}, -10, cuts);  // everything is beyond it
    const Image image = draw();
    return std::array<int, 3>{count(image, orange), count(image, blue), count(image, {0, 0, 0, 255})};
  };
  const auto all = areas(ClipPlane::Cuts::everything), surfaces = areas(ClipPlane::Cuts::surfaces),
             atoms = areas(ClipPlane::Cuts::atoms);
  EXPECT_EQ(all[0], 0);
  EXPECT_EQ(all[1], 0);
  EXPECT_GT(all[2], 200) << "what belongs to neither is whole";
  EXPECT_EQ(surfaces[0], 0);
  EXPECT_GT(surfaces[1], 2000);
  EXPECT_GT(atoms[0], 2000);
  EXPECT_EQ(atoms[1], 0);
}

TEST_P(ClipPlanes, LinesMeshesAndCloudsAreCut) {
  Lines lines;
  for (float y = -4; y <= 4; y += 1) lines.points.insert(lines.points.end(), {{-6, y, 0}, {6, y, 0}});
  lines.colours.assign(lines.points.size(), blue);
  lines.width = 3;
  Surface mesh = surface(ball({0, 0, 0}, 5), orange);
  mesh.style = Surface::Style::wireframe;
  Cloud cloud;
  auto volume = std::make_shared<Volume>();
  volume->grid.counts = {5, 5, 5};
  volume->grid.origin = {-4, -4, -4};
  volume->grid.step = glm::dmat3(2);
  volume->values.assign(125, 1.0f);
  cloud.volume = volume;
  cloud.transfer = {glm::vec4(1, 0, 0, 0.9f), glm::vec4(1, 0, 0, 0.9f)};
  const auto half = [&](auto shape) {
    view_.items.clear(), view_.traits.clear(), view_.clip_planes.clear();
    add(std::move(shape));
    plane({1, 0, 0}, 0);
    const Image image = draw();
    std::array<int, 2> n{};
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) n[x < side / 2 ? 0 : 1] += pixel(image, x, y)[3] > 127;
    return n;
  };
  const auto check = [](std::array<int, 2> n, const char* what) {
    EXPECT_GT(n[0], 500) << what;
    EXPECT_LT(n[1], n[0] / 25) << what;
  };
  check(half(lines), "lines");
  check(half(mesh), "mesh");
  check(half(surface(ball({0, 0, 0}, 5), orange)), "surface");
  check(half(cloud), "cloud");
}

TEST_P(ClipPlanes, TilesOfALargePictureHaveTheSameCuts) {
  add(sphere({0, 2, 0}, 4, blue), ItemTraits::Kind::atoms, true);
  add(closed({0, -2, 0}, 5, orange), ItemTraits::Kind::surface, true);
  plane({0.3, 0.2, 1}, 1);
  PictureOptions options;
  options.width = options.height = side;
  options.samples = 1;
  const Image whole = renderer().picture(view_, options);
  options.largest_tile = 64;
  EXPECT_EQ(whole.rgba, renderer().picture(view_, options).rgba);
}

INSTANTIATE_TEST_SUITE_P(Projections, ClipPlanes,
                         testing::Values(Camera::Projection::orthographic, Camera::Projection::perspective),
                         [](const auto& info) {
                           return info.param == Camera::Projection::orthographic ? "Orthographic" : "Perspective";
                         });

}  // namespace
}  // namespace isolume::test
