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

/// Three frames of C and O: O goes from x = 3 to 4 and to 8.
Scene scene_of_frames(Documents& documents, const test::Folder& folder) {
  std::string text;
  for (const char* x : {"3", "4", "8"}) text += std::string("2\n\nC 0 0 0\nO ") + x + " 0 0\n";
  test::write_text(folder / "moving.xyz", text);
  Scene scene;
  add_usual_look(scene, documents, documents.open({folder / "moving.xyz"}));
  scene.representations.resize(1);
  scene.representations[0].style = Style::spheres;
  scene.measurements.push_back({{{0, 0}, {0, 1}}});
  scene.labels.push_back({0, "index 1", LabelSet::Text::element});
  scene.frame = 1;
  return scene;
}

TEST(ViewBuilder, SmoothingMovesWhatIsDrawnAndNotWhatIsMeasured) {
  const test::Folder folder;
  Documents documents;
  Scene scene = scene_of_frames(documents, folder);
  scene.molecules[0].smoothing = 1;
  scene.representations[0].selection = "x < 4.5";  // in the frame itself: O is at 4
  ViewBuilder builder(documents);
  const SceneView view = builder.build(scene, {});
  const auto& spheres = std::get<Spheres>(view.items[0]->shape).spheres;
  ASSERT_EQ(spheres.size(), 2u);
  EXPECT_NEAR(spheres[1].x, 5, 1e-5) << "the mean of 3, 4 and 8";
  ASSERT_EQ(view.labels.size(), 2u);
  EXPECT_EQ(view.labels[0].text, "4.00 \u00c5") << "a distance is that of the frame";
  EXPECT_NEAR(view.labels[0].position.x, 2.5, 1e-5) << "and is written between the atoms that are seen";
  EXPECT_NEAR(view.labels[1].position.x, 5, 1e-5);
  // A ruler has the length that it measures.
  scene.measurements[0].ruler = true;
  EXPECT_NE(builder.build(scene, {}).labels[0], view.labels[0]);
  // What is computed of the molecule has the frames as they are.
  EXPECT_EQ(documents.molecule(scene.molecules[0])->trajectory->frame(1).positions[1].x, 4);
  EXPECT_NEAR(documents.shown(scene.molecules[0])->trajectory->frame(1).positions[1].x, 5, 1e-5);
  EXPECT_EQ(documents.shown(scene.molecules[0]), documents.loaded_as_shown(scene.molecules[0])) << "made once";
  scene.molecules[0].smoothing = 0;
  scene.measurements[0].ruler = false;
  EXPECT_NEAR(std::get<Spheres>(builder.build(scene, {}).items[0]->shape).spheres[1].x, 4, 1e-5);
}

TEST(ViewBuilder, ARulerMayGoBetweenPoints) {
  const test::Folder folder;
  Documents documents;
  Scene scene = scene_of_frames(documents, folder);
  scene.labels.clear();
  scene.measurements = {{{}, {230, 159, 0, 255}, true, {{{0, 0, 0}}, {{3, 4, 12}}}}};
  ViewBuilder builder(documents);
  const SceneView points = builder.build(scene, {});
  ASSERT_FALSE(points.labels.empty());
  EXPECT_EQ(points.labels[0].text, "13.00 \u00c5");
  scene.measurements[0].atoms = {{0, 1}};  // at (4, 0, 0)
  scene.measurements[0].points = {{{4, 3, 4}}};
  EXPECT_EQ(builder.build(scene, {}).labels[0].text, "5.00 \u00c5");
  scene.layout = Layout::tiles;
  EXPECT_NO_THROW(builder.build(scene, {}));
}

TEST(ViewBuilder, ResiduesThatTwoSetsLabelAreToldApart) {
  const test::Folder folder;
  Documents documents;
  test::write_text(folder / "dimer.pdb",
                   "ATOM      1  CA  GLY A  27       0.000   0.000   0.000  1.00  0.00           C\n"
                   "ATOM      2  CA  GLY B  27       9.000   0.000   0.000  1.00  0.00           C\n");
  Scene scene;
  add_usual_look(scene, documents, documents.open({folder / "dimer.pdb"}));
  scene.labels.push_back({0, "chain A"});
  ViewBuilder builder(documents);
  ASSERT_EQ(builder.build(scene, {}).labels.size(), 1u);
  EXPECT_EQ(builder.build(scene, {}).labels[0].text, "GLY 27");
  scene.labels.push_back({0, "chain B"});
  const SceneView view = builder.build(scene, {});
  ASSERT_EQ(view.labels.size(), 2u);
  EXPECT_EQ(view.labels[0].text, "A/GLY 27");
  EXPECT_EQ(view.labels[1].text, "B/GLY 27");
  scene.labels[0].visible = false;
  EXPECT_EQ(builder.build(scene, {}).labels[0].text, "GLY 27");
}

}  // namespace
}  // namespace isolume
