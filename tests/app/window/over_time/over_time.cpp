// The contact map and the timelines in the window.
#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QTextStream>
#include <QToolButton>
#include <QTreeWidget>
#include <cmath>
#include <cstring>
#include <set>

#include "app/window/frames/motion_dialog.h"
#include "app/window/live/player.h"
#include "app/window/over_time/contact_map_panel.h"
#include "app/window/over_time/timeline_panel.h"
#include "app/window/panels/console_panel.h"
#include "app/window/shell/panels.h"
#include "app/window/widgets/selection_edit.h"
#include "molecule/base/error.h"
#include "tests/app/window/fixture.h"
#include "tests/app/window/replayed.h"
#include "tests/app/window/two_chains.h"

namespace isolume::test {
namespace {

/// The numbers of a file of NumPy's that has this shape.
std::vector<float> read_npy(const QString& path, const char* shape) {
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::ReadOnly));
  const QByteArray bytes = file.readAll();
  EXPECT_TRUE(bytes.startsWith("\x93NUMPY\x01"));
  const qsizetype head = 10 + static_cast<unsigned char>(bytes[8]) + 256 * static_cast<unsigned char>(bytes[9]);
  EXPECT_TRUE(bytes.left(head).contains(shape)) << bytes.mid(10, head - 10).toStdString();
  EXPECT_TRUE(bytes.left(head).contains("'<f4'"));
  std::vector<float> values(static_cast<std::size_t>(bytes.size() - head) / sizeof(float));
  std::memcpy(values.data(), bytes.constData() + head, values.size() * sizeof(float));
  return values;
}

class ContactMapTest : public TwoChainsTest {
 protected:
  void SetUp() override {
    TwoChainsTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    window_->run_command(QStringLiteral("action contact_map"));
    panel_ = &window_->panels().get<ContactMapPanel>();
    ASSERT_TRUE(wait_until([&] { return ready(); })) << panel_->map()->empty_text().toStdString();
  }
  bool ready() const { return panel_->isVisible() && !panel_->busy() && !panel_->matrix().residues.empty(); }
  std::vector<std::uint32_t> picked_residues() const {
    std::set<std::uint32_t> residues;
    const auto topology = window_->controller().topology(0);
    for (const PickedAtom& atom : window_->controller().picked()) residues.insert(topology->atoms[atom.atom].residue);
    return {residues.begin(), residues.end()};
  }
  ContactMapPanel* panel_ = nullptr;
};

TEST_F(ContactMapTest, IsLinkedWithTheSelectionBothWays) {
  ASSERT_EQ(panel_->matrix().residues.size(), 12u) << "no water, ligand and ion";
  // C and O of a residue and N of the next: 3.8 - 2.5 apart along the chain.
  EXPECT_NEAR(panel_->matrix().at(0, 1), 1.3, 1e-3);
  EXPECT_TRUE(std::isfinite(panel_->matrix().at(0, 6))) << "12 angstrom between the chains, less the carbonyl";
  EXPECT_EQ(panel_->map()->picture().breaks, (std::vector<std::size_t>{6}));
  screenshot(QStringLiteral("contact_map"));
  // A click selects both residues, in the picture too.
  HeatMap* map = panel_->map();
  QTest::mouseClick(map, Qt::LeftButton, Qt::NoModifier, map->place(1, 8).toPoint());
  EXPECT_EQ(picked_residues(), (std::vector<std::uint32_t>{1, 8}));
  EXPECT_EQ(window_->controller().picked().size(), 8u);
  EXPECT_EQ(map->marked()[1] + map->marked()[8], 2);
  // A rectangle, added.
  QTest::mousePress(map, Qt::LeftButton, Qt::ControlModifier, map->place(2, 2).toPoint());
  QTest::mouseMove(map, map->place(3, 4).toPoint());
  QTest::mouseRelease(map, Qt::LeftButton, Qt::ControlModifier, map->place(3, 4).toPoint());
  EXPECT_EQ(picked_residues(), (std::vector<std::uint32_t>{1, 2, 3, 4, 8}));
  // What is selected elsewhere is marked here.
  window_->controller().set_picked({{0, 20}});
  EXPECT_EQ(map->marked(), (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}));
  map->setFocus();
  QTest::keyClick(map, Qt::Key_Down);
  EXPECT_EQ(picked_residues(), (std::vector<std::uint32_t>{4})) << "from row 3, column 4";
}

TEST_F(ContactMapTest, HasTheAtomsAndTheCutoffThatAreAskedFor) {
  panel_->measure()->setCurrentIndex(1);
  Q_EMIT panel_->measure()->activated(1);
  EXPECT_EQ(panel_->cutoff()->value(), 8.0);
  ASSERT_TRUE(wait_until([&] { return ready() && std::abs(panel_->matrix().at(0, 1) - 3.8f) < 1e-3f; }));
  EXPECT_NEAR(panel_->matrix().at(0, 2), 7.6, 1e-3);
  // 5 and 4 pairs of neighbours in A, one gap in B: 2 + 2, and over it 7.6; second neighbours 4 and 1 + 1.
  EXPECT_TRUE(panel_->note()->text().startsWith(QStringLiteral("12 residues, 16 pairs")))
      << panel_->note()->text().toStdString();
  panel_->cutoff()->setValue(4);
  ASSERT_TRUE(wait_until([&] {
    return ready() && panel_->note()->text().startsWith(QStringLiteral("12 residues, 9 "));
  })) << panel_->note()->text().toStdString();
  panel_->atoms()->set_text(QStringLiteral("chain B"));
  Q_EMIT panel_->atoms()->entered(panel_->atoms()->text());
  ASSERT_TRUE(wait_until([&] { return ready() && panel_->matrix().residues.size() == 6; }));
  EXPECT_EQ(panel_->map()->picture().row_names[3], QStringLiteral("B/TYR 5"));
  // Nothing selected is said, and the panel goes on.
  panel_->atoms()->set_text(QStringLiteral("resid 999"));
  Q_EMIT panel_->atoms()->entered(panel_->atoms()->text());
  EXPECT_TRUE(wait_until([&] { return !panel_->busy() && panel_->matrix().residues.empty(); }));
}

TEST_F(ContactMapTest, CountsFramesAndIsExported) {
  panel_->shown()->setCurrentIndex(1);
  Q_EMIT panel_->shown()->activated(1);
  ASSERT_TRUE(wait_until([&] { return ready() && panel_->matrix().at(0, 1) == 1.0f; })) << "the one frame there is";
  EXPECT_EQ(panel_->matrix().at(0, 6), 0.0f);
  const QString path = temporary(QStringLiteral("contacts.csv"));
  panel_->write(path);
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = file.readAll().split('\n');
  EXPECT_EQ(lines[0], "chain,residue,number,other chain,other residue,other number,part of frames");
  EXPECT_EQ(lines[1], "A,MET,1,A,LYS,2,1.0000");
  expect_replayed(path);
  panel_->write(temporary(QStringLiteral("contacts.npy")));
  const std::vector<float> values = read_npy(temporary(QStringLiteral("contacts.npy")), "(12, 12)");
  ASSERT_EQ(values.size(), 144u);
  EXPECT_EQ(values[1], 1.0f);
  EXPECT_EQ(values[12], 1.0f);
  EXPECT_EQ(values[6], 0.0f);
  expect_replayed(temporary(QStringLiteral("contacts.npy")));
  panel_->write(temporary(QStringLiteral("contacts.pdf")));
  QFile drawing(temporary(QStringLiteral("contacts.pdf")));
  ASSERT_TRUE(drawing.open(QIODevice::ReadOnly));
  EXPECT_TRUE(drawing.readAll().startsWith("%PDF-"));
  EXPECT_FALSE(QFile::exists(temporary(QStringLiteral("contacts.pdf.made.json"))));
}

TEST_F(ContactMapTest, DistancesOfAFrameAreMadeAgain) {
  panel_->write(temporary(QStringLiteral("distances.csv")));
  expect_replayed(temporary(QStringLiteral("distances.csv")));
  panel_->write(temporary(QStringLiteral("distances.npy")));
  expect_replayed(temporary(QStringLiteral("distances.npy")));
}

/// Whether a widget was hidden while its window was whole: what is left of one that is destroyed is no MainWindow.
class HideWatch : public QObject {
 public:
  bool hidden = false, whole = false;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Hide) {
      hidden = true;
      whole = qobject_cast<MainWindow*>(static_cast<QWidget*>(watched)->window()) != nullptr;
    }
    return false;
  }
};

TEST_F(ContactMapTest, EndsBeforeTheSceneWhereTheWindowIsDestroyed) {
  panel_->shown()->setCurrentIndex(1);
  Q_EMIT panel_->shown()->activated(1);
  ASSERT_TRUE(panel_->busy());
  HideWatch watch;
  panel_->installEventFilter(&watch);
  window_.reset();
  EXPECT_TRUE(watch.hidden);
  EXPECT_TRUE(watch.whole);
}

TEST_F(ContactMapTest, ForgetsAMoleculeThatIsClosed) {
  window_->run_command(QStringLiteral("action close_all"));
  EXPECT_TRUE(wait_until([&] { return !panel_->busy() && panel_->matrix().residues.empty(); }));
  EXPECT_EQ(panel_->map()->picture().rows, 0u);
}

/// Models of LYS 1 and ASP 9, whose nitrogen and oxygen are 3 angstrom apart in the even ones and 9 in the odd ones.
void write_bridging_models(const QString& path, int models) {
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  QTextStream out(&file);
  for (int m = 0; m < models; ++m) {
    out << QString::asprintf("MODEL     %4d\n", m + 1);
    const double x = m % 2 == 0 ? 3 : 9;
    int serial = 0;
    const auto atom = [&](const char* name, const char* residue, int number, double at, double y, const char* element) {
      out << QString::asprintf("ATOM  %5d %-4s %3s A%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n", ++serial, name,
                               residue, number, at, y, 0.0, element);
    };
    atom(" N", "LYS", 1, -5, 1.5, "N");
    atom(" CA", "LYS", 1, -4, 0.5, "C");
    atom(" C", "LYS", 1, -3, 1.5, "C");
    atom(" CE", "LYS", 1, -1.5, 0, "C");
    atom(" NZ", "LYS", 1, 0, 0, "N");
    atom(" N", "ASP", 9, x + 5, 2.2, "N");
    atom(" CA", "ASP", 9, x + 3.8, 1.5, "C");
    atom(" CB", "ASP", 9, x + 2.5, 1, "C");
    atom(" CG", "ASP", 9, x + 1, 1, "C");
    atom(" OD1", "ASP", 9, x, 0, "O");
    atom(" OD2", "ASP", 9, x + 0.5, 2.1, "O");
    out << "ENDMDL\n";
  }
}

class TimelineTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    write_bridging_models(temporary(QStringLiteral("models.pdb")), 6);
    ASSERT_TRUE(open({temporary(QStringLiteral("models.pdb"))}));
    window_->run_command(QStringLiteral("action timeline"));
    panel_ = &window_->panels().get<TimelinePanel>();
    ASSERT_TRUE(wait_until([&] { return panel_->isVisible() && panel_->compute_button()->isEnabled(); }));
  }
  /// The middle of a frame's place in the bar of a row.
  QPoint bar(int row, double frame) {
    const QRect item = panel_->list()->visualItemRect(panel_->list()->topLevelItem(row));
    const int left = panel_->list()->columnViewportPosition(5) + 2, width = panel_->list()->columnWidth(5) - 4;
    return {left + static_cast<int>((frame + 0.5) * width / 6), item.center().y()};
  }
  TimelinePanel* panel_ = nullptr;
};

TEST_F(TimelineTest, AClickGoesToTheFrameAndSelectsThePair) {
  Q_EMIT panel_->others()->line()->editingFinished();
  EXPECT_EQ(panel_->others()->note()->text(), QString()) << "no second partner is no fault";
  panel_->kinds()->setCurrentIndex(2);
  QTest::mouseClick(panel_->compute_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return panel_->interactions().has_value(); }));
  ASSERT_EQ(panel_->interactions()->rows.size(), 1u);
  ASSERT_EQ(panel_->list()->topLevelItemCount(), 1);
  const QTreeWidgetItem* item = panel_->list()->topLevelItem(0);
  EXPECT_EQ(item->text(0), QStringLiteral("Salt bridge"));
  EXPECT_EQ(item->text(1), QStringLiteral("A/LYS 1"));
  EXPECT_EQ(item->text(2), QStringLiteral("A/ASP 9"));
  EXPECT_EQ(item->text(3), QStringLiteral("50.0"));
  EXPECT_EQ(item->text(4), QStringLiteral("3.00"));
  screenshot(QStringLiteral("timeline"));
  QTest::mouseClick(panel_->list()->viewport(), Qt::LeftButton, Qt::NoModifier, bar(0, 3));
  EXPECT_EQ(window_->controller().scene().frame, 3u);
  EXPECT_EQ(window_->controller().picked().size(), 11u) << "both residues";
  // Enter: the next frame in which they interact; after the last the first.
  panel_->list()->setFocus();
  panel_->list()->setCurrentItem(panel_->list()->topLevelItem(0));
  QTest::keyClick(panel_->list(), Qt::Key_Return);
  EXPECT_EQ(window_->controller().scene().frame, 4u);
  QTest::keyClick(panel_->list(), Qt::Key_Return);
  EXPECT_EQ(window_->controller().scene().frame, 0u);
  const QString path = temporary(QStringLiteral("timeline.csv"));
  panel_->write(path);
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_TRUE(file.readAll().endsWith("salt bridge,A,LYS,1,A,ASP,9,0.5000,3.000,1,0,1,0,1,0\n"));
  panel_->write(temporary(QStringLiteral("timeline.npy")));
  const std::vector<float> values = read_npy(temporary(QStringLiteral("timeline.npy")), "(1, 6)");
  ASSERT_EQ(values.size(), 6u);
  for (std::size_t f = 0; f < 6; ++f) EXPECT_EQ(std::isfinite(values[f]), f % 2 == 0) << f;
  EXPECT_NEAR(values[2], 3, 1e-3);
  expect_replayed(path);
  expect_replayed(temporary(QStringLiteral("timeline.npy")));
  // A list is no drawing.
  EXPECT_THROW(panel_->write(temporary(QStringLiteral("timeline.svg"))), Error);
  EXPECT_FALSE(QFile::exists(temporary(QStringLiteral("timeline.svg"))));
}

TEST_F(TimelineTest, ResiduesAreAPictureOverTheFrames) {
  panel_->of()->setCurrentIndex(TimelinePanel::displacement_of);
  Q_EMIT panel_->of()->activated(TimelinePanel::displacement_of);
  panel_->atoms()->set_text(QStringLiteral("all"));
  panel_->step()->setValue(2);
  QTest::mouseClick(panel_->compute_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return panel_->line().has_value(); }));
  EXPECT_EQ(panel_->line()->frames, (std::vector<std::size_t>{0, 2, 4}));
  EXPECT_EQ(panel_->line()->rows.size(), 2u);
  for (const float value : panel_->line()->values) EXPECT_NEAR(value, 0, 1e-3) << "even frames are alike";
  panel_->step()->setValue(1);
  QTest::mouseClick(panel_->compute_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return panel_->line() && panel_->line()->frames.size() == 6; }));
  EXPECT_GT(panel_->line()->at(0, 1), 1) << "6 angstrom between the two are shared by both";
  panel_->write(temporary(QStringLiteral("residues.npy")));
  EXPECT_EQ(read_npy(temporary(QStringLiteral("residues.npy")), "(2, 6)"), panel_->line()->values);
  expect_replayed(temporary(QStringLiteral("residues.npy")));
  panel_->write(temporary(QStringLiteral("residues.csv")));
  expect_replayed(temporary(QStringLiteral("residues.csv")));
  // A file that is another one now is named.
  const QString models = temporary(QStringLiteral("models.pdb"));
  QFile changed(models);
  ASSERT_TRUE(changed.open(QIODevice::Append));
  changed.write("REMARK\n");
  changed.close();
  EXPECT_TRUE(
      replay_refused(temporary(QStringLiteral("residues.csv"))).contains(models + QStringLiteral(": is not the file")));
  panel_->write(temporary(QStringLiteral("residues.svg")));
  QFile drawing(temporary(QStringLiteral("residues.svg")));
  ASSERT_TRUE(drawing.open(QIODevice::ReadOnly));
  EXPECT_TRUE(drawing.readAll().contains("A/ASP 9"));
  screenshot(QStringLiteral("timeline_residues"));
  HeatMap* map = panel_->map();
  QTest::mouseClick(map, Qt::LeftButton, Qt::NoModifier, map->place(1, 5).toPoint());
  EXPECT_EQ(window_->controller().scene().frame, 5u);
  EXPECT_EQ(window_->controller().picked().size(), 6u) << "ASP";
  EXPECT_EQ(map->marked(), (std::vector<std::uint8_t>{0, 1}));
  ASSERT_TRUE(wait_until([&] { return map->current() == 5u; }));
  // The wheel zooms about the pointer: what is under it stays, and a click there still means the same.
  const QPointF at = map->place(1, 4);
  EXPECT_EQ(map->seen(), QRectF(0, 0, 6, 2));
  map->zoom(1.2, at);
  EXPECT_NEAR(map->seen().width(), 5, 1e-9);
  EXPECT_NEAR(map->seen().height(), 2, 1e-9) << "two rows are few enough";
  EXPECT_NEAR(map->place(1, 4).x(), at.x(), 1e-6);
  QTest::mouseClick(map, Qt::LeftButton, Qt::NoModifier, at.toPoint());
  EXPECT_EQ(window_->controller().scene().frame, 4u);
  map->zoom(100, at);
  EXPECT_NEAR(map->seen().width(), 4, 1e-9) << "never less than four";
  // The arrow keys take what is seen along.
  map->setFocus();
  for (int i = 0; i < 6; ++i) QTest::keyClick(map, Qt::Key_Left);
  EXPECT_EQ(window_->controller().scene().frame, 0u);
  EXPECT_NEAR(map->seen().left(), 0, 1e-9);
  QTest::keyClick(map, Qt::Key_0);
  EXPECT_EQ(map->seen(), QRectF(0, 0, 6, 2));
  // A molecule that is closed takes its timeline along.
  window_->run_command(QStringLiteral("action close_all"));
  EXPECT_TRUE(wait_until([&] { return !panel_->line() && map->picture().rows == 0; }));
}

TEST_F(TimelineTest, SaysWhatIsWrong) {
  panel_->atoms()->set_text(QStringLiteral("resid 77"));
  QTest::mouseClick(panel_->compute_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !panel_->busy(); }));
  EXPECT_FALSE(panel_->interactions().has_value());
  EXPECT_TRUE(wait_until([&] { return panel_->compute_button()->isEnabled(); }));
}

class MotionTest : public WindowTest {
 protected:
  const Scene& scene() { return window_->controller().scene(); }
  /// The dialog of an action, with a file that is not there yet.
  MotionDialog* dialog_of(const char* action, const QString& file) {
    window_->run_command(QStringLiteral("action %1").arg(QLatin1String(action)));
    auto* dialog = window_->findChild<MotionDialog*>();
    if (dialog) dialog->file_edit()->setText(file);
    return dialog;
  }
};

TEST_F(MotionTest, AMeanStructureIsMadeAndUndone) {
  QAction* action = window_->findChild<QAction*>(QStringLiteral("mean_structure"));
  ASSERT_NE(action, nullptr);
  EXPECT_FALSE(action->isEnabled()) << "there are no frames";
  write_bridging_models(temporary(QStringLiteral("models.pdb")), 6);
  ASSERT_TRUE(open({temporary(QStringLiteral("models.pdb"))}));
  const Scene before = scene();
  const QString made = temporary(QStringLiteral("mean.pdb"));
  MotionDialog* dialog = dialog_of("mean_structure", made);
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->last_box()->value(), 5);
  dialog->atoms_edit()->set_text(QStringLiteral("all"));
  dialog->fit_edit()->set_text(QStringLiteral("resname LYS"));
  // What cannot be done is said before any work.
  dialog->first_box()->setValue(4);
  dialog->last_box()->setValue(2);
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("after the last")));
  dialog->first_box()->setValue(0);
  dialog->last_box()->setValue(5);
  dialog->file_edit()->setText(temporary(QStringLiteral("models.pdb")));
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("is open in this window")));
  dialog->file_edit()->setText(made);
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  ASSERT_EQ(scene().molecules.size(), 2u) << dialog->message()->text().toStdString();
  ASSERT_TRUE(wait_for_picture());
  const auto mean = window_->controller().molecule(1);
  ASSERT_NE(mean, nullptr);
  ASSERT_EQ(mean->atom_count(), 11u);
  // OD1 is 3 and 9 angstrom from NZ in every other frame, and LYS does not move.
  const Frame frame = mean->trajectory->frame(0);
  EXPECT_NEAR(double(glm::distance(frame.positions[4], frame.positions[9])), 6, 2e-3);
  EXPECT_TRUE(scene().molecules[0].visible);
  EXPECT_EQ(scene().representations.back().molecule, 1u);
  window_->controller().undo();
  EXPECT_EQ(scene().molecules, before.molecules);
  EXPECT_EQ(scene().representations, before.representations);
}

TEST_F(MotionTest, AComponentIsPlayed) {
  write_bridging_models(temporary(QStringLiteral("models.pdb")), 6);
  ASSERT_TRUE(open({temporary(QStringLiteral("models.pdb"))}));
  const QString made = temporary(QStringLiteral("component.pdb"));
  MotionDialog* dialog = dialog_of("animate_component", made);
  ASSERT_NE(dialog, nullptr);
  dialog->atoms_edit()->set_text(QStringLiteral("all"));
  dialog->frames_box()->setValue(8);
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  ASSERT_EQ(scene().molecules.size(), 2u) << dialog->message()->text().toStdString();
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("100.0 %"))) << "all motion is along one line";
  EXPECT_FALSE(scene().molecules[0].visible);
  EXPECT_TRUE(window_->player().playing());
  window_->player().pause();
  ASSERT_TRUE(wait_for_picture());
  const auto motion = window_->controller().molecule(1);
  ASSERT_NE(motion, nullptr);
  ASSERT_EQ(motion->frame_count(), 8u);
  const auto apart = [&](std::size_t frame) {
    const Frame at = motion->trajectory->frame(frame);
    return double(glm::distance(at.positions[4], at.positions[9]));
  };
  // To both sides of the mean by as much, and beyond the models, which are one standard deviation away.
  const Frame mean = motion->trajectory->frame(0), one = motion->trajectory->frame(2),
              other = motion->trajectory->frame(6);
  for (std::size_t i = 0; i < 11; ++i)
    EXPECT_LT(double(glm::distance(one.positions[i] + other.positions[i], 2.0f * mean.positions[i])), 3e-3) << i;
  EXPECT_GT(std::abs(apart(2) - apart(6)), 6) << "the models have 3 and 9";
  window_->controller().undo();
  EXPECT_EQ(scene().molecules.size(), 1u);
  EXPECT_TRUE(scene().molecules[0].visible);
}

}  // namespace
}  // namespace isolume::test
