// The bar in the corner of a picture that says how long things are.
#include "app/view/scale_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/view/labels.h"

namespace isolume {

ScaleBarLength scale_bar_length(const Camera& camera, ScaleBar unit, double height, double widest) {
  ScaleBarLength bar;
  const double pixel = camera.height / std::max(height, 1.0);  // angstrom, at the centre
  const double per_unit = unit == ScaleBar::nanometre ? 10 : 1;
  const double most = std::max(widest, 1.0) * pixel / per_unit * (1 + 1e-9);
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  const double length = most >= 5 * power ? 5 * power : most >= 2 * power ? 2 * power : power;
  bar.angstrom = length * per_unit;
  bar.pixels = bar.angstrom / pixel;
  bar.text = fmt::format("{:g} {}", length, unit == ScaleBar::nanometre ? "nm" : "\u00c5");
  if (camera.projection == Camera::Projection::perspective) bar.text += " at the centre";
  return bar;
}

void draw_scale_bar(Canvas& canvas, const Camera& camera, const Look& look, double dots) {
  if (look.scale_bar == ScaleBar::none || canvas.width() < 64 || canvas.height() < 64) return;
  const ScaleBarLength bar =
      scale_bar_length(camera, look.scale_bar, canvas.height(), widest_scale_bar * canvas.width());
  const double size = letter_pixels(look.text_points, dots, std::max(9.0, canvas.height() / 50.0));
  const double rim = std::max(1.0, size / 8);
  const glm::vec3 ground = 0.5f * (look.background + look.background_bottom);
  const bool dark = glm::dot(ground, glm::vec3(0.3f, 0.6f, 0.1f)) < 0.5f;
  const Ink light{255, 255, 255, 255}, black{0, 0, 0, 255}, ink = dark ? light : black, border = dark ? black : light;
  const int margin = static_cast<int>(std::lround(size)), edge = static_cast<int>(std::lround(rim));
  const int thick = std::max(2, static_cast<int>(std::lround(size / 5)));
  const int right = canvas.width() - margin, left = right - static_cast<int>(std::lround(bar.pixels));
  const int bottom = canvas.height() - margin, top = bottom - thick;
  canvas.rectangle(left - edge, top - edge, right + edge, bottom + edge, border);
  canvas.rectangle(left, top, right, bottom, ink);
  const double width = text_width(bar.text, size);
  const double x = std::min(0.5 * (left + right) - width / 2, right - width);
  canvas.text(x, top - 1.2 * text_height(size), bar.text, size, ink, rim, border);
}

}  // namespace isolume
