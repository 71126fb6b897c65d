// What scenes become for the renderer: what equal representations share.
#include "app/view/view_builder.h"

#include <gtest/gtest.h>

#include "app/documents/documents.h"
#include "app/view/usual_look.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

Scene scene_of_spheres(Documents& documents, const test::Folder& folder) {
  test::write_text(folder / "a.xyz", "3\n\nC 0 0 0\nO 3 0 0\nN 0 3 0\n");
  Scene scene;
  add_usual_look(scene, documents, documents.open({folder / "a.xyz"}));
  scene.representations.resize(1);
  scene.representations[0].style = Style::spheres;
  return scene;
}

TEST(ViewBuilder, EqualRepresentationsShareTheirItems) {
  const test::Folder folder;
  Documents documents;
  Scene scene = scene_of_spheres(documents, folder);
  ViewBuilder builder(documents);
  ASSERT_EQ(builder.build(scene, {}).items.size(), 1u);
  scene.representations.resize(10'000, scene.representations[0]);
  EXPECT_EQ(builder.build(scene, {}).items.size(), 1u) << "opaque ones are drawn once";
  scene.representations.resize(3);
  for (Representation& representation : scene.representations) representation.opacity = 0.5f;
  const SceneView view = builder.build(scene, {});
  ASSERT_EQ(view.items.size(), 3u) << "two layers of glass are darker than one";
  EXPECT_EQ(view.items[0], view.items[1]);
  EXPECT_EQ(view.items[0], view.items[2]);
  EXPECT_EQ(builder.build(scene, {}).items[0], view.items[0]) << "kept for the next view";
}

TEST(ViewBuilder, OtherRepresentationsHaveItemsOfTheirOwn) {
  const test::Folder folder;
  Documents documents;
  Scene scene = scene_of_spheres(documents, folder);
  scene.representations.push_back(scene.representations[0]);
  scene.representations[1].selection = "index 0";
  ViewBuilder builder(documents);
  const SceneView view = builder.build(scene, {});
  ASSERT_EQ(view.items.size(), 2u);
  EXPECT_NE(view.items[0], view.items[1]);
}

}  // namespace
}  // namespace isolume
