// Scenes as MolViewSpec files and back, by the program.
#include <gtest/gtest.h>

#include "render/image/image.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;
using test::Folder;
using test::run;

/// All nodes of a kind.
void nodes(const nlohmann::json& node, const std::string& kind, std::vector<nlohmann::json>& found) {
  if (node.at("kind") == kind) found.push_back(node);
  if (node.contains("children"))
    for (const auto& child : node["children"]) nodes(child, kind, found);
}
std::vector<nlohmann::json> nodes(const std::string& path, const std::string& kind) {
  std::vector<nlohmann::json> found;
  nodes(test::read_json(path).at("root"), kind, found);
  return found;
}

class MolViewSpecFiles : public testing::Test {
 protected:
  void SetUp() override { fs::copy_file(test::data("formats/sample.cif"), folder_ / "in.cif"); }
  Folder folder_;
};

TEST_F(MolViewSpecFiles, ASceneIsWrittenAndReadAgain) {
  const std::string out = folder_ / "view.mvsj";
  const auto outcome = run({"render", folder_ / "in.cif", "--style", "spheres", "--select", "resname CYS and name SG",
                            "--colour", "#ff8000", "--background", "#102030", "--set", "camera.height=40", "--set",
                            "camera.centre=[1,2,3]", "--report", folder_ / "r.json", "--out", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(nodes(out, "download")[0]["params"]["url"], "in.cif");
  EXPECT_EQ(nodes(out, "parse")[0]["params"]["format"], "mmcif");
  EXPECT_EQ(nodes(out, "structure")[0]["params"]["model_index"], 0);
  // Both residues have further atoms, so that each SG is named.
  const auto selector = nodes(out, "component")[0]["params"]["selector"];
  ASSERT_EQ(selector.size(), 2u) << selector;
  EXPECT_EQ(selector[0], (nlohmann::json{{"auth_asym_id", "A"}, {"auth_seq_id", 1}, {"auth_atom_id", "SG"}}));
  EXPECT_EQ(selector[1], (nlohmann::json{{"auth_asym_id", "A"}, {"beg_auth_seq_id", 2}, {"end_auth_seq_id", 2}}));
  EXPECT_EQ(nodes(out, "representation")[0]["params"]["type"], "spacefill");
  EXPECT_EQ(nodes(out, "color")[0]["params"]["color"], "#ff8000");
  EXPECT_EQ(nodes(out, "canvas")[0]["params"]["background_color"], "#102030");
  EXPECT_EQ(nodes(out, "camera")[0]["params"]["target"], (nlohmann::json{1.0, 2.0, 3.0}));
  EXPECT_CONTAINS(outcome.err, "MolViewSpec has no place for: lights, shadows and outlines");
  EXPECT_FALSE(test::read_json(folder_ / "r.json")["result"]["left_out"].empty());

  const auto info = run({"info", out, "--json"});
  ASSERT_EQ(info.code, 0) << info.err;
  const auto scene = nlohmann::json::parse(info.out);
  EXPECT_EQ(scene["representations"][0]["style"], "spheres");
  EXPECT_NEAR(scene["camera"]["height"].get<double>(), 40, 1e-9);
  EXPECT_EQ(scene["look"]["background"], "#102030");
  EXPECT_EQ(scene["representations"][0]["selection"],
            "((chain 'A' and name 'SG' and resid >= 1 and resid <= 1) or (chain 'A' and resid >= 2 and resid <= 2))");
}

TEST_F(MolViewSpecFiles, AViewIsDrawnWithAndWithoutACamera) {
  const std::string plain =
      R"({"kind": "single", "root": {"kind": "root", "children": [{"kind": "download", "params": {"url": "in.cif"},
      "children": [{"kind": "parse", "params": {"format": "mmcif"}, "children": [{"kind": "structure",
      "params": {"type": "model"}, "children": [{"kind": "component", "params": {"selector": "all"}, "children": [
      {"kind": "representation", "params": {"type": "spacefill"}, "children": [
      {"kind": "color", "params": {"color": "red"}}]}, {"kind": "tooltip"}]}]}]}]}]}})";
  test::write_text(folder_ / "view.mvsj", plain);
  const auto outcome = run({"render", folder_ / "view.mvsj", "--size", "64x64", "--samples", "1", "--device", "cpu",
                            "--out", folder_ / "a.png"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "note: MolViewSpec: nodes of the kind 'tooltip' are left out");
  const Image image = read_png(folder_ / "a.png");
  int red = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) red += image.rgba[i] > image.rgba[i + 1] + 100;
  EXPECT_GT(red, 200) << "all is in the picture";
}

TEST_F(MolViewSpecFiles, FilesOutsideTheFolderNeedTrust) {
  fs::create_directory(folder_ / "views");
  const std::string out = folder_ / "views/view.mvsj";
  ASSERT_EQ(run({"render", folder_ / "in.cif", "--out", out}).code, 0);
  EXPECT_TRUE(nodes(out, "download")[0]["params"]["url"].get<std::string>().starts_with("file:///"));
  const auto refused = run({"render", out, "--size", "64x64", "--out", folder_ / "a.png", "--device", "cpu"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_CONTAINS(refused.err, "--trust-paths opens them");
  EXPECT_EQ(
      run({"render", out, "--size", "64x64", "--trust-paths", "--out", folder_ / "a.png", "--device", "cpu"}).code, 0);
}

}  // namespace
}  // namespace isolume
