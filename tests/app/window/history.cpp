// Undo to the start and redo to the end, over steps of every panel.
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <algorithm>

#include "app/window/panels/field_panel.h"
#include "app/window/panels/look_panel.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/value_slider.h"
#include "fixture.h"
#include "molecule/selection/selection.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

class HistoryTest : public WindowTest {
 protected:
  void raise(const char* dock) { window_->findChild<QDockWidget*>(QString::fromLatin1(dock))->raise(); }
  static void choose(QComboBox* box, int index) {
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Home);
    while (box->currentIndex() < index) QTest::keyClick(box, Qt::Key_Down);
  }
  /// Camera and frame are no steps.
  static Scene steps_of(Scene scene) {
    scene.camera = {};
    scene.frame = 0;
    scene.playback = {};
    return scene;
  }
  void undo() { QTest::keyClick(&window_->viewport(), Qt::Key_Z, Qt::ControlModifier); }
  void redo() { QTest::keyClick(&window_->viewport(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier); }
};

struct Listener : QObject {
  int heard = 0;
  void show(const Scene&) { ++heard; }
};

/// Takes what it is told for the truth, as panels do.
struct Looker : QObject {
  explicit Looker(SceneController& controller) : controller_(controller) {}
  void show(const Scene&) { there = controller_.molecule(0) != nullptr; }
  bool there = true;

 private:
  SceneController& controller_;
};

TEST_F(HistoryTest, AMoleculeThatComesWhileListenersLookIsAnnounced) {
  ASSERT_TRUE(open({write_breathing_xyz(4)}));
  SceneController controller;
  controller.documents().molecule(window_->controller().scene().molecules[0]);
  controller.reset(window_->controller().scene());
  Looker early(controller);
  controller.listen(&early, SceneParts::molecules, &Looker::show);
  // As pictures make a molecule that was moved, here between two listeners.
  QObject::connect(&controller, &SceneController::scene_changed, &controller,
                   [&](const Scene& now) { controller.documents().molecule(now.molecules[0]); });
  Looker late(controller);
  controller.listen(&late, SceneParts::molecules, &Looker::show);
  controller.edit(QStringLiteral("Move"), [](Scene& scene) {
    scene.molecules[0].placement.motion.translation = {3, 0, 0};
  });
  EXPECT_FALSE(early.there);
  EXPECT_TRUE(late.there);
  // A change of something else tells the first one nothing.
  controller.touch([](Scene& scene) { scene.frame = 1; });
  EXPECT_FALSE(early.there);
  controller.look_for_missing();
  EXPECT_TRUE(early.there);
  // Once.
  Listener again;
  controller.listen(&again, SceneParts::molecules, &Listener::show);
  controller.look_for_missing();
  EXPECT_EQ(again.heard, 0);
}

TEST_F(HistoryTest, AListenerHearsOfItsPartsAlone) {
  ASSERT_TRUE(open({write_breathing_xyz(4)}));
  SceneController& controller = window_->controller();
  Listener fields, camera;
  controller.listen(&fields, SceneParts::fields, &Listener::show);
  controller.listen(&camera, SceneParts::camera | SceneParts::frame, &Listener::show);
  controller.touch([](Scene& scene) { scene.camera.height *= 2; });
  controller.touch([](Scene& scene) { scene.frame = 1; });
  EXPECT_EQ(fields.heard, 0);
  EXPECT_EQ(camera.heard, 2);
  controller.edit(QStringLiteral("Add"), [](Scene& scene) { scene.fields.emplace_back(); });
  controller.undo();
  EXPECT_EQ(fields.heard, 2);
  EXPECT_EQ(camera.heard, 2);
  controller.molecules_changed();
  EXPECT_EQ(fields.heard, 3);
  EXPECT_EQ(camera.heard, 3);
}

TEST_F(HistoryTest, UndoToTheStartAndRedoToTheEnd) {
  ASSERT_TRUE(open({write_breathing_xyz(4)}));
  const SceneController& controller = window_->controller();
  const Image first = shot();
  // Every scene after a step of the history, as the undo text says it.
  std::vector<Scene> scenes{steps_of(controller.scene())};
  const auto remember = [&] {
    if (steps_of(controller.scene()) != scenes.back()) scenes.push_back(steps_of(controller.scene()));
  };
  QObject::connect(&controller, &SceneController::scene_changed, window_.get(), [&] { remember(); });

  raise("representations");
  QTest::keyClick(&window_->viewport(), Qt::Key_R, Qt::ControlModifier);
  choose(window_->representations().style_box(), static_cast<int>(Style::spheres));
  choose(window_->representations().colouring_box(), static_cast<int>(Colouring::index));
  choose(window_->representations().material_box(), static_cast<int>(Material::glossy));
  ASSERT_TRUE(wait_for_picture());
  QTest::mouseClick(&window_->viewport(), Qt::LeftButton, {}, place_of({0, 2}));
  ASSERT_TRUE(wait_until([&] { return controller.picked().size() == 1; })) << "a click is answered at once";
  QTest::keyClick(&window_->viewport(), Qt::Key_1);  // the name of an atom
  ASSERT_EQ(controller.scene().measurements.size(), 1u);
  raise("fields");
  QTest::keyClick(&window_->viewport(), Qt::Key_D, Qt::ControlModifier);
  ASSERT_TRUE(wait_for_picture());
  window_->field_panel().isovalue()->box()->setValue(0.8);
  raise("look");
  choose(window_->look().legends(), 1);
  QTest::mouseClick(window_->look().shadows(), Qt::LeftButton, {}, QPoint(8, window_->look().shadows()->height() / 2));
  window_->look().depth_of_field()->box()->setValue(1.5);
  QTest::keyClick(&window_->viewport(), Qt::Key_F1, Qt::ControlModifier);  // save this view
  ASSERT_TRUE(wait_for_picture());
  ASSERT_GE(scenes.size(), 10u);
  const Image last = shot();
  const Scene end = steps_of(controller.scene());
  screenshot(QStringLiteral("history-end"));

  // Back: each step brings a scene that was there, the start at last.
  std::size_t back = 0;
  while (controller.can_undo()) {
    const Scene before = steps_of(controller.scene());
    undo();
    ASSERT_NE(steps_of(controller.scene()), before) << "step " << back << " changes nothing";
    ASSERT_NE(std::find(scenes.begin(), scenes.end(), steps_of(controller.scene())), scenes.end());
    ASSERT_LT(++back, 100u);
    if (controller.scene().molecules.empty()) break;
    if (steps_of(controller.scene()) == scenes.front()) break;
  }
  EXPECT_EQ(steps_of(controller.scene()), scenes.front());
  ASSERT_TRUE(wait_for_picture());
  EXPECT_LT(compare(first, shot()).mean, 0.0005) << "the first picture is back";

  std::size_t forth = 0;
  while (controller.can_redo()) {
    redo();
    ASSERT_LT(++forth, 100u);
  }
  EXPECT_EQ(forth, back);
  EXPECT_EQ(steps_of(controller.scene()), end);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_LT(compare(last, shot()).mean, 0.0005) << "the last picture is back";
}

TEST_F(HistoryTest, SavedViewsAreComeBackToByTheirKeys) {
  ASSERT_TRUE(open({write_breathing_xyz(6)}));
  shot();
  const SceneController& controller = window_->controller();
  const Camera first = controller.scene().camera;
  QTest::keyClick(&window_->viewport(), Qt::Key_F2, Qt::ControlModifier);
  ASSERT_EQ(controller.scene().views.size(), 1u);
  window_->player().step(3);
  for (int i = 0; i < 9; ++i) QTest::keyClick(&window_->viewport(), Qt::Key_Right, Qt::ShiftModifier);
  QTest::keyClick(&window_->viewport(), Qt::Key_Plus);
  const Camera second = controller.scene().camera;
  ASSERT_NE(first, second);
  QTest::keyClick(&window_->viewport(), Qt::Key_F3, Qt::ControlModifier);
  ASSERT_EQ(controller.scene().views.size(), 2u);
  QTest::keyClick(&window_->viewport(), Qt::Key_F2);
  ASSERT_TRUE(wait_until([&] { return controller.scene().camera == first; })) << "the camera flies there";
  EXPECT_EQ(controller.scene().frame, 0u);
  QTest::keyClick(&window_->viewport(), Qt::Key_F3);
  ASSERT_TRUE(wait_until([&] { return controller.scene().camera == second; }));
  EXPECT_EQ(controller.scene().frame, 3u);
  // They are part of the scene: undone as anything else.
  undo();
  EXPECT_EQ(controller.scene().views.size(), 1u);
}

TEST_F(HistoryTest, CameraAndFrameAreUndoneByTheirOwnSteps) {
  ASSERT_TRUE(open({write_breathing_xyz(6)}));
  shot();
  const SceneController& controller = window_->controller();
  QAction* back = window_->commands().previous_view;
  QAction* forth = window_->commands().next_view;
  const auto settled = [&](bool can_go_back, bool can_go_forth) {
    return wait_until([&] { return back->isEnabled() == can_go_back && forth->isEnabled() == can_go_forth; });
  };
  const auto at = [&](const Camera& camera, std::size_t frame) {
    return wait_until([&] { return controller.scene().camera == camera && controller.scene().frame == frame; });
  };
  window_->controller().touch([](Scene& scene) { scene.camera.height = 33; });
  ASSERT_TRUE(wait_until([&] { return back->isEnabled(); })) << "the view as it was opened is before";
  const bool could_undo = controller.can_undo();
  const Camera first = controller.scene().camera;
  for (int i = 0; i < 9; ++i) QTest::keyClick(&window_->viewport(), Qt::Key_Right, Qt::ShiftModifier);
  const Camera second = controller.scene().camera;
  ASSERT_NE(first, second);
  // Not at rest yet: it counts all the same, and nine presses are one step.
  QTest::keyClick(&window_->viewport(), Qt::Key_Backspace);
  ASSERT_TRUE(at(first, 0)) << "the camera flies there";
  ASSERT_TRUE(settled(true, true));
  QTest::keyClick(&window_->viewport(), Qt::Key_Backspace, Qt::ShiftModifier);
  ASSERT_TRUE(at(second, 0));
  ASSERT_TRUE(settled(true, false));
  window_->player().step(3);
  QTest::keyClick(&window_->viewport(), Qt::Key_Backspace);
  ASSERT_TRUE(at(second, 0)) << "the frame is a step too";
  QTest::keyClick(&window_->viewport(), Qt::Key_Backspace);
  ASSERT_TRUE(at(first, 0));
  // Who goes elsewhere from here leaves the others.
  QTest::keyClick(&window_->viewport(), Qt::Key_Plus);
  ASSERT_TRUE(settled(true, false));
  EXPECT_EQ(controller.can_undo(), could_undo) << "no steps of the scene";
  window_->commands().close_all->trigger();
  EXPECT_FALSE(back->isEnabled());
}

TEST_F(HistoryTest, ImagesAndBackgroundAndPresets) {
  // A molecule in a cell: extended XYZ.
  const QString path = temporary(QStringLiteral("cell.xyz"));
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("2\nLattice=\"6 0 0 0 7 0 0 0 8\" Properties=species:S:1:pos:R:3\nC 1 1 1\nO 2.1 1 1\n");
  file.close();
  ASSERT_TRUE(open({path}));
  raise("molecules");
  QSpinBox* along_a = window_->molecules().images_box(0);
  ASSERT_TRUE(wait_until([&] { return along_a->isVisible(); }));
  const double radius = window_->viewport().view()->radius;
  along_a->setValue(3);
  EXPECT_EQ(window_->controller().scene().molecules[0].images, glm::ivec3(3, 1, 1));
  ASSERT_TRUE(wait_for_picture());
  EXPECT_GT(window_->viewport().view()->radius, radius + 5);
  ASSERT_FALSE(window_->viewport().view()->items.empty());
  EXPECT_EQ(window_->viewport().view()->items[0]->copies.size(), 3u);
  raise("look");
  window_->look().presets()->menu()->actions()[3]->trigger();
  EXPECT_TRUE(window_->controller().scene().look.shadows);
  undo();
  EXPECT_FALSE(window_->controller().scene().look.shadows);
}

TEST_F(HistoryTest, ThePeriodicCellIsTreatedAndUndone) {
  ASSERT_TRUE(open({QString::fromStdString(data("../../resources/examples/crambin_water/crambin_water.gro.gz"))}));
  const auto cell = [this] { return window_->controller().scene().molecules[0].cell; };
  EXPECT_EQ(cell().mode, CellTreatment::Mode::centre) << "a protein is centred in its water";
  raise("molecules");
  QComboBox* box = window_->molecules().cell_box();
  ASSERT_TRUE(wait_until([&] { return box->isVisible(); }));
  EXPECT_EQ(box->currentIndex(), 3);
  const auto choose = [&](int index) {
    box->setCurrentIndex(index);
    Q_EMIT box->activated(index);
  };
  choose(0);
  ASSERT_TRUE(wait_until([&] { return cell().mode == CellTreatment::Mode::as_is; }));
  EXPECT_FALSE(window_->molecules().centred_edit()->isVisible());
  ASSERT_TRUE(wait_for_picture());
  undo();
  EXPECT_EQ(cell().mode, CellTreatment::Mode::centre);
  EXPECT_EQ(box->currentIndex(), 3);
  QLineEdit* line = window_->molecules().centred_edit()->line();
  ASSERT_TRUE(wait_until([&] { return line->isVisible(); }));
  line->setText(QStringLiteral("resid 7"));
  QTest::keyClick(line, Qt::Key_Return);
  ASSERT_TRUE(wait_until([&] { return cell().selection == "resid 7"; }));
  const auto molecule = window_->controller().molecule(0);
  ASSERT_TRUE(molecule);
  const Frame frame = molecule->trajectory->frame(0);
  glm::dvec3 mean(0);
  const auto atoms = Selection("resid 7").atoms(*molecule->topology, frame);
  for (const std::uint32_t atom : atoms) mean += glm::dvec3(frame.positions[atom]) / static_cast<double>(atoms.size());
  const glm::dvec3 middle = frame.cell.vectors * glm::dvec3(0.5);
  EXPECT_LT(glm::distance(mean, middle), 1e-3);
  undo();
  EXPECT_EQ(cell(), CellTreatment{CellTreatment::Mode::centre});
}

}  // namespace
}  // namespace isolume::test
