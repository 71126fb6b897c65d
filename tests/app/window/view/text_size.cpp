// Letters of a size in points, and pictures as vectors, in the window.
#include <QDoubleSpinBox>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QtSvg/QSvgRenderer>
#include <algorithm>

#include "app/window/dialogs/picture_export.h"
#include "app/window/panels/label_form.h"
#include "app/window/panels/look_panel.h"
#include "app/window/panels/measure_panel.h"
#include "app/window/viewport/label_painter.h"
#include "app/window/viewport/legend_overlay.h"
#include "app/window/viewport/viewport.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {
namespace {

class TextSizeTest : public WindowTest {
 protected:
  const Scene& scene() { return window_->controller().scene(); }
};

/// Rows of pixels that a label of a view takes, at 96 dots per inch.
int rows_of(float of_scene, float of_label) {
  SceneView view;
  view.camera.height = 10;
  view.labels.push_back({glm::vec3(0), "HHH", of_label});
  view.look.text_points = of_scene;
  QImage image(600, 400, QImage::Format_RGB32);
  image.setDotsPerMeterX(3780);
  image.setDotsPerMeterY(3780);
  image.fill(Qt::white);
  QPainter painter(&image);
  paint_texts(painter, view, view.camera, view.look, QSizeF(600, 400), 1, 9);
  painter.end();
  int first = 400, last = -1;
  for (int y = 0; y < 400; ++y)
    for (int x = 0; x < 600; ++x)
      if (image.pixelColor(x, y).lightness() < 100) first = std::min(first, y), last = y;
  return last - first + 1;
}

TEST_F(TextSizeTest, LettersOfTheViewAreAsLargeAsThePointsSay) {
  const int small = rows_of(24, 0);
  // 0.6 to 0.8 of the em of 32 pixels in all common typefaces.
  EXPECT_GE(small, 18);
  EXPECT_LE(small, 26);
  EXPECT_NEAR(rows_of(48, 0), 2 * small, 2);
  EXPECT_NEAR(rows_of(24, 48), 2 * small, 2) << "a set of labels of its own size";
  EXPECT_LT(rows_of(0, 0), small / 2 + 1) << "the usual size, 9 points";
}

TEST_F(TextSizeTest, ThePanelsSetItAndUndoTakesItBack) {
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  QDoubleSpinBox* all = window_->look().text_size();
  EXPECT_EQ(all->text(), QStringLiteral("Automatic"));
  all->setValue(14);
  EXPECT_EQ(scene().look.text_points, 14);
  MeasurePanel& panel = window_->measure();
  panel.label_button()->click();
  ASSERT_TRUE(wait_until([&] { return !scene().labels.empty(); }));
  ASSERT_TRUE(wait_for_picture());
  panel.labels().size_box()->setValue(20);
  ASSERT_TRUE(wait_for_picture());
  ASSERT_EQ(scene().labels.size(), 1u);
  EXPECT_EQ(scene().labels[0].points, 20);
  for (const Label& label : window_->viewport().view()->labels) EXPECT_EQ(label.points, 20);
  screenshot(QStringLiteral("text_size"));
  window_->controller().undo();
  EXPECT_EQ(scene().labels[0].points, 0);
  EXPECT_EQ(panel.labels().size_box()->text(), QStringLiteral("As the scene"));
  window_->controller().undo();
  window_->controller().undo();
  EXPECT_EQ(scene().look.text_points, 0);
  EXPECT_EQ(all->value(), 0);
  window_->run_command(QStringLiteral("set look.text_points 11.5"));
  EXPECT_EQ(all->value(), 11.5);
}

TEST_F(TextSizeTest, TheLegendGrowsWithItsLetters) {
  QWidget room;
  room.resize(800, 600);
  LegendOverlay legend(&room);
  FieldLegend scale;
  scale.title = "Potential";
  scale.unit = "V";
  scale.lower = -1;
  scale.upper = 1;
  scale.colours = {{1, 0, 0}, {0, 0, 1}};
  const double usual = legend.font().pointSizeF();
  legend.set_legends({scale}, false, usual);
  const QSize once = legend.size();
  legend.set_legends({scale}, false, 1.5 * usual);
  EXPECT_NEAR(legend.height(), 1.5 * once.height(), 4);
  EXPECT_NEAR(legend.width(), 1.5 * once.width(), 8);
}

TEST_F(TextSizeTest, ExportsPicturesWithTextsAsVectors) {
  ASSERT_TRUE(open({write_breathing_xyz(1)}));
  window_->measure().label_button()->click();
  ASSERT_TRUE(wait_until([&] { return !scene().labels.empty(); }));
  ASSERT_TRUE(wait_for_picture());
  window_->run_command(QStringLiteral("set look.text_points 9"));
  const std::size_t labels = window_->viewport().view()->labels.size();
  ASSERT_GT(labels, 2u);
  QSignalSpy finished(&window_->exporter(), &PictureExport::finished);
  PictureOptions options;
  options.width = 600;
  options.height = 400;
  for (const char* ending : {"svg", "pdf"}) {
    const QString path = temporary(QStringLiteral("vectors.") + QLatin1String(ending));
    window_->export_picture(path, options, 300);
    ASSERT_TRUE(finished.wait(60000));
    const PictureOrigin origin = read_origin(path.toStdString());
    EXPECT_EQ(origin.scene.look.text_points, 9);
    EXPECT_EQ(origin.options.dots, 300);
  }
  QFile file(temporary(QStringLiteral("vectors.svg")));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QByteArray svg = file.readAll();
  EXPECT_GT(svg.count("<text "), 2);
  EXPECT_EQ(svg.count("font-size=\"37.5\""), svg.count("<text ")) << "9 points at 300 dots per inch";
  QSvgRenderer renderer(svg);
  ASSERT_TRUE(renderer.isValid());
  EXPECT_EQ(renderer.viewBox(), QRect(0, 0, 600, 400));
}

}  // namespace
}  // namespace isolume::test
