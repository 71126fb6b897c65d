// Atoms are measured by clicks, the values are plotted over the frames, and both are linked.
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include "app/view/label_set.h"
#include "app/view/measurement.h"
#include "app/window/panels/label_form.h"
#include "app/window/panels/measure_panel.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/viewport/viewport_overlay.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/selection_edit.h"
#include "fixture.h"
#include "replayed.h"

namespace isolume::test {
namespace {

constexpr int frames = 12;

class MeasureTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    ASSERT_TRUE(open({write_breathing_xyz(frames)}));
    shot();
  }
  void click(std::uint32_t atom) {
    const auto before = window_->controller().picked();
    const std::size_t measured = scene().measurements.size();
    QTest::mouseClick(&window_->viewport(), Qt::LeftButton, {}, place_of({0, atom}));
    ASSERT_TRUE(wait_until([&] {
      return window_->controller().picked() != before || scene().measurements.size() != measured;
    })) << "atom "
        << atom;
  }
  const Scene& scene() { return window_->controller().scene(); }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&window_->viewport(), key, modifiers); }
  /// The factor by which write_breathing_xyz() stretches a frame.
  static double stretch(int frame) { return 1 + 0.08 * std::sin(2 * 3.14159265358979 * frame / frames); }
};

// Carbon 0 at (-1.17, -0.40, 0), carbon 1 at (0.05, 0.55, 0), oxygen 2 at (1.20, -0.25, 0).
const double cc = std::hypot(1.22, 0.95), co = std::hypot(1.15, 0.80);

TEST_F(MeasureTest, MeasureByClicksPlotAndGoByThePlot) {
  key(Qt::Key_2);
  EXPECT_FALSE(window_->viewport().overlay().hint().isEmpty()) << "says what to click";
  click(0);
  click(1);
  ASSERT_EQ(scene().measurements.size(), 1u);
  EXPECT_EQ(scene().measurements[0].atoms, (std::vector<SceneAtom>{{0, 0}, {0, 1}}));
  // It goes on until Esc: another one.
  click(1);
  click(2);
  ASSERT_EQ(scene().measurements.size(), 2u);
  key(Qt::Key_Escape);
  EXPECT_TRUE(window_->viewport().overlay().hint().isEmpty());
  ASSERT_TRUE(wait_for_picture());

  // The values are those of the file, in the panel and in the picture.
  QTreeWidget* list = window_->measure().list();
  ASSERT_EQ(list->topLevelItemCount(), 2);
  EXPECT_EQ(list->topLevelItem(0)->text(2), QStringLiteral("%1 \u00c5").arg(cc, 0, 'f', 2));
  ASSERT_EQ(window_->viewport().view()->labels.size(), 2u);
  EXPECT_EQ(window_->viewport().view()->labels[1].text, QStringLiteral("%1 \u00c5").arg(co, 0, 'f', 2).toStdString());

  // An angle, of atoms that were picked before.
  click(0);
  QTest::mouseClick(&window_->viewport(), Qt::LeftButton, Qt::ControlModifier, place_of({0, 1}));
  ASSERT_TRUE(wait_until([&] { return window_->controller().picked().size() == 2; }));
  QTest::mouseClick(&window_->viewport(), Qt::LeftButton, Qt::ControlModifier, place_of({0, 2}));
  ASSERT_TRUE(wait_until([&] { return window_->controller().picked().size() == 3; }));
  key(Qt::Key_3);
  ASSERT_EQ(scene().measurements.size(), 3u);
  EXPECT_EQ(scene().measurements[2].atoms.size(), 3u);
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("measure"));

  // Over the frames: the molecule breathes as the file says.
  list->clearSelection();
  list->topLevelItem(0)->setSelected(true);
  list->topLevelItem(1)->setSelected(true);
  QTest::mouseClick(window_->measure().plot_button(), Qt::LeftButton);
  PlotsPanel& plots = window_->plots();
  ASSERT_TRUE(wait_until([&] { return !plots.busy() && plots.plot()->curves().size() == 2; }));
  for (int frame = 0; frame < frames; ++frame) {
    // The file has six decimals at most of each coordinate, and positions are single precision.
    EXPECT_NEAR(plots.plot()->curves()[0].y[static_cast<std::size_t>(frame)], cc * stretch(frame), 2e-5);
    EXPECT_NEAR(plots.plot()->curves()[1].y[static_cast<std::size_t>(frame)], co * stretch(frame), 2e-5);
  }
  screenshot(QStringLiteral("plot"));

  // Frame to plot.
  key(Qt::Key_Right);
  EXPECT_EQ(plots.plot()->cursor(), std::optional<double>(1.0));
  // Plot to frame: by its keys.
  plots.plot()->setFocus();
  QTest::keyClick(plots.plot(), Qt::Key_Right);
  QTest::keyClick(plots.plot(), Qt::Key_Right);
  EXPECT_EQ(scene().frame, 3u);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(list->topLevelItem(0)->text(2), QStringLiteral("%1 \u00c5").arg(cc * stretch(3), 0, 'f', 2));

  // A curve to its atoms, and atoms to their curve.
  QTest::keyClick(plots.plot(), Qt::Key_Up);
  std::vector<PickedAtom> of_curve;
  const bool first_chosen = plots.plot()->curves()[0].chosen;
  EXPECT_NE(first_chosen, plots.plot()->curves()[1].chosen);
  for (const SceneAtom& atom : scene().measurements[first_chosen ? 0 : 1].atoms)
    of_curve.push_back({atom.molecule, atom.atom});
  EXPECT_EQ(window_->controller().picked(), of_curve);
  window_->controller().set_picked({{0, 2}, {0, 1}});
  EXPECT_FALSE(plots.plot()->curves()[0].chosen);
  EXPECT_TRUE(plots.plot()->curves()[1].chosen);
  window_->controller().set_picked({});
  EXPECT_FALSE(plots.plot()->curves()[1].chosen);

  // Exports.
  plots.write_csv(temporary(QStringLiteral("plot.csv")));
  QFile csv(temporary(QStringLiteral("plot.csv")));
  ASSERT_TRUE(csv.open(QIODevice::ReadOnly));
  EXPECT_EQ(csv.readAll().trimmed().count('\n'), frames) << "a title and a line for each frame";
  const QString refused = replay_refused(temporary(QStringLiteral("plot.csv")));
  EXPECT_TRUE(refused.contains(QStringLiteral("the panel Plots of a window wrote it"))) << refused.toStdString();
  plots.write_drawing(temporary(QStringLiteral("plot.svg")));
  QFile svg(temporary(QStringLiteral("plot.svg")));
  ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
  EXPECT_TRUE(svg.readAll().contains("<svg"));
  plots.write_drawing(temporary(QStringLiteral("plot.pdf")));
  QFile pdf(temporary(QStringLiteral("plot.pdf")));
  ASSERT_TRUE(pdf.open(QIODevice::ReadOnly));
  const QByteArray page = pdf.readAll();
  EXPECT_TRUE(page.startsWith("%PDF-"));
  EXPECT_TRUE(page.contains("/Font")) << "numbers are text";
  const QByteArray box = page.mid(page.indexOf("/MediaBox [") + 11, 60);
  EXPECT_NEAR(box.split(' ').value(2).toDouble(), plots.plot()->width() * 72.0 / 96, 1) << box.toStdString();

  // Undo takes the measurement and its curve.
  key(Qt::Key_Z, Qt::ControlModifier);
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(scene().measurements.size(), 1u);
  EXPECT_EQ(plots.plot()->curves().size(), 1u);
}

TEST_F(MeasureTest, TheNameOfAnAtomIsWritten) {
  key(Qt::Key_1);
  click(2);
  key(Qt::Key_Escape);
  ASSERT_TRUE(wait_for_picture());
  ASSERT_EQ(window_->viewport().view()->labels.size(), 1u);
  EXPECT_NE(window_->viewport().view()->labels[0].text.find("O"), std::string::npos);
}

TEST_F(MeasureTest, LabelsAreAddedChangedAndUndone) {
  MeasurePanel& panel = window_->measure();
  const auto texts = [&] {
    QStringList found;
    for (const Label& label : window_->viewport().view()->labels) found += QString::fromStdString(label.text);
    return found;
  };
  panel.label_button()->click();
  ASSERT_TRUE(wait_until([&] { return !scene().labels.empty(); }));
  ASSERT_TRUE(wait_for_picture());
  ASSERT_EQ(scene().labels.size(), 1u);
  EXPECT_EQ(scene().labels[0].text, LabelSet::Text::atom) << "a small molecule has atoms, no residues";
  EXPECT_EQ(texts().size(), 3);
  LabelForm& form = panel.labels();
  ASSERT_TRUE(form.isVisibleTo(&panel)) << "the new labels are selected";
  EXPECT_FALSE(form.own_line()->isVisibleTo(&form));
  form.text_box()->setCurrentIndex(3);
  Q_EMIT form.text_box()->activated(3);
  Q_EMIT form.atoms()->entered(QStringLiteral("index 0 2"));
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(texts(), (QStringList{QStringLiteral("C"), QStringLiteral("O")}));
  Q_EMIT form.text_box()->activated(5);
  form.own_line()->setText(QStringLiteral("site"));
  Q_EMIT form.own_line()->editingFinished();
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(texts(), QStringList{QStringLiteral("site")});
  EXPECT_TRUE(form.own_line()->isVisibleTo(&form));
  panel.list()->topLevelItem(0)->setCheckState(0, Qt::Unchecked);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_TRUE(texts().isEmpty());
  for (int i = 0; i < 5; ++i) window_->controller().undo();
  EXPECT_EQ(scene().labels.size(), 1u);
  EXPECT_EQ(scene().labels[0].text, LabelSet::Text::atom);
  window_->controller().undo();
  EXPECT_TRUE(scene().labels.empty());
  EXPECT_FALSE(form.isVisibleTo(&panel));
}

TEST_F(MeasureTest, TextsAreInTheExportedPicture) {
  window_->controller().edit(QStringLiteral("Add"), [](Scene& s) { s.measurements.push_back({{{0, 0}, {0, 2}}}); });
  ASSERT_TRUE(wait_for_picture());
  PictureOptions options;
  options.width = 480;
  options.height = 360;
  const auto picture = [&](const char* name) {
    QSignalSpy finished(&window_->exporter(), &PictureExport::finished);
    const QString path = temporary(QString::fromLatin1(name));
    window_->export_picture(path, options, 0);
    EXPECT_TRUE(finished.wait(30000));
    return read_png(path.toStdString());
  };
  const Image with = picture("with.png");
  window_->controller().edit(QStringLiteral("Hide"), [](Scene& s) { s.measurements[0].visible = false; });
  ASSERT_TRUE(wait_for_picture());
  const Image without = picture("without.png");
  EXPECT_GT(compare(with, without).mean, 0.0005);
  // The middle of the text is in the middle of the two atoms: dark letters there that were not there before.
  screenshot(QStringLiteral("measure-export"));
}

TEST_F(MeasureTest, LabelsAreAddedFromTheMenu) {
  QAction* action = window_->commands().find(QStringLiteral("add_labels"));
  ASSERT_NE(action, nullptr);
  window_->controller().set_picked({{0, 1}});
  action->trigger();
  ASSERT_EQ(scene().labels.size(), 1u);
  EXPECT_EQ(scene().labels[0].selection, "index 1");
  EXPECT_TRUE(window_->measure().isVisible()) << "where they are changed";
  // Without atoms that are selected, what is usual.
  window_->controller().set_picked({});
  action->trigger();
  ASSERT_TRUE(wait_until([&] { return scene().labels.size() == 2; }));
  EXPECT_EQ(scene().labels[1].selection, usual_labels(*window_->controller().molecule(0)->topology).selection);
}

}  // namespace
}  // namespace isolume::test
