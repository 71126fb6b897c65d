// Trackpads: pinching, turning and scrolling with two fingers, in events as the platforms send them.
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QInputDevice>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

#include "app/window/viewport/navigator.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {
namespace {

class TrackpadTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    ASSERT_TRUE(open({write_breathing_xyz(1)}));
    shot();
  }
  Viewport& viewport() { return window_->viewport(); }
  QPointF middle() { return QRectF(viewport().rect()).center(); }
  void pinch(Qt::NativeGestureType type, double value) {
    QNativeGestureEvent event(type, &pad_, 2, middle(), middle(), viewport().mapToGlobal(middle()), value, {});
    QCoreApplication::sendEvent(&viewport(), &event);
  }
  void scroll(QPoint pixels, QPoint angle, Qt::ScrollPhase phase, Qt::KeyboardModifiers modifiers = {}) {
    QWheelEvent event(middle(), viewport().mapToGlobal(middle()), pixels, angle, Qt::NoButton, modifiers, phase, false,
                      Qt::MouseEventNotSynthesized, &pad_);
    QCoreApplication::sendEvent(&viewport(), &event);
  }

  QPointingDevice pad_{QStringLiteral("pad"),
                       17,
                       QInputDevice::DeviceType::TouchPad,
                       QPointingDevice::PointerType::Finger,
                       QInputDevice::Capability::Position | QInputDevice::Capability::PixelScroll,
                       2,
                       0};
};

TEST_F(TrackpadTest, PinchingZoomsAndTurningRolls) {
  const Camera before = viewport().camera();
  pinch(Qt::BeginNativeGesture, 0);
  pinch(Qt::ZoomNativeGesture, 0.25);
  EXPECT_NEAR(viewport().camera().height, before.height / 1.25, 1e-9);
  pinch(Qt::ZoomNativeGesture, -0.2);
  EXPECT_NEAR(viewport().camera().height, before.height, 1e-9);
  pinch(Qt::RotateNativeGesture, 30);
  EXPECT_NEAR(std::abs(glm::dot(viewport().camera().rotation, before.rotation)), std::cos(std::acos(-1.0) / 12), 1e-9)
      << "half the angle";
  pinch(Qt::RotateNativeGesture, -30);
  EXPECT_NEAR(std::abs(glm::dot(viewport().camera().rotation, before.rotation)), 1, 1e-9);
}

TEST_F(TrackpadTest, TwoFingersDoWhatThePreferenceSays) {
  Preferences preferences = window_->preferences();
  const Camera before = viewport().camera();
  // As the wheel, by parts of a step.
  scroll({0, 10}, {0, 30}, Qt::ScrollUpdate);
  EXPECT_NEAR(viewport().camera().height, before.height / std::pow(1.15, 0.25), 1e-9);
  scroll({0, -10}, {0, -30}, Qt::ScrollUpdate);
  // Pixel for pixel: 50 to the right and 20 down.
  preferences.scroll = QStringLiteral("move");
  window_->apply_preferences(preferences);
  scroll({50, 20}, {}, Qt::ScrollUpdate);
  Navigator wanted;
  wanted.camera = before;
  wanted.camera.pan(glm::dvec2(50, -20) / (0.5 * viewport().height()));
  EXPECT_NEAR(glm::distance(viewport().camera().centre, wanted.camera.centre), 0, 1e-6);
  EXPECT_NEAR(viewport().camera().height, before.height, 1e-9);
  // With a modifier it is what the wheel is: Shift cuts a slab.
  scroll({0, -10}, {0, -120}, Qt::ScrollUpdate, Qt::ShiftModifier);
  EXPECT_NE(viewport().camera().slab_front, before.slab_front);
  preferences.scroll = QStringLiteral("turn");
  window_->apply_preferences(preferences);
  const Camera moved = viewport().camera();
  scroll({25, 0}, {}, Qt::ScrollUpdate);
  EXPECT_NEAR(std::abs(glm::dot(viewport().camera().rotation, moved.rotation)), std::cos(std::acos(-1.0) / 36), 1e-9)
      << "10 degrees";
  EXPECT_EQ(viewport().camera().height, moved.height);
}

TEST_F(TrackpadTest, MomentumIsIgnored) {
  for (const char* use : {"zoom", "move", "turn"}) {
    Preferences preferences = window_->preferences();
    preferences.scroll = QLatin1String(use);
    window_->apply_preferences(preferences);
    const Camera before = viewport().camera();
    scroll({0, 40}, {0, 120}, Qt::ScrollMomentum);
    EXPECT_EQ(viewport().camera(), before) << use;
  }
}

TEST_F(TrackpadTest, AWheelStaysAWheel) {
  Preferences preferences = window_->preferences();
  preferences.scroll = QStringLiteral("move");
  window_->apply_preferences(preferences);
  const Camera before = viewport().camera();
  QWheelEvent event(middle(), viewport().mapToGlobal(middle()), {}, {0, 120}, Qt::NoButton, {}, Qt::NoScrollPhase,
                    false);
  QCoreApplication::sendEvent(&viewport(), &event);
  EXPECT_NEAR(viewport().camera().height, before.height / 1.15, 1e-9);
}

}  // namespace
}  // namespace isolume::test
