// Mouse and keyboard in the viewport.
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "app/window/viewport/navigator.h"
#include "fixture.h"

namespace isolume::test {
namespace {

/// Where a point of the scene is seen, in half heights from the middle.
glm::dvec2 seen(const Camera& camera, glm::dvec3 point, double aspect = 1.6) {
  const glm::dvec4 clip = camera.projection_matrix(aspect, {}, 100) * camera.view() * glm::dvec4(point, 1);
  return {clip.x / clip.w * aspect, clip.y / clip.w};
}

TEST(Navigator, LooksAlongTheAxes) {
  // The side that is looked at is in front: its axis points at the viewer.
  const glm::dvec3 towards[] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  for (int side = 1; side <= 6; ++side) {
    Navigator navigator;
    navigator.look_from(side);
    const glm::dvec3 axis = navigator.camera.rotation * towards[side - 1];
    EXPECT_NEAR(axis.z, 1, 1e-12) << "side " << side;
  }
}

TEST(Navigator, PanMovesTheScenePointWithThePointer) {
  Navigator navigator;
  navigator.set_size({800, 500});
  navigator.begin(Drag::pan, {400, 250});
  EXPECT_TRUE(navigator.move({500, 200}));
  const glm::dvec2 now = seen(navigator.camera, {0, 0, 0});
  EXPECT_NEAR(now.x, 100 / 250.0, 1e-9);
  EXPECT_NEAR(now.y, 50 / 250.0, 1e-9);
}

TEST(Navigator, WheelKeepsThePointUnderThePointer) {
  Navigator navigator;
  navigator.set_size({800, 500});
  const glm::dvec3 point = {0.4 * 25, -0.3 * 25, 0};  // in the plane of the centre
  const glm::dvec2 before = seen(navigator.camera, point);
  const double height = navigator.camera.height;
  navigator.wheel(3, {400 + before.x * 250, 250 - before.y * 250}, false);
  EXPECT_NEAR(navigator.camera.height, height / std::pow(1.15, 3), 1e-9);
  const glm::dvec2 after = seen(navigator.camera, point);
  EXPECT_NEAR(after.x, before.x, 1e-9);
  EXPECT_NEAR(after.y, before.y, 1e-9);
}

TEST(Navigator, KeysTurnMoveAndZoom) {
  Navigator navigator;
  const Camera first = navigator.camera;
  EXPECT_TRUE(navigator.key(Qt::Key_Right, Qt::ShiftModifier));
  EXPECT_NE(navigator.camera.rotation, first.rotation);
  EXPECT_TRUE(navigator.key(Qt::Key_Left, Qt::ShiftModifier));
  EXPECT_NEAR(std::abs(glm::dot(navigator.camera.rotation, first.rotation)), 1, 1e-12);
  EXPECT_TRUE(navigator.key(Qt::Key_Plus, {}));
  EXPECT_LT(navigator.camera.height, first.height);
  EXPECT_TRUE(navigator.key(Qt::Key_Minus, {}));
  EXPECT_NEAR(navigator.camera.height, first.height, 1e-9);
  EXPECT_FALSE(navigator.key(Qt::Key_Left, {})) << "without a modifier the arrows are frames";
  EXPECT_FALSE(navigator.key(Qt::Key_X, {}));
}

class ViewportTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    ASSERT_TRUE(open({write_breathing_xyz(15)}));
    shot();
  }
  void drag(Qt::MouseButton button, QPoint from, QPoint to) {
    Viewport& viewport = window_->viewport();
    QTest::mousePress(&viewport, button, {}, from);
    const auto send = [&](QPoint at) {
      QMouseEvent move(QEvent::MouseMove, at, viewport.mapToGlobal(QPointF(at)), Qt::NoButton, button, {});
      QCoreApplication::sendEvent(&viewport, &move);
    };
    send((from + to) / 2);
    send(to);
    QTest::mouseRelease(&viewport, button, {}, to);
  }
  const Scene& scene() { return window_->controller().scene(); }
};

TEST_F(ViewportTest, DragsTurnAndMoveAndAreNoSteps) {
  const Camera first = scene().camera;
  const QPoint middle = window_->viewport().rect().center();
  drag(Qt::LeftButton, middle, middle + QPoint(80, 30));
  EXPECT_NE(scene().camera.rotation, first.rotation);
  EXPECT_EQ(scene().camera.centre, first.centre);
  const Camera turned = scene().camera;
  drag(Qt::MiddleButton, middle, middle + QPoint(50, 0));
  EXPECT_EQ(scene().camera.rotation, turned.rotation);
  EXPECT_NE(scene().camera.centre, turned.centre);
  const Camera moved = scene().camera;
  drag(Qt::RightButton, middle, middle + QPoint(0, 50));
  EXPECT_NE(scene().camera.centre, moved.centre);
  EXPECT_FALSE(window_->controller().can_undo());
  EXPECT_TRUE(window_->controller().picked().empty()) << "a drag is no click";
}

TEST_F(ViewportTest, WheelZoomsAndCutsWithShift) {
  Viewport& viewport = window_->viewport();
  const Camera first = scene().camera;
  const auto wheel = [&](Qt::KeyboardModifiers modifiers) {
    const QPointF at = viewport.rect().center();
    QWheelEvent event(at, viewport.mapToGlobal(at), {}, {0, -240}, {}, modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&viewport, &event);
  };
  wheel({});
  EXPECT_NEAR(scene().camera.height, first.height * 1.15 * 1.15, 1e-6);
  EXPECT_EQ(scene().camera.slab_front, 0);
  wheel(Qt::ShiftModifier);
  EXPECT_GT(scene().camera.slab_front, 0);
}

TEST_F(ViewportTest, DoubleClickCentresAndBesideEverythingResets) {
  Viewport& viewport = window_->viewport();
  const QPoint oxygen = place_of({0, 2});
  QTest::mouseDClick(&viewport, Qt::LeftButton, {}, oxygen);
  glm::vec3 position;
  ASSERT_TRUE(window_->picture().position({0, 2}, position));
  EXPECT_TRUE(wait_until([&] { return glm::length(scene().camera.centre - glm::dvec3(position)) < 1e-6; }));
  EXPECT_EQ(window_->controller().picked().size(), 1u);
  QTest::keyClick(&viewport, Qt::Key_Right, Qt::ShiftModifier);
  shot();
  QTest::mouseDClick(&viewport, Qt::LeftButton, {}, QPoint(4, 4));
  EXPECT_TRUE(wait_until([&] { return scene().camera.rotation == glm::dquat(1, 0, 0, 0); }));
}

TEST_F(ViewportTest, KeysOfTheViewport) {
  Viewport& viewport = window_->viewport();
  viewport.setFocus();
  QTest::keyClick(&viewport, Qt::Key_Right);
  EXPECT_EQ(scene().frame, 1u);
  QTest::keyClick(&viewport, Qt::Key_Right, Qt::ControlModifier);
  EXPECT_EQ(scene().frame, 11u);
  QTest::keyClick(&viewport, Qt::Key_End);
  EXPECT_EQ(scene().frame, 14u);
  QTest::keyClick(&viewport, Qt::Key_Home);
  EXPECT_EQ(scene().frame, 0u);
  QTest::keyClick(&viewport, Qt::Key_Space);
  EXPECT_TRUE(window_->player().playing());
  QTest::keyClick(&viewport, Qt::Key_Space);
  EXPECT_FALSE(window_->player().playing());
  QTest::keyClick(&viewport, Qt::Key_O);
  EXPECT_EQ(scene().camera.projection, Camera::Projection::orthographic);
  QTest::keyClick(&viewport, Qt::Key_5, Qt::ControlModifier);
  Navigator top;
  top.look_from(5);
  EXPECT_EQ(scene().camera.rotation, top.camera.rotation);
  QTest::keyClick(&viewport, Qt::Key_R);
  EXPECT_EQ(scene().camera.rotation, glm::dquat(1, 0, 0, 0));
}

TEST_F(ViewportTest, AtRestThePictureIsRefinedAndTheSame) {
  const Image first = shot();
  Viewport& viewport = window_->viewport();
  QTest::keyClick(&viewport, Qt::Key_Right, Qt::ShiftModifier);
  EXPECT_FALSE(viewport.at_rest());
  QTest::keyClick(&viewport, Qt::Key_Left, Qt::ShiftModifier);
  const Image again = shot();
  EXPECT_LT(compare(first, again).mean, 0.002);
}

TEST_F(ViewportTest, TheContextMayComeAgain) {
  const Image first = shot();
  window_->viewport().release();
  EXPECT_FALSE(window_->viewport().ready());
  window_->viewport().rebuild();
  ASSERT_TRUE(wait_for_picture());
  EXPECT_LT(compare(first, shot()).mean, 0.0005);
}

}  // namespace
}  // namespace isolume::test
