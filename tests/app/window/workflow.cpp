// The main path through the window, by mouse and keyboard.
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include "app/scene/scene_json.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/trajectory_panel.h"
#include "app/window/shell/message_bar.h"
#include "app/window/widgets/value_slider.h"
#include "fixture.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

// Two pictures of one scene: only the software rasteriser's own rounding may differ.
void expect_same(const Image& a, const Image& b) {
  ASSERT_EQ(a.width, b.width);
  ASSERT_EQ(a.height, b.height);
  const ImageDifference difference = compare(a, b);
  EXPECT_LT(difference.mean, 0.0005);
  EXPECT_LT(difference.dissimilarity, 0.001);
}

void expect_different(const Image& a, const Image& b) {
  EXPECT_GT(compare(a, b).mean, 0.001);
}

TEST_F(WindowTest, OpenSurfacePlayPickUndoSaveReopenSamePicture) {
  constexpr int frames = 12;
  ASSERT_TRUE(open({write_breathing_xyz(frames)}));
  const SceneController& controller = window_->controller();
  EXPECT_EQ(controller.frame_count(), static_cast<std::size_t>(frames));
  const Image opened = shot();
  screenshot(QStringLiteral("opened"));

  // A surface, by its key.
  QTest::keyClick(&window_->viewport(), Qt::Key_D, Qt::ControlModifier);
  ASSERT_EQ(controller.scene().fields.size(), 1u);
  EXPECT_EQ(controller.scene().fields[0].kind, Field::Kind::gaussian);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_FALSE(window_->fields().results()[0].items.empty());
  const Image surface = shot();
  expect_different(opened, surface);

  // Frames play: the clock goes on, and every frame gets its own surface.
  QSignalSpy finished(&window_->fields(), &LiveFields::field_finished);
  QTest::mouseClick(window_->trajectory().play_button(), Qt::LeftButton);
  EXPECT_TRUE(window_->player().playing());
  ASSERT_TRUE(wait_until([&] { return finished.count() >= 3; }));
  QTest::mouseClick(window_->trajectory().play_button(), Qt::LeftButton);
  EXPECT_FALSE(window_->player().playing());
  ASSERT_TRUE(wait_for_picture());
  window_->player().step(-1000000);
  QTest::keyClick(&window_->viewport(), Qt::Key_Right);
  QTest::keyClick(&window_->viewport(), Qt::Key_Right);
  EXPECT_EQ(controller.scene().frame, 2u);
  ASSERT_TRUE(wait_for_picture());

  // Without the surface atoms can be picked: hide it, pick the oxygen.
  window_->controller().edit(QStringLiteral("Hide surface or map"),
                             [](Scene& scene) { scene.fields[0].visible = false; });
  ASSERT_TRUE(wait_for_picture());
  shot();
  QTest::mouseClick(&window_->viewport(), Qt::LeftButton, {}, place_of({0, 2}));
  ASSERT_TRUE(wait_until([&] { return controller.picked().size() == 1; })) << "a click is answered at once";
  EXPECT_EQ(controller.picked()[0], (PickedAtom{0, 2}));
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(window_->viewport().view()->highlights.size(), 1u);
  QTest::keyClick(&window_->viewport(), Qt::Key_Escape);
  EXPECT_TRUE(controller.picked().empty());

  // Undo brings the surface back, redo and undo again.
  EXPECT_EQ(controller.undo_text(), QStringLiteral("Hide surface or map"));
  QTest::keyClick(&window_->viewport(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(controller.scene().fields[0].visible);
  QTest::keyClick(&window_->viewport(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_FALSE(controller.scene().fields[0].visible);
  QTest::keyClick(&window_->viewport(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(controller.scene().fields[0].visible);
  EXPECT_EQ(controller.scene().frame, 2u) << "undo keeps the frame";
  ASSERT_TRUE(wait_for_picture());
  const Image before = shot();
  screenshot(QStringLiteral("surface"));

  // Saved, emptied, reopened: the same scene and the same picture.
  const Scene scene = controller.scene();
  const QString session = temporary(QStringLiteral("saved.isolume"));
  QSignalSpy saved(&window_->loader(), &FileLoader::session_saved);
  window_->save_session(session);
  ASSERT_TRUE(saved.wait(10000));
  EXPECT_FALSE(window_->isWindowModified());
  QTest::keyClick(window_.get(), Qt::Key_W, Qt::ControlModifier);
  EXPECT_TRUE(controller.scene().molecules.empty());
  ASSERT_TRUE(open({session}));
  EXPECT_EQ(controller.scene(), scene);
  expect_same(before, shot());
}

TEST_F(WindowTest, AFileThatGrowsIsFollowed) {
  const QString path = write_breathing_xyz(4);
  ASSERT_TRUE(open({path}));
  window_->commands().watch->trigger();
  ASSERT_TRUE(window_->watch().enabled());
  window_->player().step(1000000);
  ASSERT_EQ(window_->controller().scene().frame, 3u);
  write_breathing_xyz(7);
  ASSERT_TRUE(wait_until([&] { return window_->controller().frame_count() == 7; }));
  // The molecule is replaced by the thread that reads it, the frame changes after it.
  EXPECT_TRUE(wait_until([&] { return window_->controller().scene().frame == 6u; })) << "the last frame stays the last";
  ASSERT_TRUE(wait_for_picture());
  // A broken file changes nothing.
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("3\nbroken\nC 0 0\n");
  file.close();
  QSignalSpy failed(&window_->watch(), &FileWatch::failed);
  ASSERT_TRUE(failed.count() > 0 || failed.wait(20000));
  EXPECT_EQ(window_->controller().frame_count(), 7u);
}

TEST_F(WindowTest, AFileThatIsWrittenWithoutAPauseIsFollowed) {
  // As a run of dynamics writes its trajectory: sooner than the file would be left alone.
  ASSERT_TRUE(open({write_breathing_xyz(4)}));
  window_->commands().watch->trigger();
  window_->player().step(1000000);
  int written = 4;
  QTimer run;
  QObject::connect(&run, &QTimer::timeout, [&] { write_breathing_xyz(++written); });
  run.start(100);
  const SceneController& controller = window_->controller();
  ASSERT_TRUE(wait_until([&] { return controller.frame_count() > 8; })) << written << " frames written";
  run.stop();
  EXPECT_TRUE(wait_until([&] { return controller.scene().frame + 1 == controller.frame_count(); }))
      << "the last frame stays the last";
}

TEST_F(WindowTest, AFileThatIsNotOneLeavesTheSceneAndSaysWhere) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  const Scene scene = window_->controller().scene();
  const QString path = temporary(QStringLiteral("broken.xyz"));
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("3\nthree atoms said, two there\nC 0 0 0\nC 1 0 0\n");
  file.close();
  QSignalSpy failed(&window_->loader(), &FileLoader::failed);
  window_->open_files({path});
  ASSERT_TRUE(failed.wait(10000));
  EXPECT_EQ(window_->controller().scene(), scene);
  EXPECT_TRUE(window_->messages().isVisible());
  EXPECT_TRUE(window_->messages().message().contains(QStringLiteral("broken.xyz:"))) << "names file and line";
  EXPECT_EQ(QApplication::activeModalWidget(), nullptr) << "a message blocks nothing";
  EXPECT_EQ(window_->controller().frame_count(), 2u);
  screenshot(QStringLiteral("message"));
}

TEST_F(WindowTest, OrbitalsAreShownByClickAndFollowTheSlider) {
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  const SceneController& controller = window_->controller();
  ASSERT_EQ(controller.scene().fields.size(), 1u) << "HOMO is shown at once";
  EXPECT_EQ(controller.scene().fields[0].orbital, "homo");
  ASSERT_TRUE(wait_for_picture());
  const Image homo = shot();

  // The slider of the isovalue: steps by the keyboard, one undo step for all.
  ValueSlider* isovalue = window_->field_panel().isovalue();
  const double first = isovalue->value();
  QTest::keyClick(isovalue->slider(), Qt::Key_PageUp);
  QTest::keyClick(isovalue->slider(), Qt::Key_PageUp);
  EXPECT_GT(controller.scene().fields[0].isovalue, first);
  ASSERT_TRUE(wait_for_picture());
  expect_different(homo, shot());
  QTest::keyClick(&window_->viewport(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(controller.scene().fields[0].isovalue, 0);
  ASSERT_TRUE(wait_for_picture());
  expect_same(homo, shot());
}

TEST_F(WindowTest, APictureCarriesItsScene) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  const QString path = temporary(QStringLiteral("picture.png"));
  QSignalSpy finished(&window_->exporter(), &PictureExport::finished);
  PictureOptions options;
  options.width = 320;
  options.height = 200;
  options.samples = 4;
  options.transparent = true;
  window_->export_picture(path, options, 300);
  ASSERT_TRUE(finished.wait(30000));
  std::map<std::string, std::string> texts;
  const Image image = read_png(path.toStdString(), &texts);
  EXPECT_EQ(image.width, 320);
  EXPECT_EQ(image.height, 200);
  EXPECT_EQ(image.rgba[3], 0) << "the corner is transparent";
  EXPECT_EQ(scene_from_json(texts["isolume-scene"], folder_.path().toStdString()), window_->controller().scene());
}

}  // namespace
}  // namespace isolume::test
