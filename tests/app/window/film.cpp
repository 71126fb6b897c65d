// The dialog of films: what is in one, and its preview.
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <set>

#include "app/window/dialogs/film_dialog.h"
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
  EXPECT_EQ(proposed.count(), 12u);
  EXPECT_EQ(proposed.size.width() % 2, 0);
  EXPECT_EQ(proposed.size.height() % 2, 0);
  EXPECT_EQ(proposed.frames_per_second, window_->controller().scene().playback.frames_per_second);
  QList<QWidget*> inputs;
  for (QAbstractSpinBox* box : dialog->findChildren<QAbstractSpinBox*>()) inputs.append(box);
  for (QPushButton* button : dialog->findChildren<QPushButton*>()) inputs.append(button);
  EXPECT_EQ(inputs.size(), 9);
  for (const QWidget* widget : inputs) {
    EXPECT_NE(widget->focusPolicy() & Qt::TabFocus, 0) << widget->accessibleName().toStdString();
    EXPECT_FALSE(widget->accessibleName().isEmpty()) << widget->metaObject()->className();
    EXPECT_FALSE(widget->toolTip().isEmpty()) << widget->accessibleName().toStdString();
  }
  dialog->first_box()->setValue(1);
  dialog->last_box()->setValue(10);
  dialog->step_box()->setValue(3);
  dialog->rate_box()->setValue(40);
  EXPECT_EQ(dialog->options().count(), 4u) << "frames 1, 4, 7 and 10";
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

}  // namespace
}  // namespace isolume::test
