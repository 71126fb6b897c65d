// Timelines of a potential, and of the correlation of residues with a density map, in the window.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QSignalSpy>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTest>
#include <QToolButton>

#include "app/window/over_time/timeline_panel.h"
#include "app/window/shell/panels.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/work_pool.h"
#include "tests/app/window/maps/maps_test.h"
#include "tests/app/window/replayed.h"

namespace isolume::test {
namespace {

class MapTimelineTest : public MapTest {
 protected:
  TimelinePanel& timeline(TimelinePanel::Of of) {
    window_->run_command(QStringLiteral("action timeline"));
    auto& panel = window_->panels().get<TimelinePanel>();
    EXPECT_TRUE(wait_until([&] { return panel.isVisible(); }));
    panel.of()->setCurrentIndex(of);
    Q_EMIT panel.of()->activated(of);
    panel.atoms()->set_text(QStringLiteral("all"));
    return panel;
  }
  /// The chain in so many models; in all but the first the last residue is `away`.
  QString write_models(int models, glm::vec3 away) {
    const QString path = temporary(QStringLiteral("models.pdb"));
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    constexpr const char* names[] = {"N ", "CA", "C ", "O ", "CB"};
    for (int m = 0; m < models; ++m) {
      file.write(QString::asprintf("MODEL     %4d\n", m + 1).toUtf8());
      for (int r = 0, serial = 1; r < residues; ++r)
        for (int a = 0; a < 5; ++a, ++serial) {
          const glm::vec3 p = place_of_atom(r, a) + (m > 0 && r + 1 == residues ? away : glm::vec3(0));
          file.write(QString::asprintf("ATOM  %5d  %s  ALA A%4d    %8.3f%8.3f%8.3f  1.00  0.00           %c\n", serial,
                                       names[a], r + 1, double(p.x), double(p.y), double(p.z), names[a][0])
                         .toUtf8());
        }
      file.write("ENDMDL\n");
    }
    return path;
  }
};

TEST_F(MapTimelineTest, CorrelationsFallWhereAResidueLeavesTheMap) {
  ASSERT_TRUE(open({write_models(2, {0, 0, 4})}));
  TimelinePanel& panel = timeline(TimelinePanel::correlation_of);
  EXPECT_TRUE(panel.map_box()->isVisible());
  // What is shown is read whole.
  QStyleOptionComboBox option;
  option.initFrom(panel.of());
  const QRect text = panel.of()->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField);
  EXPECT_GE(text.width(), panel.of()->fontMetrics().horizontalAdvance(panel.of()->currentText()));
  EXPECT_TRUE(panel.map()->empty_text().contains(QStringLiteral("density map"))) << "there is none yet";
  QSignalSpy failed(&panel, &TimelinePanel::failed);
  QTest::mouseClick(panel.compute_button(), Qt::LeftButton);
  ASSERT_EQ(failed.size(), 1);
  EXPECT_TRUE(failed.last()[0].toString().contains(QStringLiteral("density map")));
  ASSERT_TRUE(open({write_map()}));
  ASSERT_EQ(panel.map_box()->count(), 1);
  EXPECT_EQ(panel.resolution_box()->value(), 3) << "three steps of the grid";
  panel.resolution_box()->setValue(4);
  QTest::mouseClick(panel.compute_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return panel.line().has_value(); })) << failed.last()[0].toString().toStdString();
  const Timeline& line = *panel.line();
  ASSERT_EQ(line.rows.size(), static_cast<std::size_t>(residues));
  ASSERT_EQ(line.frames.size(), 2u);
  for (std::size_t r = 0; r < line.rows.size(); ++r) {
    EXPECT_GT(line.at(r, 0), 0.999f) << r << ": the map was made of this model";
    if (r + 4 >= line.rows.size()) continue;
    EXPECT_NEAR(line.at(r, 1), line.at(r, 0), 1e-4) << r << ": far from what moved";
  }
  EXPECT_LT(line.at(residues - 1, 1), 0.8f);
  // A residue that agrees is dark, one that does not is light.
  const QImage& image = panel.map()->picture().image;
  EXPECT_LT(qGray(image.pixel(0, 0)), 60);
  EXPECT_GT(qGray(image.pixel(1, residues - 1)), 120);
  EXPECT_TRUE(panel.map()->picture().x.contains(QStringLiteral("dark 1")));
  screenshot(QStringLiteral("timeline_correlation"));
  panel.write(temporary(QStringLiteral("correlation.csv")));
  expect_replayed(temporary(QStringLiteral("correlation.csv")));
  QTest::mouseClick(panel.map(), Qt::LeftButton, Qt::NoModifier, panel.map()->place(residues - 1, 1).toPoint());
  EXPECT_EQ(scene().frame, 1u);
  EXPECT_EQ(window_->controller().picked().size(), 5u);
  // What cannot be is said before work.
  panel.resolution_box()->setValue(1);
  QTest::mouseClick(panel.compute_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !panel.busy(); }));
  EXPECT_TRUE(failed.last()[0].toString().contains(QStringLiteral("Nyquist")));
  panel.resolution_box()->setValue(4);
  // The moved molecule comes later; until the panel knows it there is nothing to compute.
  const auto before = window_->controller().molecule(0);
  window_->controller().edit(QStringLiteral("Move"), [](Scene& scene) {
    scene.molecules[0].placement.motion.translation = {300, 0, 0};
  });
  ASSERT_TRUE(wait_until([&] {
    const auto now = window_->controller().molecule(0);
    return now && now != before && panel.compute_button()->isEnabled();
  }));
  QTest::mouseClick(panel.compute_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !panel.busy(); }));
  EXPECT_TRUE(failed.last()[0].toString().contains(QStringLiteral("do not meet")))
      << failed.last()[0].toString().toStdString();
}

TEST_F(MapTimelineTest, IsCancelledAndBegunAgain) {
  ASSERT_TRUE(open({write_models(400, {0, 0, 4})}));
  ASSERT_TRUE(open({write_map()}));
  TimelinePanel& panel = timeline(TimelinePanel::correlation_of);
  panel.resolution_box()->setValue(4);
  QTest::mouseClick(panel.compute_button(), Qt::LeftButton);
  ASSERT_TRUE(panel.busy());
  panel.cancel();
  EXPECT_FALSE(panel.busy());
  work_pool().waitForDone();
  QCoreApplication::sendPostedEvents();
  EXPECT_FALSE(panel.line().has_value()) << "what was cancelled does not come";
  panel.step()->setValue(200);
  QTest::mouseClick(panel.compute_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return panel.line().has_value(); }));
  EXPECT_EQ(panel.line()->frames, (std::vector<std::size_t>{0, 200}));
}

TEST_F(MapTimelineTest, PotentialsAreRedBelowZeroAndBlueAbove) {
  const QString path = temporary(QStringLiteral("ions.pqr"));
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(
      "ATOM 1 NA NA A 1 0.0 0.0 0.0 1.0 1.0\nATOM 2 CL CL A 2 4.0 0.0 0.0 -1.0 1.8\n"
      "ATOM 3 K K A 3 4.0 3.0 0.0 0.5 1.8\n");
  file.close();
  ASSERT_TRUE(open({path}));
  TimelinePanel& panel = timeline(TimelinePanel::potential_of);
  EXPECT_FALSE(panel.map_box()->isVisible());
  QTest::mouseClick(panel.compute_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return panel.line().has_value(); }));
  ASSERT_EQ(panel.line()->rows.size(), 3u);
  // e / (4 pi eps0) in V angstrom.
  EXPECT_NEAR(panel.line()->at(0, 0), 14.3996454784 * (-1.0 / 4 + 0.5 / 5), 1e-4);
  EXPECT_NEAR(panel.line()->at(1, 0), 14.3996454784 * (1.0 / 4 + 0.5 / 3), 1e-4);
  EXPECT_NEAR(panel.line()->at(2, 0), 14.3996454784 * (1.0 / 5 - 1.0 / 3), 1e-4);
  const QImage& image = panel.map()->picture().image;
  EXPECT_GT(qRed(image.pixel(0, 0)), qBlue(image.pixel(0, 0)));
  EXPECT_LT(qRed(image.pixel(0, 1)), qBlue(image.pixel(0, 1)));
  EXPECT_GT(qRed(image.pixel(0, 2)), qBlue(image.pixel(0, 2)));
  panel.write(temporary(QStringLiteral("potential.csv")));
  QFile table(temporary(QStringLiteral("potential.csv")));
  ASSERT_TRUE(table.open(QIODevice::ReadOnly));
  EXPECT_TRUE(table.readLine().contains("frame 0 (V)"));
  expect_replayed(temporary(QStringLiteral("potential.csv")));
}

TEST_F(MapTimelineTest, APotentialNeedsCharges) {
  ASSERT_TRUE(open({write_models(2, {0, 0, 4})}));
  TimelinePanel& panel = timeline(TimelinePanel::potential_of);
  QSignalSpy failed(&panel, &TimelinePanel::failed);
  QTest::mouseClick(panel.compute_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !panel.busy(); }));
  ASSERT_EQ(failed.size(), 1);
  EXPECT_TRUE(failed.last()[0].toString().contains(QStringLiteral("charges")))
      << failed.last()[0].toString().toStdString();
}

}  // namespace
}  // namespace isolume::test
