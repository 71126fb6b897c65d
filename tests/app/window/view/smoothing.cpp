// Smoothed motion: by the Trajectory panel and the console, in the picture and in nothing else, undone.
#include <QSpinBox>
#include <QTreeWidget>

#include "app/window/live/live_picture.h"
#include "app/window/panels/measure_panel.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/panels/trajectory_panel.h"
#include "app/window/shell/panels.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {
namespace {

class SmoothingTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    ASSERT_TRUE(open({write_breathing_xyz(9)}));
    window_->run_command(QStringLiteral("frame 4"));
    ASSERT_TRUE(wait_for_picture());
  }
  const Scene& scene() { return window_->controller().scene(); }
  QSpinBox* box() { return window_->panels().get<TrajectoryPanel>().smoothing_box(); }
  glm::vec3 place(std::size_t frame) {
    return window_->controller().molecule(0)->trajectory->frame(frame).positions[0];
  }
  /// Where atom 0 is drawn.
  glm::vec3 drawn() {
    glm::vec3 found{0};
    EXPECT_TRUE(window_->picture().drawn_position({0, 0}, found));
    return found;
  }
};

TEST_F(SmoothingTest, MovesThePictureAndNothingElse) {
  window_->run_command(QStringLiteral("add measurements {\"atoms\": [{\"atom\": 0}, {\"atom\": 2}]}"));
  ASSERT_TRUE(wait_for_picture());
  const QString distance = window_->measure().list()->topLevelItem(0)->text(2);
  const Image before = shot();
  EXPECT_EQ(box()->value(), 0);
  EXPECT_EQ(drawn(), place(4));
  box()->setValue(2);
  EXPECT_EQ(scene().molecules[0].smoothing, 2u);
  EXPECT_EQ(window_->controller().undo_text(), QStringLiteral("Smooth motion"));
  ASSERT_TRUE(wait_for_picture());
  glm::dvec3 mean(0);
  for (std::size_t f = 2; f <= 6; ++f) mean += glm::dvec3(place(f)) / 5.0;
  EXPECT_GT(glm::distance(glm::dvec3(place(4)), mean), 1e-3) << "the molecule breathes";
  EXPECT_LT(glm::distance(glm::dvec3(drawn()), mean), 1e-5);
  glm::vec3 measured{0};
  ASSERT_TRUE(window_->picture().position({0, 0}, measured));
  EXPECT_EQ(measured, place(4));
  EXPECT_EQ(window_->measure().list()->topLevelItem(0)->text(2), distance);
  EXPECT_NE(shot().rgba, before.rgba);
  screenshot(QStringLiteral("smoothing"));
  // The first frame is as it is.
  window_->run_command(QStringLiteral("frame 0"));
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(drawn(), place(0));
  window_->run_command(QStringLiteral("frame 4"));
  ASSERT_TRUE(wait_for_picture());
  window_->commands().undo->trigger();
  EXPECT_EQ(box()->value(), 0);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(drawn(), place(4));
  EXPECT_EQ(shot().rgba, before.rgba);
}

TEST_F(SmoothingTest, IsACommandToo) {
  window_->run_command(QStringLiteral("smooth 3"));
  EXPECT_EQ(scene().molecules[0].smoothing, 3u);
  EXPECT_EQ(box()->value(), 3);
  for (const char* wrong : {"smooth", "smooth -1", "smooth 1.5", "smooth 101", "smooth much"})
    window_->run_command(QLatin1String(wrong));
  EXPECT_EQ(scene().molecules[0].smoothing, 3u);
  window_->run_command(QStringLiteral("set molecules[0].smoothing 0"));
  EXPECT_EQ(box()->value(), 0);
}

}  // namespace
}  // namespace isolume::test
