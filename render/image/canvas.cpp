// What is written over a picture: as pixels at once, or kept as texts and rectangles for vector formats.
#include "render/image/canvas.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

namespace isolume {
namespace {

constexpr int veiled = 180;  // of 255

int whole(double pixels) {
  return static_cast<int>(std::lround(pixels));
}

std::uint8_t* pixel_of(Image& image, int x, int y) {
  return &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                          static_cast<std::size_t>(x))];
}

template <class Change>
void each_pixel(Image& image, int left, int top, int right, int bottom, const Change& change) {
  for (int y = std::max(0, top); y < std::min(image.height, bottom); ++y)
    for (int x = std::max(0, left); x < std::min(image.width, right); ++x) change(pixel_of(image, x, y));
}

void veil_pixels(Image& image, int left, int top, int right, int bottom, bool dark) {
  each_pixel(image, left, top, right, bottom, [dark](std::uint8_t* p) {
    if (p[3] == 0) return;
    for (int c = 0; c < 3; ++c)
      p[c] = static_cast<std::uint8_t>((p[c] * (255 - veiled) + (dark ? 0 : 255) * veiled) / 255);
  });
}

}  // namespace

void PixelCanvas::rectangle(double left, double top, double right, double bottom, Ink ink) {
  fill_rectangle(image_, whole(left), whole(top), whole(right), whole(bottom), ink);
}

void PixelCanvas::text(double x, double y, std::string_view text, double size, Ink ink, double rim, Ink rim_ink) {
  draw_text(image_, x, y, text, size, ink, rim, rim_ink);
}

void PixelCanvas::ramp(double left, double top, double right, double bottom, const std::vector<glm::vec3>& colours) {
  if (colours.size() < 2) return;
  const int first = whole(left), width = whole(right) - first;
  const auto last = static_cast<float>(colours.size() - 1);
  const auto byte = [](float v) { return static_cast<std::uint8_t>(std::lround(255 * std::clamp(v, 0.0f, 1.0f))); };
  for (int i = 0; i < width; ++i) {
    const float place = last * static_cast<float>(i) / static_cast<float>(std::max(1, width - 1));
    const auto below = std::min(static_cast<std::size_t>(place), colours.size() - 2);
    const glm::vec3 c = glm::mix(colours[below], colours[below + 1], place - static_cast<float>(below));
    fill_rectangle(image_, first + i, whole(top), first + i + 1, whole(bottom), {byte(c.r), byte(c.g), byte(c.b), 255});
  }
}

void PixelCanvas::veil(int left, int top, int right, int bottom, bool dark) {
  veil_pixels(image_, left, top, right, bottom, dark);
}

void VectorCanvas::rectangle(double left, double top, double right, double bottom, Ink ink) {
  part_.marks.emplace_back(Mark::Rectangle{left, top, right, bottom, ink});
}

void VectorCanvas::text(double x, double y, std::string_view text, double size, Ink ink, double rim, Ink rim_ink) {
  if (size > 0 && std::isfinite(x) && std::isfinite(y) && !text.empty())
    part_.marks.emplace_back(Mark::Text{x, y, std::string(text), size, ink, rim, rim_ink});
}

void VectorCanvas::ramp(double left, double top, double right, double bottom, const std::vector<glm::vec3>& colours) {
  if (colours.size() >= 2) part_.marks.emplace_back(Mark::Ramp{left, top, right, bottom, colours});
}

void VectorCanvas::veil(int left, int top, int right, int bottom, bool dark) {
  bool clear = false;
  each_pixel(image_, left, top, right, bottom, [&clear](const std::uint8_t* p) { clear = clear || p[3] == 0; });
  if (clear) return veil_pixels(image_, left, top, right, bottom, dark);
  const std::uint8_t tone = dark ? 0 : 255;
  rectangle(std::max(0, left), std::max(0, top), std::min(width(), right), std::min(height(), bottom),
            {tone, tone, tone, veiled});
}

void draw_marks(Canvas& canvas, const Overlay::Part& part) {
  for (const auto& mark : part.marks)
    std::visit(
        [&canvas](const auto& one) {
          using Kind = std::decay_t<decltype(one)>;
          if constexpr (std::is_same_v<Kind, Mark::Text>) {
            canvas.text(one.x, one.y, one.text, one.size, one.ink, one.rim, one.rim_ink);
          } else if constexpr (std::is_same_v<Kind, Mark::Ramp>) {
            canvas.ramp(one.left, one.top, one.right, one.bottom, one.colours);
          } else {
            canvas.rectangle(one.left, one.top, one.right, one.bottom, one.ink);
          }
        },
        mark);
}

}  // namespace isolume
