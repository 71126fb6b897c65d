// Methods of the potential and maps side by side, in their dialog.
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>

#include "app/window/dialogs/compare_dialog.h"
#include "app/window/dialogs/compare_view.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/potential_rows.h"
#include "app/window/panels/side_parameters.h"
#include "app/window/viewport/layer_view.h"
#include "app/window/widgets/theme.h"
#include "fixture.h"
#include "formats/read.h"
#include "formats/write/write.h"

namespace isolume::test {
namespace {

/// Opens the dialog from the panel of a potential.
CompareDialog* open_dialog(MainWindow& window) {
  PotentialRows* rows = window.field_panel().potential();
  rows->compare_button()->click();
  return window.findChild<CompareDialog*>();
}

/// Where pictures are wanted: in both themes.
void screenshots(CompareDialog& dialog, const QString& name) {
  const QString folder = qEnvironmentVariable("ISOLUME_SCREENSHOTS");
  if (folder.isEmpty()) return;
  for (const Theme theme : {Theme::light, Theme::dark}) {
    apply_theme(theme);
    const auto settled = [&] {
      const bool dark = dialog.surfaces()->palette().color(QPalette::Base).lightness() < 128;
      return dark == (theme == Theme::dark) && dialog.surfaces()->at_rest();
    };
    EXPECT_TRUE(QTest::qWaitFor(settled, 30000));
    dialog.grab().save(QStringLiteral("%1/%2%3.png").arg(folder, name, theme == Theme::dark ? "_dark" : ""));
  }
  apply_theme(Theme::light);
}

TEST_F(WindowTest, MethodsAreComparedSideBySide) {
  ASSERT_TRUE(open({write_salt_pqr(3)}));
  window_->field_panel().add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  CompareDialog* dialog = open_dialog(*window_);
  ASSERT_TRUE(dialog != nullptr);
  EXPECT_TRUE(dialog->view(0)->image().isNull());
  dialog->method_box(0)->setCurrentIndex(static_cast<int>(PotentialSettings::Method::direct));
  dialog->method_box(1)->setCurrentIndex(static_cast<int>(PotentialSettings::Method::msm));
  EXPECT_FALSE(dialog->accuracy_box(0)->isEnabled());
  EXPECT_TRUE(dialog->accuracy_box(1)->isEnabled());
  dialog->shown_box()->setCurrentIndex(static_cast<int>(CompareDialog::Shown::layer));
  QTest::keyClick(dialog->compute_button(), Qt::Key_Space);
  EXPECT_TRUE(dialog->running());
  EXPECT_TRUE(dialog->cancel_button()->isEnabled());
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); })) << "does not end";
  ASSERT_TRUE(dialog->result() != nullptr) << dialog->message()->text().toStdString();
  const PotentialComparison& result = *dialog->result();
  EXPECT_EQ(result.charges, 27u);
  // The exact sum is exact, the other as good as it was planned for; and the difference is that of the maps.
  EXPECT_LT(result.sides[0].error.relative, 1e-5);
  EXPECT_GT(result.sides[1].error.relative, 1e-6);
  EXPECT_LT(result.sides[1].error.relative, 2.5e-3);
  double worst = 0;
  for (std::size_t i = 0; i < result.grid.size(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(result.sides[1].values[i]) -
                                     static_cast<double>(result.sides[0].values[i])));
  EXPECT_DOUBLE_EQ(result.differences[1].max, worst);
  EXPECT_LE(result.differences[1].rms, worst);
  EXPECT_GT(result.differences[1].rms, 0);
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 5; ++column) {
      ASSERT_TRUE(dialog->table()->item(row, column) != nullptr) << row << ", " << column;
      EXPECT_FALSE(dialog->table()->item(row, column)->text().isEmpty());
    }
  EXPECT_TRUE(dialog->table()->item(0, 4)->text().contains(QStringLiteral("direct")));
  EXPECT_TRUE(dialog->table()->item(1, 4)->text().contains(QStringLiteral("multilevel")));
  // Both sides have one range; another layer, another picture.
  EXPECT_EQ(dialog->view(0)->range(), dialog->view(1)->range());
  EXPECT_LT(dialog->view(2)->range(), dialog->view(0)->range());
  const QImage before = dialog->view(0)->image();
  EXPECT_EQ(before.width(), result.grid.counts.x);
  EXPECT_EQ(before.height(), result.grid.counts.y);
  QTest::keyClick(dialog->layer_slider(), Qt::Key_Home);
  EXPECT_NE(dialog->view(0)->image(), before);
  dialog->axis_box()->setCurrentIndex(0);
  EXPECT_EQ(dialog->view(0)->image().width(), result.grid.counts.y);
  EXPECT_FALSE(dialog->view(2)->accessibleDescription().isEmpty());
  dialog->axis_box()->setCurrentIndex(2);
  screenshots(*dialog, QStringLiteral("compare"));
}

TEST_F(WindowTest, ComparedSurfacesAreTurnedTogetherAndSaved) {
  ASSERT_TRUE(open({write_salt_pqr(3)}));
  window_->field_panel().add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  CompareDialog* dialog = open_dialog(*window_);
  ASSERT_TRUE(dialog != nullptr);
  EXPECT_FALSE(dialog->save_button()->isEnabled());
  dialog->method_box(1)->setCurrentIndex(static_cast<int>(PotentialSettings::Method::cutoff));
  QTest::keyClick(dialog->compute_button(), Qt::Key_Space);
  CompareView* view = dialog->surfaces();
  const auto drawn = [&] { return !dialog->running() && view->view() && !view->picture().isNull() && view->at_rest(); };
  ASSERT_TRUE(wait_until(drawn)) << dialog->message()->text().toStdString();
  ASSERT_EQ(view->view()->tiles.size(), 3u);
  // One scale for both methods, a smaller one for the difference; what is beneath has times and errors.
  const CompareTexts texts = view->texts();
  EXPECT_EQ(texts.ranges[0], texts.ranges[1]);
  EXPECT_GT(texts.ranges[2], 0);
  EXPECT_TRUE(texts.beneath[0][1].contains(QStringLiteral("RMS"))) << texts.beneath[0][1].toStdString();
  EXPECT_TRUE(texts.beneath[1][0].contains(QStringLiteral("cutoff"))) << texts.beneath[1][0].toStdString();
  // All three are drawn, and turned, together.
  const auto tile = [&](const QImage& picture, int k) {
    return picture.copy(k * picture.width() / 3, 0, picture.width() / 3, picture.height());
  };
  const QImage before = view->picture();
  const Camera camera = view->camera();
  QTest::keyClick(view, Qt::Key_Right, Qt::ShiftModifier);
  EXPECT_FALSE(view->camera() == camera);
  ASSERT_TRUE(wait_until(drawn));
  const QImage turned = view->picture();
  for (int k = 0; k < 3; ++k) EXPECT_NE(tile(before, k), tile(turned, k)) << k;
  const QPoint middle = view->rect().center();
  QTest::mousePress(view, Qt::LeftButton, {}, middle);
  QTest::mouseMove(view, middle + QPoint(60, 20));
  QTest::mouseRelease(view, Qt::LeftButton, {}, middle + QPoint(60, 20));
  ASSERT_TRUE(wait_until(drawn));
  EXPECT_NE(view->picture(), turned);
  // As a picture, in the size asked for, with texts around it.
  const QString path = temporary(QStringLiteral("comparison.png"));
  bool saved = false;
  QObject::connect(dialog, &CompareDialog::saved, [&](const QString& at) { saved = at == path; });
  dialog->save_picture(path, 1500);
  ASSERT_TRUE(wait_until([&] { return saved; })) << dialog->message()->text().toStdString();
  const QImage picture(path);
  EXPECT_EQ(picture.width(), 1500);
  EXPECT_GT(picture.height(), 400);
  screenshots(*dialog, QStringLiteral("compare_surfaces"));
  const QString folder = qEnvironmentVariable("ISOLUME_SCREENSHOTS");
  if (!folder.isEmpty()) {
    EXPECT_TRUE(QDir().mkpath(folder));
    EXPECT_TRUE(picture.save(folder + QStringLiteral("/compare_saved.png")));
  }
  // Isosurfaces at a value that is not reached are refused with a message; one that is, is drawn.
  dialog->isovalue_box()->setValue(1e5);
  dialog->shown_box()->setCurrentIndex(static_cast<int>(CompareDialog::Shown::isosurfaces));
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("reaches"))) << dialog->message()->text().toStdString();
  dialog->isovalue_box()->setValue(2);
  ASSERT_TRUE(wait_until(drawn));
  EXPECT_EQ(view->texts().ranges[0], 2);
  dialog->shown_box()->setCurrentIndex(static_cast<int>(CompareDialog::Shown::solvent_excluded));
  ASSERT_TRUE(wait_until(drawn));
  EXPECT_EQ(view->view()->tiles[0].items.size(), 1u);
}

TEST_F(WindowTest, FourMethodsHaveOneScaleAndAReference) {
  ASSERT_TRUE(open({write_salt_pqr(3)}));
  window_->field_panel().add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  CompareDialog* dialog = open_dialog(*window_);
  ASSERT_TRUE(dialog != nullptr);
  using Method = PotentialSettings::Method;
  const Method methods[] = {Method::direct, Method::msm, Method::cutoff, Method::debye_hueckel};
  EXPECT_EQ(dialog->method_box(2)->currentText(), QStringLiteral("None"));
  for (int side = 0; side < 4; ++side) dialog->method_box(side)->setCurrentIndex(static_cast<int>(methods[side]));
  dialog->reference_box()->setCurrentIndex(2);
  QTest::keyClick(dialog->compute_button(), Qt::Key_Space);
  CompareView* view = dialog->surfaces();
  const auto drawn = [&] { return !dialog->running() && view->view() && !view->picture().isNull() && view->at_rest(); };
  ASSERT_TRUE(wait_until(drawn)) << dialog->message()->text().toStdString();
  const PotentialComparison& result = *dialog->result();
  ASSERT_EQ(result.sides.size(), 4u);
  EXPECT_EQ(result.reference, 2u);
  EXPECT_TRUE(result.differences[2].values.empty());
  for (const std::size_t k : {0u, 1u, 3u}) {
    double worst = 0;
    for (std::size_t i = 0; i < result.grid.size(); ++i)
      worst = std::max(worst, std::abs(static_cast<double>(result.sides[k].values[i]) -
                                       static_cast<double>(result.sides[2].values[i])));
    EXPECT_DOUBLE_EQ(result.differences[k].max, worst) << k;
  }
  // Four sides above, three differences and an empty place below; a scale for each row.
  ASSERT_EQ(view->view()->tiles.size(), 8u);
  EXPECT_EQ(view->view()->tile_columns, 4);
  EXPECT_TRUE(view->view()->tiles[6].items.empty());
  EXPECT_FALSE(view->view()->tiles[7].items.empty());
  const CompareTexts texts = view->texts();
  EXPECT_EQ(texts.rows(), 2);
  EXPECT_EQ(texts.ranges[0], texts.ranges[3]);
  EXPECT_EQ(texts.ranges[4], texts.ranges[7]);
  EXPECT_EQ(texts.titles[4], QStringLiteral("First minus third"));
  EXPECT_TRUE(texts.titles[6].isEmpty());
  ASSERT_EQ(dialog->table()->rowCount(), 7);
  for (int row = 0; row < 7; ++row) ASSERT_TRUE(dialog->table()->item(row, 4) != nullptr) << row;
  EXPECT_EQ(dialog->table()->verticalHeaderItem(6)->text(), QStringLiteral("Fourth minus third"));
  screenshots(*dialog, QStringLiteral("compare_four"));
  dialog->shown_box()->setCurrentIndex(static_cast<int>(CompareDialog::Shown::layer));
  EXPECT_TRUE(dialog->view(7)->isVisible());
  EXPECT_FALSE(dialog->view(6)->isVisible());
  EXPECT_EQ(dialog->view(0)->range(), dialog->view(3)->range());
  EXPECT_EQ(dialog->view(4)->range(), dialog->view(7)->range());
  screenshots(*dialog, QStringLiteral("compare_four_layers"));
  // Back to two: three views in one row.
  dialog->reference_box()->setCurrentIndex(3);
  dialog->method_box(2)->setCurrentIndex(dialog->method_box(2)->count() - 1);
  dialog->method_box(3)->setCurrentIndex(dialog->method_box(3)->count() - 1);
  QTest::keyClick(dialog->compute_button(), Qt::Key_Space);
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("choose another reference")));
  EXPECT_FALSE(dialog->running());
  dialog->reference_box()->setCurrentIndex(0);
  QTest::keyClick(dialog->compute_button(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return !dialog->running() && dialog->result()->sides.size() == 2; }));
  EXPECT_EQ(dialog->table()->rowCount(), 3);
  EXPECT_TRUE(dialog->view(2)->isVisible());
  EXPECT_FALSE(dialog->view(3)->isVisible());
}

/// One method with two dielectrics: the potentials are as one to four.
TEST_F(WindowTest, SidesHaveParametersOfTheirOwn) {
  ASSERT_TRUE(open({write_salt_pqr(3)}));
  window_->field_panel().add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  CompareDialog* dialog = open_dialog(*window_);
  ASSERT_TRUE(dialog != nullptr);
  for (int side = 0; side < 2; ++side)
    dialog->method_box(side)->setCurrentIndex(static_cast<int>(PotentialSettings::Method::direct));
  EXPECT_FALSE(dialog->parameters_button(2)->isEnabled()) << "there is no third side";
  const auto ask = [&] {
    dialog->parameters_button(1)->click();
    EXPECT_TRUE(wait_until([&] { return dialog->findChild<SideParameters*>() != nullptr; }));
    return dialog->findChild<SideParameters*>();
  };
  SideParameters* parameters = ask();
  ASSERT_TRUE(parameters != nullptr);
  // What is asked for elsewhere, or belongs to another method, is not there.
  EXPECT_TRUE(parameters->rows()->method_box()->isHidden());
  EXPECT_TRUE(parameters->rows()->unit_box()->isHidden());
  EXPECT_TRUE(parameters->rows()->cutoff_box()->isHidden());
  ASSERT_TRUE(parameters->rows()->dielectric_box()->isVisible());
  parameters->rows()->dielectric_box()->setValue(9);
  parameters->reject();
  ASSERT_TRUE(wait_until([&] { return dialog->findChild<SideParameters*>() == nullptr; }));
  parameters = ask();
  ASSERT_TRUE(parameters != nullptr);
  EXPECT_EQ(parameters->rows()->dielectric_box()->value(), 1) << "cancelled";
  parameters->rows()->dielectric_box()->setValue(4);
  if (const QString folder = qEnvironmentVariable("ISOLUME_SCREENSHOTS"); !folder.isEmpty())
    parameters->grab().save(folder + QStringLiteral("/compare_parameters.png"));
  parameters->accept();
  QTest::keyClick(dialog->compute_button(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return !dialog->running() && dialog->surfaces()->at_rest(); }));
  ASSERT_TRUE(dialog->result() != nullptr) << dialog->message()->text().toStdString();
  const PotentialComparison& result = *dialog->result();
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < result.grid.size(); ++i) {
    const auto first = static_cast<double>(result.sides[0].values[i]);
    worst = std::max(worst, std::abs(first - 4 * static_cast<double>(result.sides[1].values[i])));
    largest = std::max(largest, std::abs(first));
  }
  EXPECT_LT(worst, 1e-6 * largest);
  EXPECT_GT(largest, 0);
  EXPECT_TRUE(dialog->table()->item(1, 4)->text().contains(QLatin1Char('4'))) << "says which dielectric";
  EXPECT_NE(dialog->table()->item(0, 4)->text(), dialog->table()->item(1, 4)->text());
}

/// Coulomb's potential of the ions of a file in kT/e, as a map whose points are none of theirs.
Volume coulomb_map(const QString& ions, double spacing, int points) {
  const Molecule molecule = read_file(ions.toStdString());
  const Frame frame = molecule.trajectory->frame(0);
  Volume map;
  map.grid = {glm::dvec3(-3.03, -2.97, -2.91), glm::dmat3(spacing), glm::ivec3(points)};
  map.unit = "kT/e";
  for (int z = 0; z < points; ++z)
    for (int y = 0; y < points; ++y)
      for (int x = 0; x < points; ++x) {
        double sum = 0;
        for (std::size_t i = 0; i < frame.positions.size(); ++i)
          sum += static_cast<double>(molecule.topology->atoms[i].charge) /
                 glm::length(map.grid.point(x, y, z) - glm::dvec3(frame.positions[i]));
        map.values.push_back(static_cast<float>(14.3996454784 * sum / (8.617333262e-5 * 298.15)));
      }
  return map;
}

TEST_F(WindowTest, MapsOfFilesAreAmongTheSides) {
  const QString ions = write_salt_pqr(3), file = temporary(QStringLiteral("other.dx"));
  const Volume map = coulomb_map(ions, 0.61, 20), wider = coulomb_map(ions, 0.83, 15);
  write_volume(file.toStdString(), VolumeView(map.grid, map.values, "other program", ""));
  const std::string in_scene = temporary(QStringLiteral("open.cube")).toStdString();
  write_volume(in_scene, VolumeView(wider.grid, wider.values, "open map", ""));
  ASSERT_TRUE(open({ions}));
  ASSERT_TRUE(open({QString::fromStdString(in_scene)}));
  window_->field_panel().add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  CompareDialog* dialog = open_dialog(*window_);
  ASSERT_TRUE(dialog != nullptr);
  EXPECT_FALSE(dialog->map_unit_box()->isEnabled()) << "no side is a map";
  dialog->method_box(0)->setCurrentIndex(static_cast<int>(PotentialSettings::Method::direct));
  dialog->method_box(1)->setCurrentIndex(static_cast<int>(PotentialSettings::Method::cutoff));
  dialog->add_map(file);
  ASSERT_TRUE(wait_until([&] { return dialog->method_box(2)->currentText() == QStringLiteral("Map: other.dx"); }))
      << dialog->message()->text().toStdString();
  EXPECT_FALSE(dialog->accuracy_box(2)->isEnabled());
  EXPECT_TRUE(dialog->map_unit_box()->isEnabled());
  EXPECT_FALSE(dialog->resample_box()->isEnabled()) << "one map has its own grid";
  dialog->map_unit_box()->setCurrentText(QStringLiteral("kT/e"));
  const auto compute = [&] {
    QTest::keyClick(dialog->compute_button(), Qt::Key_Space);
    return wait_until([&] { return !dialog->running() && dialog->surfaces()->at_rest(); });
  };
  ASSERT_TRUE(compute());
  ASSERT_TRUE(dialog->result() != nullptr) << dialog->message()->text().toStdString();
  {
    const PotentialComparison& result = *dialog->result();
    ASSERT_EQ(result.sides.size(), 3u);
    EXPECT_EQ(result.grid.counts, map.grid.counts);
    EXPECT_LT(result.differences[2].relative, 1e-5) << "the same sum, in single precision and six digits";
    EXPECT_GT(result.differences[1].relative, 1e-3) << "of the cutoff";
    EXPECT_EQ(dialog->table()->item(2, 0)->text(), QString(QChar(0x2013)));
    EXPECT_EQ(dialog->table()->item(2, 4)->text(), QStringLiteral("other.dx, a map"));
    EXPECT_EQ(dialog->surfaces()->texts().beneath[2][0], QStringLiteral("other.dx"));
  }
  // The map that is open in the scene has other points.
  dialog->method_box(3)->setCurrentText(QStringLiteral("Map: open.cube"));
  ASSERT_EQ(dialog->method_box(3)->currentText(), QStringLiteral("Map: open.cube"));
  ASSERT_TRUE(compute());
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("open.cube has other points (15 x 15 x 15, 0.83")))
      << dialog->message()->text().toStdString();
  ASSERT_TRUE(dialog->resample_box()->isEnabled());
  dialog->resample_box()->setChecked(true);
  dialog->reference_box()->setCurrentIndex(2);
  ASSERT_TRUE(compute());
  ASSERT_EQ(dialog->result()->sides.size(), 4u) << dialog->message()->text().toStdString();
  const PotentialComparison& result = *dialog->result();
  const glm::ivec3 corner(19);  // away from the ions, where interpolation is good
  const std::size_t at = map.grid.index(corner.x, corner.y, corner.z);
  EXPECT_NEAR(result.sides[3].values[at], result.sides[2].values[at], 0.02);
  EXPECT_EQ(dialog->table()->rowCount(), 7);
  EXPECT_EQ(dialog->table()->item(4, 0)->text(), QString(QChar(0x2013))) << "a map takes no time";
  screenshots(*dialog, QStringLiteral("compare_maps"));
  // The other way round its points are beyond the smaller map.
  dialog->method_box(0)->setCurrentText(QStringLiteral("Map: open.cube"));
  ASSERT_TRUE(compute());
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("make other.dx the first")))
      << dialog->message()->text().toStdString();
  dialog->add_map(ions);
  ASSERT_TRUE(wait_until([&] { return dialog->message()->text().contains(QStringLiteral("has no map")); }));
}

/// Of Poisson-Boltzmann nothing is known exactly: its error is an estimate, in the solvent, and may exceed the
/// potential.
TEST_F(WindowTest, AnEstimatedErrorSaysThatItIsOne) {
  ASSERT_TRUE(open({write_salt_pqr(3)}));
  window_->field_panel().add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  CompareDialog* dialog = open_dialog(*window_);
  ASSERT_TRUE(dialog != nullptr);
  dialog->method_box(0)->setCurrentIndex(static_cast<int>(PotentialSettings::Method::pb));
  dialog->method_box(1)->setCurrentIndex(static_cast<int>(PotentialSettings::Method::direct));
  QTest::keyClick(dialog->compute_button(), Qt::Key_Space);
  CompareView* view = dialog->surfaces();
  ASSERT_TRUE(wait_until([&] {
    return !dialog->running() && view->view() && !view->picture().isNull() && view->at_rest();
  })) << dialog->message()->text().toStdString();
  const double relative = dialog->result()->sides[0].error.relative;
  const QString share = QStringLiteral("%1\u202f%").arg(100 * relative, 0, 'g', 3);
  EXPECT_EQ(dialog->table()->item(0, 1)->text(), QStringLiteral("about ") + share);
  EXPECT_TRUE(dialog->table()->item(0, 1)->toolTip().startsWith(QStringLiteral("Estimated in the solvent")));
  EXPECT_FALSE(dialog->table()->item(1, 1)->text().contains(QStringLiteral("about")));
  const CompareTexts texts = view->texts();
  EXPECT_TRUE(texts.beneath[0][1].contains(QStringLiteral("in the solvent, %1 of the potential there").arg(share)))
      << texts.beneath[0][1].toStdString();
  EXPECT_EQ(texts.beneath[0][1].endsWith(QStringLiteral("the steps are too long")), relative > 0.5);
  EXPECT_FALSE(texts.beneath[1][1].contains(QStringLiteral("estimated"))) << texts.beneath[1][1].toStdString();
  screenshots(*dialog, QStringLiteral("compare_estimated"));
}

TEST_F(WindowTest, AComparisonIsCancelledAndSaysWhatIsWrong) {
  ASSERT_TRUE(open({write_salt_pqr(3)}));
  window_->field_panel().add(Field::Kind::potential);
  ASSERT_TRUE(wait_for_picture());
  CompareDialog* dialog = open_dialog(*window_);
  ASSERT_TRUE(dialog != nullptr);
  QTest::keyClick(dialog->compute_button(), Qt::Key_Space);
  dialog->cancel_button()->click();
  EXPECT_FALSE(dialog->running());
  EXPECT_TRUE(dialog->result() == nullptr);
  EXPECT_TRUE(dialog->compute_button()->isEnabled());
  // Particle-mesh Ewald without a cell.
  dialog->method_box(1)->setCurrentIndex(static_cast<int>(PotentialSettings::Method::spme));
  QTest::keyClick(dialog->compute_button(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_TRUE(dialog->result() == nullptr);
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("cell"))) << dialog->message()->text().toStdString();
}

}  // namespace
}  // namespace isolume::test
