// A ruler between two atoms: by its action, in the list, in the picture, undone, by the console.
#include <QAction>
#include <QTest>
#include <QTreeWidget>
#include <cmath>

#include "app/window/panels/measure_panel.h"
#include "app/window/shell/panels.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {
namespace {

class RulerTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    ASSERT_TRUE(open({write_breathing_xyz(1)}));
    shot();
  }
  const Scene& scene() { return window_->controller().scene(); }
};

TEST_F(RulerTest, IsMadeByClicksAndByACommand) {
  QAction* action = window_->commands().find(QStringLiteral("measure_ruler"));
  ASSERT_NE(action, nullptr);
  action->trigger();
  EXPECT_TRUE(action->isChecked());
  EXPECT_FALSE(window_->commands().find(QStringLiteral("measure_distance"))->isChecked());
  for (const std::uint32_t atom : {0u, 2u})
    QTest::mouseClick(&window_->viewport(), Qt::LeftButton, {}, place_of({0, atom}));
  ASSERT_TRUE(wait_until([&] { return scene().measurements.size() == 1; }));
  EXPECT_TRUE(scene().measurements[0].ruler);
  EXPECT_EQ(window_->controller().undo_text(), QStringLiteral("Add ruler"));
  action->trigger();  // ends it
  EXPECT_FALSE(action->isChecked());
  ASSERT_TRUE(wait_for_picture());
  // From (-1.17, -0.40, 0) to (1.20, -0.25, 0).
  const double length = std::hypot(2.37, 0.15);
  QTreeWidget* list = window_->measure().list();
  ASSERT_EQ(list->topLevelItemCount(), 1);
  EXPECT_EQ(list->topLevelItem(0)->text(0), QStringLiteral("Ruler"));
  EXPECT_EQ(list->topLevelItem(0)->text(2), QStringLiteral("%1 \u00c5").arg(length, 0, 'f', 2));
  // Its length at the end and a number every half angstrom, but where the end is near.
  EXPECT_EQ(window_->viewport().view()->labels.size(), 5u);
  screenshot(QStringLiteral("ruler"));

  window_->run_command(QStringLiteral("ruler 1 2"));
  ASSERT_EQ(scene().measurements.size(), 2u);
  EXPECT_EQ(scene().measurements[1].atoms, (std::vector<SceneAtom>{{0, 1}, {0, 2}}));
  window_->run_command(QStringLiteral("ruler 1 1"));
  window_->run_command(QStringLiteral("ruler 1 999"));
  EXPECT_EQ(scene().measurements.size(), 2u);
  // A distance of the same atoms is another measurement.
  window_->controller().set_picked({{0, 0}, {0, 2}});
  window_->commands().find(QStringLiteral("measure_distance"))->trigger();
  ASSERT_EQ(scene().measurements.size(), 3u);
  EXPECT_FALSE(scene().measurements[2].ruler);
  for (int i = 0; i < 3; ++i) window_->commands().undo->trigger();
  EXPECT_TRUE(scene().measurements.empty());
}

}  // namespace
}  // namespace isolume::test
