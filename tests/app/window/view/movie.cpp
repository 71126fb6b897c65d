// The panel Movie: key frames from the view, moved, played and exported.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <set>

#include "app/scene/movie.h"
#include "app/window/dialogs/film_dialog.h"
#include "app/window/movie/key_line.h"
#include "app/window/movie/movie_panel.h"
#include "app/window/shell/panels.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {
namespace {

class MoviePanelTest : public WindowTest {
 protected:
  MoviePanel& panel() { return window_->panels().get<MoviePanel>(); }
  const Scene& scene() { return window_->controller().scene(); }
  void trigger(const char* name) {
    QAction* action = window_->commands().find(QLatin1String(name));
    ASSERT_NE(action, nullptr) << name;
    ASSERT_TRUE(action->isEnabled()) << name;
    action->trigger();
  }
  /// Three key frames, at 0, 2 and 4 s: turned, and then at frame 6 without the first representation.
  void make_keys() {
    ASSERT_TRUE(open({write_breathing_xyz(8)}));
    trigger("key_add");
    window_->controller().touch([](Scene& s) { s.camera.turn({0, 1, 0}, 90); });
    trigger("key_add");
    window_->controller().touch([](Scene& s) { s.frame = 6; });
    window_->controller().edit(QStringLiteral("Hide"), [](Scene& s) { s.representations[0].visible = false; });
    trigger("key_add");
    ASSERT_EQ(scene().keys.size(), 3u);
  }
};

TEST_F(MoviePanelTest, KeyFramesAreAddedShownAndUndone) {
  ASSERT_NO_FATAL_FAILURE(make_keys());
  EXPECT_EQ(scene().keys[2].time, 4);
  EXPECT_EQ(scene().keys[2].frame, 6u);
  EXPECT_FALSE(scene().keys[2].representations[0].visible);
  EXPECT_TRUE(panel().isVisible()) << "it opens with the first key frame";
  EXPECT_EQ(panel().summary()->text(), QStringLiteral("Key frame 3 of 3; 4.0 s"));
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("movie"));

  // The scene at a time of the movie, and the one of before when that is undone.
  panel().go(1);
  EXPECT_EQ(scene().camera, scene_at(scene(), 1).camera);
  EXPECT_TRUE(scene().representations[0].visible);
  EXPECT_EQ(scene().frame, 0u);
  trigger("key_previous");
  EXPECT_EQ(panel().line()->time(), 0);
  trigger("key_next");
  EXPECT_EQ(panel().line()->time(), 2);
  trigger("key_remove");
  EXPECT_EQ(scene().keys.size(), 2u);
  trigger("undo");
  EXPECT_EQ(scene().keys.size(), 3u);
  EXPECT_FALSE(scene().representations[0].visible) << "as it was before the time was shown";

  // On a key frame the update replaces it, with the camera that is shown, and the undo gives its own back.
  panel().go(2);
  const Camera before = scene().keys[1].camera;
  panel().easing_box()->setCurrentIndex(4);
  Q_EMIT panel().easing_box()->activated(4);
  EXPECT_EQ(scene().keys[1].easing, Easing::hold);
  window_->controller().touch([](Scene& s) { s.camera.height = 3; });
  trigger("key_update");
  EXPECT_EQ(scene().keys[1].camera.height, 3);
  EXPECT_EQ(scene().keys[1].easing, Easing::hold);
  trigger("undo");
  EXPECT_EQ(scene().keys[1].camera, before);
}

TEST_F(MoviePanelTest, MarksAreDraggedAndMovedByKeys) {
  ASSERT_NO_FATAL_FAILURE(make_keys());
  KeyLine* line = panel().line();
  const auto at = [line](double seconds) { return QPoint(qRound(line->place(seconds)), line->height() / 2); };
  QTest::mouseClick(line, Qt::LeftButton, {}, at(2));
  EXPECT_EQ(line->current(), 1u);
  QTest::mousePress(line, Qt::LeftButton, {}, at(2));
  QTest::mouseMove(line, at(2.5));
  QTest::mouseMove(line, at(3));
  QTest::mouseRelease(line, Qt::LeftButton, {}, at(3));
  EXPECT_NEAR(scene().keys[1].time, 3, 0.05);
  EXPECT_EQ(line->current(), 1u);
  const double dragged = scene().keys[1].time;
  line->setFocus();
  QTest::keyClick(line, Qt::Key_Right, Qt::ShiftModifier);
  EXPECT_NEAR(scene().keys[1].time, dragged + 0.1, 1e-9);
  trigger("undo");
  EXPECT_EQ(scene().keys[1].time, 2) << "a drag is one step";
  QTest::keyClick(line, Qt::Key_Home);
  EXPECT_EQ(line->time(), 0);
  QTest::keyClick(line, Qt::Key_Right);
  EXPECT_EQ(line->current(), 1u);
  QTest::keyClick(line, Qt::Key_Delete);
  EXPECT_EQ(scene().keys.size(), 2u);
  // Past a neighbour the key frame changes its place in the list.
  panel().time_box()->setValue(0);
  QTest::keyClick(line, Qt::Key_End);
  EXPECT_EQ(line->current(), 1u);
  // Elsewhere a click shows that time, and a double click adds a key frame there.
  QTest::mouseClick(line, Qt::LeftButton, {}, at(1));
  EXPECT_NEAR(line->time(), 1, 0.05);
  EXPECT_TRUE(window_->controller().previewing());
  QTest::mouseDClick(line, Qt::LeftButton, {}, at(1));
  ASSERT_EQ(scene().keys.size(), 3u);
  EXPECT_NEAR(scene().keys[1].time, 1, 0.05);
}

TEST_F(MoviePanelTest, PlayingShowsTheMovieAndComesBack) {
  ASSERT_NO_FATAL_FAILURE(make_keys());
  window_->controller().edit(QStringLiteral("Shorten"), [](Scene& s) {
    s.keys[1].time = 0.2;
    s.keys[2].time = 0.4;
  });
  ASSERT_TRUE(wait_for_picture());
  const Scene before = scene();
  bool saved_before = window_->controller().modified();
  std::set<std::size_t> frames;
  QObject::connect(&window_->controller(), &SceneController::scene_changed, &panel(),
                   [&](const Scene& s) { frames.insert(s.frame); });
  panel().go(0);
  window_->controller().end_preview();
  trigger("movie_play");
  EXPECT_TRUE(panel().playing());
  ASSERT_TRUE(wait_until([&] { return !panel().playing(); }));
  EXPECT_EQ(scene(), before);
  EXPECT_GT(frames.size(), 1u);
  EXPECT_EQ(window_->controller().modified(), saved_before);

  // Esc stops it; an edit goes on from what is shown.
  trigger("movie_play");
  trigger("cancel");
  EXPECT_FALSE(panel().playing());
  EXPECT_EQ(scene(), before);
  panel().go(0);
  EXPECT_TRUE(scene().representations[0].visible);
  window_->controller().edit(QStringLiteral("Colour"), [](Scene& s) { s.representations[0].opacity = 0.5f; });
  EXPECT_FALSE(window_->controller().previewing());
  EXPECT_TRUE(scene().representations[0].visible);
  trigger("undo");
  EXPECT_FALSE(scene().representations[0].visible);
}

TEST_F(MoviePanelTest, TheConsoleAddsKeyFramesAndTheDialogExportsThem) {
  ASSERT_TRUE(open({write_breathing_xyz(8)}));
  window_->run_command(QStringLiteral("key 0 linear"));
  window_->run_command(QStringLiteral("key 1.5"));
  ASSERT_EQ(scene().keys.size(), 2u);
  EXPECT_EQ(scene().keys[0].easing, Easing::linear);
  EXPECT_EQ(scene().keys[1].easing, Easing::ease);
  window_->run_command(QStringLiteral("key soon"));
  window_->run_command(QStringLiteral("key 3 fast"));
  EXPECT_EQ(scene().keys.size(), 2u);

  window_->commands().export_film->trigger();
  auto* dialog = window_->findChild<FilmDialog*>(QStringLiteral("film"));
  ASSERT_NE(dialog, nullptr);
  EXPECT_TRUE(dialog->keys_box()->isChecked());
  dialog->rate_box()->setValue(20);
  EXPECT_EQ(dialog->options().pictures().size(), 31u);
  EXPECT_TRUE(dialog->options().keys);
  EXPECT_FALSE(dialog->first_box()->isEnabled());
  const Scene before = scene();
  dialog->preview_button()->click();
  EXPECT_TRUE(window_->controller().previewing());
  ASSERT_TRUE(wait_until([&] { return !dialog->previewing(); }));
  EXPECT_EQ(scene(), before);
  dialog->keys_box()->setChecked(false);
  EXPECT_EQ(dialog->options().pictures().size(), 8u);
  EXPECT_TRUE(dialog->first_box()->isEnabled());
  dialog->close();
  window_->run_command(QStringLiteral("key off"));
  EXPECT_TRUE(scene().keys.empty());
}

}  // namespace
}  // namespace isolume::test
