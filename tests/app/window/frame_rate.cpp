// How often a second large scenes are drawn while they turn: measured where ISOLUME_FRAME_RATE asks for it, with the
// number of atoms (1000000); prints, and judges nothing.
#include <QDockWidget>
#include <QElapsedTimer>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "fixture.h"

namespace isolume::test {
namespace {

TEST_F(WindowTest, FrameRateOfManySpheres) {
  const int wanted = qEnvironmentVariableIntValue("ISOLUME_FRAME_RATE");
  if (wanted <= 0) GTEST_SKIP() << "set ISOLUME_FRAME_RATE to a number of atoms";
  const int side = static_cast<int>(std::lround(std::cbrt(double(wanted))));
  for (QDockWidget* dock : window_->findChildren<QDockWidget*>()) dock->hide();
  window_->resize(1920, 1080 + 120);  // menus, tools and status line are some 120 pixels high
  const QString path = write_salt_pqr(side);
  QElapsedTimer clock;
  clock.start();
  window_->open_files({path});
  ASSERT_TRUE(wait_until([this] { return !window_->controller().scene().molecules.empty(); }, 300000));
  std::printf("read in %.2f s\n", 1e-3 * double(clock.elapsed()));
  window_->controller().edit(QStringLiteral("Spheres"), [](Scene& scene) {
    scene.representations.resize(1);
    scene.representations[0] = Representation{};
    scene.representations[0].style = Style::spheres;
  });
  ASSERT_TRUE(wait_until([this] { return window_->picture().settled() && window_->viewport().at_rest(); }, 300000));
  std::printf("first picture after %.2f s; %s; drawn %s\n", 1e-3 * double(clock.elapsed()),
              window_->viewport().gl().renderer.c_str(),
              window_->viewport().path() == DrawingPath::window ? "by the window's OpenGL" : "as images");
  const double ratio = window_->viewport().devicePixelRatioF();
  std::printf("%d atoms as spheres, %.0f x %.0f pixels\n", side * side * side, window_->viewport().width() * ratio,
              window_->viewport().height() * ratio);
  std::vector<double> intervals;
  QElapsedTimer last;
  QObject::connect(&window_->viewport(), &Viewport::frame_rate, [&](double fps) {
    if (fps <= 0) return;
    if (last.isValid()) intervals.push_back(1e-6 * double(last.nsecsElapsed()));
    last.start();
  });
  QTimer turn;
  QObject::connect(&turn, &QTimer::timeout,
                   [this] { QTest::keyClick(&window_->viewport(), Qt::Key_Right, Qt::ShiftModifier); });
  turn.start(2);
  QTest::qWait(8000);
  turn.stop();
  ASSERT_GT(intervals.size(), 10u);
  intervals.erase(intervals.begin(), intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 4));
  std::sort(intervals.begin(), intervals.end());
  const double median = intervals[intervals.size() / 2], slow = intervals[intervals.size() * 99 / 100];
  std::printf("while turning: median %.1f ms (%.0f a second), 99th percentile %.1f ms, %zu pictures\n", median,
              1000 / median, slow, intervals.size());
  screenshot(QStringLiteral("frame-rate"));
}

}  // namespace
}  // namespace isolume::test
