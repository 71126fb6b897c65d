// Without a usable OpenGL on the window system the picture is drawn all the same; without any, the window says so and
// stays usable. Each case is a program of its own, since drivers are chosen when a program starts.
#include <QSignalSpy>
#include <QTest>

#include "app/window/shell/message_bar.h"
#include "app/window/shell/status_line.h"
#include "app/window/viewport/drawing_path.h"
#include "fixture.h"

namespace isolume::test {
namespace {

class NoOpenGl : public WindowTest {};

TEST_F(NoOpenGl, DISABLED_DrawsAsImages) {
  ASSERT_EQ(window_->viewport().path(), DrawingPath::image);
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  const Image picture = shot();
  ASSERT_GT(picture.width, 100);
  // Something is drawn: the corner is background, the oxygen is not.
  const QPoint oxygen = place_of({0, 2});
  const auto pixel = [&](int x, int y) {
    const auto at =
        4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(x));
    return std::vector<int>{picture.rgba[at], picture.rgba[at + 1], picture.rgba[at + 2]};
  };
  EXPECT_NE(pixel(oxygen.x(), oxygen.y()), pixel(2, 2));
}

TEST_F(NoOpenGl, DISABLED_SaysSoAndStaysUsable) {
  QSignalSpy failed(&window_->viewport(), &Viewport::failed);
  window_->open_files({write_breathing_xyz(3)});
  ASSERT_TRUE(wait_until([&] { return !window_->controller().scene().molecules.empty(); }));
  ASSERT_TRUE(wait_until([&] { return failed.count() > 0; }));
  EXPECT_TRUE(window_->messages().isVisible());
  EXPECT_TRUE(window_->messages().message().contains(QStringLiteral("OpenGL")));
  // Everything but the picture works.
  QTest::keyClick(&window_->viewport(), Qt::Key_D, Qt::ControlModifier);
  EXPECT_EQ(window_->controller().scene().fields.size(), 1u);
  QTest::keyClick(&window_->viewport(), Qt::Key_Right);
  EXPECT_EQ(window_->controller().scene().frame, 1u);
  QSignalSpy saved(&window_->loader(), &FileLoader::session_saved);
  window_->save_session(temporary(QStringLiteral("saved.isolume")));
  EXPECT_TRUE(saved.wait(10000));
}

TEST(WithoutOpenGl, OfTheWindowSystemThePictureIsDrawnAllTheSame) {
  run_alone(QStringLiteral("NoOpenGl.DISABLED_DrawsAsImages"),
            {{QStringLiteral("QT_XCB_GL_INTEGRATION"), QStringLiteral("none")}});
}

TEST(WithoutOpenGl, OfTheWindowSystemOnesWishForItIsNoCrash) {
  run_alone(QStringLiteral("NoOpenGl.DISABLED_DrawsAsImages"),
            {{QStringLiteral("QT_XCB_GL_INTEGRATION"), QStringLiteral("none")},
             {QStringLiteral("ISOLUME_DRAWING"), QStringLiteral("window")}});
}

TEST(WithoutOpenGl, OfAnyKindTheWindowSaysSoAndStaysUsable) {
  if (QGuiApplication::platformName() == QLatin1String("offscreen")) GTEST_SKIP() << "needs a display: xvfb-run";
  // EGL finds no driver, and GLX takes Mesa's, which can be told to offer less.
  run_alone(QStringLiteral("NoOpenGl.DISABLED_SaysSoAndStaysUsable"),
            {{QStringLiteral("__EGL_VENDOR_LIBRARY_FILENAMES"), QStringLiteral("/nonexistent")},
             {QStringLiteral("__GLX_VENDOR_LIBRARY_NAME"), QStringLiteral("mesa")},
             {QStringLiteral("MESA_GL_VERSION_OVERRIDE"), QStringLiteral("3.3")}});
}

}  // namespace
}  // namespace isolume::test
