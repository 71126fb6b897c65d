// Exporting what the scene has from the window: by menu, by the list of surfaces, by the console.
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QSettings>
#include <QSignalSpy>

#include "app/window/dialogs/data_export_dialog.h"
#include "app/window/panels/console_panel.h"
#include "app/window/panels/field_panel.h"
#include "app/window/shell/command_runner.h"
#include "app/window/shell/file_actions.h"
#include "fixture.h"
#include "formats/read.h"

namespace isolume::test {
namespace {

TEST_F(WindowTest, ATrajectoryIsExportedByTheMenu) {
  ASSERT_TRUE(open({write_breathing_xyz(12)}));
  window_->commands().export_data->trigger();
  auto* dialog = window_->findChild<DataExportDialog*>(QStringLiteral("export_data_dialog"));
  ASSERT_NE(dialog, nullptr);
  EXPECT_GE(dialog->format_box()->findData(QStringLiteral("dcd")), 0);
  dialog->format_box()->setCurrentIndex(dialog->format_box()->findData(QStringLiteral("pdb")));
  dialog->frames_box()->setCurrentIndex(1);
  screenshot(QStringLiteral("export_data"));
  DataExport what = dialog->wanted();
  EXPECT_EQ(what.first, 0u);
  EXPECT_EQ(what.last, 11u);
  dialog->reject();
  what.path = temporary(QStringLiteral("out.pdb")).toStdString();
  QSignalSpy finished(&window_->files().data(), &DataExporter::finished);
  window_->files().data().start(what, Device::cpu());
  ASSERT_TRUE(finished.wait(30000));
  EXPECT_EQ(read_file(what.path).frame_count(), 12u);
}

TEST_F(WindowTest, ANameIsProposedThatIsNotThereYet) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  const auto proposed = [this] {
    window_->commands().save_session_as->trigger();
    auto* dialog = window_->findChild<QFileDialog*>();
    const QStringList files = dialog ? dialog->selectedFiles() : QStringList();
    delete dialog;
    return files.value(0);
  };
  QSettings().setValue(QStringLiteral("save_folder"), folder_.path());
  EXPECT_EQ(proposed(), temporary(QStringLiteral("breathing.isolume")));
  QFile there(temporary(QStringLiteral("breathing.isolume")));
  ASSERT_TRUE(there.open(QIODevice::WriteOnly));
  EXPECT_EQ(proposed(), temporary(QStringLiteral("breathing-2.isolume")));
}

TEST_F(WindowTest, ASurfaceIsExportedByTheConsole) {
  ASSERT_TRUE(open({write_salt_pqr(4)}));
  window_->commands().add_surface->trigger();
  ASSERT_TRUE(wait_for_picture());
  QSignalSpy finished(&window_->files().data(), &DataExporter::finished);
  const QString path = temporary(QStringLiteral("surface.stl"));
  Q_EMIT window_->console().entered(QStringLiteral("export %1 field 0").arg(path));
  ASSERT_TRUE(finished.wait(30000));
  EXPECT_GT(QFile(path).size(), 1000);
  // What the scene shows is never replaced.
  QSignalSpy failed(&window_->files().data(), &DataExporter::failed);
  DataExport what;
  what.source = data_sources(window_->controller().scene(), window_->controller().documents()).front();
  what.path = window_->controller().scene().molecules[0].paths[0];
  window_->files().data().start(what, Device::cpu());
  ASSERT_TRUE(failed.wait(30000));
  EXPECT_EQ(read_file(what.path).atom_count(), 64u);
}

TEST_F(WindowTest, TheListOfSurfacesProposesItsRow) {
  ASSERT_TRUE(open({write_salt_pqr(4)}));
  window_->commands().add_surface->trigger();
  ASSERT_TRUE(wait_for_picture());
  Q_EMIT window_->field_panel().export_asked(0);
  auto* dialog = window_->findChild<DataExportDialog*>(QStringLiteral("export_data_dialog"));
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->wanted().source.kind, DataSource::Kind::field);
  EXPECT_GE(dialog->format_box()->findData(QStringLiteral("glb")), 0);
}

}  // namespace
}  // namespace isolume::test
