// From the key of the electrostatic surface to its picture: measured where ISOLUME_CLICK_TIME names a structure, also
// without a display, where pictures are drawn by EGL; prints, and judges nothing.
#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTest>
#include <cstdio>

#include "app/window/viewport/viewport.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {
namespace {

class ClickTime : public WindowTest {
 protected:
  void SetUp() override {
    if (qEnvironmentVariableIsEmpty("ISOLUME_CLICK_TIME")) GTEST_SKIP() << "set ISOLUME_CLICK_TIME to a structure";
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path());
    QSettings().clear();
    window_ = std::make_unique<MainWindow>();
    window_->resize(1600, 1000);
    window_->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), 30000));
    QApplication::setActiveWindow(window_.get());
  }
};

TEST_F(ClickTime, FromTheKeyToTheSurface) {
  QElapsedTimer clock;
  clock.start();
  const auto seconds = [&clock] { return 1e-9 * static_cast<double>(clock.nsecsElapsed()); };
  ASSERT_TRUE(open({qEnvironmentVariable("ISOLUME_CLICK_TIME")}));
  SceneController& controller = window_->controller();
  std::printf("read and drawn in %.3f s by %s, fields on %s; %zu atoms\n", seconds(),
              window_->viewport().gl().renderer.c_str(),
              window_->fields().device().is_cuda() ? "CUDA" : "the processor", controller.molecule(0)->atom_count());
  constexpr int clicks = 8;
  for (int click = 1; click <= clicks; ++click) {
    clock.start();
    window_->commands().add_potential->trigger();
    ASSERT_TRUE(wait_until([&] { return !controller.scene().fields.empty(); }));
    const double charges = seconds();
    ASSERT_TRUE(wait_for_picture());
    std::printf("click %d: charges after %.3f s, the painted surface after %.3f s; %zu atoms\n", click, charges,
                seconds(), controller.molecule(0)->atom_count());
    // The next one finds the structure as it was read, without charges.
    while (controller.can_undo()) controller.undo();
    ASSERT_TRUE(wait_until([&] { return controller.scene().fields.empty(); }));
    ASSERT_TRUE(wait_for_picture());
  }
}

}  // namespace
}  // namespace isolume::test
