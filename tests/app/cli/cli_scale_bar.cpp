// Scale bars and filled cuts in the pictures of the program.
#include <gtest/gtest.h>

#include <cmath>

#include "render/image/image.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

/// Pixels of a colour, and from the first to the last of them in a row.
template <class Wanted>
int count(const Image& image, const Wanted& wanted) {
  int n = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) n += wanted(&image.rgba[i]);
  return n;
}

TEST(ScaleBarOption, IsInThePictureAndInItsScene) {
  const Folder folder;
  test::write_text(folder / "argon.xyz", "1\n\nAr 0 0 0\n");
  const auto draw = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"render",       folder / "argon.xyz",
                                   "--style",      "spheres",
                                   "--colour",     "red",
                                   "--background", "white",
                                   "--size",       "1000x500",
                                   "--set",        "camera.projection=orthographic",
                                   "--set",        "camera.height=50"};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--out", folder / "picture.png"});
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_png(folder / "picture.png");
  };
  // Ten pixels for an angstrom: 20 angstrom in the row 11 pixels above the lower edge.
  const auto black = [](const Image& image) {
    int n = 0;
    for (int x = 0; x < image.width; ++x) {
      const auto* p =
          &image.rgba[4 * (static_cast<std::size_t>(image.height - 11) * static_cast<std::size_t>(image.width) +
                           static_cast<std::size_t>(x))];
      n += p[0] == 0 && p[1] == 0 && p[2] == 0;
    }
    return n;
  };
  EXPECT_EQ(black(draw({"--scale-bar"})), 200);
  EXPECT_EQ(black(draw({"--scale-bar", "nm"})), 200) << "2 nm";
  std::map<std::string, std::string> texts;
  read_png(folder / "picture.png", &texts);
  EXPECT_CONTAINS(texts["isolume-scene"], "\"scale_bar\": \"nm\"");
  EXPECT_EQ(black(draw({})), 0);
  const auto wrong = run({"render", folder / "argon.xyz", "--scale-bar", "inch", "--out", folder / "b.png"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_CONTAINS(wrong.err, "angstrom");
}

TEST(Caps, TheCutThroughASurfaceOfAtomsHasItsColour) {
  const Folder folder;
  test::write_text(folder / "argon.xyz", "1\n\nAr 0 0 0\n");
  const auto orange = [](const std::uint8_t* p) {
    return std::abs(p[0] - 230) <= 1 && std::abs(p[1] - 159) <= 1 && p[2] <= 1;
  };
  const auto draw = [&](const std::string& caps) {
    const auto outcome = run({"render",       folder / "argon.xyz",
                              "--surface",    "vdw",
                              "--background", "white",
                              "--size",       "400x400",
                              "--set",        "camera.projection=orthographic",
                              "--set",        "camera.height=8",
                              "--set",        "camera.centre=[0,0,0]",
                              "--set",        "fields[0].colouring=uniform",
                              "--set",        "fields[0].colour=\"#e69f00\"",
                              "--set",        "fields[0].opacity=1",
                              "--set",        "look.depth_cue=0",
                              "--set",        "camera.slab_front=5",
                              "--set",        "representations[0].visible=false",
                              "--set",        "look.caps=" + caps,
                              "--out",        folder / "cut.png"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return count(read_png(folder / "cut.png"), orange);
  };
  // Argon's radius is 1.88 angstrom, of 50 pixels each; the cut is no further than 0.6 angstrom from the centre
  // (planes are counted from the sphere around the scene, which has some room).
  const double whole = 3.14159265 * 94 * 94, least = 3.14159265 * (94 * 94 - 30 * 30);
  const int filled = draw("true");
  EXPECT_GT(filled, 0.9 * least);
  EXPECT_LT(filled, whole);
  EXPECT_LT(draw("false"), 0.1 * least);
}

}  // namespace
}  // namespace isolume
