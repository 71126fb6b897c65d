// Words of scenes and names of representations.
#include <gtest/gtest.h>

#include "app/scene/scene_json.h"
#include "render/represent/represent.h"

namespace isolume {
namespace {

TEST(SceneJson, WordsAreThoseOfTheRepresentations) {
  for (int i = 0; i < 8; ++i) {
    Scene scene;
    scene.molecules.push_back({{"a.pdb"}});
    scene.representations.resize(1);
    set_value(scene, "representations[0].style", name(static_cast<Style>(i)));
    EXPECT_EQ(scene.representations[0].style, static_cast<Style>(i));
  }
  for (int i = 0; i < colouring_count; ++i) {
    Scene scene;
    scene.molecules.push_back({{"a.pdb"}});
    scene.representations.resize(1);
    set_value(scene, "representations[0].colouring", name(static_cast<Colouring>(i)));
    EXPECT_EQ(scene.representations[0].colouring, static_cast<Colouring>(i));
  }
}

}  // namespace
}  // namespace isolume
