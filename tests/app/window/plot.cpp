// The plot widget: round numbers, axes, clicks, keys, zoom and the table that it gives.
#include "app/window/widgets/plot.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <limits>

namespace isolume::test {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

PlotCurve line(const QString& name, double offset) {
  PlotCurve curve;
  curve.name = name;
  for (int i = 0; i <= 10; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(offset + 0.1 * i);
  }
  return curve;
}

class PlotTest : public ::testing::Test {
 protected:
  void SetUp() override {
    plot_.set_labels({QStringLiteral("Frame"), QStringLiteral("Energy (eV)"), {}, true});
    plot_.set_curves({line(QStringLiteral("one"), 1), line(QStringLiteral("two, upper"), 3)});
    plot_.resize(400, 300);
    plot_.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&plot_, 30000));
  }
  QPoint at(double x, double y) const { return QPointF(plot_.x_axis().pixel(x), plot_.y_axis().pixel(y)).toPoint(); }
  void turn_wheel(QPoint where, int notches, Qt::KeyboardModifiers keys) {
    QWheelEvent event(where, plot_.mapToGlobal(where), {}, {0, 120 * notches}, Qt::NoButton, keys, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(&plot_, &event);
  }
  Plot plot_{QStringLiteral("Energies")};
};

TEST(PlotAxis, TicksAreRoundNumbers) {
  EXPECT_EQ(round_ticks(0, 10, 6), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(round_ticks(-1.1, 1.1, 5), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(round_ticks(0, 3, 20, true), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(round_ticks(0, 36, 5, true), (std::vector<double>{0, 10, 20, 30}));
  EXPECT_TRUE(round_ticks(1, 1, 5).empty());
  EXPECT_TRUE(round_ticks(0, std::numeric_limits<double>::infinity(), 5).empty());
  for (double width = 1e-7; width < 1e9; width *= 3.7) {
    for (const double lower : {-0.3 * width, 12 * width}) {
      const auto ticks = round_ticks(lower, lower + width, 6);
      ASSERT_GE(ticks.size(), 2u) << width;
      ASSERT_LE(ticks.size(), 6u) << width;
      EXPECT_GE(ticks.front(), lower - 1e-9 * width);
      EXPECT_LE(ticks.back(), lower + width * (1 + 1e-9));
    }
  }
}

TEST(PlotAxis, LabelsHaveAsManyDecimalsAsTheirStep) {
  const auto texts = [](std::vector<double> ticks) {
    QString all;
    for (const QString& label : tick_labels(ticks)) all += label + QLatin1Char('|');
    return all;
  };
  EXPECT_EQ(texts({0, 0.5, 1}), QStringLiteral("0.0|0.5|1.0|"));
  EXPECT_EQ(texts({-20, 0, 20}), QChar(0x2212) + QStringLiteral("20|0|20|"));
  EXPECT_EQ(texts({100000, 150000}), QStringLiteral("1.0e+05|1.5e+05|"));
}

TEST(PlotAxis, PixelsAndValuesAreInverse) {
  PlotAxis axis{-3, 7, 300, 20};
  EXPECT_DOUBLE_EQ(axis.pixel(-3), 300);
  EXPECT_DOUBLE_EQ(axis.pixel(7), 20);
  EXPECT_NEAR(axis.value(axis.pixel(1.25)), 1.25, 1e-12);
  axis.zoom(2, 1);
  EXPECT_DOUBLE_EQ(axis.lower, -1);
  EXPECT_DOUBLE_EQ(axis.upper, 4);
}

TEST_F(PlotTest, AClickMeansTheCurveUnderItOrElseTheFrame) {
  const QSignalSpy curves(&plot_, &Plot::curve_clicked), frames(&plot_, &Plot::x_clicked);
  QTest::mouseClick(&plot_, Qt::LeftButton, {}, at(4, 3.4));
  ASSERT_EQ(curves.size(), 1);
  EXPECT_EQ(curves[0][0].toInt(), 1);
  EXPECT_EQ(curves[0][1].toDouble(), 4);
  QTest::mouseClick(&plot_, Qt::LeftButton, {}, at(7.3, 2.5));
  EXPECT_EQ(curves.size(), 1);
  ASSERT_EQ(frames.size(), 1);
  EXPECT_EQ(frames[0][0].toDouble(), 7);
}

TEST_F(PlotTest, KeysMoveTheCursorAndChooseCurves) {
  const QSignalSpy curves(&plot_, &Plot::curve_clicked), frames(&plot_, &Plot::x_clicked);
  plot_.set_cursor(9);
  QTest::keyClick(&plot_, Qt::Key_Right);
  QTest::keyClick(&plot_, Qt::Key_Left);
  ASSERT_EQ(frames.size(), 2);
  EXPECT_EQ(frames[0][0].toDouble(), 10);
  EXPECT_EQ(frames[1][0].toDouble(), 8);
  auto chosen = plot_.curves();
  chosen[0].chosen = true;
  plot_.set_curves(chosen);
  QTest::keyClick(&plot_, Qt::Key_Up);
  ASSERT_EQ(curves.size(), 1);
  EXPECT_EQ(curves[0][0].toInt(), 1);
  QTest::keyClick(&plot_, Qt::Key_Down);  // there is none below the chosen one
  EXPECT_EQ(curves.size(), 1);
}

TEST_F(PlotTest, TheWheelZoomsAboutThePointerAndHomeShowsEverything) {
  const PlotAxis x = plot_.x_axis(), y = plot_.y_axis();
  const QPoint where = at(5, 2);
  const double before = plot_.y_axis().value(where.y());
  turn_wheel(where, 3, {});
  EXPECT_NEAR(plot_.y_axis().upper - plot_.y_axis().lower, (y.upper - y.lower) / std::pow(1.2, 3), 1e-9);
  EXPECT_NEAR(plot_.y_axis().value(where.y()), before, 1e-9);
  EXPECT_EQ(plot_.x_axis().lower, x.lower);
  turn_wheel(where, 1, Qt::ShiftModifier);
  EXPECT_NEAR(plot_.x_axis().upper - plot_.x_axis().lower, (x.upper - x.lower) / 1.2, 1e-9);
  // New curves over the same frames keep what was zoomed to.
  const double lower = plot_.y_axis().lower;
  plot_.set_curves({line(QStringLiteral("one"), 1.5), line(QStringLiteral("two"), 2.5)});
  EXPECT_EQ(plot_.y_axis().lower, lower);
  QTest::keyClick(&plot_, Qt::Key_Home);
  EXPECT_LT(plot_.y_axis().lower, 1.5);
  EXPECT_GT(plot_.y_axis().upper, 3.5);
}

TEST_F(PlotTest, DraggingMovesAndIsNoClick) {
  const QSignalSpy curves(&plot_, &Plot::curve_clicked), frames(&plot_, &Plot::x_clicked);
  const PlotAxis y = plot_.y_axis();
  QTest::mousePress(&plot_, Qt::LeftButton, {}, at(5, 2));
  QTest::mouseMove(&plot_, at(5, 2) + QPoint(0, 40));
  QTest::mouseMove(&plot_, at(5, 2) + QPoint(0, 60));
  QTest::mouseRelease(&plot_, Qt::LeftButton, {}, at(5, 2) + QPoint(0, 60));
  EXPECT_EQ(curves.size() + frames.size(), 0);
  EXPECT_GT(plot_.y_axis().upper, y.upper);
  EXPECT_NEAR(plot_.y_axis().upper - plot_.y_axis().lower, y.upper - y.lower, 1e-9);
}

TEST_F(PlotTest, TheTableHasEveryPointAndQuotesNames) {
  PlotCurve sparse;
  sparse.name = QStringLiteral("sparse");
  sparse.x = {1, 3};
  sparse.y = {0.25, gap};
  plot_.set_curves({sparse, {QStringLiteral("a, b"), {1, 2}, {5, 6}, {}, {}}});
  EXPECT_EQ(plot_.csv(), QStringLiteral("Frame,sparse (eV),\"a, b (eV)\"\n1,0.25,5\n2,,6\n3,,\n"));
}

TEST_F(PlotTest, ManyPointsAndGapsAndNothingArePainted) {
  PlotCurve dense;
  for (int i = 0; i < 200000; ++i) {
    dense.x.push_back(i);
    dense.y.push_back(i % 1000 == 0 ? gap : std::sin(0.01 * i));
  }
  plot_.set_curves({dense});
  EXPECT_FALSE(plot_.grab().isNull());
  plot_.set_curves({{QStringLiteral("one point"), {2}, {3}, {}, {}}});
  EXPECT_LT(plot_.x_axis().lower, 2);
  EXPECT_GT(plot_.y_axis().upper, 3);
  EXPECT_FALSE(plot_.grab().isNull());
  plot_.set_curves({});
  EXPECT_FALSE(plot_.grab().isNull());
  EXPECT_EQ(plot_.csv(), QStringLiteral("Frame\n"));
}

}  // namespace
}  // namespace isolume::test
