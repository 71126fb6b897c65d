// Clipping planes: added by actions and commands, moved in their panel, undone, the same in an exported image.
#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include "app/window/panels/clip_panel.h"
#include "app/window/shell/panels.h"
#include "app/window/widgets/value_slider.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {
namespace {

/// Pixels that are not background.
int drawn(const Image& image) {
  int n = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) n += image.rgba[i] < 250 || image.rgba[i + 2] < 250;
  return n;
}

class ClipTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    ASSERT_TRUE(open({write_breathing_xyz(1)}));
    window_->controller().edit(QStringLiteral("view"), [](Scene& s) {
      s.look.background = s.look.background_bottom = glm::vec3(1);
      s.look.outlines = false;
      s.look.depth_cue = 0;
      s.representations.resize(1);
      s.representations[0].style = Style::spheres;
    });
    ASSERT_TRUE(wait_for_picture());
  }
  const Scene& scene() { return window_->controller().scene(); }
  ClipPanel& panel() { return window_->panels().get<ClipPanel>(); }
  void act(const char* name) {
    QAction* action = window_->commands().find(QLatin1String(name));
    ASSERT_NE(action, nullptr) << name;
    ASSERT_TRUE(action->isEnabled()) << name;
    action->trigger();
  }
};

TEST_F(ClipTest, APlaneIsAddedMovedFlippedTurnedAndUndone) {
  // The panel takes room from the picture, which is measured with it.
  EXPECT_FALSE(panel().isVisible());
  const int height = window_->viewport().height();
  window_->panels().raise("clip_planes");
  ASSERT_TRUE(wait_until([&] { return window_->viewport().height() < height && window_->viewport().drawn(); }));
  ASSERT_TRUE(wait_for_picture());
  const int whole = drawn(shot());
  EXPECT_FALSE(window_->commands().find(QStringLiteral("clip_selected"))->isEnabled()) << "nothing is selected";
  act("clip_view");
  ASSERT_EQ(scene().clip_planes.size(), 1u);
  EXPECT_EQ(window_->controller().undo_text(), QStringLiteral("Add clipping plane"));

  // Across x it cuts the picture in two parts, which together are the whole.
  act("clip_a");
  ASSERT_TRUE(wait_until([&] { return scene().clip_planes.size() == 2; }));
  EXPECT_LT(glm::distance(scene().clip_planes[1].normal, glm::dvec3(1, 0, 0)), 1e-9) << "there is no cell";
  EXPECT_EQ(panel().current(), 1);
  window_->controller().edit(QStringLiteral("one"), [](Scene& s) { s.clip_planes.erase(s.clip_planes.begin()); });
  ASSERT_TRUE(wait_for_picture());
  const int left = drawn(shot());
  panel().flip_button()->click();
  ASSERT_TRUE(wait_for_picture());
  const int right = drawn(shot());
  EXPECT_GT(left, 0.2 * whole);
  EXPECT_GT(right, 0.2 * whole);
  EXPECT_GE(left + right, whole) << "the cut itself is seen with one of them";
  EXPECT_LT(left + right, 1.25 * whole);
  screenshot(QStringLiteral("clip_planes"));

  // Flipped, all to the right is kept: moved far to the left it cuts nothing, to the right everything.
  ValueSlider* offset = panel().offset_slider();
  offset->box()->setValue(9);
  EXPECT_EQ(scene().clip_planes[0].offset, 9);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(drawn(shot()), whole);
  offset->box()->setValue(-9);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(drawn(shot()), 0);
  panel().cuts_box()->setCurrentIndex(1);
  Q_EMIT panel().cuts_box()->activated(1);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(drawn(shot()), whole) << "surfaces alone";
  window_->commands().undo->trigger();
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(drawn(shot()), 0);
  offset->box()->setValue(0);
  panel().turn_button()->click();
  const glm::dvec3 towards = glm::conjugate(scene().camera.rotation) * glm::dvec3(0, 0, 1);
  EXPECT_LT(glm::distance(scene().clip_planes[0].normal, towards), 1e-9);

  // Off by its check box.
  auto* model = panel().list()->model();
  ASSERT_TRUE(model->setData(model->index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
  EXPECT_FALSE(scene().clip_planes[0].on);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(drawn(shot()), whole);
  act("clip_remove");
  EXPECT_TRUE(scene().clip_planes.empty());
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().clip_planes.size(), 1u);
}

TEST_F(ClipTest, ThroughSelectedAtomsAndByCommands) {
  window_->controller().set_picked({{0, 0}, {0, 1}, {0, 2}});
  act("clip_selected");
  ASSERT_EQ(scene().clip_planes.size(), 1u);
  EXPECT_TRUE(panel().isVisible()) << "the panel comes with its first plane";
  // The carbons and the oxygen of write_breathing_xyz() are at z = 0.
  EXPECT_NEAR(std::abs(scene().clip_planes[0].normal.z), 1, 1e-6);
  EXPECT_NEAR(scene().clip_planes[0].beyond({5, 5, 0}), 0, 1e-5);

  window_->run_command(QStringLiteral("clip -x:1.5@index 0"));
  ASSERT_TRUE(wait_until([&] { return scene().clip_planes.size() == 2; }));
  EXPECT_EQ(scene().clip_planes[1].offset, 1.5);
  EXPECT_NEAR(scene().clip_planes[1].point.x, -1.17, 1e-4);
  QSignalSpy refused(&panel(), &ClipPanel::refused);
  window_->run_command(QStringLiteral("clip sideways"));
  ASSERT_TRUE(wait_until([&] { return refused.count() == 1; }));
  EXPECT_TRUE(refused[0][0].toString().contains(QStringLiteral("sideways")));
  for (std::size_t i = 2; i < most_clip_planes; ++i) act("clip_view");
  EXPECT_EQ(scene().clip_planes.size(), most_clip_planes);
  act("clip_view");
  EXPECT_EQ(scene().clip_planes.size(), most_clip_planes);
  EXPECT_EQ(refused.count(), 2) << "a seventh is refused, and it is said";
  window_->run_command(QStringLiteral("clip off"));
  EXPECT_TRUE(scene().clip_planes.empty());
}

}  // namespace
}  // namespace isolume::test
