// Actions are found by typing, commands do what the window does, and the window says what it did as commands.
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include "app/cli/subcommands.h"
#include "app/window/panels/console_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/shell/command_palette.h"
#include "app/window/shell/panel_controls.h"
#include "app/window/shell/panels.h"
#include "app/window/shell/task_panel.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/value_slider.h"
#include "fixture.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

TEST(Palette, WordsFitByBeginningThenWithinThenByLetters) {
  const QString text = QStringLiteral("Export picture");
  EXPECT_GT(fit_of(QStringLiteral("exp"), text), fit_of(QStringLiteral("pic"), text));
  EXPECT_GT(fit_of(QStringLiteral("pic"), text), fit_of(QStringLiteral("ture"), text));
  EXPECT_GT(fit_of(QStringLiteral("ture"), text), fit_of(QStringLiteral("xpc"), text));
  EXPECT_GT(fit_of(QStringLiteral("pic exp"), text), 0) << "in any order";
  EXPECT_EQ(fit_of(QStringLiteral("picx"), text), 0);
  EXPECT_EQ(fit_of(QStringLiteral("export movie"), text), 0) << "every word must fit";
  EXPECT_GT(fit_of(QStringLiteral("export picture"), text), fit_of(QStringLiteral("export picture"), "Undo " + text));
}

class ConsoleTest : public WindowTest {
 protected:
  const Scene& scene() { return window_->controller().scene(); }
  void type(const QString& command) {
    QLineEdit* line = window_->console().line();
    line->setText(command);
    QTest::keyClick(line, Qt::Key_Return);
  }
  /// The commands that the window printed, when it has.
  QStringList commands(qsizetype count) {
    EXPECT_TRUE(wait_until([&] { return window_->console().commands().size() >= count; }));
    return window_->console().commands();
  }
};

TEST_F(ConsoleTest, AnActionIsFoundByItsLetters) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
  auto* palette = window_->findChild<CommandPalette*>();
  ASSERT_NE(palette, nullptr);
  ASSERT_TRUE(wait_until([&] { return palette->isVisible(); }));
  screenshot(QStringLiteral("palette"));
  QTest::keyClicks(palette->line(), QStringLiteral("axes"));
  ASSERT_GT(palette->list()->topLevelItemCount(), 0);
  EXPECT_EQ(palette->list()->topLevelItem(0)->text(0), QStringLiteral("Axes"));
  QTest::keyClick(palette->line(), Qt::Key_Return);
  EXPECT_TRUE(scene().look.axes);
  // Every action of the menus is in it.
  const auto entries = entries_of(window_->menuWidget());
  for (const QAction* action : window_->commands().all()) {
    EXPECT_TRUE(std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return entry.action == action; }))
        << action->objectName().toStdString();
  }
}

TEST_F(ConsoleTest, AControlOfAPanelIsFoundByItsLabel) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  QObject owner;
  const auto entries = entries_of_controls(window_->panels(), &owner);
  const auto named = [&](const char* label, const QString& place) {
    return std::find_if(entries.begin(), entries.end(), [&](const auto& entry) {
      return entry.action->text().remove(QLatin1Char('&')) == QLatin1String(label) && entry.place == place;
    });
  };
  const auto style = named("Style", QStringLiteral("Representations"));
  ASSERT_NE(style, entries.end());
  window_->panels().raise("molecules");
  style->action->trigger();
  const QWidget* focus = window_->focusWidget();
  ASSERT_NE(focus, nullptr);
  EXPECT_EQ(window_->panels().dock_of(focus)->windowTitle(), QStringLiteral("Representations"));
  EXPECT_NE(qobject_cast<const QComboBox*>(focus), nullptr);
  EXPECT_NE(named("RMSD...", QStringLiteral("Plots: Add")), entries.end()) << "an entry of a button's menu";
  // What cannot be seen in its panel is not offered: this molecule has no assemblies.
  EXPECT_EQ(named("Assembly", QStringLiteral("Molecules")), entries.end());
  // The search has them after the actions.
  QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
  auto* palette = window_->findChild<CommandPalette*>();
  ASSERT_NE(palette, nullptr);
  QTest::keyClicks(palette->line(), QStringLiteral("ellipsoids"));  // one of the styles
  ASSERT_GT(palette->list()->topLevelItemCount(), 0);
  EXPECT_EQ(palette->list()->topLevelItem(0)->text(1), QStringLiteral("Representations"));
}

TEST_F(ConsoleTest, WhatTheWindowDoesIsPrintedAndDoesTheSame) {
  const QString file = write_breathing_xyz(6);
  ASSERT_TRUE(open({file}));
  EXPECT_EQ(commands(1), QStringList{QStringLiteral("open ") + file});
  QTest::keyClick(&window_->viewport(), Qt::Key_D, Qt::ControlModifier);
  EXPECT_TRUE(commands(2).last().startsWith(QStringLiteral("add fields {")));
  window_->commands().axes->trigger();
  EXPECT_EQ(commands(3).last(), QStringLiteral("set look.axes true"));
  QTest::keyClick(&window_->viewport(), Qt::Key_Right);
  EXPECT_EQ(commands(4).last(), QStringLiteral("frame 1"));
  QTest::keyClick(&window_->viewport(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(commands(5).last(), QStringLiteral("undo"));
  EXPECT_FALSE(scene().look.axes);

  // The same commands in an empty window make the same scene.
  const Scene wanted = scene();
  const QStringList script = window_->console().commands();
  window_->controller().reset({});
  ASSERT_TRUE(open({file}));
  for (const QString& command : script.mid(1)) type(command);
  Scene got = scene();
  got.camera = wanted.camera;
  EXPECT_EQ(got, wanted);
  ASSERT_TRUE(wait_for_picture());
}

TEST_F(ConsoleTest, CommandsChangeTheSceneAndAreUndone) {
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  type(QStringLiteral("set representations[0].style spheres"));
  EXPECT_EQ(scene().representations[0].style, Style::spheres);
  type(QStringLiteral("add representations {\"selection\": \"element O\", \"style\": \"points\"}"));
  ASSERT_EQ(scene().representations.size(), 2u);
  EXPECT_EQ(scene().representations[1].selection, "element O");
  type(QStringLiteral("undo"));
  EXPECT_EQ(scene().representations.size(), 1u);
  type(QStringLiteral("set representations[0].style balls"));
  EXPECT_TRUE(window_->console().text().contains(QStringLiteral("is none of"))) << "says what there is";
  EXPECT_EQ(scene().representations[0].style, Style::spheres);
  type(QStringLiteral("pick element H"));
  EXPECT_TRUE(wait_until([&] { return window_->controller().picked().size() == 2; }));
  type(QStringLiteral("dance"));
  EXPECT_TRUE(window_->console().text().contains(QStringLiteral("'dance' is not a command")));
  // History.
  QLineEdit* line = window_->console().line();
  QTest::keyClick(line, Qt::Key_Up);
  EXPECT_EQ(line->text(), QStringLiteral("dance"));
  QTest::keyClick(line, Qt::Key_Up);
  EXPECT_EQ(line->text(), QStringLiteral("pick element H"));
  QTest::keyClick(line, Qt::Key_Down);
  EXPECT_EQ(line->text(), QStringLiteral("dance"));
  // Completion.
  line->clear();
  QTest::keyClicks(line, QStringLiteral("set representations[0].sty"));
  QTest::keyClick(line, Qt::Key_Tab);
  EXPECT_EQ(line->text(), QStringLiteral("set representations[0].style "));
  window_->findChild<QDockWidget*>(QStringLiteral("console"))->show();
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("console"));
}

TEST_F(ConsoleTest, SubcommandsAreThoseOfTheCommandLine) {
  type(QStringLiteral("help"));
  const QString text = window_->console().text();
  for (const std::string& name : cli::subcommands()) EXPECT_TRUE(text.contains(QString::fromStdString(name))) << name;
  EXPECT_TRUE(text.contains(QStringLiteral("convert, render, replay")));
  QLineEdit* line = window_->console().line();
  QTest::keyClicks(line, QStringLiteral("compute cav"));
  QTest::keyClick(line, Qt::Key_Tab);
  EXPECT_EQ(line->text(), QStringLiteral("compute cavities "));
  line->clear();
  type(QStringLiteral("save"));
  EXPECT_TRUE(window_->console().text().contains(QStringLiteral("expected: save FILE.isolume"))) << "a word is missing";
}

TEST_F(ConsoleTest, TheCommandOfThePictureIsCopied) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->commands().copy_command->trigger();
  const QString text = QApplication::clipboard()->text();
  EXPECT_TRUE(text.startsWith(QStringLiteral("isolume render '")));
  EXPECT_TRUE(text.contains(QStringLiteral("--set 'camera.height=")));
}

TEST(Tasks, TimeLeftIsThatOfTheSamePace) {
  EXPECT_EQ(time_left(10, 0.5), QStringLiteral("10 s left"));
  EXPECT_EQ(time_left(60, 0.1), QStringLiteral("9 min left"));
  EXPECT_TRUE(time_left(0.2, 0.1).isEmpty()) << "too early to say";
  EXPECT_TRUE(time_left(100, 0.001).isEmpty());
}

TEST_F(ConsoleTest, TasksAndTheirEndAreShown) {
  TaskPanel& tasks = window_->tasks();
  window_->findChild<QDockWidget*>(QStringLiteral("log"))->show();
  tasks.show_task(QStringLiteral("a"), QStringLiteral("potential"), 0.2);
  tasks.show_task(QStringLiteral("b"), QStringLiteral("reading"), -1);
  EXPECT_EQ(tasks.running(), 2);
  tasks.log(TaskPanel::Kind::fault, QStringLiteral("it went wrong"));
  screenshot(QStringLiteral("tasks"));
  tasks.show_task(QStringLiteral("a"), {}, 0);
  tasks.show_task(QStringLiteral("b"), {}, 0);
  EXPECT_EQ(tasks.running(), 0);
  EXPECT_TRUE(tasks.log_text().contains(QStringLiteral("it went wrong")));
}

}  // namespace
}  // namespace isolume::test
