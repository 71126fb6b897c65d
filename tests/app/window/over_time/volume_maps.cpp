// Volume maps over frames in the window.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <tuple>
#include <vector>

#include "app/window/maps/volume_map_dialog.h"
#include "app/window/widgets/selection_edit.h"
#include "formats/read.h"
#include "tests/app/window/fixture.h"
#include "tests/app/window/held_pool.h"

namespace isolume::test {
namespace {

constexpr int frame_number = 12;

/// An oxygen that is at the origin in every fourth frame, else at (4, 0, 0).
class VolumeMapsTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    QFile file(temporary(QStringLiteral("jumps.xyz")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    for (int f = 0; f < frame_number; ++f)
      file.write(QStringLiteral("2\nframe\nO %1 0 0\nC 0 9 0\n").arg(f % 4 == 0 ? 0 : 4).toUtf8());
    file.close();
    ASSERT_TRUE(open({file.fileName()}));
    window_->run_command(QStringLiteral("action volume_map"));
    ASSERT_TRUE(wait_until([&] { return window_->findChild<VolumeMapDialog*>() != nullptr; }));
    dialog_ = window_->findChild<VolumeMapDialog*>();
    dialog_->atoms()->set_text(QStringLiteral("element O"));
    dialog_->radius_box()->setValue(1);
  }
  void make(int kind, const QString& name) {
    dialog_->kind_box()->setCurrentIndex(kind);
    dialog_->file_edit()->setText(temporary(name));
    dialog_->make_button()->click();
    ASSERT_TRUE(wait_until([&] { return !dialog_->running(); }));
  }
  double value_at(std::size_t molecule, glm::dvec3 place) {
    const auto map = window_->controller().molecule(molecule);
    if (!map || map->volumes.empty()) return std::nan("");
    return static_cast<double>(interpolate(*map->volumes[0], place));
  }
  Volume read_map(const QString& name) {
    const Molecule molecule = read_file(temporary(name).toStdString());
    return *molecule.volumes.at(0);
  }
  const Scene& scene() { return window_->controller().scene(); }
  VolumeMapDialog* dialog_ = nullptr;
};

TEST_F(VolumeMapsTest, DensityWithItsSitesComesIntoTheScene) {
  make(0, QStringLiteral("density.mrc"));
  ASSERT_EQ(scene().molecules.size(), 2u) << qPrintable(dialog_->message()->text());
  ASSERT_EQ(scene().fields.size(), 1u);
  EXPECT_EQ(scene().fields[0].kind, Field::Kind::volume);
  EXPECT_EQ(scene().fields[0].molecule, 1u);
  const double norm = std::pow(2 * std::numbers::pi, -1.5);
  const double at_origin = norm * (0.25 + 0.75 * std::exp(-8.0)), beside = norm * (0.75 + 0.25 * std::exp(-8.0));
  EXPECT_NEAR(value_at(1, {0, 0, 0}), at_origin, 1e-6);
  EXPECT_NEAR(value_at(1, {4, 0, 0}), beside, 1e-6);
  EXPECT_NEAR(value_at(1, {0, 1, 0}), norm * 0.25 * std::exp(-0.5) + norm * 0.75 * std::exp(-8.5), 1e-6);
  ASSERT_EQ(dialog_->sites()->topLevelItemCount(), 2);
  EXPECT_NEAR(dialog_->sites()->topLevelItem(0)->text(1).toDouble(), 4, 0.1) << "the highest first";
  EXPECT_NEAR(dialog_->sites()->topLevelItem(1)->text(1).toDouble(), 0, 0.1);
  EXPECT_NEAR(dialog_->sites()->topLevelItem(0)->text(4).toDouble(), beside, 1e-4);
  // A site comes into the middle of the picture.
  ASSERT_TRUE(wait_for_picture());
  dialog_->sites()->setCurrentItem(dialog_->sites()->topLevelItem(0));
  EXPECT_NEAR(scene().camera.centre.x, 4, 0.1);
  EXPECT_NEAR(scene().camera.centre.y, 0, 0.1);
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("volume-map"));
  // One step of the history; the file stays.
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().molecules.size(), 1u);
  EXPECT_TRUE(scene().fields.empty());
  EXPECT_TRUE(QFile::exists(temporary(QStringLiteral("density.mrc"))));
}

TEST_F(VolumeMapsTest, OccupancyResidenceAndDistance) {
  make(3, QStringLiteral("occupancy.mrc"));
  EXPECT_EQ(value_at(1, {0, 0, 0}), 0.25);
  EXPECT_EQ(value_at(1, {4, 0, 0}), 0.75);
  EXPECT_EQ(value_at(1, {0, 3, 0}), 0);
  make(4, QStringLiteral("residence.mrc"));
  EXPECT_EQ(value_at(2, {0, 0, 0}), 1) << "stays of one frame";
  EXPECT_EQ(value_at(2, {4, 0, 0}), 3);
  make(5, QStringLiteral("distance.mrc"));
  EXPECT_NEAR(value_at(3, {0, 0, 0}), 0.25 * 0 + 0.75 * 4, 1e-6);
  EXPECT_EQ(scene().fields.size(), 3u);
  EXPECT_FALSE(dialog_->sites()->isVisible()) << "a distance has none";
}

TEST_F(VolumeMapsTest, ASpatialDistributionIsSeenFromEachResidue) {
  // Two residues, one of them turned by 90 degrees, each with a water at (2, 1, 2) as seen from its CA, C and N. All
  // move.
  const std::vector<std::tuple<const char*, const char*, int, glm::dvec3>> atoms{
      {"CA", "ALA", 1, {0, 0, 0}},  {"C", "ALA", 1, {1.5, 0, 0}},  {"N", "ALA", 1, {0, 1.5, 0}},
      {"CA", "ALA", 2, {30, 0, 0}}, {"C", "ALA", 2, {30, 1.5, 0}}, {"N", "ALA", 2, {28.5, 0, 0}},
      {"O", "HOH", 3, {2, 1, 2}},   {"O", "HOH", 4, {29, 2, 2}}};
  QFile file(temporary(QStringLiteral("around.pdb")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  for (int f = 0; f < 3; ++f) {
    file.write(QStringLiteral("MODEL     %1\n").arg(f + 1, 4).toUtf8());
    int number = 0;
    for (const auto& [name, residue, of, place] : atoms)
      file.write(QString::asprintf("%-6s%5d  %-3s %3s A%4d    %8.3f%8.3f%8.3f  1.00  0.00           %c\n",
                                   residue == std::string_view("HOH") ? "HETATM" : "ATOM", ++number, name, residue, of,
                                   place.x + 5 * f, place.y, place.z - f, name[0])
                     .toUtf8());
    file.write("ENDMDL\n");
  }
  file.close();
  ASSERT_TRUE(open({file.fileName()}));
  dialog_->molecule_box()->setCurrentIndex(1);
  dialog_->atoms()->set_text(QStringLiteral("water"));
  dialog_->around()->set_text(QStringLiteral("resname ALA"));
  make(0, QStringLiteral("around.mrc"));
  ASSERT_EQ(scene().molecules.size(), 3u) << qPrintable(dialog_->message()->text());
  const double norm = std::pow(2 * std::numbers::pi, -1.5);
  EXPECT_NEAR(value_at(2, {2, 1, 2}), norm, 1e-6);
  EXPECT_NEAR(value_at(2, {2, 0, 2}), norm * std::exp(-0.5), 1e-6);
  EXPECT_NEAR(value_at(2, {-1, 2, 2}), norm * std::exp(-5.0), 1e-6) << "not as the second is in space";
  ASSERT_EQ(dialog_->sites()->topLevelItemCount(), 1);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(dialog_->sites()->topLevelItem(0)->text(1 + axis).toDouble(), axis == 1 ? 1 : 2, 0.05);
  screenshot(QStringLiteral("volume-map-around"));
}

TEST_F(VolumeMapsTest, TheSurfaceIsPaleWhereItIsWithinItsError) {
  // An oxygen that stays near the origin, and a nitrogen at (6, 0, 0) that comes and goes with a charge of its own.
  QFile file(temporary(QStringLiteral("noisy.pdb")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  std::uint32_t state = 1;
  constexpr int count = 256;
  std::vector<double> shifts;
  for (int f = 0; f < count; ++f) {
    state = state * 1664525u + 1013904223u;
    const double shift = static_cast<double>(state >> 8) / (1u << 24) - 0.5;
    shifts.push_back(shift);
    file.write(QStringLiteral("MODEL     %1\n").arg(f + 1, 4).toUtf8());
    const auto atom = [&](int serial, const char* name, double x, double b) {
      file.write(QStringLiteral("ATOM  %1  %2   LIG A   1    %3   0.000   0.000  1.00%4          %2\n")
                     .arg(serial, 5)
                     .arg(QLatin1String(name))
                     .arg(x, 8, 'f', 3)
                     .arg(b, 6, 'f', 2)
                     .toUtf8());
    };
    atom(1, "O", 0.5 * shift, 40);
    atom(2, "N", 6 + 5 * shift, 1);
    file.write("ENDMDL\n");
  }
  file.close();
  ASSERT_TRUE(open({file.fileName()}));
  dialog_->molecule_box()->setCurrentIndex(1);
  dialog_->atoms()->set_text(QStringLiteral("all"));
  dialog_->spacing_box()->setValue(0.5);
  dialog_->values_box()->setEditText(QStringLiteral("b-factor"));
  make(6, QStringLiteral("b.mrc"));
  const QString said = dialog_->message()->text();
  ASSERT_EQ(scene().molecules.size(), 4u) << qPrintable(said);
  EXPECT_TRUE(said.contains(QStringLiteral("pale within it"))) << qPrintable(said);
  const Field& field = scene().fields.back();
  EXPECT_EQ(field.paint, Field::Paint::map);
  EXPECT_EQ(field.map_molecule, 3u);
  // Mean and standard error of independent frames, by the formula.
  const double norm = std::pow(2 * std::numbers::pi, -1.5);
  const Volume mean = read_map(QStringLiteral("b.mrc")), error = read_map(QStringLiteral("b_error.mrc"));
  const Volume faded = read_map(QStringLiteral("b_faded.mrc"));
  EXPECT_EQ(faded.name, "mean b-factor, faded") << "short enough for a legend";
  std::size_t known = 0, within = 0, points = 0;
  for (int i = 0; i < mean.grid.counts.x; ++i) {
    const std::size_t n = mean.grid.index(i, mean.grid.counts.y / 2, mean.grid.counts.z / 2);
    const glm::dvec3 at = mean.grid.point(i, mean.grid.counts.y / 2, mean.grid.counts.z / 2);
    double sum = 0, squares = 0;
    std::vector<double> values;
    for (const double s : shifts) {
      const glm::dvec3 to_o = at - glm::dvec3(0.5 * s, 0, 0), to_n = at - glm::dvec3(6 + 5 * s, 0, 0);
      values.push_back(norm * (40 * std::exp(-glm::dot(to_o, to_o) / 2) + std::exp(-glm::dot(to_n, to_n) / 2)));
    }
    for (const double v : values) sum += v / count;
    for (const double v : values) squares += (v - sum) * (v - sum) / (count - 1);
    if (sum < 1e-3) continue;
    ++points;
    const double value = static_cast<double>(mean.values[n]), off = static_cast<double>(error.values[n]);
    EXPECT_NEAR(value, sum, 3e-3 * sum) << "positions have three decimals";
    const double part = off > 0 ? std::clamp(value / off / 2 - 1, 0.0, 1.0) : 0;
    EXPECT_NEAR(faded.values[n], part * value, 1e-4 * value) << i;
    if (off < 0) continue;  // blocks do not know it
    ++known;
    const double ratio = off / std::sqrt(squares / count);
    within += ratio > 0.6 && ratio < 1.6;
  }
  EXPECT_GT(points, 20u);
  EXPECT_GT(known, points * 9 / 10);
  EXPECT_GE(within, known * 9 / 10) << "of " << known;
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("volume-map-error"));
  dialog_->error_box()->setChecked(false);
  make(6, QStringLiteral("alone.mrc"));
  EXPECT_EQ(scene().molecules.size(), 5u);
  EXPECT_FALSE(QFile::exists(temporary(QStringLiteral("alone_error.mrc"))));
}

TEST_F(VolumeMapsTest, SaysWhatCannotBeAndStops) {
  make(2, QStringLiteral("charge.mrc"));
  EXPECT_TRUE(dialog_->message()->text().contains(QStringLiteral("charge"))) << qPrintable(dialog_->message()->text());
  dialog_->atoms()->set_text(QStringLiteral("name NONE"));
  make(0, QStringLiteral("nothing.mrc"));
  EXPECT_TRUE(dialog_->message()->text().contains(QStringLiteral("NONE"))) << qPrintable(dialog_->message()->text());
  EXPECT_FALSE(QFile::exists(temporary(QStringLiteral("nothing.mrc"))));
  dialog_->atoms()->set_text(QStringLiteral("element O"));
  {
    HeldPool pool;
    dialog_->make_button()->click();
    EXPECT_TRUE(dialog_->running());
    dialog_->cancel_button()->click();
    EXPECT_FALSE(dialog_->running());
  }
  take_results();
  EXPECT_EQ(scene().molecules.size(), 1u);
  EXPECT_FALSE(QFile::exists(temporary(QStringLiteral("nothing.mrc"))));
}

}  // namespace
}  // namespace isolume::test
