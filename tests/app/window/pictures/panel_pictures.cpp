// Pictures of the window of a small screen with each panel, and of each dialog.
#include <QAction>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QPointer>
#include <QTabWidget>

#include "app/window/dialogs/preferences_dialog.h"
#include "app/window/shell/panels.h"
#include "tests/app/window/fixture.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

/// The whole window at the size of a small screen, with each panel in front: `panel-NAME.png`. Dark where
/// ISOLUME_SCREENSHOTS_DARK is set, at 2x with QT_SCALE_FACTOR=2.
class PanelPictures : public WindowTest {
 protected:
  void SetUp() override {
    if (qEnvironmentVariableIsEmpty("ISOLUME_SCREENSHOTS")) GTEST_SKIP() << "set ISOLUME_SCREENSHOTS to a folder";
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    window_->resize(1366, 768);
  }
  void each_panel(const QStringList& names) {
    for (QDockWidget* dock : window_->panels().docks()) {
      const QString name = dock->objectName();
      if (!names.isEmpty() && !names.contains(name)) continue;
      window_->panels().raise(name.toLatin1().constData());
      ASSERT_TRUE(wait_until([&] { return dock->isVisible() && window_->viewport().at_rest(); })) << name.toStdString();
      QCoreApplication::processEvents();
      screenshot(QStringLiteral("panel-%1").arg(name));
    }
  }
};

TEST_F(PanelPictures, OfATrajectoryInASmallWindow) {
  const auto example = [](const char* name) {
    return QString::fromStdString(data(std::string("../../resources/examples/") + name));
  };
  ASSERT_TRUE(open({example("crambin_water/crambin_water.gro.gz"), example("crambin_water/crambin_water.xtc")}));
  for (const char* line : {"select resid 7 to 19 and name CA", "ruler 0 100", "clip view", "action add_interactions",
                           "add selections {\"name\": \"helix\", \"selection\": \"resid 7 to 19\"}"}) {
    window_->run_command(QLatin1String(line));
    ASSERT_TRUE(wait_for_picture());
  }
  each_panel({});
}

TEST_F(PanelPictures, OfOrbitalsInASmallWindow) {
  ASSERT_TRUE(open({QString::fromStdString(shared_data("qm-fields/vibrations/formamide_vib.molden"))}));
  each_panel({QStringLiteral("orbitals"), QStringLiteral("fields"), QStringLiteral("vibrations"),
              QStringLiteral("states"), QStringLiteral("molecules")});
}

/// Each dialog of the menus, `dialog-ACTION.png`, and each page of the preferences; as the panels dark and at 2x.
TEST_F(PanelPictures, OfDialogs) {
  const auto example = [](const char* name) {
    return QString::fromStdString(data(std::string("../../resources/examples/") + name));
  };
  ASSERT_TRUE(open({example("crambin_water/crambin_water.gro.gz"), example("crambin_water/crambin_water.xtc")}));
  ASSERT_TRUE(open({QString::fromStdString(shared_data("map-fit/maps/1crn_molmap_4A.mrc.gz"))}));
  ASSERT_TRUE(open({QString::fromStdString(shared_data("qm-fields/vibrations/formamide_vib.molden"))}));
  const QDir folder(qEnvironmentVariable("ISOLUME_SCREENSHOTS"));
  ASSERT_TRUE(folder.mkpath(QStringLiteral(".")));
  const auto keep = [&](QWidget* dialog, const QString& name) {
    QCoreApplication::processEvents();  // texts of several lines make room for themselves
    EXPECT_TRUE(dialog->grab().save(folder.filePath(QStringLiteral("dialog-%1.png").arg(name))));
  };
  for (QAction* action : window_->commands().all()) {
    if (!action->isEnabled() || !action->text().endsWith(QStringLiteral("..."))) continue;
    // Files are chosen in the system's dialog.
    if (action->objectName() == QStringLiteral("open") || action->objectName() == QStringLiteral("save_session_as"))
      continue;
    action->trigger();
    QDialog* dialog = nullptr;
    wait_until(
        [&] {
          for (QDialog* found : window_->findChildren<QDialog*>())
            if (found->isVisible()) dialog = found;
          return dialog != nullptr;
        },
        3000);
    if (dialog == nullptr) continue;
    if (qobject_cast<QFileDialog*>(dialog) != nullptr) {
      dialog->close();
      continue;
    }
    keep(dialog, action->objectName());
    if (auto* preferences = qobject_cast<PreferencesDialog*>(dialog)) {
      auto* pages = preferences->findChild<QTabWidget*>();
      for (int page = 0; page < pages->count(); ++page) {
        pages->setCurrentIndex(page);
        keep(preferences, QStringLiteral("preferences-%1").arg(page + 1));
      }
    }
    dialog->close();
    const QPointer<QDialog> closed(dialog);
    ASSERT_TRUE(wait_until([&] { return !closed || !closed->isVisible(); })) << action->objectName().toStdString();
  }
}

}  // namespace
}  // namespace isolume::test
