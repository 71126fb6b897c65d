// Fits of models into maps in the window.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>
#include <cmath>

#include "app/window/maps/calculate_map_dialog.h"
#include "app/window/maps/fit_map_dialog.h"
#include "app/window/widgets/plot.h"
#include "formats/write/write.h"
#include "tests/app/window/held_pool.h"
#include "tests/app/window/maps/maps_test.h"

namespace isolume::test {
namespace {

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

TEST_F(MapTest, WhatMapAndModelCannotBeIsSaidBeforeWork) {
  ASSERT_TRUE(open({write_model({200, 0, 0})}));
  ASSERT_TRUE(open({write_map()}));
  window_->findChild<QAction*>(QStringLiteral("fit_map"))->trigger();
  auto* dialog = window_->findChild<FitMapDialog*>();
  ASSERT_NE(dialog, nullptr);
  const auto says = [&](QPushButton* button, const char* text) {
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_TRUE(wait_until([&] { return !dialog->running(); }));
    EXPECT_TRUE(dialog->message()->text().contains(QLatin1String(text))) << dialog->message()->text().toStdString();
    EXPECT_EQ(scene().molecules[0].placement, Placement{});
  };
  dialog->resolution_box()->setValue(4);
  says(dialog->fit_button(), "do not meet");
  says(dialog->fit_button(), "Search all places");
  says(dialog->compare_button(), "do not meet");
  dialog->resolution_box()->setValue(1);
  dialog->search_box()->setChecked(true);
  says(dialog->fit_button(), "Nyquist");
  // A search needs no meeting.
  dialog->resolution_box()->setValue(6);
  QTest::mouseClick(dialog->fit_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("moved by")))
      << dialog->message()->text().toStdString();
  // What was moved is there again after a moment.
  ASSERT_TRUE(wait_until([&] { return window_->controller().molecule(0) != nullptr; }));
  auto* make = new CalculateMapDialog(window_->controller(), folder_.path(), window_.get());
  make->propose(CalculateMapDialog::Task::model_difference, {1, 0}, 0, 1);
  make->show();
  QTest::mouseClick(make->make_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !make->running(); }));
  EXPECT_TRUE(make->message()->text().contains(QStringLiteral("Nyquist"))) << make->message()->text().toStdString();
}

TEST_F(MapTest, CalculateMapSaysThatItLoadsWhatIsStillRead) {
  ASSERT_TRUE(open({write_model({0, 0, 0})}));
  ASSERT_TRUE(open({write_map()}));
  window_->findChild<QAction*>(QStringLiteral("calculate_map"))->trigger();
  auto* dialog = window_->findChild<CalculateMapDialog*>();
  ASSERT_NE(dialog, nullptr);
  dialog->propose(CalculateMapDialog::Task::model_difference, {1, 0}, 0, 4);
  dialog->file_edit()->setText(QString());
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  EXPECT_FALSE(dialog->running());
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("name of the file")));
  dialog->file_edit()->setText(temporary(QStringLiteral("loaded.mrc")));
  // A molecule that was moved is made at its new place in the background.
  HeldPool pool;
  window_->controller().edit(QStringLiteral("Move"), [](Scene& scene) {
    scene.molecules[0].placement.motion.translation = {0.5, 0, 0};
    scene.molecules[0].visible = false;  // so that no picture needs it
  });
  ASSERT_EQ(window_->controller().molecule(0), nullptr);
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  EXPECT_TRUE(dialog->running());
  EXPECT_EQ(dialog->message()->text(), QStringLiteral("Loading model.pdb"));
  pool.hold_from_here();
  pool.run();
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_TRUE(QFile::exists(temporary(QStringLiteral("loaded.mrc")))) << dialog->message()->text().toStdString();
}

TEST_F(MapTest, TheUsualDifferenceIsOfWhatIsShown) {
  ASSERT_TRUE(open({write_model({0, 0, 0})}));
  ASSERT_TRUE(open({write_map()}));
  const QString other = temporary(QStringLiteral("agreement.mrc"));
  ASSERT_TRUE(QFile::copy(temporary(QStringLiteral("emd.mrc")), other));
  ASSERT_TRUE(open({other}));
  const auto asked = [&] {
    HeldPool pool;
    window_->findChild<QAction*>(QStringLiteral("difference_map"))->trigger();
    auto* dialog = window_->findChild<CalculateMapDialog*>();
    if (dialog == nullptr) return -1;
    const int task = dialog->task_box()->currentIndex();
    EXPECT_EQ(dialog->map_box()->currentText(), QStringLiteral("emd.mrc"));
    delete dialog;
    return task;
  };
  EXPECT_EQ(asked(), static_cast<int>(CalculateMapDialog::Task::difference)) << "two maps are shown";
  take_results();
  // A map that is there for its colours alone, as a local correlation is.
  window_->controller().edit(QStringLiteral("Colours"), [](Scene& scene) { scene.fields.resize(1); });
  EXPECT_EQ(asked(), static_cast<int>(CalculateMapDialog::Task::model_difference));
  take_results();
}

TEST_F(MapTest, AModelAloneHasItsMap) {
  ASSERT_TRUE(open({write_model({0, 0, 0})}));
  window_->findChild<QAction*>(QStringLiteral("calculate_map"))->trigger();
  auto* dialog = window_->findChild<CalculateMapDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->task_box()->currentIndex(), static_cast<int>(CalculateMapDialog::Task::model));
  EXPECT_FALSE(dialog->map_box()->isVisible());
  dialog->file_edit()->setText(temporary(QStringLiteral("own.mrc")));
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  ASSERT_EQ(scene().molecules.size(), 2u) << dialog->message()->text().toStdString();
  // Its integral is the number of electrons.
  const auto map = window_->controller().molecule(1)->volumes.at(0);
  double sum = 0;
  for (const float value : map->values) sum += static_cast<double>(value);
  EXPECT_NEAR(sum * std::abs(glm::determinant(map->grid.step)), residues * (7 + 6 + 6 + 8 + 6), 2);
  // And then on the grid of that map.
  EXPECT_TRUE(dialog->map_box()->isVisible());
  dialog->file_edit()->setText(temporary(QStringLiteral("same.mrc")));
  QTest::mouseClick(dialog->make_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  ASSERT_EQ(scene().molecules.size(), 3u) << dialog->message()->text().toStdString();
  const auto same = window_->controller().molecule(2)->volumes.at(0);
  EXPECT_EQ(same->grid, map->grid);
  EXPECT_EQ(same->values, map->values);
  // Two maps are told apart.
  ASSERT_EQ(scene().fields.size(), 2u);
  EXPECT_NE(scene().fields[0].colour, scene().fields[1].colour);
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

}  // namespace
}  // namespace isolume::test
