// Help of the window: the tour, the report for faults, the manual, pinned files.
#include <QCheckBox>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QPlainTextEdit>
#include <QTest>
#include <QToolButton>

#include "app/window/dialogs/preferences_dialog.h"
#include "app/window/help/manual.h"
#include "app/window/help/recent_files.h"
#include "app/window/help/system_report.h"
#include "app/window/help/tour.h"
#include "fixture.h"
#include "tests/app/window/preferences_test.h"

namespace isolume::test {
namespace {

TEST_F(PreferencesTest, TheTourHasFourStepsAndIsLeftAnyTime) {
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  window_->commands().tour->trigger();
  Tour* tour = window_->findChild<Tour*>(QStringLiteral("tour"));
  ASSERT_NE(tour, nullptr);
  EXPECT_TRUE(tour->isVisible());
  for (int step = 0; step < 4; ++step) {
    EXPECT_EQ(tour->step(), step);
    screenshot(QStringLiteral("tour-%1").arg(step + 1));
    QTest::mouseClick(tour->next_button(), Qt::LeftButton);
  }
  EXPECT_TRUE(wait_until([&] { return window_->findChild<Tour*>(QStringLiteral("tour")) == nullptr; }));
  window_->commands().tour->trigger();
  tour = window_->findChild<Tour*>(QStringLiteral("tour"));
  ASSERT_NE(tour, nullptr);
  QTest::keyClick(tour, Qt::Key_Escape);
  EXPECT_TRUE(wait_until([&] { return window_->findChild<Tour*>(QStringLiteral("tour")) == nullptr; }));
}

TEST_F(PreferencesTest, TheReportNamesWhatItRunsOnAndNobody) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  ASSERT_TRUE(wait_for_picture());
  window_->commands().report->trigger();
  auto* dialog = window_->findChild<QDialog*>(QStringLiteral("report"));
  ASSERT_NE(dialog, nullptr);
  auto* text = dialog->findChild<QPlainTextEdit*>();
  ASSERT_TRUE(wait_until([&] { return text->toPlainText().contains(QStringLiteral("CUDA")); }));
  const QString report = text->toPlainText();
  for (const char* word : {"Isolume", "System", "OpenGL", "Device", "Qt"}) {
    EXPECT_TRUE(report.contains(QLatin1String(word))) << word;
  }
  EXPECT_TRUE(report.contains(QString::fromStdString(window_->viewport().gl().renderer)));
  EXPECT_FALSE(report.contains(QStringLiteral("breathing"))) << "no file names";
  const QString host = QSysInfo::machineHostName();
  EXPECT_FALSE(!host.isEmpty() && report.contains(QLatin1Char(' ') + host + QLatin1Char('\n'))) << "no host";
  // The log is part of it, as far as it names nobody.
  auto* with_log = dialog->findChild<QCheckBox*>();
  ASSERT_NE(with_log, nullptr);
  EXPECT_TRUE(with_log->isChecked());
  EXPECT_TRUE(report.contains(QStringLiteral("Note")) || report.contains(QStringLiteral("Done")))
      << report.toStdString();
  EXPECT_FALSE(report.contains(folder_.path())) << "no folders";
  with_log->setChecked(false);
  EXPECT_FALSE(text->toPlainText().contains(QStringLiteral("Done")));
  EXPECT_TRUE(text->toPlainText().contains(QStringLiteral("CUDA")));
  dialog->reject();
}

TEST(SystemReport, LeavesNamesOut) {
  const QString home = QDir::homePath();
  const QString log = QStringLiteral(
                          "12:00  Done   Opened our secret.pdb.gz\n"
                          "12:01  Fault  %1/private/run_7.xtc: no atoms in /mnt/team/x.dcd, line 3\n"
                          "12:02  Note   image.png of \"other-name.gro\", 3.5 A, 12.gro; see docs/window.md\n")
                          .arg(home);
  const QString clean = without_names(log, {home + QStringLiteral("/our secret.pdb.gz")});
  for (const char* name : {"secret", "private", "run_7", "team", "other-name", "image.png", "12.gro"})
    EXPECT_FALSE(clean.contains(QLatin1String(name))) << name << "\n" << clean.toStdString();
  EXPECT_FALSE(clean.contains(home)) << clean.toStdString();
  EXPECT_TRUE(clean.contains(QStringLiteral("Opened file1.pdb.gz\n"))) << clean.toStdString();
  EXPECT_TRUE(clean.contains(QStringLiteral("no atoms in [path], line 3"))) << clean.toStdString();
  EXPECT_TRUE(clean.contains(QStringLiteral("[file].png of \"[file].gro\", 3.5 A"))) << clean.toStdString();
}

TEST_F(PreferencesTest, PinnedFilesStayWhateverElseIsOpened) {
  const QString path = write_breathing_xyz(2);
  ASSERT_TRUE(open({path}));
  const auto pin = [&] {
    for (auto* button : window_->findChildren<QToolButton*>())
      if (button->isCheckable() && button->accessibleName().contains(QFileInfo(path).fileName())) return button;
    return static_cast<QToolButton*>(nullptr);
  };
  ASSERT_NE(pin(), nullptr);
  EXPECT_FALSE(pin()->isChecked());
  EXPECT_NE(pin()->focusPolicy() & Qt::TabFocus, 0);
  pin()->click();
  EXPECT_TRUE(is_pinned(path));
  for (int i = 0; i < 20; ++i) remember_file(temporary(QStringLiteral("other-%1.pdb").arg(i)));
  QStringList files = recent_files();
  EXPECT_EQ(files.size(), 13);
  EXPECT_EQ(files.first(), path);
  EXPECT_EQ(files[1], temporary(QStringLiteral("other-19.pdb")));
  EXPECT_TRUE(wait_until([&] { return pin() != nullptr && pin()->isChecked(); }));
  EXPECT_TRUE(window_->commands().recent->actions().first()->text().startsWith(QChar(0x2605)));
  pin_file(path, false);
  EXPECT_FALSE(is_pinned(path));
  EXPECT_EQ(recent_files().first(), path) << "then it is the one opened last";
  EXPECT_EQ(recent_files().size(), 12);
}

TEST_F(PreferencesTest, TheManualOpensAtThePanelWithTheFocus) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  const auto manual = [&] { return window_->findChild<Manual*>(); };
  const auto close = [&] {
    manual()->close();
    return wait_until([&] { return manual() == nullptr; });
  };
  QTest::keyClick(&window_->viewport(), Qt::Key_F1);
  ASSERT_NE(manual(), nullptr);
  EXPECT_EQ(manual()->text()->textCursor().selectedText(), QStringLiteral("Mouse and keys"));
  for (int row = 0; row < manual()->pages()->count(); ++row) {
    manual()->pages()->setCurrentRow(row);
    EXPECT_GT(manual()->text()->toPlainText().size(), 1000) << row;
    EXPECT_FALSE(manual()->text()->toHtml().contains(QStringLiteral("<img"))) << row;  // not built in
  }
  // The search goes on to other pages.
  manual()->show_page(QStringLiteral("window"));
  manual()->search_line()->setText(QStringLiteral("NetCDF"));
  QTest::keyClick(manual()->search_line(), Qt::Key_Return);
  EXPECT_EQ(manual()->text()->textCursor().selectedText(), QStringLiteral("NetCDF"));
  EXPECT_NE(manual()->pages()->currentRow(), 0);
  ASSERT_TRUE(close());
  for (QDockWidget* dock : window_->findChildren<QDockWidget*>()) {
    dock->show();
    dock->raise();
    QWidget* inside = nullptr;
    for (QWidget* child : dock->findChildren<QWidget*>())
      if (inside == nullptr && child->isVisible() && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus) != 0)
        inside = child;
    if (inside == nullptr) continue;
    inside->setFocus();
    if (!dock->isAncestorOf(window_->focusWidget())) continue;
    window_->commands().manual->trigger();
    ASSERT_NE(manual(), nullptr);
    EXPECT_EQ(manual()->text()->textCursor().selectedText(), dock->windowTitle() + QLatin1Char(':'));
    ASSERT_TRUE(close());
  }
}

}  // namespace
}  // namespace isolume::test
