// A ruler between two atoms: by its action, in the list, in the picture, undone, by the console.
#include <QAction>
#include <QTest>
#include <QTreeWidget>
#include <cmath>

#include "app/window/live/live_picture.h"
#include "app/window/panels/measure_panel.h"
#include "app/window/shell/panels.h"
#include "app/window/viewport/viewport.h"
#include "app/window/viewport/viewport_overlay.h"
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

/// Where the middle of a click is in the plane through the camera's centre, without perspective.
glm::dvec3 in_plane(const Viewport& viewport, QPoint point) {
  const Camera& camera = viewport.camera();
  const double scale = camera.height / viewport.height();  // angstrom per pixel
  const glm::dvec3 shift(scale * (point.x() + 0.5 - 0.5 * viewport.width()),
                         -scale * (point.y() + 0.5 - 0.5 * viewport.height()), 0);
  return camera.centre + glm::conjugate(camera.rotation) * shift;
}

TEST_F(RulerTest, GoesBetweenPointsOfTheBackgroundAndOfWhatIsDrawn) {
  Viewport& viewport = window_->viewport();
  if (viewport.camera().projection != Camera::Projection::orthographic)
    window_->commands().find(QStringLiteral("orthographic"))->trigger();
  ASSERT_TRUE(wait_until([&] { return viewport.camera().projection == Camera::Projection::orthographic; }));
  ASSERT_TRUE(wait_for_picture());
  window_->commands().find(QStringLiteral("measure_ruler"))->trigger();
  const double pixel = viewport.camera().height / viewport.height();
  const QPoint first(25, 40), second(viewport.width() - 30, viewport.height() / 2);
  // A coarse picture has larger pixels.
  ASSERT_TRUE(wait_until([&] { return viewport.at_rest(); }));
  QTest::mouseClick(&viewport, Qt::LeftButton, {}, first);
  ASSERT_TRUE(wait_until([&] { return viewport.overlay().hint().contains(QStringLiteral("from (")); }));
  ASSERT_TRUE(wait_until([&] { return viewport.at_rest(); }));
  QTest::mouseClick(&viewport, Qt::LeftButton, {}, second);
  ASSERT_TRUE(wait_until([&] { return scene().measurements.size() == 1; }));
  const Measurement& ruler = scene().measurements[0];
  EXPECT_TRUE(ruler.ruler);
  EXPECT_TRUE(ruler.atoms.empty());
  ASSERT_EQ(ruler.points.size(), 2u);
  EXPECT_LT(glm::distance(ruler.points[0].position, in_plane(viewport, first)), 1.5 * pixel);
  EXPECT_LT(glm::distance(ruler.points[1].position, in_plane(viewport, second)), 1.5 * pixel);
  const double length = glm::distance(ruler.points[0].position, ruler.points[1].position);
  EXPECT_EQ(window_->measure().list()->topLevelItem(0)->text(2), QStringLiteral("%1 \u00c5").arg(length, 0, 'f', 2));

  // With Shift the point of a sphere that is seen, in front of its atom; without it the atom.
  const QPoint atom = place_of({0, 0});
  ASSERT_TRUE(wait_until([&] { return viewport.at_rest(); }));
  QTest::mouseClick(&viewport, Qt::LeftButton, Qt::ShiftModifier, atom);
  ASSERT_TRUE(wait_until([&] { return viewport.overlay().hint().contains(QStringLiteral("from (")); }));
  QTest::mouseClick(&viewport, Qt::LeftButton, {}, atom);
  ASSERT_TRUE(wait_until([&] { return scene().measurements.size() == 2; }));
  const Measurement& depth = scene().measurements[1];
  ASSERT_EQ(depth.atoms, (std::vector<SceneAtom>{{0, 0}}));
  ASSERT_EQ(depth.points.size(), 1u);
  glm::vec3 middle;
  ASSERT_TRUE(window_->picture().position({0, 0}, middle));
  const glm::dvec3 seen = viewport.camera().rotation * (depth.points[0].position - glm::dvec3(middle));
  EXPECT_LT(std::hypot(seen.x, seen.y), 2 * pixel);
  EXPECT_GT(seen.z, 0.1) << "the front of the sphere";
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("ruler_points"));

  // By the console, and back as a session.
  window_->run_command(QStringLiteral("ruler 0,0,0 3,4,12"));
  ASSERT_EQ(scene().measurements.size(), 3u);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(window_->measure().list()->topLevelItem(2)->text(2), QStringLiteral("13.00 \u00c5"));
  EXPECT_EQ(window_->measure().list()->topLevelItem(2)->text(1),
            QStringLiteral("(0.0, 0.0, 0.0) \u2013 (3.0, 4.0, 12.0)"));
  window_->run_command(QStringLiteral("ruler 0,0,0 0,0,0"));
  window_->run_command(QStringLiteral("ruler 0,0,x 0,0,0"));
  EXPECT_EQ(scene().measurements.size(), 3u);
}

}  // namespace
}  // namespace isolume::test
