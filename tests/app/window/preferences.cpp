// Preferences: mouse and keys of other programs, themes at once.
#include <QAction>
#include <QApplication>
#include <QRegularExpression>
#include <QTableWidget>
#include <QTest>

#include "app/window/dialogs/preferences_dialog.h"
#include "app/window/help/tour.h"
#include "app/window/settings/input_map.h"
#include "app/window/widgets/theme.h"
#include "fixture.h"
#include "tests/app/window/preferences_test.h"

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

TEST_F(PreferencesTest, KeysNameActionsNotWhatTheyWouldUndo) {
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  window_->commands().axes->trigger();
  ASSERT_TRUE(wait_until([&] { return window_->commands().undo->text() != QStringLiteral("&Undo"); }))
      << "it says what it takes back";
  PreferencesDialog* shown = dialog();
  ASSERT_NE(shown, nullptr);
  QStringList names;
  for (const QTableWidget* table : shown->findChildren<QTableWidget*>())
    for (int row = 0; row < table->rowCount(); ++row) names += table->item(row, 0)->text();
  EXPECT_TRUE(names.contains(QStringLiteral("Undo")));
  EXPECT_TRUE(names.filter(QRegularExpression(QStringLiteral("^Undo ."))).isEmpty());
}

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

}  // namespace
}  // namespace isolume::test
