// Frames compared in the window, and morphs between them.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QLineF>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QTreeWidget>

#include "app/window/frames/compare_frames_dialog.h"
#include "app/window/frames/frame_map.h"
#include "app/window/maps/morph_dialog.h"
#include "app/window/widgets/selection_edit.h"
#include "formats/write/write.h"
#include "tests/app/window/maps/maps_test.h"

namespace isolume::test {
namespace {

TEST_F(MapTest, FramesAreComparedAndClicked) {
  ASSERT_TRUE(open({write_breathing_xyz(24)}));
  window_->findChild<QAction*>(QStringLiteral("compare_frames"))->trigger();
  auto* dialog = window_->findChild<CompareFramesDialog*>();
  ASSERT_NE(dialog, nullptr);
  dialog->atoms_edit()->set_text(QStringLiteral("all"));
  dialog->cutoff_box()->setValue(0.05);
  QTest::mouseClick(dialog->compute_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  ASSERT_FALSE(dialog->map()->empty()) << dialog->message()->text().toStdString();
  ASSERT_GT(dialog->list()->topLevelItemCount(), 1);
  int frames = 0;
  for (int i = 0; i < dialog->list()->topLevelItemCount(); ++i)
    frames += dialog->list()->topLevelItem(i)->text(1).toInt();
  EXPECT_EQ(frames, 24);
  picture(QStringLiteral("frames_matrix"), dialog);
  QTest::mouseClick(dialog->map(), Qt::LeftButton, {}, dialog->map()->place_of(17).toPoint());
  EXPECT_EQ(scene().frame, 17u);
  dialog->show_box()->setCurrentIndex(1);
  QTest::mouseClick(dialog->map(), Qt::LeftButton, {}, dialog->map()->place_of(6).toPoint());
  const std::size_t near = scene().frame;  // the molecule comes back to where it was: two frames may share a point
  EXPECT_LT(QLineF(dialog->map()->place_of(near), dialog->map()->place_of(6)).length(), 2);
  QTest::keyClick(dialog->map(), Qt::Key_Right);
  EXPECT_EQ(scene().frame, near + 1);
  picture(QStringLiteral("frames_projection"), dialog);
  dialog->list()->setCurrentItem(dialog->list()->topLevelItem(1));
  EXPECT_EQ(scene().frame, dialog->list()->topLevelItem(1)->text(2).toULong());
  EXPECT_FALSE(window_->controller().can_undo());  // looking changes nothing
}

TEST_F(MapTest, AMorphIsMadePlayedAndUndone) {
  QAction* action = window_->findChild<QAction*>(QStringLiteral("morph"));
  ASSERT_NE(action, nullptr);
  EXPECT_FALSE(action->isEnabled()) << "there are no conformations";
  // The second is the first elsewhere, with its last residues 3 angstrom off.
  const QString start = write_model({0, 0, 0});
  const QString end = temporary(QStringLiteral("end.pdb"));
  {
    QFile from(start), to(end);
    ASSERT_TRUE(from.open(QIODevice::ReadOnly) && to.open(QIODevice::WriteOnly));
    int serial = 0;
    while (!from.atEnd()) {
      QByteArray line = from.readLine();
      const double shift = ++serial > 5 * (residues - 3) ? 3 : 0;
      line.replace(46, 8, QByteArray::number(line.mid(46, 8).toDouble() + shift, 'f', 3).rightJustified(8));
      to.write(line);
    }
  }
  ASSERT_TRUE(open({start}));
  ASSERT_TRUE(open({end}));
  window_->run_command(QStringLiteral("add selections {\"name\": \"trace\", \"selection\": \"name CA\"}"));
  window_->run_command(
      QStringLiteral("add selections {\"name\": \"trace\", \"molecule\": 1, \"selection\": \"name CA\"}"));
  ASSERT_TRUE(wait_for_picture());
  const Scene before = scene();
  window_->run_command(QStringLiteral("action morph"));
  auto* dialog = window_->findChild<MorphDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->from_box()->currentIndex(), 0);
  EXPECT_EQ(dialog->to_box()->currentIndex(), 1);
  EXPECT_EQ(dialog->file_edit()->text(),
            QFileInfo(dialog->file_edit()->text()).dir().filePath(QStringLiteral("morph.pdb")));
  const QString made = temporary(QStringLiteral("way.pdb"));
  dialog->file_edit()->setText(made);
  dialog->frames_box()->setValue(5);
  dialog->path_box()->setCurrentIndex(1);
  // What cannot be done is said before any work.
  dialog->to_box()->setCurrentIndex(0);
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  EXPECT_FALSE(dialog->running());
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("same frame")));
  dialog->to_box()->setCurrentIndex(1);
  dialog->file_edit()->setText(start);
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("is open in this window")));
  dialog->file_edit()->setText(made);
  dialog->atoms_edit()->set_text(QStringLiteral("@tracy"));
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("there is trace")))
      << dialog->message()->text().toStdString();
  EXPECT_FALSE(QFile::exists(made));
  dialog->atoms_edit()->set_text(QStringLiteral("@trace"));
  picture(QStringLiteral("morph"), dialog);
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  ASSERT_EQ(scene().molecules.size(), 3u) << dialog->message()->text().toStdString();
  EXPECT_TRUE(window_->player().playing());
  EXPECT_FALSE(scene().molecules[0].visible);
  EXPECT_FALSE(scene().molecules[1].visible);
  EXPECT_EQ(scene().representations.back().molecule, 2u);
  window_->player().pause();
  ASSERT_TRUE(wait_for_picture());
  const auto morph = window_->controller().molecule(2);
  ASSERT_NE(morph, nullptr);
  ASSERT_EQ(morph->frame_count(), 5u);
  ASSERT_EQ(morph->atom_count(), std::size_t(residues)) << "the trace alone, by its name";
  // Straight lines: the middle is half of what the ends are apart. The ends are superposed, so that lengths alone
  // count.
  const auto span = [&](std::size_t frame) {
    const Frame at = morph->trajectory->frame(frame);
    return double(glm::distance(at.positions.front(), at.positions.back()));
  };
  const glm::dvec3 first(place_of_atom(0, 1)), last(place_of_atom(residues - 1, 1));
  EXPECT_NEAR(span(0), glm::distance(first, last), 2e-3);
  EXPECT_NEAR(span(4), glm::distance(first, last + glm::dvec3(0, 0, 3)), 2e-3);
  EXPECT_GT(span(2), span(0));
  EXPECT_LT(span(2), span(4));
  // One step of the history; the file stays.
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().molecules, before.molecules);
  EXPECT_EQ(scene().representations, before.representations);
  EXPECT_TRUE(QFile::exists(made));
}

}  // namespace
}  // namespace isolume::test
