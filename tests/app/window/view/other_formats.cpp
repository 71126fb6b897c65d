// Pictures of 16 bits and scenes of MolViewSpec, by the window.
#include <QFile>
#include <QSignalSpy>

#include "app/export/picture_file.h"
#include "app/scene/molviewspec.h"
#include "app/window/live/file_loader.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {
namespace {

TEST_F(WindowTest, PicturesOfSixteenBitsCarryTheScene) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  PictureOptions options;
  options.width = 160;
  options.height = 100;
  options.samples = 1;
  QSignalSpy finished(&window_->exporter(), &PictureExport::finished);
  for (const std::string ending : {"tif", "exr"}) {
    if ((" " + picture_extensions() + " ").find(" " + ending + " ") == std::string::npos) continue;
    SCOPED_TRACE(ending);
    const QString path = temporary(QStringLiteral("picture.") + QString::fromStdString(ending));
    finished.clear();
    window_->export_picture(path, options, 300);
    ASSERT_TRUE(wait_until([&] { return finished.count() == 1; }));
    const PictureOrigin origin = read_origin(path.toStdString());
    EXPECT_EQ(origin.scene, window_->controller().scene());
    EXPECT_EQ(origin.options.width, 160);
    EXPECT_EQ(origin.options.dots, 300);
  }
}

TEST_F(WindowTest, AMolViewSpecFileIsWrittenAndOpenedButIsNoSession) {
  ASSERT_TRUE(open({write_breathing_xyz(2)}));
  window_->controller().edit(QStringLiteral("Change"), [](Scene& scene) {
    scene.representations[0].style = Style::spheres;
    scene.representations[0].colouring = Colouring::uniform;
    scene.representations[0].colour = {255, 0, 0, 255};
  });
  const Scene scene = window_->controller().scene();
  const QString path = temporary(QStringLiteral("view.mvsj"));
  QSignalSpy saved(&window_->loader(), &FileLoader::session_saved);
  QSignalSpy notes(&window_->loader(), &FileLoader::note);
  window_->save_session(path);
  ASSERT_TRUE(wait_until([&] { return saved.count() == 1; }));
  EXPECT_TRUE(window_->isWindowModified()) << "the format does not hold all of the scene";
  ASSERT_EQ(notes.count(), 1);
  EXPECT_TRUE(notes[0][0].toString().contains(QStringLiteral("lights"))) << notes[0][0].toString().toStdString();

  QSignalSpy opened(&window_->loader(), &FileLoader::session_opened);
  window_->loader().open({path}, 1.0);
  ASSERT_TRUE(wait_until([&] { return opened.count() == 1; }));
  const Scene& again = window_->controller().scene();
  ASSERT_EQ(again.representations.size(), scene.representations.size());
  EXPECT_EQ(again.representations[0].style, Style::spheres);
  EXPECT_EQ(again.representations[0].colour, glm::u8vec4(255, 0, 0, 255));
  EXPECT_NEAR(again.camera.height, scene.camera.height, 1e-9 * scene.camera.height);
  ASSERT_TRUE(wait_for_picture());
}

}  // namespace
}  // namespace isolume::test
