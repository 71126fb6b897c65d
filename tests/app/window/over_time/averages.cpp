// Running averages in the window.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/over_time/atom_map_rows.h"
#include "app/window/over_time/average_panel.h"
#include "app/window/shell/panels.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/selection_edit.h"
#include "formats/read.h"
#include "formats/write/write.h"
#include "molecule/base/units.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {
namespace {

class AveragesTest : public WindowTest {
 protected:
  static constexpr int frame_number = 128;

  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    // Two charges; the second one jumps to and fro by 2 A.
    std::uint32_t state = 1;
    QFile charges(temporary(QStringLiteral("ions.pqr")));
    const QString moves = temporary(QStringLiteral("ions.dcd"));
    ASSERT_TRUE(charges.open(QIODevice::WriteOnly));
    charges.write(
        "ATOM      1  C   LIG A   1       0.000   0.000   0.000  1.0000 1.700\n"
        "ATOM      2  O   LIG A   1       6.000   0.000   0.000 -1.0000 1.500\n");
    charges.close();
    const Molecule ions = read_file(charges.fileName().toStdString());
    const auto out = create_writer(moves.toStdString(), ions);
    for (int i = 0; i < frame_number; ++i) {
      state = state * 1664525u + 1013904223u;
      places_.push_back(i == 0 || state >> 31 != 0 ? 6.0 : 8.0);
      Frame frame;
      frame.positions = {{0, 0, 0}, {static_cast<float>(places_.back()), 0, 0}};
      out->add(frame);
    }
    out->finish();
    ASSERT_TRUE(open({charges.fileName(), moves}));
    ASSERT_EQ(window_->controller().frame_count(), static_cast<std::size_t>(frame_number));
    Field field;
    field.kind = Field::Kind::potential;
    field.potential.method = PotentialMethod::direct;
    field.isovalue = 1;
    field.spacing = 1;
    window_->controller().edit(QStringLiteral("Add"), [&](Scene& scene) { scene.fields = {field}; });
    ASSERT_TRUE(wait_for_picture());
    panel_ = &window_->panels().get<AveragePanel>();
    window_->panels().raise("averages");
  }
  /// Volts, the mean over the first `count` frames.
  double exact(glm::dvec3 at, std::size_t count) const {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i)
      sum += units::coulomb_volt_angstrom * (1 / glm::length(at) - 1 / glm::length(at - glm::dvec3(places_[i], 0, 0)));
    return sum / static_cast<double>(count);
  }
  void expect_mean_of(std::size_t count) {
    const auto maps = window_->controller().molecule(1);
    ASSERT_TRUE(maps);
    ASSERT_EQ(maps->volumes.size(), 4u);
    const Volume& mean = *maps->volumes[0];
    for (int k = 0; k < mean.grid.counts.z; k += 4)
      for (int i = 0; i < mean.grid.counts.x; i += 4) {
        const double expected = exact(mean.grid.point(i, 0, k), count);
        EXPECT_NEAR(mean.values[mean.grid.index(i, 0, k)], expected, 1e-4 * std::abs(expected) + 1e-5);
      }
  }
  std::vector<double> places_;
  AveragePanel* panel_ = nullptr;
};

TEST_F(AveragesTest, TheMeanComesIntoTheSceneWithItsError) {
  panel_->start_button()->click();
  EXPECT_EQ(panel_->start_button()->text(), QStringLiteral("Stop"));
  ASSERT_TRUE(wait_until([&] { return panel_->frames() == frame_number; }));
  ASSERT_EQ(window_->controller().scene().molecules.size(), 2u);
  ASSERT_EQ(window_->controller().scene().fields.size(), 2u);
  EXPECT_FALSE(window_->controller().scene().fields[0].visible) << "it would hide the mean";
  expect_mean_of(frame_number);
  EXPECT_TRUE(panel_->figures()->text().contains(QStringLiteral("Mean of 128 frames")))
      << qPrintable(panel_->figures()->text());
  for (const Plot* plot : {panel_->error_plot(), panel_->inefficiency_plot()}) {
    ASSERT_EQ(plot->curves().size(), 1u);
    EXPECT_EQ(plot->curves()[0].x.back(), frame_number);
  }
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("averages"));
  // The surface of the mean in the colours of another map: one step of the history.
  panel_->colours()->setCurrentIndex(2);
  Q_EMIT panel_->colours()->activated(2);
  const Field variance = window_->controller().scene().fields[1];
  EXPECT_EQ(variance.map_volume, 3u);
  EXPECT_EQ(variance.volume, 0u);
  EXPECT_GT(variance.paint_range, 0);
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("averages-variance"));
  window_->controller().undo();
  EXPECT_EQ(window_->controller().scene().fields[1].map_volume, 1u);
  // One step of the history; without its map the average ends.
  window_->controller().undo();
  EXPECT_EQ(window_->controller().scene().fields.size(), 1u);
  EXPECT_FALSE(panel_->running());
}

TEST_F(AveragesTest, FollowsTheFrameThatPlays) {
  panel_->until()->setCurrentIndex(1);
  window_->controller().touch([](Scene& scene) { scene.frame = 2; });
  panel_->start_button()->click();
  ASSERT_TRUE(wait_until([&] { return panel_->frames() == 3; }));
  expect_mean_of(3);
  window_->controller().touch([](Scene& scene) { scene.frame = 9; });
  ASSERT_TRUE(wait_until([&] { return panel_->frames() == 10; }));
  expect_mean_of(10);
  // Whoever goes back sees the mean of what has played.
  window_->controller().touch([](Scene& scene) { scene.frame = 4; });
  EXPECT_EQ(panel_->frames(), 10u);
  EXPECT_TRUE(panel_->running());
  panel_->start_button()->click();
  EXPECT_FALSE(panel_->running());
  EXPECT_EQ(window_->controller().scene().molecules.size(), 2u) << "the maps stay";
}

TEST_F(AveragesTest, SaysWhatItNeedsWhereThatIsNotThere) {
  EXPECT_EQ(panel_->figures()->text(), QString()) << "there is a field";
  window_->controller().edit(QStringLiteral("Remove"), [](Scene& scene) {
    scene.fields.clear();
    scene.molecules.clear();
  });
  EXPECT_TRUE(panel_->figures()->text().startsWith(QStringLiteral("Open a trajectory")));
  EXPECT_FALSE(panel_->start_button()->isEnabled());
  window_->commands().undo->trigger();
  ASSERT_TRUE(wait_until([&] { return panel_->figures()->text().isEmpty(); }));
  EXPECT_TRUE(panel_->start_button()->isEnabled());
}

TEST_F(AveragesTest, SaysWhatCannotBe) {
  QString said;
  QObject::connect(panel_, &AveragePanel::failed, [&](const QString& text) { said = text; });
  panel_->align()->set_text(QStringLiteral("name X"));
  panel_->start_button()->click();
  ASSERT_TRUE(wait_until([&] { return !said.isEmpty(); }));
  EXPECT_FALSE(panel_->running());
  EXPECT_EQ(window_->controller().scene().molecules.size(), 1u);
}

/// An oxygen that is at the origin, or by a coin at (4, 0, 0).
class MapAveragesTest : public WindowTest {
 protected:
  static constexpr int frame_number = 256;

  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    QFile file(temporary(QStringLiteral("jumps.xyz")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    std::uint32_t state = 1;
    for (int f = 0; f < frame_number; ++f) {
      state = state * 1664525u + 1013904223u;
      places_.push_back(f > 0 && state >> 31 != 0 ? 4 : 0);
      file.write(QStringLiteral("2\nframe\nO %1 0 0\nC 0 9 0\n").arg(places_.back()).toUtf8());
    }
    file.close();
    ASSERT_TRUE(open({file.fileName()}));
    ASSERT_TRUE(wait_for_picture());
    panel_ = &window_->panels().get<AveragePanel>();
    window_->panels().raise("averages");
  }
  void choose(const QString& what) {
    const int at = panel_->fields()->findText(what, Qt::MatchStartsWith);
    ASSERT_GE(at, 0) << qPrintable(what);
    panel_->fields()->setCurrentIndex(at);
    panel_->map_rows()->atoms()->set_text(QStringLiteral("element O"));
    EXPECT_TRUE(panel_->map_rows()->atoms()->isVisibleTo(panel_));
  }
  /// Of map `number`: the mean, the faded mean, the standard error and the variance.
  double value_at(std::size_t number, glm::dvec3 place) {
    const auto maps = window_->controller().molecule(1);
    if (!maps || maps->volumes.size() != 4) return std::nan("");
    return static_cast<double>(interpolate(*maps->volumes[number], place));
  }
  /// The mean of the distances of a point on the x axis to the oxygen, over the first `count` frames.
  double mean_distance(double x, std::size_t count) const {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += std::abs(x - places_[i]);
    return sum / static_cast<double>(count);
  }
  std::vector<int> places_;
  AveragePanel* panel_ = nullptr;
};

TEST_F(MapAveragesTest, OccupancyComesIntoTheSceneWithItsError) {
  choose(QStringLiteral("Occupancy"));
  panel_->map_rows()->radius_box()->setValue(1);
  panel_->start_button()->click();
  ASSERT_TRUE(wait_until([&] { return panel_->frames() == frame_number; }));
  const Scene& scene = window_->controller().scene();
  ASSERT_EQ(scene.molecules.size(), 2u);
  ASSERT_EQ(scene.fields.size(), 1u);
  EXPECT_EQ(scene.fields[0].kind, Field::Kind::volume);
  EXPECT_EQ(scene.fields[0].isovalue, 0.5f) << "half of the time";
  EXPECT_FALSE(scene.fields[0].both_signs);
  const double n = frame_number;
  const double there = static_cast<double>(std::count(places_.begin(), places_.end(), 4)) / n;
  const double variance = there * (1 - there) * n / (n - 1), error = std::sqrt(variance / n);
  for (const auto& [place, mean] :
       {std::pair{glm::dvec3(0), 1 - there}, {glm::dvec3(0, 0, 1), 1 - there}, {glm::dvec3(4, 0, 0), there}}) {
    EXPECT_NEAR(value_at(0, place), mean, 1e-6);
    EXPECT_NEAR(value_at(3, place), variance, 1e-6);
    // Of independent frames, from 16 blocks or more: to 20 % of itself, so between 0.6 and 1.6.
    EXPECT_GT(value_at(2, place), 0.6 * error);
    EXPECT_LT(value_at(2, place), 1.6 * error);
    EXPECT_NEAR(value_at(1, place), mean, 1e-6) << "far above twice its error";
  }
  EXPECT_EQ(value_at(0, {2, 0, 0}), 0) << "nobody is there";
  const QString said = panel_->figures()->text();
  EXPECT_TRUE(said.contains(QStringLiteral("Mean of 256 frames"))) << qPrintable(said);
  EXPECT_TRUE(said.contains(QStringLiteral("fraction"))) << qPrintable(said);
  EXPECT_TRUE(said.contains(QStringLiteral("occupancy of 1 atoms (element O)"))) << qPrintable(said);
  for (const Plot* plot : {panel_->error_plot(), panel_->inefficiency_plot()}) {
    ASSERT_EQ(plot->curves().size(), 1u);
    EXPECT_EQ(plot->curves()[0].x.back(), frame_number);
  }
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("averages-occupancy"));
  window_->controller().undo();
  EXPECT_TRUE(window_->controller().scene().fields.empty());
  EXPECT_FALSE(panel_->running());
}

TEST_F(MapAveragesTest, DistancesFollowTheFrameThatPlays) {
  choose(QStringLiteral("Distance"));
  EXPECT_FALSE(panel_->map_rows()->radius_box()->isVisibleTo(panel_)) << "distances are to the centres";
  panel_->until()->setCurrentIndex(1);
  window_->controller().touch([](Scene& scene) { scene.frame = 2; });
  panel_->start_button()->click();
  for (const std::size_t count : {3u, 10u, 40u}) {
    window_->controller().touch([&](Scene& scene) { scene.frame = count - 1; });
    ASSERT_TRUE(wait_until([&] { return panel_->frames() == count; }));
    for (const double x : {-1.0, 0.0, 2.0, 4.0})
      EXPECT_NEAR(value_at(0, {x, 0, 0}), mean_distance(x, count), 1e-5) << x << " of " << count;
  }
  EXPECT_EQ(window_->controller().scene().fields.at(0).isovalue, 3.0f) << "angstrom";
}

TEST_F(MapAveragesTest, SaysWhatCannotBe) {
  QString said;
  QObject::connect(panel_, &AveragePanel::failed, [&](const QString& text) { said = text; });
  EXPECT_LT(panel_->fields()->findText(QStringLiteral("Charge"), Qt::MatchStartsWith), 0) << "the file has none";
  choose(QStringLiteral("Mass"));
  panel_->map_rows()->atoms()->set_text(QStringLiteral("name NONE"));
  panel_->start_button()->click();
  ASSERT_TRUE(wait_until([&] { return !said.isEmpty(); }));
  EXPECT_TRUE(said.contains(QStringLiteral("NONE"))) << qPrintable(said);
  EXPECT_FALSE(panel_->running());
  EXPECT_EQ(window_->controller().scene().molecules.size(), 1u);
}

}  // namespace
}  // namespace isolume::test
