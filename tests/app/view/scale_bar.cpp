// The scale bar: its length is that of the picture.
#include "app/view/scale_bar.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/view/labels.h"

namespace isolume {
namespace {

TEST(ScaleBar, IsTheLongestRoundLengthThatFits) {
  Camera camera;
  camera.projection = Camera::Projection::orthographic;
  const struct {
    double height, widest;  // angstrom of the picture, pixels
    ScaleBar unit;
    double angstrom;
    const char* text;
  } cases[] = {{100, 199, ScaleBar::angstrom, 10, "10 \u00c5"}, {100, 200, ScaleBar::angstrom, 20, "20 \u00c5"},
               {100, 500, ScaleBar::angstrom, 50, "50 \u00c5"}, {100, 499, ScaleBar::angstrom, 20, "20 \u00c5"},
               {3, 200, ScaleBar::angstrom, 0.5, "0.5 \u00c5"}, {100, 200, ScaleBar::nanometre, 20, "2 nm"},
               {3, 200, ScaleBar::nanometre, 0.5, "0.05 nm"},   {8000, 300, ScaleBar::nanometre, 2000, "200 nm"}};
  for (const auto& c : cases) {
    camera.height = c.height;
    const ScaleBarLength bar = scale_bar_length(camera, c.unit, 1000, c.widest);
    EXPECT_DOUBLE_EQ(bar.angstrom, c.angstrom);
    EXPECT_NEAR(bar.pixels, c.angstrom * 1000 / c.height, 1e-9);
    EXPECT_EQ(bar.text, c.text);
  }
  camera.projection = Camera::Projection::perspective;
  EXPECT_EQ(scale_bar_length(camera, ScaleBar::angstrom, 1000, 200).text, "1000 \u00c5 at the centre");
}

/// Pixels from the first to the last of a colour in a row.
int extent(const Image& image, int y, std::uint8_t value) {
  int first = -1, last = -1;
  for (int x = 0; x < image.width; ++x) {
    const auto* p = &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                     static_cast<std::size_t>(x))];
    if (p[0] != value || p[1] != value || p[2] != value) continue;
    if (first < 0) first = x;
    last = x;
  }
  return first < 0 ? 0 : last - first + 1;
}

TEST(ScaleBar, IsDrawnAsLongAsItSays) {
  for (const bool dark : {false, true}) {
    SceneView view;
    view.camera.projection = Camera::Projection::orthographic;
    view.camera.height = 50;
    view.look.scale_bar = ScaleBar::angstrom;
    view.look.background = view.look.background_bottom = glm::vec3(dark ? 0 : 1);
    Image image{1000, 500, std::vector<std::uint8_t>(4 * 1000 * 500, 128)};
    draw_labels(image, view);
    // Ten pixels for an angstrom, at most 200 of them: 20 angstrom, 10 pixels above the lower edge.
    EXPECT_EQ(extent(image, 500 - 11, dark ? 255 : 0), 200) << (dark ? "dark" : "light");
    view.look.scale_bar = ScaleBar::none;
    Image plain{1000, 500, std::vector<std::uint8_t>(4 * 1000 * 500, 128)};
    draw_labels(plain, view);
    EXPECT_EQ(extent(plain, 500 - 11, dark ? 255 : 0), 0);
  }
}

/// What is at the centre of a picture is as far across as the bar says, in both projections.
TEST(ScaleBar, AgreesWithTheCamera) {
  for (const auto projection : {Camera::Projection::orthographic, Camera::Projection::perspective}) {
    Camera camera;
    camera.projection = projection;
    camera.centre = {3, -2, 7};
    camera.rotation = glm::normalize(glm::dquat(0.3, 0.4, -0.5, 0.7));
    camera.height = 37;
    const int width = 900, height = 600;
    const ScaleBarLength bar = scale_bar_length(camera, ScaleBar::angstrom, height, 180);
    const glm::dvec3 right = glm::conjugate(camera.rotation) * glm::dvec3(1, 0, 0);
    const glm::dmat4 matrix = camera.projection_matrix(double(width) / height, camera.centre, 30) * camera.view();
    const auto x = [&](glm::dvec3 point) {
      const glm::dvec4 clip = matrix * glm::dvec4(point, 1);
      return (clip.x / clip.w + 1) / 2 * width;
    };
    EXPECT_NEAR(x(camera.centre + bar.angstrom * right) - x(camera.centre), bar.pixels, 1e-6);
  }
}

}  // namespace
}  // namespace isolume
