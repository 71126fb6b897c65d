// Path-traced pictures from the command line: the same shapes as the rasteriser's, replay, report, what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "compute/trace/denoise.h"
#include "render/image/image.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::operator+;
using test::read_text;
using test::run;

const std::vector<std::string> crambin = {"--size", "160x120", "--device", "cpu"};

std::vector<std::string> picture(const std::string& renderer, const std::string& out,
                                 const std::vector<std::string>& more = {}) {
  return std::vector<std::string>{"render", test::examples("crambin.pdb.gz"), "--renderer", renderer, "--out", out} +
         crambin + more;
}

/// Pixels that are covered by more than half in one picture and not in the other, and those of the first's rim.
struct Masks {
  int apart = 0, rim = 0, covered = 0;
};
Masks masks(const Image& a, const Image& b) {
  Masks result;
  const auto at = [](const Image& image, int x, int y) {
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) return false;
    return image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                           static_cast<std::size_t>(x)) +
                      3] > 127;
  };
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) {
      const bool here = at(a, x, y);
      result.covered += here;
      const auto rim = [&](const Image& image) {
        const bool own = at(image, x, y);
        return at(image, x - 1, y) != own || at(image, x + 1, y) != own || at(image, x, y - 1) != own ||
               at(image, x, y + 1) != own;
      };
      const bool edge = rim(a) || rim(b);
      result.rim += edge;
      if (here != at(b, x, y)) result.apart += edge ? 1 : 1000;  // beyond the rim none may be
    }
  return result;
}

TEST(PathPicture, CoversThePixelsThatTheRasteriserCovers) {
  const Folder folder;
  for (const std::vector<std::string>& look :
       {std::vector<std::string>{"--style", "spheres"},
        {"--style", "ball-and-stick"},
        {"--style", "cartoon"},
        {"--style", "sticks", "--set", "camera.projection=orthographic", "--clip-plane", "view:0"}}) {
    const std::vector<std::string> more =
        look + std::vector<std::string>{"--transparent", "--set", "look.depth_cue=0", "--set", "look.outlines=false"};
    const std::string raster = folder / "raster.png", path = folder / "path.png";
    const auto drawn = run(picture("raster", raster, more + std::vector<std::string>{"--samples", "16"}));
    ASSERT_EQ(drawn.code, 0) << drawn.err;
    const auto traced = run(picture("path", path, more + std::vector<std::string>{"--samples", "16"}));
    ASSERT_EQ(traced.code, 0) << traced.err;
    const Masks found = masks(read_png(raster), read_png(path));
    EXPECT_GT(found.covered, 1000) << look[1] << ": too little to compare";
    EXPECT_LT(found.apart, found.rim / 5) << look[1];
  }
}

TEST(PathPicture, IsMadeAgainByteByByteAndSaysWhatItTook) {
  const Folder folder;
  const std::string made = folder / "made.png", again = folder / "again.png", report = folder / "report.json";
  const auto outcome = run(picture("path", made, {"--surface", "gaussian", "--samples", "5", "--report", report}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const nlohmann::json json = test::read_json(report);
  EXPECT_EQ(json["method"]["renderer"], "path");
  const nlohmann::json& path = json["result"]["path_tracing"];
  EXPECT_EQ(path["samples"], 5);
  EXPECT_GE(path["rays"].get<double>(), 5 * 160 * 120);
  EXPECT_GT(path["seconds"]["total"].get<double>(), 0);
  EXPECT_GT(path["standard_error"].get<double>(), 0);
  EXPECT_LT(path["standard_error"].get<double>(), 0.2);
  EXPECT_EQ(path["device"].get<std::string>().substr(0, 3), "cpu");
  EXPECT_GT(path["bytes"].get<double>(), 160 * 120 * 28);
  EXPECT_CONTAINS(outcome.err, "path tracing on cpu");
  const auto replayed = run({"replay", made, "--out", again, "--device", "cpu", "--trust-paths"});
  ASSERT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_EQ(read_text(again), read_text(made));
}

/// What two pictures are apart: the root mean square over pixels and channels, where white is 1.
double apart(const Image& a, const Image& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.rgba.size(); ++i) {
    const double off = (static_cast<double>(a.rgba[i]) - static_cast<double>(b.rgba[i])) / 255;
    sum += off * off;
  }
  return std::sqrt(sum / static_cast<double>(a.rgba.size()));
}

TEST(PathPicture, OfACloudIsThatOfTheRasteriser) {
  const Folder folder;
  // The molecule is hidden, so that light on surfaces, which is another one, is no part of the comparison.
  for (const std::vector<std::string>& look : {std::vector<std::string>{}, {"--clip-plane", "view:0"}}) {
    const std::vector<std::string> more =
        look + std::vector<std::string>{"--surface", "potential", "--cloud",
                                        "--legends", "none",      "--samples",
                                        "16",        "--set",     "representations[0].visible=false"};
    const std::string raster = folder / "raster.png", path = folder / "path.png", empty = folder / "empty.png";
    const auto drawn = run(picture("raster", raster, more));
    ASSERT_EQ(drawn.code, 0) << drawn.err;
    const auto traced = run(picture("path", path, more));
    ASSERT_EQ(traced.code, 0) << traced.err;
    ASSERT_EQ(run(picture("raster", empty, more + std::vector<std::string>{"--set", "fields[0].opacity=0"})).code, 0);
    const Image a = read_png(raster), b = read_png(path), nothing = read_png(empty);
    ASSERT_EQ(a.rgba.size(), b.rgba.size());
    EXPECT_GT(apart(a, nothing), 0.05) << "too little to compare";
    EXPECT_LT(apart(a, b), 0.02);
  }
}

TEST(PathPicture, HasAnyNumberOfSamples) {
  const Folder folder;
  const std::string out = folder / "a.png";
  const auto raster = run(picture("raster", out, {"--samples", "5"}));
  EXPECT_EQ(raster.code, 2);
  EXPECT_CONTAINS(raster.err, "the rasteriser takes 1, 4, 9 or 16");
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(PathPicture, IsDenoisedWhereTheLibraryIsInstalled) {
  const Folder folder;
  const std::string out = folder / "a.png", again = folder / "b.png", noisy = folder / "c.png",
                    report = folder / "report.json";
  const auto raster = run(picture("raster", out, {"--denoise"}));
  EXPECT_EQ(raster.code, 2);
  EXPECT_CONTAINS(raster.err, "--denoise goes with --renderer path");
  const auto outcome = run(picture("path", out, {"--denoise", "--samples", "4", "--report", report}));
  if (!denoiser_present()) {
    EXPECT_EQ(outcome.code, 1);
    EXPECT_CONTAINS(outcome.err, "Open Image Denoise (libOpenImageDenoise.so.2) is not installed");
    EXPECT_FALSE(std::filesystem::exists(out));
    GTEST_SKIP() << denoiser_status();
  }
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "denoised by Open Image Denoise");
  const nlohmann::json json = test::read_json(report);
  EXPECT_EQ(json["result"]["path_tracing"]["denoiser"], denoiser_status());
  ASSERT_EQ(run(picture("path", noisy, {"--samples", "4"})).code, 0);
  EXPECT_NE(read_png(noisy).rgba, read_png(out).rgba);
  const auto replayed = run({"replay", out, "--out", again, "--device", "cpu", "--trust-paths", "--report", report});
  ASSERT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_EQ(test::read_json(report)["result"]["path_tracing"]["denoiser"], denoiser_status());  // the picture says so
  EXPECT_LT(apart(read_png(again), read_png(out)), 1.0 / 255);
}

}  // namespace
}  // namespace isolume
