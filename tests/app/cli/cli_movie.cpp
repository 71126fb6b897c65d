// Movies in which the camera moves: turntables and rocks, of one structure and of trajectories.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "app/export/picture_file.h"
#include "app/view/camera_motion.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

const std::string three_frames = "2\n\nC 0 0 0\nO 1.2 0 0\n2\n\nC 0 0 0\nO 1.3 0 0\n2\n\nC 0 0 0\nO 1.4 0 0\n";

/// Degrees about the vertical axis of the first picture by which a picture is turned, -180 to 180.
double turned(const Camera& from, const Camera& to) {
  const glm::dquat turn = to.rotation * glm::conjugate(from.rotation);
  EXPECT_NEAR(turn.x, 0, 1e-9);
  EXPECT_NEAR(turn.z, 0, 1e-9);
  const double degrees = glm::degrees(2 * std::atan2(turn.y, turn.w));
  return degrees > 180 ? degrees - 360 : degrees <= -180 ? degrees + 360 : degrees;
}

TEST(CameraMotion, ATurntableTurnsOnceAndARockComesBack) {
  Camera camera;
  camera.rotation = glm::normalize(glm::dquat(0.8, 0.1, -0.3, 0.5));
  CameraMotion motion{CameraMotion::Kind::turntable};
  EXPECT_NEAR(turned(camera, moved(camera, motion, 0.25)), 90, 1e-9) << "the front goes to the right";
  EXPECT_NEAR(turned(camera, moved(camera, motion, 0.75)), -90, 1e-9);
  EXPECT_NEAR(turned(camera, moved(camera, motion, 1)), 0, 1e-9);
  motion.left = true;
  EXPECT_NEAR(turned(camera, moved(camera, motion, 0.25)), -90, 1e-9);
  motion = {CameraMotion::Kind::rock, 40};
  EXPECT_NEAR(turned(camera, moved(camera, motion, 0.25)), 40, 1e-9);
  EXPECT_NEAR(turned(camera, moved(camera, motion, 0.5)), 0, 1e-9);
  EXPECT_NEAR(turned(camera, moved(camera, motion, 0.75)), -40, 1e-9);
  EXPECT_EQ(moved(camera, motion, 0.3).centre, camera.centre);
  EXPECT_EQ(moved(camera, {}, 0.3), camera);
  // The front, which is nearest to the eye, is at +z of the camera; to the right is +x.
  Camera plain;
  const glm::dvec3 front = moved(plain, {CameraMotion::Kind::turntable}, 0.05).rotation * glm::dvec3(0, 0, 1);
  EXPECT_GT(front.x, 0);
}

TEST(CameraMotion, PicturesAreThoseOfTheFramesOrOfTheSeconds) {
  const CameraMotion still, turn{CameraMotion::Kind::turntable}, rock{CameraMotion::Kind::rock};
  EXPECT_EQ(movie_pictures({4, 5, 6}, still, 10).size(), 3u);
  EXPECT_EQ(movie_pictures({4}, turn, 10).size(), 60u);
  EXPECT_EQ(movie_pictures({4}, rock, 10).size(), 40u);
  const auto spread = movie_pictures({4, 5, 6}, turn, 10);
  ASSERT_EQ(spread.size(), 3u);
  EXPECT_EQ(spread[2].frame, 6u);
  EXPECT_DOUBLE_EQ(spread[2].part, 2.0 / 3) << "the turn ends one picture before it is where it began";
  CameraMotion timed = turn;
  timed.seconds = 0.6;
  const auto shots = movie_pictures({4, 5, 6}, timed, 10);
  ASSERT_EQ(shots.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(shots[i].frame, 4 + i / 2) << i;
}

TEST(Movie, OfOneStructureTurns) {
  const Folder folder;
  std::filesystem::copy_file(test::examples("crambin.pdb.gz"), folder / "crambin.pdb.gz");
  const auto outcome =
      run({"render", folder / "crambin.pdb.gz", "--turntable", "--seconds", "1", "--fps", "4", "--direction", "left",
           "--size", "64x48", "--samples", "1", "--out", folder / "t.png", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Camera first = read_origin(folder / "t_0000.png").scene.camera;
  for (int i = 1; i < 4; ++i) {
    const Scene scene = read_origin(folder / ("t_000" + std::to_string(i) + ".png")).scene;
    EXPECT_NEAR(std::remainder(turned(first, scene.camera) + 90 * i, 360), 0, 1e-6) << i;
    EXPECT_EQ(scene.camera.height, first.height);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "t_0004.png"));
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["result"]["frames"], 4);
  EXPECT_EQ(report["result"]["motion"]["kind"], "turntable");
  EXPECT_EQ(report["result"]["motion"]["direction"], "left");
}

TEST(Movie, OfATrajectoryTurnsWithItsFrames) {
  const Folder folder;
  test::write_text(folder / "a.xyz", three_frames);
  const std::vector<std::string> words{"render", folder / "a.xyz", "--frames",  ":", "--rock", "20",
                                       "--size", "64x48",          "--samples", "1", "--out",  folder / "t.png"};
  const auto outcome = run(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Camera first = read_origin(folder / "t_0000.png").scene.camera;
  for (std::size_t i = 0; i < 3; ++i) {
    const Scene scene = read_origin(folder / ("t_000" + std::to_string(i) + ".png")).scene;
    EXPECT_EQ(scene.frame, i);
    EXPECT_NEAR(turned(first, scene.camera), 20 * std::sin(2 * M_PI * static_cast<double>(i) / 3), 1e-6);
  }
}

class MovieFormat : public testing::TestWithParam<const char*> {};

TEST_P(MovieFormat, HasEveryFrameOnce) {
  const Folder folder;
  std::string frames;
  for (int i = 0; i < 7; ++i) frames += "2\n\nC 0 0 0\nO 1." + std::to_string(i) + " 0 0\n";
  test::write_text(folder / "a.xyz", frames);
  const std::string movie = folder / (std::string("a.") + GetParam());
  if (std::system("ffprobe -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "ffprobe is not installed";
  const auto outcome = run({"render", folder / "a.xyz", "--frames", ":", "--fps", "10", "--size", "63x47", "--samples",
                            "1", "--device", "cpu", "--out", movie});
  for (const char* lack : {"Unknown encoder", "ffmpeg, which is not installed"})
    if (outcome.err.find(lack) != std::string::npos) GTEST_SKIP() << outcome.err;
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string said = folder / "said.txt";
  ASSERT_EQ(std::system(("ffprobe -v error -select_streams v -count_frames -show_entries "
                         "stream=codec_name,width,height,nb_read_frames,r_frame_rate -of default=nw=1 '" +
                         movie + "' > '" + said + "'")
                            .c_str()),
            0);
  const std::string text = test::read_text(said);
  EXPECT_CONTAINS(text, "nb_read_frames=7\n");
  EXPECT_CONTAINS(text, "r_frame_rate=10/1\n");
  const std::string format = GetParam();
  const bool even = format == "mp4" || format == "webm";
  EXPECT_CONTAINS(text, even ? "width=64\nheight=48\n" : "width=63\nheight=47\n");
  const std::map<std::string, std::string> codecs{{"mp4", "h264"}, {"webm", "vp9"}, {"gif", "gif"}, {"apng", "apng"}};
  EXPECT_CONTAINS(text, "codec_name=" + codecs.at(format) + "\n");
}
INSTANTIATE_TEST_SUITE_P(formats, MovieFormat, testing::Values("mp4", "webm", "gif", "apng"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Movie, OfAGifIsNotFasterThanViewersShowIt) {
  const Folder folder;
  test::write_text(folder / "a.xyz", three_frames);
  const auto outcome = run({"render", folder / "a.xyz", "--fps", "60", "--out", folder / "a.gif"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.err, "at most 50 frames per second");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.gif"));
}

TEST(Movie, IsWrittenAndWrongOptionsAreNot) {
  const Folder folder;
  test::write_text(folder / "a.xyz", "2\n\nC 0 0 0\nO 1.2 0 0\n");
  std::vector<std::string> words{"render", folder / "a.xyz", "--seconds", "1",     "--size",
                                 "64x48",  "--samples",      "1",         "--out", folder / "a.mp4"};
  const auto alone = run(words);
  EXPECT_EQ(alone.code, 2);
  EXPECT_CONTAINS(alone.err, "--seconds is of --turntable or --rock");
  words.emplace_back("--turntable");
  const auto outcome = run(words);
  if (outcome.err.find("ffmpeg, which is not installed") != std::string::npos) GTEST_SKIP() << "no ffmpeg";
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(test::read_text(folder / "a.mp4").substr(4, 4), "ftyp");
  words.insert(words.end(), {"--rock", "10"});
  EXPECT_EQ(run(words).code, 2) << "either of them";
}

/// A program that shows the pictures' progress, as the window, reads it in lines.
TEST(Cli, ProgressIsLinesWhereTheyAreAskedFor) {
  const Folder folder;
  test::write_text(folder / "run.xyz", three_frames);
  const std::string command =
      "\"$ISOLUME\" render " + (folder / "run.xyz") + " --frames 0:3 --size 64x48 --out " + (folder / "picture.png");
  const test::Outcome plain = test::shell(folder, command),
                      lines = test::shell(folder, "ISOLUME_PROGRESS=lines " + command);
  ASSERT_EQ(plain.code, 0) << plain.err;
  ASSERT_EQ(lines.code, 0) << lines.err;
  EXPECT_EQ(plain.err.find("progress:"), std::string::npos) << plain.err;
  std::vector<int> shares;
  for (std::size_t at = lines.err.find("progress: "); at != std::string::npos;
       at = lines.err.find("progress: ", at + 1))
    shares.push_back(
        static_cast<int>(test::numbers(lines.err.substr(at + 10, lines.err.find('\n', at) - at - 10)).front()));
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  for (const int part : {33, 66, 100}) EXPECT_EQ(std::count(shares.begin(), shares.end(), part), 1) << lines.err;
}

}  // namespace
}  // namespace isolume
