// The dialog of films: what is in one, and its preview.
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "app/window/dialogs/film_dialog.h"
#include "app/window/shell/message_bar.h"
#include "app/window/shell/program_runner.h"
#include "fixture.h"

namespace isolume::test {
namespace {

TEST_F(WindowTest, AFilmIsPreviewedAndChosen) {
  ASSERT_TRUE(open({write_breathing_xyz(12)}));
  window_->controller().touch([](Scene& scene) { scene.frame = 5; });
  ASSERT_TRUE(wait_for_picture());
  window_->commands().export_film->trigger();
  auto* dialog = window_->findChild<FilmDialog*>(QStringLiteral("film"));
  ASSERT_NE(dialog, nullptr);
  const FilmOptions proposed = dialog->options();
  EXPECT_EQ(proposed.pictures().size(), 12u);
  EXPECT_EQ(proposed.size.width() % 2, 0);
  EXPECT_EQ(proposed.size.height() % 2, 0);
  EXPECT_EQ(proposed.frames_per_second, window_->controller().scene().playback.frames_per_second);
  QList<QWidget*> inputs;
  for (QAbstractSpinBox* box : dialog->findChildren<QAbstractSpinBox*>()) inputs.append(box);
  for (QPushButton* button : dialog->findChildren<QPushButton*>()) inputs.append(button);
  for (QComboBox* box : dialog->findChildren<QComboBox*>()) inputs.append(box);
  EXPECT_EQ(inputs.size(), 14);
  for (const QWidget* widget : inputs) {
    EXPECT_NE(widget->focusPolicy() & Qt::TabFocus, 0) << widget->accessibleName().toStdString();
    EXPECT_FALSE(widget->accessibleName().isEmpty()) << widget->metaObject()->className();
    EXPECT_FALSE(widget->toolTip().isEmpty()) << widget->accessibleName().toStdString();
  }
  dialog->first_box()->setValue(1);
  dialog->last_box()->setValue(10);
  dialog->step_box()->setValue(3);
  dialog->rate_box()->setValue(40);
  EXPECT_EQ(dialog->options().frames(), (std::vector<std::size_t>{1, 4, 7, 10}));
  EXPECT_TRUE(dialog->summary()->text().startsWith(QStringLiteral("4 frames, 0.1 s")))
      << dialog->summary()->text().toStdString();

  const QString folder = qEnvironmentVariable("ISOLUME_SCREENSHOTS");
  if (!folder.isEmpty()) {
    EXPECT_TRUE(dialog->grab().save(folder + QStringLiteral("/dialog-film.png")));
  }
  std::set<std::size_t> seen;
  QObject::connect(&window_->controller(), &SceneController::scene_changed, dialog,
                   [&](const Scene& scene) { seen.insert(scene.frame); });
  QTest::keyClick(dialog->preview_button(), Qt::Key_Space);
  EXPECT_TRUE(dialog->previewing());
  ASSERT_TRUE(wait_until([&] { return !dialog->previewing(); }));
  EXPECT_EQ(seen, (std::set<std::size_t>{1, 4, 5, 7, 10})) << "its frames, and the one before it again";
  EXPECT_EQ(window_->controller().scene().frame, 5u);

  // Closed in the middle of a preview, the frame comes back too.
  dialog->rate_box()->setValue(1);
  QTest::keyClick(dialog->preview_button(), Qt::Key_Space);
  EXPECT_EQ(window_->controller().scene().frame, 1u);
  QSignalSpy chosen(dialog, &FilmDialog::chosen);
  dialog->close();
  EXPECT_EQ(window_->controller().scene().frame, 5u);
  EXPECT_EQ(chosen.size(), 0);
}

TEST_F(WindowTest, AFilmThatEndsBeforeItBeginsCannotBeExported) {
  ASSERT_TRUE(open({write_breathing_xyz(4)}));
  FilmDialog* dialog = new FilmDialog(window_->controller(), {641, 361}, window_.get());
  EXPECT_EQ(dialog->options().size, QSize(640, 360));
  dialog->first_box()->setValue(3);
  dialog->last_box()->setValue(1);
  EXPECT_FALSE(dialog->export_button()->isEnabled());
  EXPECT_FALSE(dialog->preview_button()->isEnabled());
  dialog->last_box()->setValue(3);
  EXPECT_TRUE(dialog->export_button()->isEnabled());
  EXPECT_FALSE(dialog->preview_button()->isEnabled()) << "one picture is no film";
  QSignalSpy chosen(dialog, &FilmDialog::chosen);
  dialog->export_button()->click();
  EXPECT_EQ(chosen.size(), 1);
}

TEST_F(WindowTest, OneStructureTurnsInAFilm) {
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  EXPECT_TRUE(window_->commands().export_film->isEnabled());
  window_->commands().export_film->trigger();
  auto* dialog = window_->findChild<FilmDialog*>(QStringLiteral("film"));
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->options().motion.kind, CameraMotion::Kind::turntable);
  EXPECT_FALSE(dialog->first_box()->isEnabled()) << "there is one frame";
  dialog->rate_box()->setValue(10);
  dialog->seconds_box()->setValue(0.8);
  EXPECT_EQ(dialog->options().pictures().size(), 8u);
  dialog->motion_box()->setCurrentIndex(0);
  EXPECT_FALSE(dialog->export_button()->isEnabled()) << "one still picture is no film";
  dialog->motion_box()->setCurrentIndex(2);
  dialog->angle_box()->setValue(45);
  dialog->direction_box()->setCurrentIndex(1);
  EXPECT_EQ(dialog->options().motion, (CameraMotion{CameraMotion::Kind::rock, 45, true, 0.8}));
  EXPECT_TRUE(dialog->export_button()->isEnabled());

  // Other formats; viewers do not show a GIF faster than 50 pictures a second.
  EXPECT_EQ(dialog->options().format, QStringLiteral("mp4"));
  dialog->format_box()->setCurrentIndex(2);
  EXPECT_EQ(dialog->options().format, QStringLiteral("gif"));
  const double rate = dialog->rate_box()->value();
  dialog->rate_box()->setValue(60);
  EXPECT_FALSE(dialog->export_button()->isEnabled());
  dialog->rate_box()->setValue(rate);
  EXPECT_TRUE(dialog->export_button()->isEnabled());
  // The preview moves the camera alone, and gives it back; neither is a step of the history.
  const Camera before = window_->controller().scene().camera;
  const bool could_undo = window_->commands().undo->isEnabled();
  double farthest = 0;
  QObject::connect(&window_->controller(), &SceneController::scene_changed, dialog, [&](const Scene& scene) {
    const double half = std::min(1.0, std::abs(glm::dot(before.rotation, scene.camera.rotation)));
    farthest = std::max(farthest, glm::degrees(2 * std::acos(half)));
  });
  dialog->preview_button()->click();
  ASSERT_TRUE(wait_until([&] { return !dialog->previewing(); }));
  EXPECT_NEAR(farthest, 45, 1e-6);
  EXPECT_EQ(window_->controller().scene().camera, before);
  EXPECT_EQ(window_->commands().undo->isEnabled(), could_undo);
}

TEST_F(WindowTest, NothingIsLeftOfAFilmWhoseWindowIsClosed) {
  if (QStandardPaths::findExecutable(QStringLiteral("ffmpeg")).isEmpty()) GTEST_SKIP() << "ffmpeg is not installed";
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("turn.mp4"));
  FilmOptions film;
  film.motion = {CameraMotion::Kind::turntable, 30, false, 600};
  window_->programs().export_film(path, film);
  const QDir made(folder.path());
  const auto pictures = [&] {
    return QDir(path + QStringLiteral(".pictures")).entryList({QStringLiteral("*.png")}, QDir::Files).size();
  };
  ASSERT_TRUE(wait_until([&] { return pictures() > 1; }));
  EXPECT_FALSE(made.entryList({QStringLiteral("*.part-*")}).isEmpty()) << "the film that is being written";
  window_->programs().end();
  EXPECT_EQ(made.entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
}

TEST_F(WindowTest, AFilmThatIsStoppedCanBeContinued) {
  if (QStandardPaths::findExecutable(QStringLiteral("ffmpeg")).isEmpty()) GTEST_SKIP() << "ffmpeg is not installed";
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("turn.mp4"));
  FilmOptions film;
  film.motion = {CameraMotion::Kind::turntable, 30, false, 600};
  window_->programs().export_film(path, film);
  const auto pictures = [&] {
    return QDir(path + QStringLiteral(".pictures")).entryList({QStringLiteral("*.png")}, QDir::Files).size();
  };
  ASSERT_TRUE(wait_until([&] { return pictures() > 1; }));
  window_->programs().stop();
  ASSERT_TRUE(wait_until([&] { return !window_->messages().message().isEmpty(); }));
  EXPECT_TRUE(window_->messages().message().startsWith(QStringLiteral("Movie stopped")))
      << window_->messages().message().toStdString();
  EXPECT_GT(pictures(), 1) << "what is drawn is kept";
}

TEST_F(WindowTest, AFilmTellsHowMuchOfItIsDrawn) {
  if (QStandardPaths::findExecutable(QStringLiteral("ffmpeg")).isEmpty()) GTEST_SKIP() << "ffmpeg is not installed";
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  QTemporaryDir folder;
  FilmOptions film;
  film.size = {64, 48};
  film.motion = {CameraMotion::Kind::turntable, 30, false, 10};
  window_->programs().export_film(folder.filePath(QStringLiteral("turn.mp4")), film);
  ASSERT_EQ(window_->tasks().running(), 1);
  const auto* bar = window_->tasks().findChild<QProgressBar*>();
  ASSERT_NE(bar, nullptr);
  EXPECT_EQ(bar->maximum(), 0) << "nothing is known yet";
  ASSERT_TRUE(wait_until([&] { return bar->maximum() > 0 && bar->value() > 0; }));
  EXPECT_LE(bar->value(), bar->maximum());
  EXPECT_FALSE(window_->console().text().contains(QStringLiteral("progress:"))) << "the bar says it";
  window_->programs().end();
}

}  // namespace
}  // namespace isolume::test
