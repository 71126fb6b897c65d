// Outlines of single things and clipping planes in the pictures of the program.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "render/image/image.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

struct Argon {
  Folder folder;
  Argon() { test::write_text(folder / "argon.xyz", "1\n\nAr 0 0 0\n"); }
  std::vector<std::string> words(std::vector<std::string> more) const {
    std::vector<std::string> all{"render",       folder / "argon.xyz",
                                 "--style",      "spheres",
                                 "--colour",     "#808080",
                                 "--background", "white",
                                 "--size",       "400x400",
                                 "--set",        "camera.projection=orthographic",
                                 "--set",        "camera.height=8",
                                 "--set",        "look.outlines=false",
                                 "--set",        "look.depth_cue=0"};
    all.insert(all.end(), more.begin(), more.end());
    all.insert(all.end(), {"--out", folder / "picture.png"});
    return all;
  }
  Image draw(std::vector<std::string> more, std::string* scene = nullptr) const {
    const auto outcome = run(words(std::move(more)));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::map<std::string, std::string> texts;
    Image image = read_png(folder / "picture.png", &texts);
    if (scene) *scene = texts["isolume-scene"];
    return image;
  }
};

template <class Wanted>
int count(const Image& image, const Wanted& wanted) {
  int n = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) n += wanted(&image.rgba[i]);
  return n;
}

TEST(OutlineOption, IsInThePictureAndInItsScene) {
  const Argon argon;
  const auto red = [](const std::uint8_t* p) { return p[0] > 250 && p[1] < 5 && p[2] < 5; };
  std::string scene;
  // A disc of 1.88 angstrom, 50 pixels each, with a ring of 4.
  const int ring = count(argon.draw({"--outline", "red:4"}, &scene), red);
  EXPECT_GT(ring, 0.7 * M_PI * (98 * 98 - 94 * 94));
  EXPECT_LT(ring, 1.1 * M_PI * (98 * 98 - 94 * 94));
  EXPECT_CONTAINS(scene, "\"width\": 4");
  EXPECT_EQ(count(argon.draw({}), red), 0);
  EXPECT_EQ(count(argon.draw({"--outline", "red:4", "--set", "representations[0].outline.mode=off"}), red), 0);
  for (const auto& wrong : {"reddish", "red:", "red:99", "red:2x"}) {
    const auto outcome = run(argon.words({"--outline", wrong}));
    EXPECT_EQ(outcome.code, 2) << wrong;
    EXPECT_CONTAINS(outcome.err, "--outline");
  }
  const auto none = run(argon.words({"--surface-outline", "red"}));
  EXPECT_EQ(none.code, 2);
  EXPECT_CONTAINS(none.err, "--surface adds one");
}

TEST(ClipPlaneOption, CutsThePicture) {
  const Argon argon;
  const auto drawn = [](const std::uint8_t* p) { return p[0] < 250; };
  const int whole = count(argon.draw({}), drawn);
  std::string scene;
  const int half = count(argon.draw({"--clip-plane", "x:0"}, &scene), drawn);
  EXPECT_NEAR(half, 0.5 * whole, 0.02 * whole);
  EXPECT_CONTAINS(scene, "clip_planes");
  EXPECT_NEAR(count(argon.draw({"--clip-plane", "x", "--clip-plane", "-y@all"}), drawn), 0.25 * whole, 0.02 * whole);
  EXPECT_EQ(count(argon.draw({"--clip-plane", "x", "--clip", "surfaces"}), drawn), whole);
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"--clip-plane", "w"}, {"--clip-plane", "a"}, {"--clip", "atoms"}, {"--clip-plane", "x@element Kr"}}) {
    const auto outcome = run(argon.words(words));
    EXPECT_EQ(outcome.code, 2) << words.back();
    EXPECT_CONTAINS(outcome.err, "clip");
  }
  std::vector<std::string> seven;
  for (int i = 0; i < 7; ++i) seven.insert(seven.end(), {"--clip-plane", "x:9"});
  EXPECT_CONTAINS(run(argon.words(seven)).err, "6 clipping planes");
}

}  // namespace
}  // namespace isolume
