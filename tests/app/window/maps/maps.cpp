// Maps in the window: levels by a histogram, maps made of others, the potential of a density.
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <cmath>

#include "app/window/maps/calculate_map_dialog.h"
#include "app/window/maps/density_dialog.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/level_rows.h"
#include "app/window/widgets/level_histogram.h"
#include "compute/electron_density/density_potential.h"
#include "compute/orbitals/electron_density.h"
#include "compute/orbitals/orbital.h"
#include "formats/write/write.h"
#include "molecule/base/units.h"
#include "tests/app/window/maps/maps_test.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

TEST_F(MapTest, TheLevelIsDraggedInTheHistogram) {
  ASSERT_TRUE(open({write_map()}));
  window_->findChild<QDockWidget*>(QStringLiteral("fields"))->raise();
  ASSERT_EQ(scene().fields.size(), 1u);
  LevelHistogram* histogram = levels()->histogram();
  ASSERT_TRUE(wait_until([&] { return !histogram->histogram().counts.empty(); }));
  ASSERT_TRUE(wait_until([&] { return histogram->isVisible(); }));
  const double usual = scene().fields[0].isovalue;
  ASSERT_EQ(histogram->levels().size(), 1u);
  EXPECT_EQ(histogram->levels()[0].value, usual);
  const double wanted = 1.2;
  QTest::mousePress(histogram, Qt::LeftButton, {}, QPoint(qRound(histogram->x_of(usual)), 30));
  QMouseEvent move(QEvent::MouseMove, QPointF(histogram->x_of(wanted), 30), histogram->mapToGlobal(QPointF(0, 0)),
                   Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(histogram, &move);
  QTest::mouseRelease(histogram, Qt::LeftButton, {}, QPoint(qRound(histogram->x_of(wanted)), 30));
  EXPECT_NEAR(scene().fields[0].isovalue, wanted, 0.01);
  // In standard deviations too.
  const VolumeStatistics& s = histogram->histogram().statistics;
  QDoubleSpinBox* sigma = levels()->sigma_box();
  EXPECT_NEAR(sigma->value(), (scene().fields[0].isovalue - s.mean) / s.deviation, 0.006);
  sigma->setValue(4);
  EXPECT_NEAR(scene().fields[0].isovalue, s.mean + 4 * s.deviation, 1e-9);
  // A double click: the usual level again.
  QTest::mouseDClick(histogram, Qt::LeftButton, {}, QPoint(qRound(histogram->x_of(scene().fields[0].isovalue)), 30));
  EXPECT_EQ(scene().fields[0].isovalue, usual);
  // Keys move by a tenth of a standard deviation.
  histogram->setFocus();
  QTest::keyClick(histogram, Qt::Key_Right);
  EXPECT_NEAR(scene().fields[0].isovalue, usual + 0.1 * s.deviation, 1e-6);
  EXPECT_FALSE(histogram->accessibleDescription().isEmpty());
  // One more level.
  QTest::mouseClick(levels()->add_button(), Qt::LeftButton);
  ASSERT_EQ(scene().fields.size(), 2u);
  EXPECT_GT(scene().fields[1].isovalue, scene().fields[0].isovalue);
  EXPECT_NE(scene().fields[1].colour, scene().fields[0].colour);
  EXPECT_EQ(panel().current(), 1);
  EXPECT_EQ(histogram->levels().size(), 2u);
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("map_levels"));
  window_->controller().undo();
  EXPECT_EQ(scene().fields.size(), 1u);
}

TEST_F(MapTest, MapsWithOtherPointsAreInterpolatedOnlyWhereAsked) {
  const auto write = [this](const char* name, double step, int count) {
    Volume map;
    map.grid = {glm::dvec3(0), glm::dmat3(step), glm::ivec3(count)};
    for (int k = 0; k < count; ++k)
      for (int j = 0; j < count; ++j)
        for (int i = 0; i < count; ++i) map.values.push_back(static_cast<float>(map.grid.point(i, j, k).x));
    const QString path = temporary(QString::fromLatin1(name));
    write_volume(path.toStdString(), VolumeView(map.grid, map.values, name, "V"));
    return path;
  };
  ASSERT_TRUE(open({write("fine.dx", 1, 9)}));
  window_->findChild<QAction*>(QStringLiteral("calculate_map"))->trigger();
  auto* alone = window_->findChild<CalculateMapDialog*>();
  ASSERT_NE(alone, nullptr);
  EXPECT_EQ(alone->task_box()->currentIndex(), static_cast<int>(CalculateMapDialog::Task::step));
  EXPECT_TRUE(alone->make_button()->isEnabled());
  alone->task_box()->setCurrentIndex(static_cast<int>(CalculateMapDialog::Task::difference));
  EXPECT_EQ(alone->other_box()->count(), 0) << "not with itself";
  EXPECT_FALSE(alone->make_button()->isEnabled());
  ASSERT_TRUE(open({write("coarse.dx", 2, 5)}));
  ASSERT_EQ(alone->other_box()->count(), 1);
  EXPECT_EQ(alone->other_box()->currentText(), QStringLiteral("coarse.dx"));
  EXPECT_TRUE(alone->make_button()->isEnabled());
  alone->close();
  ASSERT_TRUE(wait_until([&] { return !window_->findChild<CalculateMapDialog*>(); }));
  window_->findChild<QAction*>(QStringLiteral("calculate_map"))->trigger();
  auto* dialog = window_->findChild<CalculateMapDialog*>();
  ASSERT_NE(dialog, nullptr);
  const QString made = temporary(QStringLiteral("less.dx"));
  dialog->file_edit()->setText(made);
  ASSERT_FALSE(dialog->resample_box()->isHidden());
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  EXPECT_FALSE(dialog->running());
  EXPECT_FALSE(QFile::exists(made));
  for (const char* part : {"9 x 9 x 9 points, 1", "5 x 5 x 5 points, 2", "Turn on Resample"})
    EXPECT_TRUE(dialog->message()->text().contains(QString::fromLatin1(part)))
        << part << ": " << dialog->message()->text().toStdString();
  QCoreApplication::processEvents();  // the message takes as many lines as it needs
  picture(QStringLiteral("calculate_other_points"), dialog);
  QTest::mouseClick(dialog->resample_box(), Qt::LeftButton, {}, QPoint(8, dialog->resample_box()->height() / 2));
  ASSERT_TRUE(dialog->resample_box()->isChecked());
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  ASSERT_TRUE(QFile::exists(made)) << dialog->message()->text().toStdString();
  ASSERT_EQ(scene().molecules.size(), 3u);
  // Both are x, and a linear map is interpolated as it is.
  const auto volume = window_->controller().molecule(2)->volumes.at(0);
  EXPECT_EQ(volume->grid.counts, glm::ivec3(9));
  for (const float value : volume->values) ASSERT_NEAR(value, 0, 1e-5);
  // The grid of another map is what that task is for.
  dialog->task_box()->setCurrentIndex(static_cast<int>(CalculateMapDialog::Task::same_grid));
  EXPECT_TRUE(dialog->resample_box()->isHidden());
}

TEST_F(MapTest, AFileIsReplacedOnlyWhenThatIsAskedTwice) {
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  QFile mine(temporary(QStringLiteral("electron.cube")));
  ASSERT_TRUE(mine.open(QIODevice::WriteOnly));
  mine.write("mine");
  mine.close();
  auto* dialog = new DensityDialog(
      window_->controller(), folder_.path(), [] { return Device::cpu(); }, window_.get());
  EXPECT_EQ(dialog->file_edit()->text(), temporary(QStringLiteral("electron-2.cube"))) << "a name that is free";
  dialog->file_edit()->setText(mine.fileName());
  dialog->potential_box()->setChecked(false);
  dialog->show();
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  EXPECT_FALSE(dialog->running());
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("exists already")));
  EXPECT_EQ(mine.size(), 4);
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  EXPECT_TRUE(dialog->running());
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }, 100000));
  EXPECT_GT(QFile(mine.fileName()).size(), 1000);
}

TEST_F(MapTest, TheDensityHasItsPotential) {
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  window_->findChild<QAction*>(QStringLiteral("compute_density"))->trigger();
  auto* dialog = window_->findChild<DensityDialog*>();
  ASSERT_NE(dialog, nullptr);
  dialog->file_edit()->setText(temporary(QStringLiteral("electron.cube")));
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  ASSERT_TRUE(dialog->cancel_button()->isVisible());
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }, 100000));
  ASSERT_EQ(scene().fields.size(), 2u) << dialog->message()->text().toStdString();
  const Field& field = scene().fields[1];
  EXPECT_EQ(field.isovalue, 0.002);
  EXPECT_EQ(field.paint, Field::Paint::map);
  ASSERT_TRUE(wait_for_picture());
  picture(QStringLiteral("density_dialog"), dialog);
  // The cube has the density of the formula, to the digits that a cube has.
  const auto density = window_->controller().molecule(field.molecule)->volumes[0];
  const Grid& grid = density->grid;
  const auto orbitals = window_->controller().molecule(0)->orbitals_at(0);
  for (const int part : {3, 4, 5, 6}) {
    const glm::ivec3 at = grid.counts * part / 9;
    const std::vector<glm::dvec3> points{grid.point(at.x, at.y, at.z)};
    std::vector<double> exact(1);
    electron_density_reference(*orbitals, points, exact);
    EXPECT_NEAR(density->values[grid.index(at.x, at.y, at.z)], exact[0], 1e-5 * (1 + exact[0]));
  }
  // The potential is exact next to the surface, on the grid of the density, and the dialog says how good it is there.
  const auto potential = window_->controller().molecule(field.map_molecule)->volumes[0];
  ASSERT_EQ(potential->grid.counts, grid.counts);
  Job job;
  const DensityPotential exact(*orbitals, density_weights(*orbitals, DensityKind::electron), orbitals->nuclear_charges,
                               job);
  int compared = 0;
  for (int i = 0; i + 1 < grid.counts.x; ++i) {
    const glm::ivec3 at(i, grid.counts.y / 2, grid.counts.z / 2);
    const float here = density->values[grid.index(at.x, at.y, at.z)],
                next = density->values[grid.index(at.x + 1, at.y, at.z)];
    if ((here < 0.002f) == (next < 0.002f)) continue;
    const std::vector<glm::dvec3> points{units::angstrom_in_bohr * potential->grid.point(at.x, at.y, at.z)};
    std::vector<double> expected(1);
    exact.at(points, expected, {}, job);
    const double unit = units::hartree_in_ev * units::ev_in_kcal_per_mol;
    EXPECT_NEAR(potential->values[grid.index(at.x, at.y, at.z)], unit * expected[0],
                1e-3 * std::abs(unit * expected[0]));
    ++compared;
  }
  EXPECT_GE(compared, 2);
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("exact next to the surface (RMS error ")))
      << dialog->message()->text().toStdString();
  // Around water at this density it is some tens of kcal/mol/e, of both signs.
  const std::vector<FieldResult> results = window_->fields().results();
  ASSERT_TRUE(results[1].legend);
  EXPECT_EQ(results[1].legend->title, "potential of the density");
  EXPECT_EQ(results[1].legend->unit, "kcal/mol/e");
  EXPECT_GT(results[1].legend->upper, 20);
  EXPECT_LT(results[1].legend->upper, 100);
  window_->controller().edit(QStringLiteral("hide"), [](Scene& next) { next.fields[0].visible = false; });
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("density_potential"));
  window_->controller().undo();
  window_->controller().undo();
  EXPECT_EQ(scene().fields.size(), 1u);
  EXPECT_EQ(scene().molecules.size(), 1u);
}

}  // namespace
}  // namespace isolume::test
