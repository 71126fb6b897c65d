// The pictures of docs/window.md: each panel by itself, with one of the examples.
#include <QDir>
#include <QDockWidget>
#include <QTest>

#include "app/scene/scene_json.h"
#include "app/window/shell/panels.h"
#include "app/window/widgets/theme.h"
#include "fixture.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

class ManualPictures : public WindowTest {
 protected:
  void SetUp() override {
    if (qEnvironmentVariableIsEmpty("ISOLUME_SCREENSHOTS")) GTEST_SKIP() << "set ISOLUME_SCREENSHOTS to a folder";
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    apply_theme(Theme::light);
    window_->resize(1280, 820);
  }
  bool open_example(const QStringList& names) {
    QStringList files;
    for (const QString& name : names)
      files += QString::fromStdString(data("../../resources/examples/" + name.toStdString()));
    return open(files);
  }
  /// The panel as a window of its own of that size, as `manual-NAME.png`.
  void panel(const char* name, QSize size) {
    window_->panels().raise(name);
    QDockWidget& dock = window_->panels().dock(name);
    dock.setFloating(true);
    size = size.expandedTo(dock.minimumSizeHint());
    dock.resize(size);
    ASSERT_TRUE(wait_until([&] { return window_->viewport().at_rest() && dock.width() >= size.width(); }));
    QCoreApplication::processEvents();
    const QDir folder(qEnvironmentVariable("ISOLUME_SCREENSHOTS"));
    ASSERT_TRUE(folder.mkpath(QStringLiteral(".")));
    EXPECT_TRUE(dock.widget()->grab().save(folder.filePath(QStringLiteral("manual-%1.png").arg(QLatin1String(name)))));
    dock.setFloating(false);
  }
  void command(const char* line) {
    window_->run_command(QString::fromLatin1(line));
    ASSERT_TRUE(wait_for_picture());
  }
};

TEST_F(ManualPictures, OfAProtein) {
  ASSERT_TRUE(open_example({"crambin.pdb.gz"}));
  panel("representations", {400, 450});
  panel("scene", {400, 240});
  panel("look", {400, 680});
  command("select resid 7 to 19");
  panel("sequence", {900, 140});
  panel("ramachandran", {560, 330});
  command("action add_potential");
  ASSERT_TRUE(wait_until([&] { return !window_->controller().scene().fields.empty(); }));
  ASSERT_TRUE(wait_for_picture());
  panel("fields", {400, 640});
}

TEST_F(ManualPictures, OfATrajectory) {
  ASSERT_TRUE(open_example({"crambin_water/crambin_water.gro.gz", "crambin_water/crambin_water.xtc"}));
  panel("trajectory", {900, 60});
  command("select protein");
  ASSERT_TRUE(wait_until([&] { return !window_->controller().picked().empty(); }));
  command("action add_interactions");
  panel("interactions", {900, 260});
}

TEST_F(ManualPictures, OfOrbitals) {
  QStringList files;
  for (int i = 0; i < 12; ++i)
    files += QStringLiteral("threonine_chi1/threonine_chi1_%1.molden.gz").arg(i, 3, 10, QLatin1Char('0'));
  ASSERT_TRUE(open_example(files));
  panel("orbitals", {400, 640});
}

}  // namespace
}  // namespace isolume::test
