// Scenes in tiles: which molecules have one, and what is drawn in it.
#include "app/view/tiling.h"
#include "app/view/scene_extent.h"
#include "app/view/usual_look.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "app/documents/documents.h"
#include "app/view/view_builder.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

class Tiling : public ::testing::Test {
 protected:
  /// A file of four atoms about a place.
  std::string file(const std::string& name, glm::dvec3 middle) {
    const std::string path = folder_ / name;
    std::ofstream out(path);
    out << "4\n\n";
    for (const glm::dvec3 d : {glm::dvec3(3, 0, 0), glm::dvec3(-3, 0, 0), glm::dvec3(0, 3, 0), glm::dvec3(0, -3, 0)})
      out << "C " << middle.x + d.x << ' ' << middle.y + d.y << ' ' << middle.z + d.z << '\n';
    return path;
  }
  Scene scene_of(const std::vector<std::string>& paths) {
    Scene scene;
    for (const std::string& path : paths) add_usual_look(scene, documents_, documents_.open({path}));
    scene.layout = Layout::tiles;
    return scene;
  }
  test::Folder folder_;
  Documents documents_;
};

TEST_F(Tiling, CamerasLookAtTheMiddleOfTheirMolecule) {
  Scene scene = scene_of({file("a.xyz", {1, 2, 3}), file("b.xyz", {101, 2, 3}), file("c.xyz", {2, 2, 3})});
  const auto tiles = tiles_of(scene, documents_);
  ASSERT_EQ(tiles.size(), 3u);
  EXPECT_EQ(tiles[0].title, "a.xyz");
  EXPECT_EQ(tiles[0].shift, glm::dvec3(0));
  EXPECT_LT(glm::distance(tiles[1].shift, glm::dvec3(100, 0, 0)), 1e-5);
  EXPECT_EQ(tiles[2].shift, glm::dvec3(0)) << "it lies on the first: seen from the same place";
  const Extent extent = scene_extent(scene, documents_);
  EXPECT_LT(extent.radius, 7) << "not as far as the second one is away";
  scene.layout = Layout::together;
  EXPECT_TRUE(tiles_of(scene, documents_).empty());
  EXPECT_GT(scene_extent(scene, documents_).radius, 50);
}

TEST_F(Tiling, WhatIsNotShownHasNoTile) {
  Scene scene = scene_of({file("a.xyz", {0, 0, 0}), file("b.xyz", {50, 0, 0}), file("c.xyz", {0, 50, 0})});
  scene.molecules[0].visible = false;
  auto tiles = tiles_of(scene, documents_);
  ASSERT_EQ(tiles.size(), 2u);
  EXPECT_EQ(tiles[0].molecule, 1u);
  for (Representation& representation : scene.representations)
    if (representation.molecule == 2) representation.visible = false;
  EXPECT_TRUE(tiles_of(scene, documents_).empty()) << "one alone is the whole picture";
}

TEST_F(Tiling, EveryTileHasWhatBelongsToItsMolecule) {
  Scene scene = scene_of({file("a.xyz", {0, 0, 0}), file("b.xyz", {50, 0, 0})});
  scene.measurements.push_back({{{0, 0}, {0, 1}}});
  scene.measurements.push_back({{{0, 0}, {1, 1}}});
  scene.tile_columns = 1;
  ViewBuilder builder(documents_);
  const SceneView view = builder.build(scene, {});
  ASSERT_EQ(view.tiles.size(), 2u);
  EXPECT_EQ(view.tile_columns, 1);
  EXPECT_EQ(view.labels.size(), 2u);
  EXPECT_EQ(view.tiles[0].labels.size(), 1u) << "what is measured between molecules is in no tile";
  EXPECT_TRUE(view.tiles[1].labels.empty());
  for (const SceneView& tile : view.tiles) {
    EXPECT_FALSE(tile.items.empty());
    for (const auto& item : tile.items) {
      EXPECT_TRUE(item->object == 0 || item->object == tile.object);
      EXPECT_NE(std::find(view.items.begin(), view.items.end(), item), view.items.end()) << "items are shared";
    }
    EXPECT_LT(glm::distance(tile.centre, glm::dvec3(tile.object == 1 ? 0 : 50, 0, 0)), 1e-4);
  }
}

}  // namespace
}  // namespace isolume
