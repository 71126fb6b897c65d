// Several molecules in the window: in tiles, and superposed on each other.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QTextStream>
#include <QTreeView>

#include "app/scene/scene_commands.h"
#include "app/view/scene_extent.h"
#include "app/window/dialogs/superpose_dialog.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/viewport/label_painter.h"
#include "app/window/viewport/legend_overlay.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/theme.h"
#include "fixture.h"
#include "render/tiles.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

class TilesTest : public WindowTest {
 protected:
  /// Five atoms without symmetry, moved, in a file.
  QString write(const QString& name, const RigidMotion& motion, int frames = 1) {
    QFile file(temporary(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    QTextStream out(&file);
    out.setRealNumberPrecision(8);
    const char* elements[] = {"C", "O", "N", "S", "C"};
    const glm::dvec3 points[] = {{0, 0, 0}, {3, 0, 0}, {0, 5, 0}, {0, 0, 4}, {-2, 1, 1}};
    for (int f = 0; f < frames; ++f) {
      out << "5\n" << name << '\n';
      const glm::dquat tumble = glm::angleAxis(0.3 * f, glm::dvec3(0, 0, 1));
      for (int i = 0; i < 5; ++i) {
        const glm::dvec3 p = motion(tumble * points[i]);
        out << elements[i] << ' ' << p.x << ' ' << p.y << ' ' << p.z << '\n';
      }
    }
    return file.fileName();
  }
  bool open_pair() {
    return open({write(QStringLiteral("first.xyz"), {})}) && open({write(QStringLiteral("second.xyz"), far_, 4)}) &&
           window_->controller().scene().molecules.size() == 2;
  }
  /// Where an atom is seen in its tile.
  QPoint place_in_tile(PickedAtom atom) {
    const SceneView& view = *window_->viewport().view();
    for (std::size_t i = 0; i < view.tiles.size(); ++i) {
      if (view.tiles[i].object != atom.molecule + 1) continue;
      glm::vec3 position;
      EXPECT_TRUE(window_->picture().position(atom, position));
      const QRectF room = window_->viewport().tile_rect(i);
      return (room.topLeft() + project(view.tiles[i], tile_camera(window_->viewport().camera(), view.tiles[i]),
                                       glm::dvec3(position), room.size()))
          .toPoint();
    }
    return {};
  }
  void tile() {
    window_->viewport().setFocus();
    QTest::keyClick(window_.get(), Qt::Key_T, Qt::ControlModifier);
    ASSERT_EQ(window_->controller().scene().layout, Layout::tiles);
    ASSERT_TRUE(wait_for_picture());
    ASSERT_TRUE(wait_until([&] { return window_->viewport().view()->tiles.size() == 2; }));
    ASSERT_TRUE(wait_for_picture());
  }
  const RigidMotion far_{glm::normalize(glm::dquat(0.9, 0.2, -0.3, 0.1)), {60, 20, -10}};
};

TEST_F(TilesTest, MoleculesLieBesideEachOtherAndArePicked) {
  ASSERT_TRUE(open_pair());
  const double together = window_->viewport().camera().height;
  tile();
  EXPECT_LT(window_->viewport().camera().height, together / 2) << "as large as one of them allows";
  for (std::uint32_t molecule = 0; molecule < 2; ++molecule) {
    QTest::mouseClick(&window_->viewport(), Qt::LeftButton, {}, place_in_tile({molecule, 2}));
    ASSERT_TRUE(wait_until([&] { return !window_->controller().picked().empty(); }));
    EXPECT_EQ(window_->controller().picked().back(), (PickedAtom{molecule, 2}));
    ASSERT_TRUE(wait_for_picture());
    const SceneView& view = *window_->viewport().view();
    EXPECT_EQ(view.tiles[molecule].highlights.size(), 1u);
    EXPECT_TRUE(view.tiles[1 - molecule].highlights.empty());
    // Centred on it, the atom is in the middle of its tile.
    window_->commands().centre->trigger();
    ASSERT_TRUE(wait_for_picture());
    const QPointF middle = window_->viewport().tile_rect(molecule).center();
    EXPECT_LT((place_in_tile({molecule, 2}) - middle).manhattanLength(), 4);
    window_->controller().set_picked({});
  }
  screenshot(QStringLiteral("tiles"));
  // One step of the history.
  window_->commands().undo->trigger();
  EXPECT_EQ(window_->controller().scene().layout, Layout::together);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_TRUE(window_->viewport().view()->tiles.empty());
}

TEST_F(TilesTest, MoleculesAreFittedToTheirTilesAtOnce) {
  ASSERT_TRUE(open_pair());
  const auto fitted = [this] {
    const Viewport& viewport = window_->viewport();
    const Extent extent = scene_extent(window_->controller().scene(), window_->controller().documents());
    Camera wanted = viewport.camera();
    const QSizeF room = viewport.tile_rect(0).size();
    wanted.fit(extent.balls, room.width() / room.height());
    return wanted.height;
  };
  for (const unsigned columns : {1u, 2u}) {  // low ones and narrow ones: from one shape to the other, and back
    window_->controller().edit(QStringLiteral("columns"), [&](Scene& scene) { scene.tile_columns = columns; });
    tile();
    EXPECT_NEAR(window_->viewport().camera().height / fitted(), 1, 0.02) << columns;
    for (std::uint32_t molecule = 0; molecule < 2; ++molecule)
      for (std::uint32_t atom = 0; atom < 5; ++atom)
        EXPECT_TRUE(window_->viewport().tile_rect(molecule).contains(place_in_tile({molecule, atom})))
            << columns << ' ' << molecule << ' ' << atom;
    window_->commands().tiles->trigger();
    ASSERT_TRUE(wait_for_picture());
    EXPECT_NEAR(window_->viewport().camera().height / fitted(), 1, 0.02) << "together again";
  }
}

TEST_F(TilesTest, OneDragTurnsAllAndABoxPicksInItsTile) {
  ASSERT_TRUE(open_pair());
  tile();
  Viewport& viewport = window_->viewport();
  const QRectF second = viewport.tile_rect(1);
  const Camera before = viewport.camera();
  const QPoint from = second.center().toPoint();
  QTest::mousePress(&viewport, Qt::LeftButton, {}, from);
  for (int i = 1; i <= 10; ++i) QTest::mouseMove(&viewport, from + QPoint(4 * i, 0));
  QTest::mouseRelease(&viewport, Qt::LeftButton, {}, from + QPoint(40, 0));
  EXPECT_NE(viewport.camera().rotation, before.rotation);
  EXPECT_LT(glm::distance(viewport.camera().centre, before.centre), 1e-9);
  // The trackball is that of the tile: from its middle the turn is about y alone.
  const glm::dquat turn = viewport.camera().rotation * glm::conjugate(before.rotation);
  EXPECT_NEAR(turn.x, 0, 1e-3);
  EXPECT_GT(std::abs(turn.y), 0.05);
  ASSERT_TRUE(wait_for_picture());
  const QRect box =
      QRect(place_in_tile({1, 0}), QSize(1, 1)).adjusted(-200, -200, 200, 200) & second.toRect().adjusted(3, 3, -3, -3);
  QTest::mousePress(&viewport, Qt::LeftButton, Qt::ShiftModifier, box.topLeft());
  QTest::mouseMove(&viewport, box.center());
  QTest::mouseMove(&viewport, box.bottomRight());
  QTest::mouseRelease(&viewport, Qt::LeftButton, Qt::ShiftModifier, box.bottomRight());
  ASSERT_TRUE(wait_until([&] { return window_->controller().picked().size() == 5; }));
  for (const PickedAtom& atom : window_->controller().picked()) EXPECT_EQ(atom.molecule, 1u);
}

TEST_F(TilesTest, ThePictureOnDiskIsTheOneOnTheScreen) {
  ASSERT_TRUE(open_pair());
  window_->controller().edit(QStringLiteral("name"), [](Scene& scene) { scene.measurements.push_back({{{1, 3}}}); });
  tile();
  const Image shown = shot();
  PictureOptions options;
  options.width = shown.width;
  options.height = shown.height;
  options.samples = 4;
  options.pixel_ratio = window_->viewport().devicePixelRatioF();
  const QString path = temporary(QStringLiteral("tiles.png"));
  window_->export_picture(path, options, 300);
  ASSERT_TRUE(wait_until([&] { return !window_->exporter().busy(); }));
  const Image written = to_image(QImage(path));
  ASSERT_EQ(written.rgba.size(), shown.rgba.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < written.rgba.size(); ++i)
    different += std::abs(int{written.rgba[i]} - int{shown.rgba[i]}) > 32;
  EXPECT_LT(static_cast<double>(different), 0.005 * static_cast<double>(written.rgba.size()));
}

TEST_F(TilesTest, AMoleculeIsSuperposedByKeysAndPutBack) {
  ASSERT_TRUE(open_pair());
  QTest::keyClick(window_.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  auto* dialog = window_->findChild<SuperposeDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->moving_box()->currentIndex(), 1);
  EXPECT_EQ(dialog->fixed_box()->currentIndex(), 0);
  EXPECT_EQ(dialog->moving_atoms()->text(), QStringLiteral("all"));
  EXPECT_FALSE(dialog->back_button()->isEnabled());
  for (const QWidget* widget :
       {static_cast<QWidget*>(dialog->moving_box()), static_cast<QWidget*>(dialog->matching_box()),
        static_cast<QWidget*>(dialog->cutoff_box()), static_cast<QWidget*>(dialog->plot()),
        static_cast<QWidget*>(dialog->superpose_button())}) {
    EXPECT_FALSE(widget->accessibleName().isEmpty());
    EXPECT_FALSE(widget->toolTip().isEmpty()) << widget->accessibleName().toStdString();
    EXPECT_NE(widget->focusPolicy() & Qt::TabFocus, 0) << widget->accessibleName().toStdString();
  }
  QTest::keyClick(dialog->superpose_button(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  ASSERT_TRUE(dialog->result().has_value()) << dialog->message()->text().toStdString();
  EXPECT_EQ(dialog->result()->pairs, 5u);
  EXPECT_LT(dialog->result()->rmsd, 1e-5);
  EXPECT_TRUE(dialog->message()->text().startsWith(
      QStringLiteral("5 of 5 pairs by residues (100 % identical, 100 % of the smaller molecule), RMSD 0.000")))
      << dialog->message()->text().toStdString();
  ASSERT_TRUE(wait_for_picture());
  for (std::uint32_t i = 0; i < 5; ++i) {
    glm::vec3 a, b;
    ASSERT_TRUE(window_->picture().position({0, i}, a));
    ASSERT_TRUE(window_->picture().position({1, i}, b));
    EXPECT_LT(glm::distance(a, b), 1e-4f) << i;
  }
  // The plot picks a residue's atom, and shows the picked one.
  Q_EMIT dialog->plot()->x_clicked(0);
  EXPECT_EQ(window_->controller().picked(), (std::vector<PickedAtom>{{0, 0}}));
  EXPECT_EQ(dialog->plot()->cursor(), 0.0);
  const QString folder = qEnvironmentVariable("ISOLUME_SCREENSHOTS");
  if (!folder.isEmpty()) dialog->grab().save(folder + QStringLiteral("/superpose_small.png"));

  window_->commands().undo->trigger();
  EXPECT_EQ(window_->controller().scene().molecules[1].placement, Placement());
  window_->commands().redo->trigger();
  EXPECT_FALSE(window_->controller().scene().molecules[1].placement.motion.none());
  QTest::keyClick(dialog->back_button(), Qt::Key_Space);
  EXPECT_EQ(window_->controller().scene().molecules[1].placement, Placement());
  dialog->moving_atoms()->line()->setText(QStringLiteral("name X"));
  QTest::keyClick(dialog->superpose_button(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("match"))) << dialog->message()->text().toStdString();
}

TEST_F(TilesTest, ASuperpositionIsDroppedWhereTheSceneChangedMeanwhile) {
  ASSERT_TRUE(open_pair());
  ASSERT_TRUE(open({write(QStringLiteral("third.xyz"), far_)}));
  QTest::keyClick(window_.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  auto* dialog = window_->findChild<SuperposeDialog*>();
  ASSERT_NE(dialog, nullptr);
  QTest::keyClick(dialog->superpose_button(), Qt::Key_Space);
  ASSERT_TRUE(dialog->running());
  // The second molecule becomes the first, the third the second: none of them is what moves.
  window_->controller().edit(QStringLiteral("remove"), [](Scene& scene) { remove_molecule(scene, 0); });
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  for (const SceneMolecule& molecule : window_->controller().scene().molecules)
    EXPECT_EQ(molecule.placement, Placement()) << molecule.paths.front();
  EXPECT_FALSE(dialog->result().has_value());
  EXPECT_TRUE(dialog->message()->text().contains(QStringLiteral("changed"))) << dialog->message()->text().toStdString();
}

TEST_F(TilesTest, AResultGoesWithItsMoleculesAndFramesEndWithTheTrajectory) {
  ASSERT_TRUE(open({write(QStringLiteral("first.xyz"), {}, 4)}));
  ASSERT_TRUE(open({write(QStringLiteral("second.xyz"), far_, 2)}));
  window_->controller().touch([](Scene& scene) { scene.frame = 3; });
  ASSERT_TRUE(wait_for_picture());
  QTest::keyClick(window_.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  auto* dialog = window_->findChild<SuperposeDialog*>();
  ASSERT_NE(dialog, nullptr);
  const auto placement = [this] { return window_->controller().scene().molecules[1].placement; };
  dialog->frames_box()->setChecked(true);
  QTest::keyClick(dialog->superpose_button(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  ASSERT_TRUE(dialog->result().has_value()) << dialog->message()->text().toStdString();
  EXPECT_EQ(placement().steady, "all");
  EXPECT_EQ(placement().steady_frame, 1u) << "its last frame: it has two";
  // Onto itself frames alone move: the box is ticked, and as it was before once another is chosen.
  dialog->fixed_box()->setCurrentIndex(1);
  EXPECT_FALSE(dialog->result().has_value());
  EXPECT_TRUE(dialog->message()->text().isEmpty());
  EXPECT_TRUE(dialog->plot()->curves().empty());
  EXPECT_TRUE(dialog->frames_box()->isChecked());
  dialog->moving_box()->setCurrentIndex(0);
  EXPECT_FALSE(dialog->frames_box()->isChecked()) << "that one's frames are as its file has them";
  dialog->moving_box()->setCurrentIndex(1);
  dialog->fixed_box()->setCurrentIndex(0);
  EXPECT_TRUE(dialog->frames_box()->isChecked());
  dialog->frames_box()->setChecked(false);
  QTest::keyClick(dialog->superpose_button(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_EQ(placement().steady, "") << "not ticked any more";
  EXPECT_FALSE(placement().motion.none());
}

TEST_F(TilesTest, FramesAreSuperposedOnTheOneThatIsShown) {
  ASSERT_TRUE(open_pair());
  window_->molecules().list()->setCurrentIndex(window_->molecules().list()->model()->index(1, 0));
  QTest::keyClick(window_->molecules().superpose_button(), Qt::Key_Space);
  auto* dialog = window_->findChild<SuperposeDialog*>();
  ASSERT_NE(dialog, nullptr);
  dialog->fixed_box()->setCurrentIndex(1);
  EXPECT_TRUE(dialog->frames_box()->isChecked());
  EXPECT_FALSE(dialog->fixed_atoms()->isEnabled());
  QTest::keyClick(dialog->superpose_button(), Qt::Key_Space);
  ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
  EXPECT_EQ(window_->controller().scene().molecules[1].placement.steady, "all");
  ASSERT_TRUE(wait_for_picture());
  glm::vec3 first, last;
  ASSERT_TRUE(window_->picture().position({1, 1}, first));
  window_->controller().touch([](Scene& scene) { scene.frame = 3; });
  ASSERT_TRUE(wait_for_picture());
  ASSERT_TRUE(window_->picture().position({1, 1}, last));
  EXPECT_LT(glm::distance(first, last), 1e-4f) << "it tumbles in the file";
}

TEST_F(TilesTest, ColoursAreSeenAsByOtherEyesInThePictureAlone) {
  ASSERT_TRUE(open_pair());
  const Image plain = shot();
  const Scene before = window_->controller().scene();
  window_->commands().visions[4]->trigger();
  ASSERT_TRUE(wait_until([&] { return window_->viewport().at_rest(); }));
  const Image grey = shot();
  ASSERT_EQ(grey.rgba.size(), plain.rgba.size());
  EXPECT_NE(grey.rgba, plain.rgba);
  int coloured = 0, coloured_before = 0;
  for (std::size_t i = 0; i + 3 < grey.rgba.size(); i += 4) {
    coloured += std::abs(int{grey.rgba[i]} - int{grey.rgba[i + 2]}) > 2;
    coloured_before += std::abs(int{plain.rgba[i]} - int{plain.rgba[i + 2]}) > 2;
  }
  EXPECT_EQ(coloured, 0);
  EXPECT_GT(coloured_before, 100);
  EXPECT_TRUE(window_->controller().scene() == before) << "a preview changes no scene";
  window_->commands().visions[0]->trigger();
  ASSERT_TRUE(wait_until([&] { return window_->viewport().at_rest(); }));
  EXPECT_EQ(shot().rgba, plain.rgba);
}

TEST_F(TilesTest, PicturesForTheEye) {
  if (qEnvironmentVariableIsEmpty("ISOLUME_SCREENSHOTS")) GTEST_SKIP() << "set ISOLUME_SCREENSHOTS to a folder";
  const QString folder = qEnvironmentVariable("ISOLUME_SCREENSHOTS");
  window_->resize(1280, 820);
  ASSERT_TRUE(open({QString::fromStdString(shared_data("structures/adk_open.pdb"))}));
  ASSERT_TRUE(open({QString::fromStdString(shared_data("trajectories/adk/adk.psf.gz")),
                    QString::fromStdString(shared_data("trajectories/adk/adk_dims.dcd"))}));
  for (const Theme theme : {Theme::light, Theme::dark}) {
    apply_theme(theme);
    const QString tag = name(theme);
    window_->commands().superpose->trigger();
    auto* dialog = window_->findChild<SuperposeDialog*>();
    ASSERT_NE(dialog, nullptr);
    QTest::keyClick(dialog->superpose_button(), Qt::Key_Space);
    ASSERT_TRUE(wait_until([&] { return !dialog->running(); }));
    ASSERT_TRUE(wait_for_picture());
    EXPECT_TRUE(dialog->grab().save(QStringLiteral("%1/superpose-dialog-%2.png").arg(folder, tag)));
    dialog->close();
    screenshot(QStringLiteral("superposed-") + tag);
    tile();
    screenshot(QStringLiteral("tiles-") + tag);
    window_->commands().tiles->trigger();
    ASSERT_TRUE(wait_for_picture());
  }
  apply_theme(Theme::light);
}

}  // namespace
}  // namespace isolume::test
