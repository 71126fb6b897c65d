// Maps in the window: levels by a histogram, fits of models, maps made of others; frames compared.
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QLineF>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>
#include <cmath>

#include "app/window/frames/compare_frames_dialog.h"
#include "app/window/frames/frame_map.h"
#include "app/window/maps/calculate_map_dialog.h"
#include "app/window/maps/density_dialog.h"
#include "app/window/maps/fit_map_dialog.h"
#include "app/window/maps/flexible_fit_dialog.h"
#include "app/window/maps/morph_dialog.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/level_rows.h"
#include "app/window/widgets/level_histogram.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/selection_edit.h"
#include "compute/density_maps/density_map.h"
#include "compute/electron_density/density_potential.h"
#include "compute/orbitals/electron_density.h"
#include "compute/orbitals/orbital.h"
#include "fixture.h"
#include "formats/read.h"
#include "formats/write/write.h"
#include "molecule/base/units.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

constexpr int residues = 12;

/// A bent chain of alanines without hydrogens: enough to have one best place.
glm::vec3 place_of_atom(int residue, int atom) {
  const float t = 0.55f * static_cast<float>(residue);
  const glm::vec3 trace(7 * std::cos(t), 7 * std::sin(t), 1.3f * static_cast<float>(residue) - 8);
  constexpr glm::vec3 parts[] = {
      {-0.9f, 0.8f, -0.6f}, {0, 0, 0}, {0.9f, 0.9f, 0.7f}, {1.0f, 2.1f, 0.8f}, {0.3f, -1.4f, 0.4f}};
  return trace + parts[atom];
}

class MapTest : public WindowTest {
 protected:
  const Scene& scene() { return window_->controller().scene(); }
  FieldPanel& panel() { return window_->field_panel(); }
  LevelRows* levels() { return panel().findChild<LevelRows*>(); }
  QString picture(const QString& name, QWidget* widget) {
    const QString folder = qEnvironmentVariable("ISOLUME_SCREENSHOTS");
    if (!folder.isEmpty()) widget->grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
    return folder;
  }

  /// The chain, moved by `away`.
  QString write_model(glm::vec3 away) {
    const QString path = temporary(QStringLiteral("model.pdb"));
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    constexpr const char* names[] = {"N ", "CA", "C ", "O ", "CB"};
    for (int r = 0, serial = 1; r < residues; ++r)
      for (int a = 0; a < 5; ++a, ++serial) {
        const glm::vec3 p = place_of_atom(r, a) + away;
        file.write(QString::asprintf("ATOM  %5d  %s  ALA A%4d    %8.3f%8.3f%8.3f  1.00  0.00           %c\n", serial,
                                     names[a], r + 1, double(p.x), double(p.y), double(p.z), names[a][0])
                       .toUtf8());
      }
    return path;
  }
  /// Its map at 4 angstrom where it is not moved, with a grain of dust far off.
  QString write_map() {
    std::vector<MapAtom> atoms;
    constexpr float electrons[] = {7, 6, 6, 8, 6};
    const auto sigma = static_cast<float>(map_sigma(MapConvention::chimerax, 4, 1.7));
    for (int r = 0; r < residues; ++r)
      for (int a = 0; a < 5; ++a)
        atoms.push_back({place_of_atom(r, a), sigma, electrons[a] / std::pow(2.5066f * sigma, 3.0f)});
    Volume map;
    map.grid = Grid{{-17, -17, -18}, glm::dmat3(1.0), {35, 35, 36}};
    map.values.resize(map.grid.size());
    Job job;
    density_map(atoms, map.grid, {map.values.data(), map.values.size(), Device::cpu()}, job);
    map.values[map.grid.index(2, 2, 2)] = 2;
    map.name = "emd";
    const QString path = temporary(QStringLiteral("emd.mrc"));
    write_volume(path.toStdString(), map);
    return path;
  }
};

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

TEST_F(MapTest, AModelIsFittedColouredAndSubtracted) {
  ASSERT_TRUE(open({write_model({1.1f, -0.9f, 0.8f})}));
  ASSERT_TRUE(open({write_map()}));
  window_->findChild<QAction*>(QStringLiteral("fit_map"))->trigger();
  auto* dialog = window_->findChild<FitMapDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->resolution_box()->value(), 3);
  dialog->resolution_box()->setValue(4);
  ASSERT_TRUE(dialog->fit_button()->isEnabled());
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  EXPECT_TRUE(dialog->running());
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  const Placement placed = scene().molecules[0].placement;
  // Back by what it was moved.
  const glm::dvec3 at = placed.motion(glm::dvec3(1.1, -0.9, 0.8));
  EXPECT_LT(glm::length(at), 0.15) << dialog->message()->text().toStdString();
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("Correlation 0.9")))
      << dialog->message()->text().toStdString();
  ASSERT_EQ(dialog->plot()->curves().size(), 1u);
  EXPECT_EQ(dialog->plot()->curves()[0].y.size(), static_cast<std::size_t>(residues));
  picture(QStringLiteral("fit_map"), dialog);
  // A click in the plot selects the residue.
  Q_EMIT dialog->plot()->x_clicked(3);
  ASSERT_EQ(window_->controller().picked().size(), 1u);
  EXPECT_EQ(window_->controller().picked()[0].atom, 15u);
  EXPECT_EQ(dialog->plot()->cursor(), 3.0);
  window_->controller().undo();
  EXPECT_EQ(scene().molecules[0].placement, Placement{});
  window_->controller().redo();
  ASSERT_TRUE(wait_for_picture());

  // The model coloured by its local correlation with the map.
  const auto map_of = [&](CalculateMapDialog::Task task, const QString& name) {
    auto* make = window_->findChild<CalculateMapDialog*>();
    if (make == nullptr) return false;
    EXPECT_EQ(make->task_box()->currentIndex(), static_cast<int>(task));
    EXPECT_EQ(make->map_box()->count() > 0, true);
    make->file_edit()->setText(temporary(name));
    QTest::mouseClick(make->make_button(), Qt::LeftButton);
    const bool done = wait_until([&] { return !make->running(); });
    EXPECT_TRUE(QFile::exists(temporary(name))) << make->message()->text().toStdString();
    picture(name, make);
    delete make;
    return done;
  };
  Q_EMIT dialog->local_correlation_asked({1, 0}, 0, 4);
  ASSERT_TRUE(map_of(CalculateMapDialog::Task::model_correlation, QStringLiteral("local.mrc")));
  ASSERT_EQ(scene().molecules.size(), 3u);
  ASSERT_FALSE(scene().representations.empty());
  EXPECT_EQ(scene().representations[0].colouring, Colouring::map);
  EXPECT_EQ(scene().representations[0].map_molecule, 2u);
  // Near the atoms the two maps are alike.
  const auto local = window_->controller().molecule(2)->volumes[0];
  EXPECT_GT(interpolate(*local, glm::dvec3(place_of_atom(5, 1))), 0.95f);
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("local_correlation"));
  window_->controller().undo();
  EXPECT_EQ(scene().molecules.size(), 2u);

  // What is left of the map without the model: little.
  Q_EMIT dialog->difference_asked({1, 0}, 0, 4);
  ASSERT_TRUE(map_of(CalculateMapDialog::Task::model_difference, QStringLiteral("difference.mrc")));
  const Field& shown = scene().fields.back();
  EXPECT_EQ(shown.kind, Field::Kind::volume);
  EXPECT_TRUE(shown.both_signs);
  EXPECT_NE(shown.colour, shown.negative_colour);
  const auto left = window_->controller().molecule(shown.molecule)->volumes[0];
  const auto map = window_->controller().molecule(1)->volumes[0];
  const std::size_t middle = map->grid.index(24, 20, 12);
  EXPECT_LT(std::abs(left->values[middle]), 0.2f * *std::max_element(map->values.begin(), map->values.end()));
  EXPECT_GT(left->values[map->grid.index(2, 2, 2)], 1.5f);  // the grain is not the model's
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

TEST_F(MapTest, AFitIsCancelled) {
  ASSERT_TRUE(open({write_model({9, -4, 6})}));
  ASSERT_TRUE(open({write_map()}));
  window_->findChild<QAction*>(QStringLiteral("fit_map"))->trigger();
  auto* dialog = window_->findChild<FitMapDialog*>();
  ASSERT_NE(dialog, nullptr);
  dialog->search_box()->setChecked(true);
  dialog->resolution_box()->setValue(4);
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  ASSERT_TRUE(dialog->cancel_button()->isVisible());
  QTest::mouseClick(dialog->cancel_button(), Qt::LeftButton);
  EXPECT_FALSE(dialog->running());
  EXPECT_TRUE(dialog->fit_button()->isEnabled());
  EXPECT_EQ(scene().molecules[0].placement, Placement{});
  // And to its end: all places, the best first, another by choosing it.
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }, 100000));
  ASSERT_GT(dialog->list()->topLevelItemCount(), 1);
  const RigidMotion best = scene().molecules[0].placement.motion;
  EXPECT_LT(glm::length(best(glm::dvec3(place_of_atom(4, 1) + glm::vec3(9, -4, 6))) - glm::dvec3(place_of_atom(4, 1))),
            0.3);
  picture(QStringLiteral("fit_places"), dialog);
  dialog->list()->setCurrentItem(dialog->list()->topLevelItem(1));
  EXPECT_NE(scene().molecules[0].placement.motion, best);
  window_->controller().undo();
  EXPECT_EQ(scene().molecules[0].placement.motion, best);
}

/// The hairpin of trpzip2 in one conformation, and the map of another at 6 angstrom.
class FlexibleFitTest : public MapTest {
 protected:
  FlexibleFitDialog* open_hairpin() {
    const std::string topology = shared_data("trajectories/tz2/tz2.parm7");
    const std::string coordinates = shared_data("trajectories/tz2/tz2.nc");
    const Molecule molecule = read_files({topology, coordinates}).front();
    std::vector<std::uint32_t> atoms;
    for (std::uint32_t i = 0; i < molecule.topology->atoms.size(); ++i)
      if (molecule.topology->atoms[i].element != 1) atoms.push_back(i);
    const Frame other = molecule.trajectory->frame(1);
    const auto gaussians =
        map_atoms(*molecule.topology, other.positions, atoms, 6, MapConvention::chimerax, MapWeights::electrons);
    glm::vec3 lower(1e9f), upper(-1e9f);
    for (const glm::vec3& p : other.positions) {
      lower = glm::min(lower, p);
      upper = glm::max(upper, p);
    }
    Volume map;
    map.grid = Grid{glm::dvec3(glm::floor(lower)) - 8.0, glm::dmat3(1.0), glm::ivec3(glm::ceil(upper - lower)) + 18};
    map.values.resize(map.grid.size());
    Job job;
    density_map(gaussians, map.grid, {map.values.data(), map.values.size(), Device::cpu()}, job);
    const QString path = temporary(QStringLiteral("other.mrc"));
    write_volume(path.toStdString(), map);
    EXPECT_TRUE(open({QString::fromStdString(topology), QString::fromStdString(coordinates)}));
    EXPECT_TRUE(open({path}));
    window_->findChild<QAction*>(QStringLiteral("flexible_fit"))->trigger();
    auto* dialog = window_->findChild<FlexibleFitDialog*>();
    if (dialog == nullptr) return nullptr;
    dialog->resolution_box()->setValue(6);
    dialog->strength_box()->setValue(0.5);
    dialog->restraints_box()->setCurrentIndex(1);
    return dialog;
  }
  bool has_frames() { return scene().molecules[0].paths.back().find("#fit=") != std::string::npos; }
};

TEST_F(FlexibleFitTest, AMapPullsAModelIntoIt) {
  ISOLUME_NEEDS(shared_data("trajectories/tz2/tz2.nc"));
  auto* dialog = open_hairpin();
  ASSERT_NE(dialog, nullptr);
  const SceneMolecule before = scene().molecules[0];
  dialog->length_box()->setValue(2);
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  EXPECT_TRUE(dialog->running()) << dialog->message()->text().toStdString();
  EXPECT_FALSE(dialog->fit_button()->isEnabled());
  // It moves while it runs.
  ASSERT_TRUE(wait_until([&] { return has_frames(); })) << dialog->message()->text().toStdString();
  ASSERT_TRUE(wait_until([&] { return dialog->message()->text().startsWith(QStringLiteral("Done")); }, 200000))
      << dialog->message()->text().toStdString();
  EXPECT_FALSE(dialog->running());
  ASSERT_EQ(dialog->plot()->curves().size(), 1u);
  const PlotCurve& curve = dialog->plot()->curves()[0];
  ASSERT_EQ(curve.y.size(), 41u);  // 2000 steps, every 50, and the start
  EXPECT_NEAR(curve.x.back(), 2, 1e-9);
  EXPECT_GT(curve.y.back(), curve.y.front() + 0.02);
  EXPECT_EQ(scene().frame, 40u);
  EXPECT_EQ(window_->controller().frame_count(), 41u);
  ASSERT_TRUE(wait_for_picture());
  picture(QStringLiteral("flexible_fit"), dialog);
  screenshot(QStringLiteral("flexible_fit_window"));
  Q_EMIT dialog->plot()->x_clicked(1.0);
  EXPECT_EQ(scene().frame, 20u);
  window_->controller().undo();
  EXPECT_EQ(scene().molecules[0], before);
  window_->controller().redo();
  EXPECT_TRUE(has_frames());
}

TEST_F(FlexibleFitTest, ItIsStoppedOrCancelled) {
  ISOLUME_NEEDS(shared_data("trajectories/tz2/tz2.nc"));
  auto* dialog = open_hairpin();
  ASSERT_NE(dialog, nullptr);
  const SceneMolecule before = scene().molecules[0];
  dialog->length_box()->setValue(50000);
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return has_frames(); })) << dialog->message()->text().toStdString();
  QTest::mouseClick(dialog->cancel_button(), Qt::LeftButton);
  EXPECT_FALSE(dialog->running());
  EXPECT_EQ(scene().molecules[0], before);
  EXPECT_FALSE(window_->controller().can_undo() && window_->controller().undo_text() == QStringLiteral("Flexible fit"));
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return has_frames(); })) << dialog->message()->text().toStdString();
  ASSERT_TRUE(dialog->stop_button()->isVisible());
  QTest::mouseClick(dialog->stop_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return dialog->message()->text().startsWith(QStringLiteral("Stopped")); }))
      << dialog->message()->text().toStdString();
  EXPECT_FALSE(dialog->running());
  EXPECT_TRUE(has_frames());
  EXPECT_GE(window_->controller().frame_count(), 1u);
  // Closing it keeps the frames, and so does undo while it runs: the run ends.
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  EXPECT_TRUE(dialog->running());
  window_->controller().undo();
  EXPECT_EQ(scene().molecules[0], before);
  EXPECT_FALSE(dialog->running());
}

TEST_F(FlexibleFitTest, WhatIsMissingIsSaid) {
  ASSERT_TRUE(open({write_model({0, 0, 0})}));
  window_->findChild<QAction*>(QStringLiteral("flexible_fit"))->trigger();
  auto* dialog = window_->findChild<FlexibleFitDialog*>();
  ASSERT_NE(dialog, nullptr);
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("no density map")));
  ASSERT_TRUE(open({write_map()}));
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  EXPECT_FALSE(dialog->running());
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("has no force field")));
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("Ctrl+O")));
}

TEST_F(FlexibleFitTest, AMapElsewhereIsSaid) {
  ISOLUME_NEEDS(shared_data("trajectories/tz2/tz2.nc"));
  auto* dialog = open_hairpin();
  ASSERT_NE(dialog, nullptr);
  window_->controller().edit(QStringLiteral("Move"), [](Scene& scene) {
    scene.molecules[0].placement.motion.translation = {300, 0, 0};
  });
  ASSERT_TRUE(wait_until([&] { return window_->controller().molecule(0) != nullptr; }));
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("do not meet")))
      << dialog->message()->text().toStdString();
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("Search all places")));
  EXPECT_FALSE(has_frames());
}

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
