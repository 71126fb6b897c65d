// The panels: what they show of a scene, and what they change.
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeView>
#include <QUrl>

#include "app/window/panels/field_panel.h"
#include "app/window/panels/orbital_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/panels/trajectory_panel.h"
#include "app/window/shell/message_bar.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/value_slider.h"
#include "fixture.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

TEST_F(WindowTest, ASelectionIsCountedAndItsFaultPointedAt) {
  ASSERT_TRUE(open({QString::fromStdString(data("formats/sample.pdb"))}));
  SelectionEdit* selection = window_->representations().selection();
  const auto molecule = window_->controller().molecule(0);
  std::size_t carbons = 0;
  for (const Atom& atom : molecule->topology->atoms) carbons += atom.element == 6;

  selection->line()->selectAll();
  QTest::keyClicks(selection->line(), QStringLiteral("element C"));
  QTest::keyClick(selection->line(), Qt::Key_Return);
  EXPECT_EQ(window_->controller().scene().representations[0].selection, "element C");
  const QString wanted = QStringLiteral("%1 of %2 atoms").arg(carbons).arg(molecule->atom_count());
  EXPECT_TRUE(wait_until([&] { return selection->note()->text() == wanted; }))
      << selection->note()->text().toStdString();
  EXPECT_EQ(window_->controller().undo_text(), QStringLiteral("Change selection"));

  selection->line()->selectAll();
  QTest::keyClicks(selection->line(), QStringLiteral("protien and name CA"));
  QTest::keyClick(selection->line(), Qt::Key_Return);
  EXPECT_EQ(window_->controller().scene().representations[0].selection, "element C") << "a fault changes nothing";
  EXPECT_TRUE(selection->note()->text().contains(QStringLiteral("protein"))) << selection->note()->text().toStdString();
}

TEST_F(WindowTest, RepresentationsAreAddedStyledHiddenAndRemoved) {
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  const SceneController& controller = window_->controller();
  const std::size_t before = controller.scene().representations.size();
  RepresentationPanel& panel = window_->representations();
  QTest::keyClick(window_.get(), Qt::Key_R, Qt::ControlModifier);
  ASSERT_EQ(controller.scene().representations.size(), before + 1);
  EXPECT_EQ(panel.current(), static_cast<int>(before));
  QComboBox* style = panel.style_box();
  style->setFocus();
  QTest::keyClick(style, Qt::Key_Home);
  while (style->currentIndex() != static_cast<int>(Style::spheres)) QTest::keyClick(style, Qt::Key_Down);
  EXPECT_EQ(controller.scene().representations.back().style, Style::spheres);
  ASSERT_TRUE(wait_for_picture());
  const Image spheres = shot();

  panel.list()->setFocus();
  QTest::keyClick(panel.list(), Qt::Key_Space);
  EXPECT_FALSE(controller.scene().representations.back().visible);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_GT(compare(spheres, shot()).mean, 0.001);
  while (controller.can_undo()) QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(controller.scene().representations.size(), before);
}

TEST_F(WindowTest, OrbitalTableShowsWhatIsClicked) {
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  OrbitalPanel& panel = window_->orbitals();
  const SceneController& controller = window_->controller();
  EXPECT_EQ(panel.model().rowCount(), 19);  // functions of 6-31G* for water, Cartesian: 7 s, 2 x 3 p, 6 d
  QTest::mouseClick(panel.lumo_button(), Qt::LeftButton);
  EXPECT_EQ(controller.scene().fields[0].orbital, "lumo");
  EXPECT_EQ(controller.scene().fields.size(), 1u);
  const int homo = panel.model().row_of("homo", Spin::alpha);
  EXPECT_EQ(homo, 4);  // ten electrons
  panel.homo_button()->click();
  EXPECT_EQ(controller.scene().fields[0].orbital, "homo");
  // The arrow goes to the next orbital of the table, which is sorted by energy, the highest first.
  QTest::keyClick(panel.table(), Qt::Key_Up);
  EXPECT_EQ(controller.scene().fields[0].orbital, "6");
  QTest::keyClick(panel.table(), Qt::Key_Down);
  EXPECT_EQ(controller.scene().fields[0].orbital, "5");
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(window_->fields().results()[0].items.size(), 2u) << "one surface per phase";
}

TEST_F(WindowTest, AMovingSliderShowsValuesOnItsWay) {
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  QSignalSpy finished(&window_->fields(), &LiveFields::field_finished);
  QSlider* slider = window_->field_panel().isovalue()->slider();
  slider->setSliderDown(true);
  for (int i = 0; i < 60 && finished.count() < 3; ++i) {
    slider->setSliderPosition(slider->sliderPosition() + 3);
    QCoreApplication::processEvents();
    wait_until([&] { return finished.count() > i / 20; }, 1000);
  }
  EXPECT_GE(finished.count(), 2) << "surfaces come while the slider is held";
  slider->setSliderDown(false);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_TRUE(window_->controller().can_undo());
  window_->controller().undo();
  EXPECT_FALSE(window_->controller().can_undo()) << "one step for the whole drag";
}

TEST_F(WindowTest, ATrajectoryOpenedLaterJoinsItsStructure) {
  const std::string folder = data("../../resources/examples/crambin_water/");
  ISOLUME_NEEDS(folder);
  ASSERT_TRUE(open({QString::fromStdString(folder + "crambin_water.gro.gz")}));
  const Scene before = window_->controller().scene();
  EXPECT_EQ(window_->controller().frame_count(), 1u);
  window_->open_files({QString::fromStdString(folder + "crambin_water.xtc")});
  ASSERT_TRUE(wait_until([this] { return window_->controller().frame_count() > 1; }))
      << window_->messages().message().toStdString();
  EXPECT_EQ(window_->controller().scene().molecules.size(), 1u);
  EXPECT_EQ(window_->controller().scene().representations, before.representations);
  EXPECT_GE(window_->controller().frame_count(), 61u);
  EXPECT_EQ(window_->controller().undo_text(), QStringLiteral("Open crambin_water.xtc"));
}

TEST_F(WindowTest, FilesAreDropped) {
  QMimeData mime;
  mime.setUrls({QUrl::fromLocalFile(write_breathing_xyz(4))});
  QDragEnterEvent enter({50, 50}, Qt::CopyAction, &mime, Qt::LeftButton, {});
  QCoreApplication::sendEvent(window_.get(), &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, {});
  QCoreApplication::sendEvent(window_.get(), &drop);
  ASSERT_TRUE(wait_until([&] { return window_->controller().scene().molecules.size() == 1; }));
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(window_->controller().frame_count(), 4u);
  EXPECT_TRUE(window_->trajectory().isEnabled());
}

}  // namespace
}  // namespace isolume::test
