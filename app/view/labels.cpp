// Texts in space, written over a picture.
#include "app/view/labels.h"

#include <algorithm>
#include <cmath>

#include "app/view/scale_bar.h"

namespace isolume {

void keep_apart(std::vector<TextPlace>& texts) {
  std::vector<TextPlace*> order;
  order.reserve(texts.size());
  for (TextPlace& text : texts) order.push_back(&text);
  std::stable_partition(order.begin(), order.end(), [](const TextPlace* text) { return !text->behind; });
  std::vector<const TextPlace*> placed;
  for (TextPlace* text : order) {
    const double wanted = text->y;
    const auto free_at = [&](double y) {
      return std::none_of(placed.begin(), placed.end(), [&](const TextPlace* other) {
        const double gap = 0.3 * std::min(text->height, other->height);  // else two texts read as one
        return text->x < other->x + other->width + gap && other->x < text->x + text->width + gap &&
               y < other->y + other->height && other->y < y + text->height;
      });
    };
    const int steps = text->behind ? 0 : 64;  // of a quarter of the height, to both sides
    text->shown = false;
    for (int step = 0; step <= steps && !text->shown; ++step) {
      const double by = 0.25 * text->height * ((step + 1) / 2) * (step % 2 ? 1 : -1);
      if (!free_at(wanted + by)) continue;
      text->y = wanted + by;
      text->moved = by;
      text->shown = true;
      placed.push_back(text);
    }
  }
}

void draw_labels(Canvas& canvas, const SceneView& view, std::span<const std::uint8_t> covered, double dots) {
  if (canvas.width() < 64 || canvas.height() < 64) return;
  const double aspect = double(canvas.width()) / canvas.height();
  const glm::dmat4 matrix = view.camera.projection_matrix(aspect, view.centre, view.radius) * view.camera.view();
  const double usual = std::max(9.0, canvas.height() / 50.0);
  const double size = letter_pixels(view.look.text_points, dots, usual);
  const auto rim_of = [](double letters) { return std::max(1.0, letters / 8); };
  const glm::vec3 ground = 0.5f * (view.look.background + view.look.background_bottom);
  const bool dark = glm::dot(ground, glm::vec3(0.3f, 0.6f, 0.1f)) < 0.5f;
  const Ink light{255, 255, 255, 255}, black{0, 0, 0, 255};
  if (!view.title.empty())
    canvas.text(size / 2, size / 2, view.title, size, dark ? light : black, rim_of(size), dark ? black : light);
  std::vector<TextPlace> places;
  std::vector<const Label*> shown;
  std::vector<double> sizes;
  for (const Label& label : view.labels) {
    const glm::dvec4 clip = matrix * glm::dvec4(glm::dvec3(label.position), 1);
    if (!(clip.w > 0)) continue;
    const double letters = letter_pixels(label.points, dots, size);
    const double width = text_width(label.text, letters), height = text_height(letters);
    places.push_back({(clip.x / clip.w + 1) / 2 * canvas.width() - width / 2,
                      (1 - clip.y / clip.w) / 2 * canvas.height() - height / 2, width, height});
    const auto number = static_cast<std::size_t>(&label - view.labels.data());
    places.back().behind = number < covered.size() && covered[number] != 0;
    shown.push_back(&label);
    sizes.push_back(letters);
  }
  keep_apart(places);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (!places[i].has_leader()) continue;
    const int thick = std::max(1, static_cast<int>(std::lround(sizes[i] / 12)));
    const int x = static_cast<int>(std::lround(places[i].x + 0.5 * places[i].width - 0.5 * thick));
    const int top = static_cast<int>(std::lround(places[i].leader_top()));
    const int bottom = static_cast<int>(std::lround(places[i].leader_bottom()));
    canvas.rectangle(x - thick, top, x + 2 * thick, bottom, dark ? black : light);
    canvas.rectangle(x, top, x + thick, bottom, dark ? light : black);
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (!places[i].shown) continue;
    Ink ink = dark ? light : black, border = dark ? black : light;
    if (places[i].behind) {
      ink[3] = static_cast<std::uint8_t>(faint * 255);
      border[3] = 0;
    }
    canvas.text(places[i].x, places[i].y, shown[i]->text, sizes[i], ink, border[3] ? rim_of(sizes[i]) : 0, border);
  }
  draw_scale_bar(canvas, view.camera, view.look, dots);
}

void draw_labels(Image& image, const SceneView& view, std::span<const std::uint8_t> covered, double dots) {
  PixelCanvas canvas(image);
  draw_labels(canvas, view, covered, dots);
}

double letter_pixels(double points, double dots, double usual) {
  return points > 0 ? points / 72 * dots : usual;
}

}  // namespace isolume
