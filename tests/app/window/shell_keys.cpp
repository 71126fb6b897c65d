// Menus by Alt and letter, panels by Alt and digit.
#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QTest>

#include "app/window/panels/field_panel.h"
#include "app/window/panels/trajectory_panel.h"
#include "app/window/shell/command_palette.h"
#include "app/window/shell/panels.h"
#include "fixture.h"
#include "tests/app/window/shell_test.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

QChar mnemonic(const QString& text) {
  const QKeySequence key = QKeySequence::mnemonic(text);
  return key.isEmpty() ? QChar() : QChar(key.toString().back()).toUpper();
}

TEST_F(ShellTest, AltAndALetterOpensItsMenuWhateverIsShown) {
  // Orbitals, a trajectory of them and a surface: every panel has something to show.
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden")), write_breathing_xyz(3)}));
  window_->commands().add_surface->trigger();
  ASSERT_TRUE(wait_for_picture());
  QString reserved;
  for (const QAction* menu : window_->menuBar()->actions()) reserved += mnemonic(menu->text());
  EXPECT_EQ(reserved, QStringLiteral("FESVAMCH"));
  for (QDockWidget* panel : window_->findChildren<QDockWidget*>()) {
    for (const QLabel* label : panel->findChildren<QLabel*>()) {
      if (label->buddy() == nullptr) continue;
      const QChar key = mnemonic(label->text());
      EXPECT_TRUE(key.isNull() || !reserved.contains(key)) << label->text().toStdString();
    }
    for (const auto* button : panel->findChildren<QAbstractButton*>()) {
      const QChar key = mnemonic(button->text());
      EXPECT_TRUE(key.isNull() || !reserved.contains(key)) << button->text().toStdString();
    }
  }
  // Tabs that are not in front count as visible to Qt: what they have takes keys as well.
  for (QAction* menu : window_->menuBar()->actions()) {
    window_->viewport().setFocus();
    const QChar letter = mnemonic(menu->text());
    QTest::keyClick(&window_->viewport(), static_cast<Qt::Key>(letter.unicode()), Qt::AltModifier);
    EXPECT_TRUE(wait_until([&] { return menu->menu()->isVisible(); })) << QString(letter).toStdString();
    menu->menu()->close();
  }
}

TEST_F(ShellTest, AltAndADigitBringsAPanelToTheFrontBeforeItHidesIt) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->viewport().setFocus();
  ASSERT_TRUE(in_front(dock("representations")));
  ASSERT_FALSE(dock("fields")->isHidden());
  ASSERT_FALSE(in_front(dock("fields"))) << "a tab behind another";
  QTest::keyClick(&window_->viewport(), Qt::Key_2, Qt::AltModifier);
  EXPECT_TRUE(wait_until([&] { return in_front(dock("fields")); }));
  EXPECT_TRUE(dock("fields")->isAncestorOf(window_->focusWidget())) << "the keys go to it";
  QTest::keyClick(window_->focusWidget(), Qt::Key_2, Qt::AltModifier);
  EXPECT_TRUE(dock("fields")->isHidden());
  QTest::keyClick(&window_->viewport(), Qt::Key_2, Qt::AltModifier);
  EXPECT_TRUE(wait_until([&] { return in_front(dock("fields")); }));
  // Who opens the console wants to type a command.
  QTest::keyClick(&window_->viewport(), Qt::Key_7, Qt::AltModifier);
  EXPECT_TRUE(wait_until([&] {
    const auto* line = qobject_cast<QLineEdit*>(window_->focusWidget());
    return in_front(dock("console")) && line && dock("console")->isAncestorOf(line);
  }));
}

TEST_F(ShellTest, AltAndALetterReachesThePanelInFront) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->commands().add_surface->trigger();
  ASSERT_TRUE(wait_for_picture());
  const auto panel_of_focus = [] {
    QWidget* at = QApplication::focusWidget();
    while (at != nullptr && qobject_cast<QDockWidget*>(at) == nullptr) at = at->parentWidget();
    return at != nullptr ? at->objectName() : QString();
  };
  for (const char* name : {"representations", "fields"}) {
    auto* dock = window_->findChild<QDockWidget*>(QLatin1String(name));
    ASSERT_NE(dock, nullptr);
    dock->raise();
    ASSERT_TRUE(wait_until([&] { return !dock->visibleRegion().isEmpty(); }));
    for (int press = 0; press < 3; ++press) {  // Qt goes round those that have the letter
      window_->viewport().setFocus();
      QTest::keyClick(&window_->viewport(), Qt::Key_T, Qt::AltModifier);
      EXPECT_EQ(panel_of_focus(), QLatin1String(name)) << "the row Atoms of both panels has the letter";
    }
  }
}

}  // namespace
}  // namespace isolume::test
