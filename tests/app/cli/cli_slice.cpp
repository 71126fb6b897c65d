// Slices on the command line, in pictures and as meshes; and densities on every device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/scene/scene_json.h"
#include "formats/read.h"
#include "render/image/image.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

const std::string water = test::data("H2O-631Gd-cart.molden");

struct Colours {
  std::size_t blue = 0, orange = 0;
};

Colours colours_of(const std::string& picture) {
  const Image image = read_png(picture);
  Colours found;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    found.blue += image.rgba[i + 2] > image.rgba[i] + 50;
    found.orange += image.rgba[i] > image.rgba[i + 2] + 90 && image.rgba[i + 1] > image.rgba[i + 2] + 30;
  }
  return found;
}

TEST(Slice, IsDrawnInAPictureThatCarriesIt) {
  const Folder folder;
  const std::vector<std::string> usual{"--size", "160x120", "--samples", "1", "--quiet"};
  const auto draw = [&](const std::string& orbital, const std::string& slice, const std::string& out) {
    std::vector<std::string> words{"render", water, "--orbital", orbital, "--slice", slice, "--out", out};
    words.insert(words.end(), usual.begin(), usual.end());
    words.insert(words.end(), {"--set", "representations[0].visible=false", "--report", folder / "r.json"});
    return run(words);
  };
  // The HOMO of water has its node in the plane of the atoms; the orbital below has both phases there.
  const auto nodal = draw("homo", "all", folder / "node.png");
  ASSERT_EQ(nodal.code, 0) << nodal.err;
  EXPECT_EQ(colours_of(folder / "node.png").blue, 0u);
  EXPECT_EQ(colours_of(folder / "node.png").orange, 0u);
  const auto lower = draw("homo-1", "all", folder / "a.png");
  ASSERT_EQ(lower.code, 0) << lower.err;
  EXPECT_GT(colours_of(folder / "a.png").blue, 100u);
  EXPECT_GT(colours_of(folder / "a.png").orange, 100u);
  const auto report = test::read_json(folder / "r.json");
  EXPECT_CONTAINS(report["result"]["fields"][0]["summary"].get<std::string>(), "plane through all");
  EXPECT_EQ(report["result"]["fields"][0]["legend"]["upper"], 0.1);
  EXPECT_EQ(report["method"]["scene"]["fields"][0]["slice"]["plane"], "atoms");
  ASSERT_EQ(run({"replay", folder / "a.png", "--out", folder / "b.png", "--quiet", "--trust-paths"}).code, 0);
  EXPECT_EQ(read_png(folder / "a.png").rgba, read_png(folder / "b.png").rgba);
}

TEST(Slice, OfAnOrbitalIsAMeshWithItsValues) {
  const Folder folder;
  const auto outcome = run({"compute", "orbital", water, "--orbital", "homo-1", "--slice", "x:0.1", "--range", "0.2",
                            "--out", folder / "s.ply", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(test::read_text(folder / "s.ply").substr(0, 2000), "property uchar red");
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["result"]["slice"]["upper"], 0.2);
  EXPECT_CONTAINS(report["result"]["slice"]["plane"].get<std::string>(), "plane across x, 0.1 angstrom");
  EXPECT_EQ(report["grid"]["counts"][0], 1);
  const double largest =
      std::max(-report["result"]["minimum"].get<double>(), report["result"]["maximum"].get<double>());
  EXPECT_GT(largest, 0.1);
  EXPECT_GT(report["error"]["points"], 100);
  EXPECT_LT(report["error"]["max"].get<double>(), 1e-6 * largest);
}

TEST(Slice, RefusesWhatMakesNoSense) {
  const Folder folder;
  const auto complaint = [&](std::vector<std::string> words) {
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    return outcome.err;
  };
  const std::string ply = folder / "s.ply";
  EXPECT_CONTAINS(complaint({"compute", "orbital", water, "--slice", "z:near", "--out", ply}), "a number of angstrom");
  EXPECT_CONTAINS(complaint({"compute", "orbital", water, "--slice", "index 0 1", "--out", ply}), "three make a plane");
  EXPECT_CONTAINS(complaint({"compute", "orbital", water, "--slice", "z:90", "--out", ply}), "passes the orbital by");
  EXPECT_CONTAINS(complaint({"compute", "orbital", water, "--slice", "z", "--points", "100", "--out", ply}), "--slice");
  EXPECT_CONTAINS(complaint({"compute", "orbital", water, "--slice", "z", "--out", folder / "s.cube"}), "ply");
  EXPECT_CONTAINS(complaint({"compute", "orbital", water, "--range", "2", "--out", folder / "s.cube"}), "--slice");
  EXPECT_CONTAINS(complaint({"render", test::data("formats/sample.pdb"), "--slice", "z", "--out", folder / "s.png"}),
                  "the scene shows none");
}

// Electron density, spin density and a difference, on each device of the machine, which the report names.
TEST(DensityOnDevices, IsTheSame) {
  const Folder folder;
  const auto listed = run({"devices", "--json"});
  ASSERT_EQ(listed.code, 0) << listed.err;
  std::vector<std::string> devices{"cpu"};
  const auto report = nlohmann::json::parse(listed.out);
  for (const auto& device : report["devices"]) {
    const auto name = device["name"].get<std::string>();
    if (device["usable"].get<bool>() && name != "cpu") devices.push_back(name);
  }
  const std::vector<std::vector<std::string>> kinds{
      {}, {"--kind", "spin"}, {"--orbitals", "lumo", "--minus-orbitals", "homo"}};
  for (const auto& kind : kinds) {
    std::vector<float> first;
    for (const std::string& device : devices) {
      std::vector<std::string> words{"compute", "density", water,           "--spacing", "0.25",           "--device",
                                     device,    "--out",   folder / "d.dx", "--report",  folder / "r.json"};
      words.insert(words.end(), kind.begin(), kind.end());
      const auto outcome = run(words);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      const auto report = test::read_json(folder / "r.json");
      EXPECT_EQ(report["device"]["kind"], device == "cpu" ? "cpu" : "cuda");
      EXPECT_CONTAINS(outcome.err + outcome.out, "points on " + device);
      EXPECT_LE(report["error"]["relative"].get<double>(), 1e-6);
      const std::vector<float> values = read_file(folder / "d.dx").volumes.at(0)->values;
      if (first.empty()) first = values;
      double largest = 0;
      for (const float value : first) largest = std::max(largest, std::abs(double{value}));
      ASSERT_EQ(values.size(), first.size());
      for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], first[i], 2e-6 * largest + 1e-9);
    }
  }
}

}  // namespace
}  // namespace isolume
