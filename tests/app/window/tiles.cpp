// Several molecules in tiles of the window.
#include <QTest>

#include "app/view/scene_extent.h"
#include "app/window/dialogs/superpose_dialog.h"
#include "app/window/panels/molecule_panel.h"
#include "app/window/viewport/label_painter.h"
#include "app/window/widgets/theme.h"
#include "fixture.h"
#include "tests/app/window/tiles_test.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

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
