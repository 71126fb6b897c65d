// Movies by key frames, made by the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "app/export/picture_file.h"
#include "app/scene/movie.h"
#include "app/scene/scene_json.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

/// A session of three frames with two key frames, 0.6 s apart: from the first frame, fully turned, to the last one.
Scene write_session(const Folder& folder) {
  test::write_text(folder / "a.xyz", "2\n\nC 0 0 0\nO 1.2 0 0\n2\n\nC 0 0 0\nO 1.3 0 0\n2\n\nC 0 0 0\nO 1.4 0 0\n");
  Scene scene;
  scene.molecules.push_back({{folder / "a.xyz"}});
  Representation spheres;
  spheres.style = Style::spheres;
  scene.representations = {spheres, spheres};
  scene.representations[1].style = Style::lines;
  scene.camera.height = 8;
  scene.keys = {key_of(scene, 0), key_of(scene, 0.6)};
  scene.keys[0].easing = Easing::linear;
  scene.keys[0].representations[1].visible = false;
  scene.keys[1].camera.height = 4;
  scene.keys[1].camera.rotation = glm::angleAxis(1.0, glm::dvec3(0, 1, 0));
  scene.keys[1].frame = 2;
  write_scene(folder / "story.isolume", scene);
  return scene;
}

std::vector<std::string> words(const Folder& folder, const std::string& out) {
  return {"render",    folder / "story.isolume", "--keys", "--fps", "10", "--size", "64x48", "--samples", "1", "--out",
          folder / out};
}

std::string number(int i) {
  return std::string(i < 10 ? "000" : "00") + std::to_string(i);
}

TEST(MovieKeyFrames, PicturesAreTheSceneAtTheirTimes) {
  const Folder folder;
  const Scene scene = write_session(folder);
  auto line = words(folder, "t.png");
  line.insert(line.end(), {"--report", folder / "r.json"});
  const auto outcome = run(line);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (int i = 0; i <= 6; ++i) {
    const Scene drawn = read_origin(folder / ("t_" + number(i) + ".png")).scene;
    const Scene wanted = scene_at(scene, i / 10.0);
    EXPECT_EQ(drawn.frame, wanted.frame) << i;
    EXPECT_NEAR(drawn.camera.height, 8 * std::pow(0.5, i / 6.0), 1e-9) << i;
    EXPECT_EQ(drawn.representations[1].visible, i > 0);
    EXPECT_NEAR(static_cast<double>(drawn.representations[1].opacity), i == 0 ? 1 : i / 6.0, 1e-6) << i;
    EXPECT_TRUE(drawn.keys.empty());
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "t_0007.png"));
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["result"]["frames"], 7);
  EXPECT_EQ(report["result"]["keys"]["key_frames"], 2);
  EXPECT_EQ(report["result"]["keys"]["seconds"], 0.6);
  EXPECT_EQ(report["method"]["scene"]["keys"].size(), 2u);
}

TEST(MovieKeyFrames, ShardsAreTheWholeMovieAndAreResumed) {
  const Folder folder;
  write_session(folder);
  auto whole = words(folder, "w.png");
  whole.emplace_back("--turntable");
  ASSERT_EQ(run(whole).code, 0);
  for (const char* part : {"0:3", "3:"}) {
    auto shard = words(folder, "s.png");
    shard.insert(shard.end(), {"--turntable", "--frames", part});
    const auto outcome = run(shard);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  for (int i = 0; i <= 6; ++i)
    EXPECT_EQ(test::read_text(folder / ("w_" + number(i) + ".png")),
              test::read_text(folder / ("s_" + number(i) + ".png")))
        << i;
  // Two sevenths of a turntable on top of the key frames' own turn of two sixths.
  const Scene drawn = read_origin(folder / "w_0002.png").scene;
  const double degrees = glm::degrees(2 * std::atan2(drawn.camera.rotation.y, drawn.camera.rotation.w));
  EXPECT_NEAR(degrees, glm::degrees(1.0) / 3 + 360.0 * 2 / 7, 1e-6);
  std::filesystem::remove(folder / "s_0004.png");
  auto again = words(folder, "s.png");
  again.insert(again.end(), {"--turntable", "--resume"});
  const auto outcome = run(again);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.out + outcome.err, "6 of 7 pictures were there already");
}

class KeyedFormat : public testing::TestWithParam<const char*> {};

TEST_P(KeyedFormat, HasEveryPictureOnce) {
  const Folder folder;
  write_session(folder);
  if (std::system("ffprobe -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "ffprobe is not installed";
  const std::string movie = folder / (std::string("m.") + GetParam());
  const auto outcome = run(words(folder, std::string("m.") + GetParam()));
  for (const char* lack : {"Unknown encoder", "ffmpeg, which is not installed"})
    if (outcome.err.find(lack) != std::string::npos) GTEST_SKIP() << outcome.err;
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // No two pictures are the same, so that one that is doubled or missing changes the number of different ones.
  const std::string said = folder / "said.txt";
  ASSERT_EQ(std::system(("ffmpeg -v error -i '" + movie + "' -f framemd5 '" + said + "'").c_str()), 0);
  std::istringstream lines(test::read_text(said));
  std::set<std::string> hashes;
  int frames = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    ++frames;
    hashes.insert(line.substr(line.rfind(' ')));
  }
  EXPECT_EQ(frames, 7);
  EXPECT_EQ(hashes.size(), 7u);
}
/// The bytes of a picture as red, green and blue.
std::vector<int> pixels(const std::string& input, const std::string& out) {
  const std::string command = "ffmpeg -v error -y -i '" + input + "' -f rawvideo -pix_fmt rgb24 '" + out + "'";
  if (std::system(command.c_str()) != 0) return {};
  std::vector<int> values;
  for (const char c : test::read_text(out)) values.push_back(static_cast<unsigned char>(c));
  return values;
}

TEST_P(KeyedFormat, HasThePicturesInTheirOrder) {
  const Folder folder;
  write_session(folder);
  if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "ffmpeg is not installed";
  const std::string movie = folder / (std::string("m.") + GetParam());
  const auto outcome = run(words(folder, std::string("m.") + GetParam()));
  if (outcome.err.find("Unknown encoder") != std::string::npos) GTEST_SKIP() << outcome.err;
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_EQ(run(words(folder, "t.png")).code, 0);
  // Encoders lose detail, so that a frame is told by the picture that it is nearest to.
  const std::vector<int> all = pixels(movie, folder / "all.rgb");
  constexpr std::size_t size = 64 * 48 * 3;
  ASSERT_EQ(all.size(), 7 * size);
  std::vector<std::vector<int>> drawn;
  for (int picture = 0; picture < 7; ++picture) {
    drawn.push_back(pixels(folder / ("t_" + number(picture) + ".png"), folder / "one.rgb"));
    ASSERT_EQ(drawn.back().size(), size);
  }
  for (std::size_t frame = 0; frame < 7; ++frame) {
    std::vector<double> distances;
    for (const std::vector<int>& picture : drawn) {
      double sum = 0;
      for (std::size_t i = 0; i < size; ++i) {
        const double d = all[frame * size + i] - picture[i];
        sum += d * d;
      }
      distances.push_back(sum);
    }
    EXPECT_EQ(std::min_element(distances.begin(), distances.end()) - distances.begin(), static_cast<long>(frame));
  }
}
INSTANTIATE_TEST_SUITE_P(formats, KeyedFormat, testing::Values("mp4", "webm", "gif", "apng"),
                         [](const auto& info) { return std::string(info.param); });

TEST(MovieKeyFrames, AreRefusedWhereTheyMakeNoMovie) {
  const Folder folder;
  Scene scene = write_session(folder);
  auto timed = words(folder, "t.png");
  timed.insert(timed.end(), {"--turntable", "--seconds", "3"});
  const auto length = run(timed);
  EXPECT_EQ(length.code, 2);
  EXPECT_CONTAINS(length.err, "as long as its key frames say");
  scene.keys[1].frame = 3;
  write_scene(folder / "story.isolume", scene);
  const auto beyond = run(words(folder, "t.png"));
  EXPECT_EQ(beyond.code, 3);
  EXPECT_CONTAINS(beyond.err, "keys[1].frame: 3 is beyond the 3 frames");
  scene.keys.pop_back();
  write_scene(folder / "story.isolume", scene);
  const auto one = run(words(folder, "t.png"));
  EXPECT_EQ(one.code, 3);
  EXPECT_CONTAINS(one.err, "a movie needs two key frames, and the scene has one");
  EXPECT_FALSE(std::filesystem::exists(folder / "t.png"));
}

}  // namespace
}  // namespace isolume
