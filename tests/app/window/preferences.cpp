// Preferences: mouse and keys of other programs, themes at once, the tour, the report.
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>

#include "app/window/dialogs/preferences_dialog.h"
#include "app/window/help/manual.h"
#include "app/window/help/recent_files.h"
#include "app/window/help/system_report.h"
#include "app/window/help/tour.h"
#include "app/window/settings/input_map.h"
#include "app/window/viewport/viewport_overlay.h"
#include "app/window/widgets/theme.h"
#include "fixture.h"

namespace isolume::test {
namespace {

TEST(InputMap, PresetsAreThoseOfThePrograms) {
  const InputMap& own = input_maps().first();
  EXPECT_EQ(own.drag(Qt::LeftButton, {}), Drag::rotate);
  EXPECT_EQ(own.drag(Qt::RightButton, {}), Drag::pan);
  EXPECT_EQ(own.drag(Qt::LeftButton, Qt::ShiftModifier), Drag::box_add);
  EXPECT_EQ(own.wheel_use(Qt::ControlModifier), WheelUse::isovalue);
  EXPECT_EQ(input_map(QStringLiteral("PyMOL")).drag(Qt::RightButton, {}), Drag::zoom);
  EXPECT_EQ(input_map(QStringLiteral("PyMOL")).drag(Qt::MiddleButton, {}), Drag::pan);
  EXPECT_EQ(input_map(QStringLiteral("PyMOL")).wheel_use({}), WheelUse::slab);
  EXPECT_EQ(input_map(QStringLiteral("VMD")).drag(Qt::RightButton, {}), Drag::roll);
  EXPECT_EQ(input_map(QStringLiteral("ChimeraX")).drag(Qt::LeftButton, Qt::ControlModifier), Drag::box_add);
  EXPECT_EQ(input_map(QStringLiteral("nobody")).name, own.name);
  for (const InputMap& map : input_maps()) {
    EXPECT_EQ(map.drag(Qt::LeftButton, {}), Drag::rotate) << map.name.toStdString();
    for (const auto& [input, what] : describe(map)) {
      EXPECT_FALSE(input.isEmpty());
      EXPECT_FALSE(what.isEmpty());
    }
  }
}

class PreferencesTest : public WindowTest {
 protected:
  PreferencesDialog* dialog() {
    QTest::keyClick(window_.get(), Qt::Key_Comma, Qt::ControlModifier);
    PreferencesDialog* found = nullptr;
    EXPECT_TRUE(wait_until([&] {
      found = window_->findChild<PreferencesDialog*>(QStringLiteral("preferences"));
      return found != nullptr && found->isVisible();
    }));
    return found;
  }
  void drag(Qt::MouseButton button, Qt::KeyboardModifiers modifiers, QPoint from, QPoint to) {
    Viewport& viewport = window_->viewport();
    QTest::mousePress(&viewport, button, modifiers, from);
    for (const QPoint at : {(from + to) / 2, to}) {
      QMouseEvent move(QEvent::MouseMove, at, viewport.mapToGlobal(QPointF(at)), Qt::NoButton, button, modifiers);
      QCoreApplication::sendEvent(&viewport, &move);
    }
    QTest::mouseRelease(&viewport, button, modifiers, to);
  }
};

TEST_F(PreferencesTest, ThemesChangeAtOnceAndCancelTakesThemBack) {
  PreferencesDialog* shown = dialog();
  ASSERT_NE(shown, nullptr);
  screenshot(QStringLiteral("preferences-behind"));
  const bool dark = dark_palette();
  shown->theme_box()->setCurrentIndex(shown->theme_box()->findData(QStringLiteral("dark")));
  Q_EMIT shown->theme_box()->activated(shown->theme_box()->currentIndex());
  EXPECT_TRUE(dark_palette());
  shown->reject();
  EXPECT_EQ(dark_palette(), dark);
  EXPECT_EQ(Preferences::read(), Preferences{});
}

TEST_F(PreferencesTest, AreThoseOfTheLastRunAtTheNextStart) {
  Preferences own;
  own.theme = QStringLiteral("dark");
  own.device = QStringLiteral("cpu");
  own.input = QStringLiteral("PyMOL");
  own.keys[QStringLiteral("axes")] = QStringLiteral("Ctrl+Alt+A");
  own.write();
  // As a start does: the theme is there before the window.
  window_.reset();
  apply_theme(Theme::dark);
  window_ = std::make_unique<MainWindow>();
  EXPECT_TRUE(dark_palette());
  EXPECT_EQ(window_->preferences(), own);
  EXPECT_EQ(window_->viewport().input().name, QStringLiteral("PyMOL"));
  EXPECT_EQ(window_->commands().axes->shortcut(), QKeySequence(QStringLiteral("Ctrl+Alt+A")));
  // A theme of the command line is not taken back by the one of the preferences.
  window_.reset();
  apply_theme(Theme::light);
  window_ = std::make_unique<MainWindow>();
  EXPECT_FALSE(dark_palette());
}

TEST_F(PreferencesTest, MouseAndKeysOfAnotherProgram) {
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  shot();
  PreferencesDialog* shown = dialog();
  ASSERT_NE(shown, nullptr);
  shown->input_box()->setCurrentIndex(shown->input_box()->findData(QStringLiteral("VMD")));
  Q_EMIT shown->input_box()->activated(shown->input_box()->currentIndex());
  shown->accept();
  EXPECT_EQ(Preferences::read().input, QStringLiteral("VMD"));
  ASSERT_TRUE(wait_until([&] { return window_->findChild<QDialog*>(QStringLiteral("preferences")) == nullptr; }));
  QApplication::setActiveWindow(window_.get());  // as a window manager does; keys go to the active window
  // T makes the left drag move, R turn again.
  const Camera first = window_->viewport().camera();
  const QPoint middle = window_->viewport().rect().center();
  QTest::keyClick(&window_->viewport(), Qt::Key_T);
  drag(Qt::LeftButton, {}, middle, middle + QPoint(60, 10));
  EXPECT_EQ(window_->viewport().camera().rotation, first.rotation);
  EXPECT_NE(window_->viewport().camera().centre, first.centre);
  QTest::keyClick(&window_->viewport(), Qt::Key_R);
  EXPECT_NE(window_->viewport().camera().centre, first.centre) << "R is no longer reset";
  drag(Qt::LeftButton, {}, middle, middle + QPoint(60, 10));
  EXPECT_NE(window_->viewport().camera().rotation, first.rotation);
  // Back to the usual ones.
  window_->apply_preferences({});
  EXPECT_EQ(window_->commands().reset->shortcut(), QKeySequence(Qt::Key_R));
  EXPECT_TRUE(window_->commands().left_drags[0]->shortcut().isEmpty());
}

TEST_F(PreferencesTest, AnOwnKeyTakesItFromWhoHadIt) {
  Preferences own;
  own.keys[QStringLiteral("axes")] = QStringLiteral("F");
  window_->apply_preferences(own);
  EXPECT_EQ(window_->commands().axes->shortcut(), QKeySequence(Qt::Key_F));
  EXPECT_TRUE(window_->commands().fit->shortcut().isEmpty());
  own.write();
  EXPECT_EQ(Preferences::read(), own);
  window_->apply_preferences({});
  EXPECT_EQ(window_->commands().fit->shortcut(), QKeySequence(Qt::Key_F));
}

TEST_F(PreferencesTest, ABoxPicksAndLetsGo) {
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  shot();
  const QRect all = window_->viewport().rect().adjusted(3, 3, -3, -3);
  drag(Qt::LeftButton, Qt::ShiftModifier, all.topLeft(), all.bottomRight());
  ASSERT_TRUE(wait_until([&] { return window_->controller().picked().size() == 9; })) << "all nine atoms";
  const QPoint oxygen = place_of({0, 2});
  drag(Qt::LeftButton, Qt::ShiftModifier | Qt::AltModifier, oxygen - QPoint(9, 9), oxygen + QPoint(9, 9));
  EXPECT_TRUE(wait_until([&] { return window_->controller().picked().size() == 8; }));
  for (const PickedAtom& atom : window_->controller().picked()) EXPECT_NE(atom.atom, 2u);
  // Shift+F shows them, without a step of the history.
  QTest::keyClick(&window_->viewport(), Qt::Key_F, Qt::ShiftModifier);
  EXPECT_FALSE(window_->controller().can_undo());
}

TEST_F(PreferencesTest, TheWheelWithCtrlTurnsTheIsovalue) {
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  QTest::keyClick(&window_->viewport(), Qt::Key_D, Qt::ControlModifier);
  ASSERT_TRUE(wait_for_picture());
  const Camera camera = window_->viewport().camera();
  const double before = effective_isovalue(window_->controller().scene().fields[0]);
  Viewport& viewport = window_->viewport();
  for (int i = 0; i < 2; ++i) {
    const QPointF at = viewport.rect().center();
    QWheelEvent event(at, viewport.mapToGlobal(at), {}, {0, 120}, {}, Qt::ControlModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&viewport, &event);
  }
  EXPECT_NEAR(window_->controller().scene().fields[0].isovalue, before * 1.21, 0.01 * before);
  EXPECT_EQ(viewport.camera(), camera) << "it does not zoom";
  QTest::keyClick(&viewport, Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(effective_isovalue(window_->controller().scene().fields[0]), before) << "one step for all";
}

TEST_F(PreferencesTest, FitShowsWhatOpeningShows) {
  ASSERT_TRUE(open({write_breathing_xyz(3)}));
  ASSERT_TRUE(wait_until([&] { return window_->viewport().at_rest(); }));
  const Camera first = window_->controller().scene().camera;
  QTest::keyClick(&window_->viewport(), Qt::Key_Plus);
  ASSERT_NE(window_->controller().scene().camera.height, first.height);
  QTest::keyClick(&window_->viewport(), Qt::Key_F);
  EXPECT_TRUE(wait_until([&] {
    return std::abs(window_->controller().scene().camera.height - first.height) < 0.01 * first.height;
  })) << window_->controller().scene().camera.height
      << " and not " << first.height;
}

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
