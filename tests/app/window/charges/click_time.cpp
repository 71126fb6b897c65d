// From the key of the electrostatic surface to its picture: measured where ISOLUME_CLICK_TIME names a structure, also
// without a display, where pictures are drawn by EGL. Prints the stages and the devices. Judges nothing but that the
// device which ISOLUME_REQUIRE_CUDA=1 asks for computed.
#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <thread>

#include "app/fields/field_memory.h"
#include "app/fields/fields.h"
#include "app/scene/named_selections.h"
#include "app/window/viewport/viewport.h"
#include "compute/base/timing.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {
namespace {

/// Seconds from the key on; less than 0: has not come.
struct Stages {
  double charges = -1;  ///< hydrogens and charges are there, and the surface is asked for
  double field = -1;    ///< surface, potential and colours are computed
  double built = -1;    ///< what is to be drawn
  double drawn = -1;    ///< the first picture of it, which may be a quick one
  double refined = -1;  ///< the fine one
};

double middle(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

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
    window_->choose_device_by_name(required_cuda() ? QStringLiteral("cuda") : QStringLiteral("auto"));
    if (required_cuda()) {
      ASSERT_TRUE(wait_until([this] { return window_->fields().device().is_cuda(); })) << "the window has no CUDA";
    }
  }

  static bool required_cuda() { return qEnvironmentVariable("ISOLUME_REQUIRE_CUDA") == QLatin1String("1"); }

  /// As wait_until(), without its steps of 10 ms.
  static bool soon(const std::function<bool()>& condition) {
    QTimer often;
    often.start(1);
    QElapsedTimer clock;
    clock.start();
    while (!condition() && clock.elapsed() < 60000) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return condition();
  }

  /// The picture on the screen is that of the field's surface.
  bool painted() const {
    const std::shared_ptr<const BuiltView>& drawn = window_->picture().drawn();
    return window_->picture().settled() && drawn && drawn == window_->picture().built() &&
           drawn->scene.fields == window_->controller().scene().fields && window_->viewport().drawn();
  }

  /// One click, from the key to the picture.
  Stages click() {
    Stages found;
    QElapsedTimer clock;
    const auto now = [&clock] { return 1e-9 * static_cast<double>(clock.nsecsElapsed()); };
    QObject here;  // ends the connections
    QObject::connect(&window_->fields(), &LiveFields::field_finished, &here, [&] { found.field = now(); });
    QObject::connect(&window_->picture(), &LivePicture::shown, &here, [&] { found.built = now(); });
    clock.start();
    window_->commands().add_potential->trigger();
    EXPECT_TRUE(soon([&] { return !window_->controller().scene().fields.empty(); }));
    found.charges = now();
    EXPECT_TRUE(soon([&] { return found.field >= 0 && painted(); }));
    found.drawn = now();
    EXPECT_TRUE(soon([&] { return window_->viewport().at_rest(); }));
    found.refined = now();
    return found;
  }

  /// The steps of the field's computation, timed on a thread with a context as the window's worker has.
  void print_steps() {
    FieldRequest request;
    request.field = with_names(window_->controller().scene()).fields.at(0);
    request.molecule = window_->controller().molecule(request.field.molecule);
    request.device = window_->fields().device();
    std::unique_ptr<GlContext> context = window_->viewport().create_shared_context();
    std::thread worker([&] {
      if (context) context->make_current();
      {
        std::unique_ptr<GlShare> share = context ? create_gl_share(request.device) : nullptr;
        FieldMemory memory;
        Job job;
        for (int run = 0; run < 3; ++run) {
          request.field_index = static_cast<std::size_t>(run);  // a new field, as of each click
          const LaunchRecord record;
          const FieldResult result = compute_field(request, share.get(), job, &memory);
          if (run < 2) continue;
          std::printf("the field once more, %.1f ms with times taken: %s\n", 1e3 * result.seconds,
                      result.summary.c_str());
          for (const LaunchEntry& entry : record.entries())
            if (entry.seconds > 3e-4)
              std::printf("  %8.2f ms  %4zu x  %s%s\n", 1e3 * entry.seconds, entry.launches, entry.cuda ? "CUDA: " : "",
                          entry.name.c_str());
        }
      }
      if (context) context->done_current();
    });
    worker.join();
  }
};

TEST_F(ClickTime, FromTheKeyToTheSurface) {
  QElapsedTimer clock;
  clock.start();
  ASSERT_TRUE(open({qEnvironmentVariable("ISOLUME_CLICK_TIME")}));
  SceneController& controller = window_->controller();
  std::printf("read and drawn in %.3f s; %zu atoms; fields on %s; drawn by %s\n", 1e-3 * double(clock.elapsed()),
              controller.molecule(0)->atom_count(), to_string(window_->fields().device()).c_str(),
              window_->viewport().gl().renderer.c_str());
  constexpr int clicks = 8;
  std::vector<double> totals;
  for (int number = 1; number <= clicks; ++number) {
    const Stages at = click();
    const FieldResult result = window_->fields().results().at(0);
    ASSERT_TRUE(result.error.empty()) << result.error;
    if (required_cuda()) {
      ASSERT_NE(result.summary.find("cuda:"), std::string::npos) << result.summary;
    }
    std::printf(
        "click %d: charges %.3f s, field %.3f s (of it computed %.3f), to be drawn %.3f, drawn %.3f; total "
        "%.3f s, the fine picture %.3f s later, %zu atoms\n",
        number, at.charges, at.field - at.charges, result.seconds, at.built - at.field, at.drawn - at.built, at.drawn,
        at.refined - at.drawn, controller.molecule(0)->atom_count());
    if (number > 1) totals.push_back(at.drawn);
    if (number == clicks) break;
    // The next one finds the structure as it was read, without charges.
    while (controller.can_undo()) controller.undo();
    ASSERT_TRUE(wait_until([&] { return controller.scene().fields.empty(); }));
    ASSERT_TRUE(wait_for_picture());
  }
  std::printf("from the key to the picture, median of %zu after the first: %.3f s\n", totals.size(), middle(totals));
  print_steps();
}

}  // namespace
}  // namespace isolume::test
