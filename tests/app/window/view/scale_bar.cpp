// The scale bar and filled cuts: switched in the window, seen in its picture and in exported images.
#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>

#include "app/view/scale_bar.h"
#include "app/window/panels/look_panel.h"
#include "app/window/shell/panels.h"
#include "tests/app/window/fixture.h"

namespace isolume::test {
namespace {

/// The longest run of pixels of a grey value, in all rows of the lower right quarter.
int longest_run(const Image& image, const std::function<bool(const std::uint8_t*)>& wanted) {
  int longest = 0;
  for (int y = image.height / 2; y < image.height; ++y)
    for (int x = image.width / 2, run = 0; x < image.width; ++x) {
      const auto* p = &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                       static_cast<std::size_t>(x))];
      run = wanted(p) ? run + 1 : 0;
      longest = std::max(longest, run);
    }
  return longest;
}

bool dark(const std::uint8_t* p) {
  return p[0] < 40 && p[1] < 40 && p[2] < 40;
}

class ViewTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    ASSERT_TRUE(open({write_breathing_xyz(1)}));
    window_->controller().edit(QStringLiteral("view"), [](Scene& s) {
      s.look.background = s.look.background_bottom = glm::vec3(1);
      s.look.outlines = false;
    });
    window_->commands().orthographic->trigger();
  }
  const Scene& scene() { return window_->controller().scene(); }
  double wanted(double height, double width) {
    return scale_bar_length(scene().camera, scene().look.scale_bar, height, widest_scale_bar * width).pixels;
  }
};

TEST_F(ViewTest, TheScaleBarIsAsLongAsItSays) {
  QAction* bar = window_->commands().find(QStringLiteral("scale_bar"));
  ASSERT_NE(bar, nullptr);
  EXPECT_FALSE(bar->isChecked());
  bar->trigger();
  EXPECT_EQ(scene().look.scale_bar, ScaleBar::angstrom);
  EXPECT_EQ(window_->controller().undo_text(), QStringLiteral("Show scale bar"));
  ASSERT_TRUE(wait_for_picture());
  const Image seen = shot();
  EXPECT_NEAR(longest_run(seen, dark), wanted(seen.height, seen.width), 2);
  screenshot(QStringLiteral("scale_bar"));

  window_->controller().touch([](Scene& s) { s.camera.height *= 0.4; });
  ASSERT_TRUE(wait_for_picture());
  const Image near = shot();
  EXPECT_NEAR(longest_run(near, dark), wanted(near.height, near.width), 2) << "it follows the zoom";

  // The unit is in the Appearance panel; the image has the same bar.
  auto* unit = window_->panels().get<LookPanel>().scale_bar();
  unit->setCurrentIndex(2);
  Q_EMIT unit->activated(2);
  EXPECT_EQ(scene().look.scale_bar, ScaleBar::nanometre);
  const QString path = temporary(QStringLiteral("bar.png"));
  PictureOptions options;
  options.width = 800;
  options.height = 600;
  window_->export_picture(path, options, 0);
  ASSERT_TRUE(wait_until([&] { return QFileInfo::exists(path) && !window_->exporter().busy(); }));
  EXPECT_NEAR(longest_run(read_png(path.toStdString()), dark), wanted(600, 800), 1);
  bar->trigger();
  EXPECT_EQ(scene().look.scale_bar, ScaleBar::none);
}

TEST_F(ViewTest, CutsThroughSurfacesAreFilled) {
  window_->controller().edit(QStringLiteral("surface"), [](Scene& s) {
    Field field;
    field.kind = Field::Kind::solvent_excluded;
    field.both_signs = false;
    field.colour = {230, 159, 0, 255};
    s.fields = {field};
    s.look.depth_cue = 0;
  });
  ASSERT_TRUE(wait_for_picture());
  const auto filled = [&] {
    const Image image = shot();
    int n = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4)
      n += std::abs(image.rgba[i] - 230) <= 1 && std::abs(image.rgba[i + 1] - 159) <= 1 && image.rgba[i + 2] <= 1;
    return n;
  };
  const int whole = filled();
  // The front plane through the centre of what is drawn.
  const double radius = window_->viewport().view()->radius;
  window_->controller().touch([&](Scene& s) { s.camera.slab_front = 1.02 * radius + 0.01; });
  ASSERT_TRUE(wait_for_picture());
  const int cut = filled();
  EXPECT_GT(cut, whole + 5000);
  screenshot(QStringLiteral("caps"));
  QCheckBox* box = nullptr;
  for (auto* candidate : window_->panels().get<LookPanel>().findChildren<QCheckBox*>())
    if (candidate->accessibleName() == QStringLiteral("Fill cut surfaces")) box = candidate;
  ASSERT_NE(box, nullptr);
  EXPECT_TRUE(box->isChecked());
  box->click();
  EXPECT_FALSE(scene().look.caps);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_LT(filled(), cut / 4);
}

}  // namespace
}  // namespace isolume::test
