// Path tracing in the window: passes while nothing moves, and the rasteriser's picture as soon as something does.
#include <QCheckBox>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include "app/window/dialogs/picture_export.h"
#include "app/window/shell/path_quality.h"
#include "app/window/shell/program_runner.h"
#include "app/window/shell/status_line.h"
#include "app/window/viewport/viewport.h"
#include "app/window/viewport/viewport_overlay.h"
#include "compute/base/memory.h"
#include "compute/trace/denoise.h"
#include "tests/app/window/fixture.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

class PathTracingTest : public WindowTest {
 protected:
  PathQuality& quality() { return window_->path_quality(); }
  bool wait_for_samples(int samples) {
    return wait_until([&] { return quality().shown_samples() == samples && !quality().tracing(); }, 90000);
  }
  const QImage& traced() { return window_->viewport().overlay().traced(); }
  QString state() {
    for (const QLabel* label : window_->status().findChildren<QLabel*>())
      if (label->accessibleName() == QStringLiteral("State of the picture")) return label->text();
    return {};
  }
  /// Nothing is traced, and the picture that is seen is the rasteriser's.
  void expect_rasterised() {
    EXPECT_EQ(quality().shown_samples(), 0);
    EXPECT_FALSE(quality().tracing());
    EXPECT_TRUE(traced().isNull());
  }
};

/// Pixels whose colour is another one, of pictures of the same size.
int different(const QImage& a, const QImage& b) {
  EXPECT_EQ(a.size(), b.size());
  if (a.size() != b.size()) return -1;
  int count = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) count += (a.pixel(x, y) & 0xffffffu) != (b.pixel(x, y) & 0xffffffu);
  return count;
}

TEST_F(PathTracingTest, RefinesWhileNothingMovesAndEndsWithTheCamera) {
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  const Image rasterised = shot();
  QList<int> passes;
  QObject::connect(&quality(), &PathQuality::shown_changed, &quality(), [&](int samples) { passes += samples; });
  quality().set_samples(8);
  window_->run_command(QStringLiteral("quality path"));
  EXPECT_TRUE(quality().on());
  EXPECT_TRUE(window_->commands().qualities[1]->isChecked());
  ASSERT_TRUE(wait_for_samples(8));
  ASSERT_FALSE(passes.isEmpty());
  EXPECT_EQ(passes.first(), 1);
  EXPECT_TRUE(std::is_sorted(passes.begin(), passes.end()));
  EXPECT_GE(passes.size(), 3) << "one by one";
  EXPECT_TRUE(state().startsWith(QStringLiteral("Path traced: 8 samples, standard error 0."))) << state().toStdString();
  EXPECT_NE(to_image(window_->viewport().grab_picture()).rgba, rasterised.rgba);
  screenshot(QStringLiteral("path_tracing"));

  // The camera moves: at once the rasteriser's, and traced again when it rests.
  const QImage before = traced();
  window_->viewport().look_from(5);
  expect_rasterised();
  EXPECT_TRUE(state().isEmpty() || state() == QStringLiteral("Refining...")) << state().toStdString();
  ASSERT_TRUE(wait_for_samples(8));
  EXPECT_GT(different(traced(), before), 100);

  // So does the scene.
  window_->run_command(QStringLiteral("set look.background [0.1,0.1,0.1]"));
  expect_rasterised();
  ASSERT_TRUE(wait_for_samples(8));
  const QRgb corner = traced().pixel(0, 0);
  EXPECT_NEAR(qRed(corner), 26, 1);

  window_->run_command(QStringLiteral("quality standard"));
  expect_rasterised();
  EXPECT_TRUE(state().isEmpty()) << state().toStdString();
  EXPECT_TRUE(window_->commands().qualities[0]->isChecked());
  window_->viewport().look_from(1);
  ASSERT_TRUE(wait_until([this] { return window_->viewport().at_rest(); }));
  QCoreApplication::processEvents();
  expect_rasterised();
}

TEST_F(PathTracingTest, AMovementEndsAPassThatTakesLong) {
  ASSERT_TRUE(open({QString::fromStdString(data("../../resources/examples/crambin.pdb.gz"))}));
  quality().set_samples(1 << 20);
  window_->commands().qualities[1]->trigger();
  ASSERT_TRUE(wait_until([this] { return quality().shown_samples() > 1; }, 90000));
  EXPECT_TRUE(quality().tracing());
  EXPECT_TRUE(state().startsWith(QStringLiteral("Path tracing: "))) << state().toStdString();
  window_->viewport().look_from(3);
  expect_rasterised();
  // The thread of the former picture has ended: else none of this one would come.
  quality().set_samples(2);
  ASSERT_TRUE(wait_for_samples(2));
  window_->commands().qualities[0]->trigger();
  expect_rasterised();
}

TEST_F(PathTracingTest, IsThePictureOfTheCommandLineAndOfTheExport) {
  const QString program =
      QFileInfo(QCoreApplication::applicationFilePath()).absoluteDir().filePath(QStringLiteral("isolume"));
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  window_->choose_device_by_name(QStringLiteral("cpu"));
  window_->run_command(QStringLiteral("set representations[0].style \"ball-and-stick\""));
  ASSERT_TRUE(wait_for_picture());
  ASSERT_TRUE(wait_until([this] { return !window_->fields().device().is_cuda(); }));
  quality().set_samples(6);
  quality().set_on(true);
  ASSERT_TRUE(wait_for_samples(6));
  const QImage seen = traced();
  const QString size = QStringLiteral("%1x%2").arg(seen.width()).arg(seen.height());

  QSignalSpy finished(&window_->exporter(), &PictureExport::finished);
  const QString exported = temporary(QStringLiteral("exported.png")), drawn = temporary(QStringLiteral("drawn.png"));
  PictureOptions options;
  options.width = seen.width();
  options.height = seen.height();
  options.pixel_ratio = window_->viewport().devicePixelRatioF();
  options.path_traced = true;
  options.samples = 6;
  window_->export_picture(exported, options, 96);
  ASSERT_TRUE(finished.wait(60000));
  EXPECT_EQ(different(QImage(exported), seen), 0);

  const QString session = temporary(QStringLiteral("scene.isolume"));
  window_->save_session(session);
  ASSERT_TRUE(wait_until([&] { return QFile::exists(session); }));
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(program, {QStringLiteral("render"), session, QStringLiteral("--renderer"), QStringLiteral("path"),
                          QStringLiteral("--samples"), QStringLiteral("6"), QStringLiteral("--size"), size,
                          QStringLiteral("--device"), QStringLiteral("cpu"), QStringLiteral("--out"), drawn});
  ASSERT_TRUE(process.waitForFinished(60000));
  ASSERT_EQ(process.exitCode(), 0) << process.readAll().toStdString();
  if (window_->viewport().devicePixelRatioF() == 1) {  // the width of lines goes by it
    EXPECT_EQ(different(QImage(drawn), seen), 0);
  }
}

TEST_F(PathTracingTest, SaysOnceWhatCannotBeTraced) {
  ASSERT_TRUE(open({write_salt_pqr(2)}));
  quality().set_samples(1);
  set_memory_limit(1);
  quality().set_on(true);
  ASSERT_TRUE(wait_until([this] { return state() == QStringLiteral("Not path traced"); }));
  expect_rasterised();
  EXPECT_TRUE(quality().on());
  set_memory_limit(0);
  // The next view may be traced. It has a cloud.
  window_->run_command(
      QStringLiteral("add fields {\"kind\": \"potential\", \"molecule\": 0, \"show\": \"cloud\", \"spacing\": 2}"));
  ASSERT_TRUE(wait_for_samples(1));
}

TEST_F(PathTracingTest, TheExportBeginsWithWhatIsSeen) {
  PictureDialog dialog(QSize(400, 300));
  EXPECT_FALSE(dialog.options().path_traced);
  dialog.set_path_traced(256);
  EXPECT_TRUE(dialog.options().path_traced);
  EXPECT_EQ(dialog.options().samples, 256);
}

TEST_F(PathTracingTest, TheExportOffersTheDenoiserWhereItIsInstalled) {
  const auto box_of = [](const PictureDialog& dialog) {
    for (QCheckBox* box : dialog.findChildren<QCheckBox*>())
      if (box->accessibleName() == QStringLiteral("Remove noise")) return box;
    return static_cast<QCheckBox*>(nullptr);
  };
  for (const bool hide : {true, false}) {
    hide_denoiser_for_test(hide);
    PictureDialog dialog(QSize(400, 300));
    QCheckBox* box = box_of(dialog);
    ASSERT_NE(box, nullptr);
    EXPECT_FALSE(box->isEnabled());
    box->setChecked(true);
    EXPECT_FALSE(dialog.options().denoise);  // as in the window, it is not traced
    dialog.set_path_traced(16);
    EXPECT_EQ(box->isEnabled(), denoiser_present());
    EXPECT_EQ(dialog.options().denoise, denoiser_present());
    EXPECT_TRUE(box->toolTip().contains(QString::fromStdString(denoiser_status()))) << box->toolTip().toStdString();
    if (hide) {
      EXPECT_FALSE(dialog.options().denoise);
    }
  }
}

}  // namespace
}  // namespace isolume::test
