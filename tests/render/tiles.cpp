// Pictures in tiles: where they lie, and that each is the picture of its own view.
#include "render/tiles.h"

#include <epoxy/gl.h>

#include <cmath>

#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

TEST(Tiles, HaveOneSizeAndFillThePicture) {
  const TileGrid two = TileGrid::of(2, 0, 402, 200, 1);
  EXPECT_EQ(two.columns, 2);
  EXPECT_EQ(two.width, 200);
  EXPECT_EQ(two.corner(1), glm::ivec2(202, 0));
  EXPECT_EQ(TileGrid::of(2, 0, 200, 402, 1).columns, 1) << "above each other in a high picture";
  EXPECT_EQ(TileGrid::of(4, 0, 400, 400, 1).columns, 2);
  const TileGrid five = TileGrid::of(5, 3, 604, 402, 1);
  EXPECT_EQ(five.rows, 2);
  EXPECT_EQ(five.corner(4), glm::ivec2(202, 202));
  EXPECT_EQ(TileGrid::of(2, 9, 400, 400, 1).columns, 2) << "no more columns than tiles";
  EXPECT_EQ(TileGrid::of(1, 0, 300, 200, 2).width, 300);
  for (int i = 0; i < 5; ++i) {
    const glm::ivec2 corner = five.corner(i);
    EXPECT_EQ(five.at(corner.x, corner.y, 5), i);
    EXPECT_EQ(five.at(corner.x + five.width - 0.5, corner.y + five.height - 0.5, 5), i);
  }
  EXPECT_EQ(five.at(599, 399, 5), 4) << "beside the last one";
  EXPECT_EQ(five.at(-20, -20, 5), 0);
}

SceneView tiled() {
  const glm::u8vec4 red(200, 30, 30, 255), blue(30, 30, 200, 255);
  SceneView whole =
      scene({item(Spheres{{{0, 0, 0, 3}}, {red}, {7}}, 1), item(Spheres{{{50, 0, 0, 3}}, {blue}, {9}}, 2)});
  for (int i = 0; i < 2; ++i) {
    SceneView tile = scene({whole.items[static_cast<std::size_t>(i)]});
    tile.object = static_cast<std::uint32_t>(i) + 1;
    tile.camera_shift = glm::dvec3(50 * i, 0, 0);
    tile.centre = tile.camera_shift;
    tile.radius = 4;
    whole.tiles.push_back(tile);
  }
  whole.camera.centre = {1, 0, 0};
  whole.camera.height = 12;
  return whole;
}

TEST(Tiles, PicturesTellHowFarTheyAre) {
  renderer();  // the context is current
  TiledRenderer tiles;
  std::vector<double> told;
  tiles.set_progress([&told](double part) { told.push_back(part); });
  tiles.picture(tiled(), {.width = 202, .height = 100, .samples = 4});
  ASSERT_EQ(told.size(), 8u) << "two tiles of four samples";
  for (std::size_t i = 0; i < told.size(); ++i) EXPECT_DOUBLE_EQ(told[i], (static_cast<double>(i) + 1) / 8);
  told.clear();
  SceneView alone = tiled();
  alone.tiles.clear();
  tiles.picture(alone, {.width = 200, .height = 100, .samples = 1, .largest_tile = 100});
  ASSERT_FALSE(told.empty());
  EXPECT_DOUBLE_EQ(told.back(), 1);
  told.clear();
  tiles.set_progress({});
  tiles.picture(alone, {.width = 20, .height = 10});
  EXPECT_TRUE(told.empty());
}

TEST(Tiles, EachIsThePictureOfItsView) {
  const SceneView whole = tiled();
  renderer();  // the context is current
  TiledRenderer tiles;
  const PictureOptions options{.width = 202, .height = 100, .samples = 4};
  Image picture = tiles.picture(whole, options);
  ASSERT_EQ(picture.width, 202);
  int compared = 0;
  on_tiles(picture, whole, 1, [&](Image& part, const SceneView& view, std::size_t tile) {
    const Image alone = renderer().picture(tile_view(whole, tile), {.width = 100, .height = 100, .samples = 4});
    EXPECT_EQ(part.rgba, alone.rgba) << tile;
    EXPECT_EQ(view.camera.centre, whole.camera.centre + whole.tiles[tile].camera_shift);
    ++compared;
  });
  EXPECT_EQ(compared, 2);
  // The same shape at the same place in both, in the colour of each: one camera.
  const auto pixel = [&](int x, int y) { return &picture.rgba[static_cast<std::size_t>(4 * (y * 202 + x))]; };
  int lit = 0;
  for (int x = 0; x < 100; ++x) {
    const std::uint8_t *left = pixel(x, 50), *right = pixel(x + 102, 50);
    const bool red = left[0] > 60 && left[2]<0.5 * left[0], blue = right[2]> 60 && right[0] < 0.5 * right[2];
    EXPECT_EQ(red, blue) << x;
    lit += red;
  }
  EXPECT_NEAR(lit, 50, 2) << "a ball 6 across in a picture that is 12 high and 100 pixels wide";
  // Between them is a line of two pixels in its own colour, all the way down.
  const glm::vec3 line = tile_line_colour(whole.look);
  for (int y = 0; y < 100; ++y)
    for (const int x : {100, 101})
      for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(pixel(x, y)[c], std::lround(255 * line[c])) << x << ' ' << y;
        EXPECT_GT(std::abs(pixel(x, y)[c] - pixel(5, y)[c]), 20) << "apart from the background beside it";
      }
}

TEST(Tiles, StayWithinAPictureThatIsTooSmallForThem) {
  SceneView whole = tiled();
  while (whole.tiles.size() < 30) whole.tiles.push_back(whole.tiles[whole.tiles.size() % 2]);
  whole.tile_columns = 1;
  renderer();
  TiledRenderer tiles;
  const PictureOptions options{.width = 64, .height = 64, .samples = 1};
  const Image picture = tiles.picture(whole, options);  // under a sanitizer, nothing is written beyond it
  EXPECT_EQ(picture.width, 64);
  EXPECT_EQ(picture.height, 64);
  ASSERT_EQ(picture.rgba.size(), 4u * 64 * 64);
  // What is of a tile and what is between them stay apart to the last row.
  const TileGrid grid = TileGrid::of(30, 1, 64, 64, 1);
  const glm::vec3 line = tile_line_colour(whole.look);
  for (int y = 0; y < 64; ++y) {
    const bool between = y % (grid.height + grid.gap) >= grid.height;
    EXPECT_EQ(picture.rgba[static_cast<std::size_t>(4 * 64 * y)] == std::lround(255 * line.r), between) << y;
  }
  whole.tile_columns = 30;
  EXPECT_EQ(tiles.picture(whole, options).rgba.size(), 4u * 64 * 64);
}

TEST(Tiles, ShareTheirPrograms) {
  renderer();
  const auto programs = [] {
    int count = 0;
    for (unsigned name = 1; name < 4096; ++name) count += glIsProgram(name) == GL_TRUE;
    return count;
  };
  const PictureOptions options{.width = 202, .height = 100, .samples = 1};
  SceneView whole = tiled();
  const int before = programs();
  TiledRenderer tiles;
  (void)tiles.picture(whole, options);
  const int of_two = programs();
  EXPECT_GT(of_two, before);
  while (whole.tiles.size() < 7) whole.tiles.push_back(whole.tiles[whole.tiles.size() % 2]);
  (void)tiles.picture(whole, options);
  EXPECT_EQ(programs(), of_two) << "none is compiled again for another tile";
}

TEST(Tiles, APictureWithoutTilesIsThatOfTheRenderer) {
  SceneView whole = tiled();
  whole.tiles.clear();
  renderer();
  TiledRenderer tiles;
  const PictureOptions options{.width = 120, .height = 80, .samples = 4};
  EXPECT_EQ(tiles.picture(whole, options).rgba, renderer().picture(whole, options).rgba);
}

TEST(ColourVision, KeepsGreysAndMixesRedAndGreen) {
  for (const ColourVision vision : {ColourVision::full, ColourVision::protanopia, ColourVision::deuteranopia,
                                    ColourVision::tritanopia, ColourVision::grey})
    for (const float v : {0.0f, 0.3f, 1.0f}) {
      const glm::vec3 seen = seen_colour(glm::vec3(v), vision);
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(seen[c], v, 2e-3f) << static_cast<int>(vision);
    }
  const glm::vec3 red(0.8f, 0.2f, 0.2f), green(0.45f, 0.45f, 0.2f);
  const auto apart = [&](ColourVision vision) {
    return glm::distance(seen_colour(red, vision), seen_colour(green, vision));
  };
  EXPECT_LT(apart(ColourVision::deuteranopia), 0.5f * apart(ColourVision::full));
  EXPECT_GT(apart(ColourVision::tritanopia), 0.5f * apart(ColourVision::full));
  const glm::vec3 grey = seen_colour(red, ColourVision::grey);
  EXPECT_FLOAT_EQ(grey.r, grey.g);
  EXPECT_FLOAT_EQ(grey.g, grey.b);
}

}  // namespace
}  // namespace isolume::test
