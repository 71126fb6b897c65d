// The menu of the picture knows what it was asked for.
#include <QApplication>
#include <QMenu>
#include <QTest>

#include "fixture.h"

namespace isolume::test {
namespace {

QMenu* submenu(QMenu* menu, const QString& begin) {
  for (const QAction* action : menu->actions())
    if (action->menu() != nullptr && action->text().remove(QLatin1Char('&')).startsWith(begin)) return action->menu();
  return nullptr;
}

QAction* entry(QMenu* menu, const QString& begin) {
  for (QAction* action : menu->actions())
    if (action->text().remove(QLatin1Char('&')).startsWith(begin)) return action;
  return nullptr;
}

class ContextMenuTest : public WindowTest {
 protected:
  QMenu* menu_at(QPoint place) {
    QTest::mouseClick(&window_->viewport(), Qt::RightButton, {}, place);
    wait_until([] { return qobject_cast<QMenu*>(QApplication::activePopupWidget()) != nullptr; });
    return qobject_cast<QMenu*>(QApplication::activePopupWidget());
  }
};

TEST_F(ContextMenuTest, OfAnAtomHidesColoursComputesAndExports) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  ASSERT_TRUE(wait_for_picture());
  QMenu* menu = menu_at(place_of({0, 0}));
  ASSERT_NE(menu, nullptr);
  QMenu* residue = submenu(menu, QStringLiteral("Residue"));
  ASSERT_NE(residue, nullptr);
  for (const char* what : {"Show as sticks", "Density surface", "Pick", "Hide", "Copy selection text"})
    EXPECT_NE(entry(residue, QLatin1String(what)), nullptr) << what;
  for (const char* what : {"Centre here", "Measure distance", "Superpose the molecule", "Remove the molecule", "Fit"})
    EXPECT_NE(entry(menu, QLatin1String(what)), nullptr) << what;
  QMenu* colours = submenu(residue, QStringLiteral("Colour"));
  ASSERT_NE(colours, nullptr);
  const std::size_t before = window_->controller().scene().representations.size();
  entry(colours, QStringLiteral("Blue"))->trigger();
  menu->close();
  const auto& after = window_->controller().scene().representations;
  ASSERT_EQ(after.size(), 2 * before);
  EXPECT_EQ(after[before].colouring, Colouring::uniform);
  EXPECT_EQ(after[before].colour, glm::u8vec4(0, 114, 178, 255));
  EXPECT_EQ(after[before].style, after[0].style) << "only the colour is another";
  EXPECT_TRUE(after[0].selection.starts_with("not (")) << after[0].selection;
  ASSERT_TRUE(wait_for_picture());
  window_->commands().undo->trigger();
  EXPECT_EQ(window_->controller().scene().representations.size(), before);
}

TEST_F(ContextMenuTest, BesideEverythingItIsOfTheViewAlone) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  ASSERT_TRUE(wait_for_picture());
  QMenu* menu = menu_at({3, 3});
  ASSERT_NE(menu, nullptr);
  EXPECT_EQ(submenu(menu, QStringLiteral("Residue")), nullptr);
  EXPECT_NE(entry(menu, QStringLiteral("Fit")), nullptr);
  EXPECT_NE(entry(menu, QStringLiteral("Export picture")), nullptr);
  menu->close();
}

}  // namespace
}  // namespace isolume::test
