// Results that come after the user has asked for something else, one by one, by a pool of threads that is held.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <cmath>

#include "app/scene/moved_molecules.h"
#include "app/scene/scene_commands.h"
#include "app/window/dialogs/analysis_dialog.h"
#include "app/window/dialogs/compare_dialog.h"
#include "app/window/dialogs/compare_view.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/panels/potential_rows.h"
#include "app/window/shell/status_line.h"
#include "app/window/widgets/plot.h"
#include "tests/app/window/fixture.h"
#include "tests/app/window/held_pool.h"

namespace isolume::test {
namespace {

class RaceTest : public WindowTest {
 protected:
  const Scene& scene() { return window_->controller().scene(); }
  /// `count` frames of a molecule, so many femtoseconds apart.
  QString write_timed_xyz(const char* name, int count, int step) {
    QFile file(temporary(QString::fromLatin1(name)));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    for (int f = 0; f < count; ++f)
      file.write(
          QStringLiteral("2\n i = %1, time = %2, E = -1.0\nO 0 0 0\nH 0.96 0 0\n").arg(f).arg(step * f).toUtf8());
    return file.fileName();
  }
};

TEST(MovedMolecules, AreFoundBehindThoseThatWereTakenAndAdded) {
  Scene before;
  for (const char* path : {"a.pdb", "b.pdb", "b.pdb", "c.pdb"}) before.molecules.push_back({{path}});
  before.molecules[2].visible = false;
  Scene after = before;
  EXPECT_EQ(molecule_in(after, before, 3), 3u);
  EXPECT_EQ(molecule_in(after, before, 4), std::nullopt);
  after.molecules.erase(after.molecules.begin());
  EXPECT_EQ(molecule_in(after, before, 0), std::nullopt);
  EXPECT_EQ(molecule_in(after, before, 1), 0u);
  EXPECT_EQ(molecule_in(after, before, 3), 2u);
  EXPECT_EQ(molecule_in(before, after, 2), 3u) << "taken back";
  // The first of two of one file: they differ by what else they have.
  after = before;
  after.molecules.erase(after.molecules.begin() + 1);
  EXPECT_EQ(molecule_in(after, before, 0), 0u);
  EXPECT_EQ(molecule_in(after, before, 1), std::nullopt);
  EXPECT_EQ(molecule_in(after, before, 2), 1u);
  // Changed and fewer: by their files.
  after.molecules.back().visible = false;
  EXPECT_EQ(molecule_in(after, before, 3), 2u);
  after = before;
  after.molecules[1].paths = {"d.pdb"};
  EXPECT_EQ(molecule_in(after, before, 1), std::nullopt);
}

TEST_F(RaceTest, TheDeviceThatWasChosenLastCounts) {
  take_results();
  const auto said = [&] {
    for (const QLabel* label : window_->status().findChildren<QLabel*>())
      if (label->accessibleName() == QStringLiteral("Device")) return label->text();
    return QString();
  };
  {
    HeldPool pool;
    window_->choose_device_by_name(QStringLiteral("cpu"));
    pool.hold_from_here();
    const QString looking = said();
    window_->choose_device_by_name(QStringLiteral("cpu"));
    pool.run();
    EXPECT_EQ(said(), looking) << "the answer to the first is not that to the second";
  }
  take_results();
  EXPECT_EQ(said(), QStringLiteral("CPU"));
}

TEST_F(RaceTest, WhatIsMovedWhileTheFitIsComputedStaysThere) {
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  take_results();
  double height = 0;
  {
    HeldPool pool;
    window_->commands().fit->trigger();
    for (int i = 0; i < 4; ++i) QTest::keyClick(&window_->viewport(), Qt::Key_Plus);
    height = window_->viewport().camera().height;
  }
  take_results();
  EXPECT_EQ(window_->viewport().camera().height, height);
  EXPECT_TRUE(wait_for_picture());
  // Asked for afterwards, it is fitted.
  window_->commands().fit->trigger();
  EXPECT_TRUE(wait_until([&] { return window_->viewport().camera().height > height; }));
}

TEST_F(RaceTest, AClickInAnOlderPictureIsOnTheMoleculeThatIsSeen) {
  for (const char* name : {"a.xyz", "b.xyz", "c.xyz"}) {
    QFile file(temporary(QString::fromLatin1(name)));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(name[0] == 'b' ? "2\n\nN 0 0 0\nN 1.1 0 0\n" : "3\n\nO 0 0 0\nH 0.96 0 0\nH 0 0.96 0\n");
    file.close();
    ASSERT_TRUE(open({file.fileName()}));
  }
  SceneController& controller = window_->controller();
  ASSERT_EQ(window_->picture().drawn()->scene.molecules.size(), 3u);
  controller.set_picked({{2, 0}, {0, 1}});
  controller.edit(QStringLiteral("Remove"), [](Scene& s) { remove_molecule(s, 0); });
  EXPECT_EQ(controller.picked(), (std::vector<PickedAtom>{{1, 0}})) << "picked atoms stay those that they were";
  // The picture of three molecules is still there: the third of them is the second now.
  Q_EMIT window_->viewport().clicked(PickId{3, 2, {}, false}, Qt::NoModifier);
  EXPECT_EQ(controller.picked(), (std::vector<PickedAtom>{{1, 2}}));
  Q_EMIT window_->viewport().clicked(PickId{1, 0, {}, false}, Qt::NoModifier);
  EXPECT_TRUE(controller.picked().empty()) << "that one is gone";
  ASSERT_TRUE(wait_for_picture());
  Q_EMIT window_->viewport().clicked(PickId{2, 1, {}, false}, Qt::NoModifier);
  EXPECT_EQ(controller.picked(), (std::vector<PickedAtom>{{1, 1}}));
  controller.undo();
  EXPECT_EQ(controller.picked(), (std::vector<PickedAtom>{{2, 1}}));
}

TEST_F(RaceTest, AnIsovalueIsDrawnWhileTheComparisonIsSaved) {
  ASSERT_TRUE(open({write_salt_pqr(3)}));
  window_->field_panel().add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  window_->field_panel().potential()->compare_button()->click();
  auto* dialog = window_->findChild<CompareDialog*>();
  ASSERT_NE(dialog, nullptr);
  dialog->method_box(1)->setCurrentIndex(static_cast<int>(PotentialSettings::Method::cutoff));
  dialog->isovalue_box()->setValue(2);
  dialog->shown_box()->setCurrentIndex(static_cast<int>(CompareDialog::Shown::isosurfaces));
  dialog->compute_button()->click();
  CompareView* view = dialog->surfaces();
  const auto drawn = [&] { return !dialog->running() && view->view() && !view->picture().isNull() && view->at_rest(); };
  ASSERT_TRUE(wait_until(drawn)) << dialog->message()->text().toStdString();
  const QString path = temporary(QStringLiteral("comparison.png"));
  bool saved = false;
  QObject::connect(dialog, &CompareDialog::saved, [&](const QString& at) { saved = at == path; });
  {
    HeldPool pool;
    dialog->save_picture(path, 600);
    dialog->isovalue_box()->setValue(1.5);
  }
  EXPECT_TRUE(wait_until([&] { return saved; })) << dialog->message()->text().toStdString();
  EXPECT_TRUE(QFile::exists(path));
  EXPECT_TRUE(wait_until([&] { return drawn() && view->texts().ranges[0] == 1.5; }));
}

TEST_F(RaceTest, AnAnalysisThatIsReadyLeavesThePageThatWasChosenMeanwhile) {
  ASSERT_TRUE(open({write_breathing_xyz(6)}));
  PlotsPanel& panel = window_->plots();
  AnalysisRequest gyration;
  gyration.kind = AnalysisKind::gyration;
  {
    HeldPool pool;
    panel.add_analysis(0, gyration);
    panel.kinds()->setCurrentIndex(0);
    QTest::keyClick(panel.kinds(), Qt::Key_Down);
    ASSERT_EQ(panel.kinds()->currentIndex(), 1);
  }
  ASSERT_TRUE(wait_until([&] { return !panel.busy() && panel.kinds()->count() > 2; }));
  EXPECT_EQ(panel.kinds()->currentIndex(), 1);
  // One that is asked for now comes to the front, as nothing was chosen since.
  AnalysisRequest rmsd;
  rmsd.kind = AnalysisKind::rmsd;
  panel.add_analysis(0, rmsd);
  ASSERT_TRUE(wait_until([&] { return !panel.busy() && panel.kinds()->count() > 3; }));
  EXPECT_EQ(panel.kinds()->currentText(), analysis_title(AnalysisKind::rmsd));
}

TEST_F(RaceTest, EnergiesAreAtTheFramesOfTheTrajectoryThatIsThere) {
  // Rows 20 fs apart; frames of the long trajectory too, those of the short one 40.
  ASSERT_TRUE(open({write_timed_xyz("short.xyz", 3, 40)}));
  ASSERT_TRUE(open({write_timed_xyz("long.xyz", 5, 20)}));
  QFile log(temporary(QStringLiteral("dynamics_namd.log")));
  ASSERT_TRUE(log.open(QIODevice::WriteOnly));
  log.write("Info: TIMESTEP 2\nETITLE: TS TOTAL TEMP POTENTIAL\n");
  for (int r = 0; r < 5; ++r)
    log.write(QStringLiteral("ENERGY: %1 %2 300 -585\n").arg(10 * r).arg(-500 - 0.25 * r).toUtf8());
  log.close();
  PlotsPanel& panel = window_->plots();
  const auto places = [&](double apart) {
    if (panel.busy() || panel.plot()->curves().size() != 1) return false;
    const std::vector<double>& x = panel.plot()->curves().front().x;
    return x.size() == 5 && std::abs(x[4] - 4 * apart) < 1e-9;
  };
  {
    HeldPool pool;
    panel.add_energies({log.fileName()});
    window_->controller().edit(QStringLiteral("Remove"), [](Scene& s) { remove_molecule(s, 1); });
  }
  EXPECT_TRUE(wait_until([&] { return places(0.5); })) << "those of the long one, which is gone";
  window_->controller().undo();
  EXPECT_TRUE(wait_until([&] { return places(1); }));
}

}  // namespace
}  // namespace isolume::test
