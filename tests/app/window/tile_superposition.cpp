// Molecules in tiles superposed on each other.
#include <QTest>

#include "app/scene/scene_commands.h"
#include "app/window/dialogs/superpose_dialog.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/selection_edit.h"
#include "fixture.h"
#include "render/tiles.h"
#include "tests/app/window/tiles_test.h"

namespace isolume::test {
namespace {

TEST_F(TilesTest, AMoleculeIsSuperposedByKeysAndPutBack) {
  ASSERT_TRUE(open_pair());
  QTest::keyClick(window_.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  auto* dialog = window_->findChild<SuperposeDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->moving_box()->currentIndex(), 1);
  EXPECT_EQ(dialog->fixed_box()->currentIndex(), 0);
  EXPECT_EQ(dialog->moving_atoms()->text(), QStringLiteral("all"));
  EXPECT_FALSE(dialog->back_button()->isEnabled());
  for (const QWidget* widget :
       {static_cast<QWidget*>(dialog->moving_box()), static_cast<QWidget*>(dialog->matching_box()),
        static_cast<QWidget*>(dialog->cutoff_box()), static_cast<QWidget*>(dialog->plot()),
        static_cast<QWidget*>(dialog->superpose_button())}) {
    EXPECT_FALSE(widget->accessibleName().isEmpty());
    EXPECT_FALSE(widget->toolTip().isEmpty()) << widget->accessibleName().toStdString();
    EXPECT_NE(widget->focusPolicy() & Qt::TabFocus, 0) << widget->accessibleName().toStdString();
  }
  QTest::keyClick(dialog->superpose_button(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  ASSERT_TRUE(dialog->result().has_value()) << dialog->message()->text().toStdString();
  EXPECT_EQ(dialog->result()->pairs, 5u);
  EXPECT_LT(dialog->result()->rmsd, 1e-5);
  EXPECT_TRUE(dialog->message()->text().startsWith(
      QStringLiteral("5 of 5 pairs by residues (100 % identical, 100 % of the smaller molecule), RMSD 0.000")))
      << dialog->message()->text().toStdString();
  ASSERT_TRUE(wait_for_picture());
  for (std::uint32_t i = 0; i < 5; ++i) {
    glm::vec3 a, b;
    ASSERT_TRUE(window_->picture().position({0, i}, a));
    ASSERT_TRUE(window_->picture().position({1, i}, b));
    EXPECT_LT(glm::distance(a, b), 1e-4f) << i;
  }
  // The plot picks a residue's atom, and shows the picked one.
  Q_EMIT dialog->plot()->x_clicked(0);
  EXPECT_EQ(window_->controller().picked(), (std::vector<PickedAtom>{{0, 0}}));
  EXPECT_EQ(dialog->plot()->cursor(), 0.0);
  const QString folder = qEnvironmentVariable("ISOLUME_SCREENSHOTS");
  if (!folder.isEmpty()) dialog->grab().save(folder + QStringLiteral("/superpose_small.png"));

  window_->commands().undo->trigger();
  EXPECT_EQ(window_->controller().scene().molecules[1].placement, Placement());
  window_->commands().redo->trigger();
  EXPECT_FALSE(window_->controller().scene().molecules[1].placement.motion.none());
  QTest::keyClick(dialog->back_button(), Qt::Key_Space);
  EXPECT_EQ(window_->controller().scene().molecules[1].placement, Placement());
  dialog->moving_atoms()->line()->setText(QStringLiteral("name X"));
  QTest::keyClick(dialog->superpose_button(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("match"))) << dialog->message()->text().toStdString();
}

TEST_F(TilesTest, ASuperpositionIsDroppedWhereTheSceneChangedMeanwhile) {
  ASSERT_TRUE(open_pair());
  ASSERT_TRUE(open({write(QStringLiteral("third.xyz"), far_)}));
  QTest::keyClick(window_.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  auto* dialog = window_->findChild<SuperposeDialog*>();
  ASSERT_NE(dialog, nullptr);
  QTest::keyClick(dialog->superpose_button(), Qt::Key_Space);
  ASSERT_TRUE(dialog->running());
  // The second molecule becomes the first, the third the second: none of them is what moves.
  window_->controller().edit(QStringLiteral("remove"), [](Scene& scene) { remove_molecule(scene, 0); });
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  for (const SceneMolecule& molecule : window_->controller().scene().molecules)
    EXPECT_EQ(molecule.placement, Placement()) << molecule.paths.front();
  EXPECT_FALSE(dialog->result().has_value());
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("changed"))) << dialog->message()->text().toStdString();
}

TEST_F(TilesTest, AResultGoesWithItsMoleculesAndFramesEndWithTheTrajectory) {
  ASSERT_TRUE(open({write(QStringLiteral("first.xyz"), {}, 4)}));
  ASSERT_TRUE(open({write(QStringLiteral("second.xyz"), far_, 2)}));
  window_->controller().touch([](Scene& scene) { scene.frame = 3; });
  ASSERT_TRUE(wait_for_picture());
  QTest::keyClick(window_.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  auto* dialog = window_->findChild<SuperposeDialog*>();
  ASSERT_NE(dialog, nullptr);
  const auto placement = [this] { return window_->controller().scene().molecules[1].placement; };
  dialog->frames_box()->setChecked(true);
  QTest::keyClick(dialog->superpose_button(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  ASSERT_TRUE(dialog->result().has_value()) << dialog->message()->text().toStdString();
  EXPECT_EQ(placement().steady, "all");
  EXPECT_EQ(placement().steady_frame, 1u) << "its last frame: it has two";
  // Onto itself frames alone move: the box is ticked, and as it was before once another is chosen.
  dialog->fixed_box()->setCurrentIndex(1);
  EXPECT_FALSE(dialog->result().has_value());
  EXPECT_TRUE(dialog->message()->text().isEmpty());
  EXPECT_TRUE(dialog->plot()->curves().empty());
  EXPECT_TRUE(dialog->frames_box()->isChecked());
  dialog->moving_box()->setCurrentIndex(0);
  EXPECT_FALSE(dialog->frames_box()->isChecked()) << "that one's frames are as its file has them";
  dialog->moving_box()->setCurrentIndex(1);
  dialog->fixed_box()->setCurrentIndex(0);
  EXPECT_TRUE(dialog->frames_box()->isChecked());
  dialog->frames_box()->setChecked(false);
  QTest::keyClick(dialog->superpose_button(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_EQ(placement().steady, "") << "not ticked any more";
  EXPECT_FALSE(placement().motion.none());
}

TEST_F(TilesTest, FramesAreSuperposedOnTheOneThatIsShown) {
  ASSERT_TRUE(open_pair());
  window_->molecules().list()->setCurrentIndex(window_->molecules().list()->model()->index(1, 0));
  QTest::keyClick(window_->molecules().superpose_button(), Qt::Key_Space);
  auto* dialog = window_->findChild<SuperposeDialog*>();
  ASSERT_NE(dialog, nullptr);
  dialog->fixed_box()->setCurrentIndex(1);
  EXPECT_TRUE(dialog->frames_box()->isChecked());
  EXPECT_FALSE(dialog->fixed_atoms()->isEnabled());
  QTest::keyClick(dialog->superpose_button(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return !window_->findChild<SuperposeDialog*>(); })) << "it closes by itself";
  EXPECT_EQ(window_->controller().scene().molecules[1].placement.steady, "all");
  ASSERT_TRUE(wait_for_picture());
  glm::vec3 first, last;
  ASSERT_TRUE(window_->picture().position({1, 1}, first));
  window_->controller().touch([](Scene& scene) { scene.frame = 3; });
  ASSERT_TRUE(wait_for_picture());
  ASSERT_TRUE(window_->picture().position({1, 1}, last));
  EXPECT_LT(glm::distance(first, last), 1e-4f) << "it tumbles in the file";
}

}  // namespace
}  // namespace isolume::test
