// Parts of a scene that differ.
#include "app/scene/scene_change.h"

#include <gtest/gtest.h>

#include <functional>

#include "random_scene.h"

namespace isolume::test {
namespace {

TEST(SceneChangeTest, EachPartIsNamedAlone) {
  const std::pair<SceneParts, std::function<void(Scene&)>> changes[] = {
      {SceneParts::molecules, [](Scene& s) { s.molecules.front().visible = !s.molecules.front().visible; }},
      {SceneParts::representations, [](Scene& s) { s.representations.emplace_back(); }},
      {SceneParts::fields, [](Scene& s) { s.fields.emplace_back(); }},
      {SceneParts::measurements, [](Scene& s) { s.measurements.emplace_back(); }},
      {SceneParts::views, [](Scene& s) { s.views.emplace_back(); }},
      {SceneParts::camera, [](Scene& s) { s.camera.height += 1; }},
      {SceneParts::look, [](Scene& s) { s.look.outlines = !s.look.outlines; }},
      {SceneParts::playback, [](Scene& s) { s.playback.stride += 1; }},
      {SceneParts::frame, [](Scene& s) { s.frame += 1; }},
      {SceneParts::arrangement, [](Scene& s) { s.show_box = !s.show_box; }},
      {SceneParts::arrangement, [](Scene& s) { s.tile_columns += 1; }},
  };
  RandomScene random(7);
  for (const auto& [part, change] : changes) {
    const Scene before = random();
    Scene after = before;
    EXPECT_EQ(difference(before, after), SceneParts::none);
    change(after);
    EXPECT_EQ(difference(before, after), part);
    EXPECT_EQ(difference(after, before), part);
  }
}

TEST(SceneChangeTest, NothingDiffersWhereScenesAreEqual) {
  RandomScene random(11);
  for (int i = 0; i < 300; ++i) {
    const Scene a = random(), b = random();
    EXPECT_EQ(difference(a, b) == SceneParts::none, a == b);
    EXPECT_EQ(difference(a, a), SceneParts::none);
  }
}

}  // namespace
}  // namespace isolume::test
