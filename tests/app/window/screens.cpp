// Monitors of other pixel ratios: the picture has the pixels of the one that the window is on.
#include <dlfcn.h>

#include <QScreen>
#include <QTest>
#include <QWindow>

#include "app/window/viewport/gl_canvas.h"
#include "fixture.h"

namespace isolume::test {
namespace {

/// Gives the screens of the running program another pixel ratio, as a move to another monitor does; by a function of
/// Qt's that has no header. False where this Qt has none.
bool set_pixel_ratio(double ratio) {
  using Set = void (*)(double);
  const auto set = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "_ZN15QHighDpiScaling15setGlobalFactorEd"));
  if (set == nullptr) return false;
  set(ratio);
  return true;
}

/// What Qt sends to every widget of a window that comes to another screen (QWidgetWindow::handleScreenChange).
void tell_of_screen(QWidget* widget) {
  QEvent event(QEvent::ScreenChangeInternal);
  QCoreApplication::sendEvent(widget, &event);
  for (QObject* child : widget->children())
    if (child->isWidgetType()) tell_of_screen(static_cast<QWidget*>(child));
}

/// Sharp edges: neighbours that differ by most of what there is. An enlarged picture has few.
double sharp_edges(const QImage& picture) {
  std::size_t sharp = 0, edges = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 1; x < picture.width(); ++x) {
      const int step = std::abs(qGray(picture.pixel(x, y)) - qGray(picture.pixel(x - 1, y)));
      edges += step > 12;
      sharp += step > 60;
    }
  return static_cast<double>(sharp) / static_cast<double>(std::max<std::size_t>(edges, 1));
}

using Screens = WindowTest;

// Run alone: the ratio is that of the whole program.
TEST_F(Screens, DISABLED_TheWindowGoesFromRatioToRatio) {
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  Viewport& viewport = window_->viewport();
  ASSERT_TRUE(wait_until([&] { return viewport.at_rest(); }));
  ASSERT_EQ(viewport.devicePixelRatioF(), 1);
  for (const double ratio : {1.5, 1.25, 2.0, 1.0}) {
    if (!set_pixel_ratio(ratio)) GTEST_SKIP() << "this Qt cannot change the ratio of a running program";
    ASSERT_DOUBLE_EQ(viewport.devicePixelRatioF(), ratio);
    tell_of_screen(window_.get());
    // Nothing else happens to the window: the picture comes by itself.
    const auto wanted = [&] { return QSize(qRound(viewport.width() * ratio), qRound(viewport.height() * ratio)); };
    ASSERT_TRUE(wait_until([&] { return viewport.at_rest() && viewport.grab_picture().size() == wanted(); }))
        << ratio << ": " << viewport.grab_picture().width() << " x " << viewport.grab_picture().height()
        << " pixels instead of " << wanted().width() << " x " << wanted().height();
    const QImage picture = viewport.grab_picture();
    EXPECT_DOUBLE_EQ(picture.devicePixelRatio(), ratio);
    // An enlarged picture of another ratio would have the size, too.
    EXPECT_GT(sharp_edges(picture), 0.02) << ratio;
    // What is clicked on is under the pointer: coordinates are logical, pixels are not.
    const QPoint atom = place_of({0, 2});
    bool answered = false;
    viewport.pick(atom, [&](PickId id) {
      answered = true;
      EXPECT_TRUE(id.object == 1) << ratio;
    });
    EXPECT_TRUE(wait_until([&] { return answered; }));
  }
}

TEST(ScreensAlone, TheImageFollowsThePixelRatio) {
  run_alone(QStringLiteral("*TheWindowGoesFromRatioToRatio"),
            {{QStringLiteral("ISOLUME_DRAWING"), QStringLiteral("image")}});
}

TEST(ScreensAlone, OpenGLFollowsThePixelRatio) {
  // What the driver leaks is of a library that is unloaded by then, which a list of suppressions cannot name.
  const QString options = qEnvironmentVariable("ASAN_OPTIONS") + QStringLiteral(":detect_leaks=0");
  run_alone(QStringLiteral("*TheWindowGoesFromRatioToRatio"),
            {{QStringLiteral("ISOLUME_DRAWING"), QStringLiteral("window")}, {QStringLiteral("ASAN_OPTIONS"), options}});
}

}  // namespace
}  // namespace isolume::test
