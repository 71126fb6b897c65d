// Spheres in chunks: what is hidden is left out, and the picture is that of all of them.
#include <epoxy/gl.h>

#include <algorithm>
#include <random>

#include "render/gl/framebuffer.h"
#include "render/gl/texture.h"
#include "render/represent/sphere_chunks.h"
#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

constexpr int width = 160, height = 120;

/// Spheres at random places of a cube of `edge` angstrom about `centre`, each of a colour and a part of its own.
Spheres cloud(std::size_t count, float edge, glm::vec3 centre = glm::vec3(0), float radius = 1.5f, unsigned seed = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> place(-0.5f * edge, 0.5f * edge), size(0.8f * radius, 1.2f * radius);
  std::uniform_int_distribution<int> light(40, 255);
  Spheres made;
  for (std::size_t i = 0; i < count; ++i) {
    const float x = place(engine), y = place(engine), z = place(engine);
    made.spheres.emplace_back(centre + glm::vec3(x, y, z), size(engine));
    const int red = light(engine), green = light(engine), blue = light(engine);
    made.colours.emplace_back(red, green, blue, 255);
    made.parts.push_back(static_cast<std::uint32_t>(i));
  }
  return made;
}

void append(Spheres& to, const Spheres& more) {
  to.spheres.insert(to.spheres.end(), more.spheres.begin(), more.spheres.end());
  to.colours.insert(to.colours.end(), more.colours.begin(), more.colours.end());
  for (std::size_t i = 0; i < more.parts.size(); ++i) to.parts.push_back(static_cast<std::uint32_t>(to.parts.size()));
}

Spheres in_chunks(Spheres shape) {
  order_in_chunks(shape);
  return shape;
}

/// As the plain path draws it, in the order of the chunks.
Spheres plain(Spheres shape) {
  shape.chunks.clear();
  return shape;
}

Image picture(Renderer& with, const SceneView& view, int samples = 1) {
  return with.picture(view, {.width = width, .height = height, .samples = samples});
}

/// Pixels that differ.
std::size_t difference(const Image& a, const Image& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) count += !std::equal(&a.rgba[i], &a.rgba[i] + 4, &b.rgba[i]);
  return count;
}

/// The same scene twice: with chunks, and without.
struct Both {
  explicit Both(const Spheres& shape, double radius)
      : chunked(scene({item(shape, 1)}, radius)), all(scene({item(plain(shape), 1)}, radius)) {}
  template <class Change>
  void change(const Change& change) {
    change(chunked);
    change(all);
  }
  SceneView chunked, all;
};

TEST(SphereChunks, HoldTheirSpheres) {
  const Spheres before = cloud(1000, 30);
  const Spheres after = in_chunks(before);
  ASSERT_EQ(after.spheres.size(), 1000u);
  ASSERT_EQ(after.chunks.size(), 4u);
  std::vector<std::uint32_t> parts = after.parts;
  std::sort(parts.begin(), parts.end());
  EXPECT_EQ(parts, before.parts) << "each of them once";
  for (std::size_t i = 0; i < after.spheres.size(); ++i) {
    EXPECT_EQ(after.spheres[i], before.spheres[after.parts[i]]);
    EXPECT_EQ(after.colours[i], before.colours[after.parts[i]]);
    const glm::vec4 s = after.spheres[i], b = after.chunks[i / SphereChunk::size].bounds;
    EXPECT_LE(glm::length(glm::vec3(s) - glm::vec3(b)) + s.w, b.w) << i;
    EXPECT_LE(s.w, after.chunks[i / SphereChunk::size].largest);
  }
  for (const SphereChunk& chunk : after.chunks) {
    EXPECT_LT(chunk.bounds.w, 26) << "half of the cube's diagonal, and a sphere: next to each other they are less";
    EXPECT_EQ(chunk.sphere / SphereChunk::size, static_cast<std::size_t>(&chunk - after.chunks.data()));
  }
}

TEST(SphereChunks, OneSphereCoversWhatItCovers) {
  const Spheres one = in_chunks(sphere({1, 2, 3}, 2, {10, 20, 30, 255}, 7));
  ASSERT_EQ(one.chunks.size(), 1u);
  EXPECT_NEAR(one.chunks[0].radius, 2, 0.02) << "by squares of an eighth";
  EXPECT_EQ(one.chunks[0].colour, glm::u8vec4(10, 20, 30, 255));
  EXPECT_NEAR(glm::length(glm::vec3(one.chunks[0].bounds) - glm::vec3(1, 2, 3)), 0, 1e-6);
}

TEST(SphereChunks, NumberSpheresThatHadNoParts) {
  Spheres shape = cloud(600, 20);
  shape.parts.clear();
  shape.colours.clear();
  const std::vector<glm::vec4> before = shape.spheres;
  order_in_chunks(shape);
  ASSERT_EQ(shape.parts.size(), 600u);
  for (std::size_t i = 0; i < 600; ++i) EXPECT_EQ(shape.spheres[i], before[shape.parts[i]]);
  EXPECT_EQ(shape.chunks[0].colour, glm::u8vec4(190, 190, 190, 255)) << "that of spheres without colours";
}

TEST(Culling, EqualsAllSpheresWhileItTurns) {
  Both both(in_chunks(cloud(20000, 60)), 55);
  for (const auto projection : {Camera::Projection::perspective, Camera::Projection::orthographic}) {
    both.change([&](SceneView& view) { view.camera.projection = projection; });
    for (int step = 0; step < 8; ++step) {
      // Small steps, and then a jump to the other side.
      both.change([&](SceneView& view) { view.camera.turn({0.3, 1, 0}, step == 5 ? 180 : 7); });
      const Image left_out = picture(renderer(), both.chunked);
      const std::size_t drawn = renderer().spheres_drawn();
      EXPECT_EQ(difference(left_out, picture(renderer(), both.all)), 0u) << step;
      EXPECT_GT(drawn, 1000u);
      EXPECT_LT(drawn, 14000u) << step;
    }
  }
}

TEST(Culling, EqualsAllSpheresFromWithin) {
  Both both(in_chunks(cloud(8000, 60)), 55);
  both.change([&](SceneView& view) { view.camera.height = 4; });
  for (int step = 0; step < 5; ++step) {
    both.change([&](SceneView& view) { view.camera.centre = glm::dvec3(6 * step, step, 12 * step); });
    const Image left_out = picture(renderer(), both.chunked);
    EXPECT_LT(renderer().spheres_drawn(), 2000u) << "a small part of the cloud is before the eye";
    EXPECT_EQ(difference(left_out, picture(renderer(), both.all)), 0u) << step;
  }
}

TEST(Culling, EqualsAllSpheresWithEverythingOn) {
  const Spheres shape = in_chunks(cloud(6000, 40));
  Both both(shape, 40);
  both.change([&](SceneView& view) {
    view.look = Look{};
    view.look.shadows = true;
    view.camera.slab_front = 25;
    view.clip_planes.push_back({.point = {5, 0, 0}, .normal = {1, 0.2, 0}});
    view.traits = {{.kind = ItemTraits::Kind::atoms}};
    auto copied = std::make_shared<DrawItem>(*view.items[0]);
    copied->copies = {{0, 0, 0}, {0, 25, 3}};
    view.items = {copied, item(surface(ball({-10, 0, 20}, 9), {200, 30, 30, 255}), 2)};
  });
  for (int step = 0; step < 3; ++step) {
    both.change([&](SceneView& view) { view.camera.turn({0, 1, 0}, 20); });
    EXPECT_EQ(difference(picture(renderer(), both.chunked, 4), picture(renderer(), both.all, 4)), 0u) << step;
  }
}

TEST(Culling, LeavesOutWhatIsBehindAWall) {
  // 40 x 40 spheres that overlap, and behind their middle as many again.
  Spheres wall;
  for (int i = 0; i < 1600; ++i)
    append(wall, sphere({static_cast<float>(i % 40) - 19.5f, static_cast<float>(i / 40) - 19.5f, 10}, 1,
                        {200, 200, 200, 255}));
  Spheres shape = wall;
  append(shape, cloud(1600, 12, {0, 0, -10}));
  Both both(in_chunks(shape), 30);
  both.change([&](SceneView& view) { view.camera.height = 60; });
  for (int i = 0; i < 2; ++i) picture(renderer(), both.chunked);
  EXPECT_LE(renderer().spheres_drawn(), 3200u);
  const Image behind = picture(renderer(), both.chunked);
  EXPECT_EQ(renderer().spheres_drawn(), 1600u) << "the wall alone, once it is what the last picture showed";
  EXPECT_EQ(difference(behind, picture(renderer(), both.all)), 0u);
  both.change([&](SceneView& view) { view.camera.turn({0, 1, 0}, 180); });
  const Image before = picture(renderer(), both.chunked);
  EXPECT_GT(renderer().spheres_drawn(), 1600u);
  EXPECT_EQ(difference(before, picture(renderer(), both.all)), 0u);
  both.change([&](SceneView& view) { view.camera.centre = {0, 500, 0}; });
  picture(renderer(), both.chunked);
  EXPECT_EQ(renderer().spheres_drawn(), 0u) << "beside the picture";
}

TEST(Culling, AWallOfOtherThingsHidesToo) {
  Both both(in_chunks(cloud(1000, 10)), 30);
  both.change([&](SceneView& view) {
    view.items.insert(view.items.begin(), item(sphere({0, 0, 15}, 12, {9, 9, 9, 255})));
  });
  picture(renderer(), both.chunked);
  EXPECT_EQ(renderer().spheres_drawn(), 0u);
}

TEST(Culling, PicksWhatAllSpheresWould) {
  Both both(in_chunks(cloud(5000, 40)), 40);
  const auto picks = [&](const SceneView& view) {
    std::vector<PickId> found;
    picture(renderer(), view);
    for (int y = 5; y < height; y += 6)
      for (int x = 5; x < width; x += 6) found.push_back(renderer().pick(x, y, 0));
    return found;
  };
  const std::vector<PickId> some = picks(both.chunked), all = picks(both.all);
  EXPECT_EQ(some, all);
  EXPECT_GT(std::count_if(some.begin(), some.end(), [](const PickId& id) { return id.object == 1; }), 100);
}

TEST(Culling, TransparentSpheresAreAllDrawn) {
  const Spheres shape = in_chunks(cloud(1000, 20));
  SceneView chunked = scene({item(shape, 1, 0.5f)}, 20), all = scene({item(plain(shape), 1, 0.5f)}, 20);
  EXPECT_EQ(difference(picture(renderer(), chunked), picture(renderer(), all)), 0u);
  EXPECT_EQ(renderer().spheres_drawn(), 0u);
}

TEST(Culling, AThinnedMovementEqualsToo) {
  const Spheres shape = in_chunks(cloud(45000, 80));
  Both both(shape, 75);
  const auto moving = [&](const SceneView& view) {
    Renderer& drawing = renderer();  // before the texture: it has the context
    const gl::Texture pixels(GL_RGBA8, width, height);
    const gl::Framebuffer target({&pixels}, nullptr);
    drawing.set_fast(true, 4);
    drawing.draw(view, target.name(), width, height);
    drawing.set_fast(false);
    Image image{width, height, {}};
    image.rgba.resize(std::size_t{4} * width * height);
    glGetTextureImage(pixels.name(), 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<int>(image.rgba.size()),
                      image.rgba.data());
    return image;
  };
  const Image some = moving(both.chunked);
  EXPECT_LT(renderer().spheres_drawn(), 11250u);
  EXPECT_EQ(difference(some, moving(both.all)), 0u);
}

/// 64 groups of 256 spheres, so far away that each is smaller than a pixel.
TEST(Culling, DrawsAFarChunkAsOneSphereOfItsSize) {
  Spheres shape;
  for (int i = 0; i < 64; ++i)
    append(shape, cloud(256, 1, 30.0f * glm::vec3(i % 4 - 1.5f, i / 4 % 4 - 1.5f, i / 16 - 1.5f), 0.05f,
                        static_cast<unsigned>(i)));
  std::fill(shape.colours.begin(), shape.colours.end(), glm::u8vec4(255));
  const Spheres chunked = in_chunks(shape);
  ASSERT_EQ(chunked.chunks.size(), 64u);
  double some = 0, all = 0;
  const auto covered = [](const Image& image) {
    double sum = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
      const double c = image.rgba[i] / 255.0;
      sum += c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
    return sum;
  };
  Both both(chunked, 110);
  both.change([&](SceneView& view) {
    view.look.background = view.look.background_bottom = glm::vec3(0);
    auto bare = std::make_shared<DrawItem>(*view.items[0]);
    bare->lit = false;
    view.items = {bare};
    view.camera.height = 320;  // 2.7 angstrom a pixel
  });
  std::mt19937 engine(3);
  std::normal_distribution<double> any;
  for (int turn = 0; turn < 3; ++turn) {
    const glm::dquat rotation = glm::normalize(glm::dquat(any(engine), any(engine), any(engine), any(engine)));
    both.change([&](SceneView& view) { view.camera.rotation = rotation; });
    some += covered(picture(renderer(), both.chunked, 64));
    EXPECT_LE(renderer().spheres_drawn(), 64u);
    EXPECT_GT(renderer().spheres_drawn(), 20u) << "some are behind others or have no middle of a pixel";
    all += covered(picture(renderer(), both.all, 64));
  }
  EXPECT_NEAR(some / all, 1, 0.03);
  // A pick finds one of the group that is seen.
  picture(renderer(), both.chunked);
  std::size_t found = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const PickId id = renderer().pick(x, y, 0);
      if (id.object != 1) continue;
      ++found;
      const glm::vec3 centre =
          30.0f * glm::vec3(id.part / 256 % 4 - 1.5f, id.part / 1024 % 4 - 1.5f, id.part / 4096 - 1.5f);
      EXPECT_LT(glm::length(glm::vec3(id.place) - centre), 2) << id.part;
    }
  EXPECT_GT(found, 5u);
}

}  // namespace
}  // namespace isolume::test
