// Undo and redo.
#include "app/scene/history.h"

#include <gtest/gtest.h>

namespace isolume {
namespace {

Scene with_opacity(float opacity) {
  Scene scene;
  scene.molecules.resize(1);
  scene.representations.resize(1);
  scene.representations[0].opacity = opacity;
  return scene;
}

TEST(History, GoesBackAndForth) {
  History history(with_opacity(1));
  EXPECT_FALSE(history.can_undo());
  EXPECT_FALSE(history.can_redo());
  EXPECT_EQ(history.undo_text(), "");
  history.apply(with_opacity(0.5f), "Fade");
  history.apply(with_opacity(0.2f), "Fade more");
  EXPECT_EQ(history.undo_text(), "Fade more");
  history.undo();
  EXPECT_EQ(history.scene(), with_opacity(0.5f));
  EXPECT_EQ(history.redo_text(), "Fade more");
  EXPECT_EQ(history.undo_text(), "Fade");
  history.undo();
  EXPECT_EQ(history.scene(), with_opacity(1));
  history.undo();
  EXPECT_EQ(history.scene(), with_opacity(1));
  history.redo();
  history.redo();
  history.redo();
  EXPECT_EQ(history.scene(), with_opacity(0.2f));
  EXPECT_FALSE(history.can_redo());
}

TEST(History, ANewStepForgetsWhatWasUndone) {
  History history(with_opacity(1));
  history.apply(with_opacity(0.5f), "a");
  history.undo();
  history.apply(with_opacity(0.7f), "b");
  EXPECT_FALSE(history.can_redo());
  history.undo();
  EXPECT_EQ(history.scene(), with_opacity(1));
}

TEST(History, ADragIsOneStep) {
  History history(with_opacity(1));
  history.apply(with_opacity(0.9f), "Opacity", true);
  history.apply(with_opacity(0.8f), "Opacity", true);
  history.apply(with_opacity(0.7f), "Opacity", true);
  history.apply(with_opacity(0.6f), "Other", true);
  history.undo();
  EXPECT_EQ(history.scene(), with_opacity(0.7f));
  history.undo();
  EXPECT_EQ(history.scene(), with_opacity(1));
  EXPECT_FALSE(history.can_undo());
}

TEST(History, TheFirstSceneIsNeverMergedAway) {
  History history(with_opacity(1));
  history.apply(with_opacity(0.9f), "", true);
  history.undo();
  EXPECT_EQ(history.scene(), with_opacity(1));
}

TEST(History, CameraAndFrameAreNoSteps) {
  History history(with_opacity(1));
  history.apply(with_opacity(0.5f), "Fade");
  Scene moved = history.scene();
  moved.camera.height = 7;
  moved.frame = 3;
  history.apply(moved, "Turn");
  EXPECT_EQ(history.undo_text(), "Fade");
  EXPECT_EQ(history.scene(), moved);
  moved.camera.height = 8;
  moved.playback.stride = 2;
  history.touch(moved);
  history.undo();
  EXPECT_EQ(history.scene().representations[0].opacity, 1);
  EXPECT_EQ(history.scene().camera.height, 8);
  EXPECT_EQ(history.scene().frame, 3u);
  EXPECT_EQ(history.scene().playback.stride, 2u);
  moved.camera.height = 9;
  history.touch(moved);
  EXPECT_EQ(history.scene().representations[0].opacity, 1) << "touch changes nothing else";
  history.redo();
  EXPECT_EQ(history.scene().representations[0].opacity, 0.5f);
  EXPECT_EQ(history.scene().camera.height, 9);
}

TEST(History, IsBounded) {
  History history(with_opacity(0));
  for (int i = 1; i <= 1000; ++i) history.apply(with_opacity(static_cast<float>(i) / 1000), std::to_string(i));
  int steps = 0;
  for (; history.can_undo(); ++steps) history.undo();
  EXPECT_EQ(steps, 499);
  EXPECT_EQ(history.scene(), with_opacity(0.501f));
}

}  // namespace
}  // namespace isolume
