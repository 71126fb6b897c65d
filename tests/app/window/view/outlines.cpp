// An outline of its own for one representation and one surface: chosen in their panels, seen in the picture.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QTest>

#include "app/window/panels/field_panel.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/shell/panels.h"
#include "app/window/widgets/outline_edit.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {
namespace {

int red_pixels(const Image& image) {
  int n = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    n += image.rgba[i] > 250 && image.rgba[i + 1] < 5 && image.rgba[i + 2] < 5;
  return n;
}

class OutlineTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    ASSERT_TRUE(open({write_breathing_xyz(1)}));
    window_->controller().edit(QStringLiteral("view"), [](Scene& s) {
      s.look.background = s.look.background_bottom = glm::vec3(1);
      s.look.outlines = false;
      s.look.depth_cue = 0;
      s.representations.resize(1);
      s.representations[0].style = Style::spheres;
      s.representations[0].outline.colour = {255, 0, 0, 255};
    });
    ASSERT_TRUE(wait_for_picture());
  }
  const Scene& scene() { return window_->controller().scene(); }
  static void choose(OutlineEdit* edit, int index) {
    edit->mode_box()->setCurrentIndex(index);
    Q_EMIT edit->mode_box()->activated(index);
  }
};

TEST_F(OutlineTest, ARepresentationHasItsOwn) {
  EXPECT_EQ(red_pixels(shot()), 0);
  OutlineEdit* edit = window_->representations().outline_edit();
  EXPECT_FALSE(edit->width_box()->isVisibleTo(edit)) << "there is no width of no line";
  choose(edit, 2);
  EXPECT_EQ(scene().representations[0].outline.mode, Outline::Mode::on);
  EXPECT_EQ(window_->controller().undo_text(), QStringLiteral("Change outline"));
  EXPECT_TRUE(edit->width_box()->isVisibleTo(edit));
  ASSERT_TRUE(wait_for_picture());
  const int thin = red_pixels(shot());
  EXPECT_GT(thin, 200);
  edit->width_box()->setValue(6);
  ASSERT_TRUE(wait_for_picture());
  const Image wide = shot();
  EXPECT_GT(red_pixels(wide), 2 * thin) << "6 pixels instead of 2";
  screenshot(QStringLiteral("outline"));

  // The exported image has the same pixels.
  const QString path = temporary(QStringLiteral("outline.png"));
  PictureOptions options;
  options.width = wide.width;
  options.height = wide.height;
  options.pixel_ratio = window_->viewport().devicePixelRatioF();
  window_->export_picture(path, options, 0);
  ASSERT_TRUE(wait_until([&] { return QFileInfo::exists(path) && !window_->exporter().busy(); }));
  EXPECT_EQ(red_pixels(read_png(path.toStdString())), red_pixels(wide));

  window_->commands().undo->trigger();
  window_->commands().undo->trigger();
  EXPECT_EQ(scene().representations[0].outline.mode, Outline::Mode::scene);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(red_pixels(shot()), 0);
}

TEST_F(OutlineTest, ASurfaceHasItsOwnAndIsNotComputedAgain) {
  window_->controller().edit(QStringLiteral("surface"), [](Scene& s) {
    Field field;
    field.both_signs = false;
    field.colour = {128, 128, 128, 255};
    field.outline.colour = {255, 0, 0, 255};
    s.fields = {field};
  });
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(red_pixels(shot()), 0);
  const auto results = [&] { return window_->fields().results().front().items; };
  const auto before = results();
  OutlineEdit* edit = window_->field_panel().findChild<OutlineEdit*>();
  ASSERT_NE(edit, nullptr);
  ASSERT_TRUE(edit->isVisibleTo(&window_->field_panel()));
  choose(edit, 2);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_GT(red_pixels(shot()), 200);
  EXPECT_EQ(results(), before);
  choose(edit, 1);
  EXPECT_EQ(scene().fields[0].outline.mode, Outline::Mode::off);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(red_pixels(shot()), 0);
}

}  // namespace
}  // namespace isolume::test
