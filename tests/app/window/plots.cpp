// Analyses are plotted, and linked with the picture both ways: frames under the pointer, ranges, residues.
#include <QFile>
#include <QTest>
#include <QTextStream>
#include <cmath>

#include "app/window/dialogs/analysis_dialog.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/panels/trajectory_panel.h"
#include "app/window/shell/task_panel.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/theme.h"
#include "fixture.h"
#include "tests/app/window/plots_test.h"

namespace isolume::test {
namespace {

TEST_F(PlotsTest, TheRadiusOfGyrationIsThatOfTheFormulaAndLinkedToTheFrames) {
  ASSERT_TRUE(open({write_breathing_xyz(frames)}));
  show_panel();
  ASSERT_NO_FATAL_FAILURE(add(QStringLiteral("Radius of gyration")));
  EXPECT_EQ(panel().kinds()->currentText(), QStringLiteral("Radius of gyration"));
  ASSERT_EQ(plot()->curves().size(), 1u);
  const std::vector<double> radius = plot()->curves()[0].y;
  ASSERT_EQ(radius.size(), std::size_t{frames});
  for (int f = 0; f < frames; ++f) {
    const double stretch = 1 + 0.08 * std::sin(2 * 3.14159265358979 * f / frames);
    EXPECT_NEAR(radius[static_cast<std::size_t>(f)], radius[0] * stretch, 1e-4) << f;
  }

  // The frame under the pointer is shown while it is there, and its value is said.
  move(at(9));
  ASSERT_TRUE(wait_until([&] { return scene().frame == 9; }));
  EXPECT_TRUE(panel().previewing());
  EXPECT_TRUE(panel().reading()->text().contains(QString::number(radius[9], 'g', 5)))
      << panel().reading()->text().toStdString();
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(plot(), &leave);
  EXPECT_EQ(scene().frame, 0u);
  EXPECT_FALSE(panel().previewing());
  EXPECT_TRUE(panel().reading()->text().isEmpty());
  // A click goes there for good.
  move(at(5));
  QTest::mouseClick(plot(), Qt::LeftButton, {}, at(5));
  QCoreApplication::sendEvent(plot(), &leave);
  EXPECT_EQ(scene().frame, 5u);
  // Without previews the pointer changes nothing.
  QTest::mouseClick(panel().preview_button(), Qt::LeftButton);
  move(at(12));
  EXPECT_FALSE(wait_until([&] { return scene().frame != 5; }, 150));
  QCoreApplication::sendEvent(plot(), &leave);

  const QString csv = plot()->csv();
  EXPECT_TRUE(csv.startsWith(QStringLiteral("Frame,"))) << csv.left(60).toStdString();
  EXPECT_TRUE(csv.section(QLatin1Char('\n'), 0, 0).endsWith(QStringLiteral(" (\u00c5)"))) << csv.left(60).toStdString();
  EXPECT_EQ(csv.count(QLatin1Char('\n')), frames + 1);
}

TEST_F(PlotsTest, ARangeOfFramesIsPlayedAlone) {
  ASSERT_TRUE(open({write_breathing_xyz(frames)}));
  show_panel();
  ASSERT_NO_FATAL_FAILURE(add(QStringLiteral("RMSD")));
  // Superposed on frame 0, a body that is stretched by s differs by (s - 1) times its radius about its centre.
  const std::vector<double> rmsd = plot()->curves()[0].y;
  EXPECT_NEAR(rmsd[0], 0, 1e-6);
  EXPECT_NEAR(rmsd[6], rmsd[18], 1e-4);
  EXPECT_NEAR(rmsd[2] / rmsd[6], std::sin(3.14159265358979 / 6), 1e-3);

  drag(4, 10);
  ASSERT_TRUE(window_->player().range().has_value());
  EXPECT_EQ(*window_->player().range(), (std::pair<std::size_t, std::size_t>(4, 10)));
  EXPECT_EQ(plot()->band(), (std::pair<double, double>(4, 10)));
  EXPECT_TRUE(panel().range_button()->isVisible());
  EXPECT_FALSE(window_->trajectory().range_button()->isHidden());
  if (qEnvironmentVariableIsSet("ISOLUME_SCREENSHOTS")) {
    screenshot(QStringLiteral("plot_range"));
    apply_theme(Theme::dark);
    const auto seen_dark = [&] {
      return plot()->grab().toImage().pixelColor(2, 2).lightness() < 128 && window_->picture().settled();
    };
    EXPECT_TRUE(wait_until(seen_dark));
    screenshot(QStringLiteral("plot_range_dark"));
    apply_theme(Theme::light);
  }
  window_->player().play();
  std::vector<bool> seen(frames, false);
  ASSERT_TRUE(wait_until([&] {
    seen[scene().frame] = true;
    return seen[10] && seen[4];
  }));
  window_->player().pause();
  for (std::size_t f = 0; f < seen.size(); ++f) {
    if (f < 4 || f > 10) {
      EXPECT_TRUE(!seen[f] || f == 0) << f;
    }
  }
  // Clicks still go anywhere.
  QTest::mouseClick(plot(), Qt::LeftButton, {}, at(20));
  EXPECT_EQ(scene().frame, 20u);

  // By keys: Shift and an arrow chooses from the cursor on, Delete takes it away.
  plot()->setFocus();
  QTest::keyClick(plot(), Qt::Key_Left, Qt::ShiftModifier);
  QTest::keyClick(plot(), Qt::Key_Left, Qt::ShiftModifier);
  EXPECT_EQ(*window_->player().range(), (std::pair<std::size_t, std::size_t>(18, 20)));
  QTest::keyClick(plot(), Qt::Key_Delete);
  EXPECT_FALSE(window_->player().range().has_value());
  EXPECT_FALSE(plot()->band().has_value());
  EXPECT_FALSE(panel().range_button()->isVisible());
  // And by the button of the trajectory panel.
  drag(2, 6);
  ASSERT_TRUE(plot()->band().has_value());
  window_->trajectory().range_button()->click();
  EXPECT_FALSE(plot()->band().has_value());
}

TEST_F(PlotsTest, FluctuationsAreOfResiduesThatAClickPicks) {
  ASSERT_TRUE(open({write_chain()}));
  show_panel();
  AnalysisRequest request;
  request.kind = AnalysisKind::rmsf;
  request.selection = "name CA";
  request.superpose = false;
  panel().add_analysis(0, request);
  ASSERT_TRUE(wait_until([&] { return !panel().busy() && !plot()->curves().empty(); }));
  EXPECT_EQ(panel().kinds()->currentText(), QStringLiteral("RMSF of residues"));
  ASSERT_EQ(plot()->curves()[0].y.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(plot()->curves()[0].x[i], static_cast<double>(i + 11)) << "the residue's number";
    // A sine of that amplitude; the file has three decimals.
    EXPECT_NEAR(plot()->curves()[0].y[i], 0.1 * static_cast<double>(i) / std::sqrt(2), 4e-4) << i;
  }
  // A click picks the residue, and picking it in the picture moves the cursor.
  QTest::mouseClick(plot(), Qt::LeftButton, {}, at(14));
  EXPECT_EQ(window_->controller().picked(), (std::vector<PickedAtom>{{0, 3}}));
  EXPECT_EQ(plot()->cursor(), std::optional<double>(14));
  window_->controller().set_picked({{0, 6}});
  EXPECT_EQ(plot()->cursor(), std::optional<double>(17));
  EXPECT_FALSE(window_->player().range().has_value());
  // Dragging picks many.
  drag(12, 15);
  EXPECT_EQ(window_->controller().picked(), (std::vector<PickedAtom>{{0, 1}, {0, 2}, {0, 3}, {0, 4}}));
  EXPECT_EQ(plot()->band(), (std::pair<double, double>(12, 15)));
  screenshot(QStringLiteral("plot_rmsf"));

  // Of a range of frames alone: of frames 0 to 12 the sine is never negative, so it swings less about its mean.
  window_->player().set_range(std::pair<std::size_t, std::size_t>(0, 12));
  ASSERT_TRUE(wait_until([&] { return !panel().busy() && plot()->curves()[0].y[7] < 0.4; }));
  double sum = 0, squares = 0;
  for (int f = 0; f <= 12; ++f) {
    const double z = 0.7 * std::sin(2 * 3.14159265358979 * f / frames);
    sum += z / 13;
    squares += z * z / 13;
  }
  EXPECT_NEAR(plot()->curves()[0].y[7], std::sqrt(squares - sum * sum), 4e-4);
  panel().kinds()->setCurrentIndex(panel().kinds()->findText(QStringLiteral("B factor")));
  EXPECT_NEAR(plot()->curves()[0].y[7], 8 * std::pow(3.14159265358979, 2) / 3 * (squares - sum * sum), 1e-2);
}

TEST_F(PlotsTest, RadialDistributionsOfAFileAndWhatIsWrongIsSaid) {
  QFile file(temporary(QStringLiteral("crystal.xyz")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  QTextStream out(&file);
  out << "216\nLattice=\"24 0 0 0 24 0 0 0 24\" Properties=species:S:1:pos:R:3\n";
  for (int i = 0; i < 216; ++i) out << "Ar " << 4 * (i % 6) << ' ' << 4 * (i / 6 % 6) << ' ' << 4 * (i / 36) << '\n';
  file.close();
  ASSERT_TRUE(open({file.fileName()}));
  show_panel();
  AnalysisRequest request;
  request.kind = AnalysisKind::rdf;
  request.selection = "all";
  request.bins.maximum = 11.95;
  request.bin_width = 0.11;
  panel().add_analysis(0, request);
  ASSERT_TRUE(wait_until([&] { return !panel().busy() && !plot()->curves().empty(); }));
  panel().kinds()->setCurrentIndex(panel().kinds()->findText(QStringLiteral("Coordination number")));
  // 6 neighbours at 4 angstrom, 12 at 5.66, 8 at 6.93.
  const PlotCurve& n = plot()->curves()[0];
  const auto up_to = [&](double r) {
    const auto i = std::lower_bound(n.x.begin(), n.x.end(), r) - n.x.begin();
    return n.y[static_cast<std::size_t>(i)];
  };
  EXPECT_NEAR(up_to(3.5), 0, 1e-9);
  EXPECT_NEAR(up_to(5.0), 6, 1e-9);
  EXPECT_NEAR(up_to(6.3), 18, 1e-9);
  EXPECT_NEAR(up_to(7.5), 26, 1e-9);
  screenshot(QStringLiteral("plot_rdf"));

  request.bins.maximum = 13;
  panel().add_analysis(0, request);
  ASSERT_TRUE(wait_until([&] { return !panel().busy(); }));
  EXPECT_EQ(plot()->curves().size(), 1u) << "what failed is not plotted";
  const auto count = [&](AnalysisKind kind) {
    AnalysisRequest other;
    other.kind = kind;
    panel().add_analysis(0, other);
    return wait_until([&] { return !panel().busy(); });
  };
  EXPECT_TRUE(count(AnalysisKind::dipole)) << "there are no charges";
  EXPECT_EQ(panel().kinds()->findText(QStringLiteral("Dipole moment")), -1);
}

TEST_F(PlotsTest, EscapeStopsAnAnalysis) {
  ASSERT_TRUE(open({write_breathing_xyz(4000)}));
  show_panel();
  AnalysisRequest request;
  request.kind = AnalysisKind::area;
  panel().add_analysis(0, request);
  ASSERT_TRUE(panel().busy());
  Q_EMIT window_->tasks().cancel();
  EXPECT_TRUE(wait_until([&] { return !panel().busy(); }));
  EXPECT_TRUE(plot()->curves().empty());
}

}  // namespace
}  // namespace isolume::test
