// Texts in space, written over a picture.
#include "app/view/labels.h"

#include <algorithm>
#include <cmath>

#include "app/view/scale_bar.h"
#include "render/image/text.h"

namespace isolume {

void keep_apart(std::vector<TextPlace>& texts) {
  for (std::size_t i = 1; i < texts.size(); ++i) {
    const double wanted = texts[i].y;
    const auto free_at = [&](double y) {
      return std::none_of(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(i), [&](const TextPlace& other) {
        return other.shown && texts[i].x < other.x + other.width && other.x < texts[i].x + texts[i].width &&
               y < other.y + other.height && other.y < y + texts[i].height;
      });
    };
    constexpr int steps = 64;  // of a quarter of the height, to both sides
    texts[i].shown = false;
    for (int step = 0; step <= steps && !texts[i].shown; ++step) {
      const double by = 0.25 * texts[i].height * ((step + 1) / 2) * (step % 2 ? 1 : -1);
      if (!free_at(wanted + by)) continue;
      texts[i].y = wanted + by;
      texts[i].moved = by;
      texts[i].shown = true;
    }
  }
}

void draw_labels(Image& image, const SceneView& view, std::span<const std::uint8_t> covered) {
  if (image.width < 64 || image.height < 64) return;
  const double aspect = double(image.width) / image.height;
  const glm::dmat4 matrix = view.camera.projection_matrix(aspect, view.centre, view.radius) * view.camera.view();
  const double size = std::max(9.0, image.height / 50.0), rim = std::max(1.0, size / 8);
  const glm::vec3 ground = 0.5f * (view.look.background + view.look.background_bottom);
  const bool dark = glm::dot(ground, glm::vec3(0.3f, 0.6f, 0.1f)) < 0.5f;
  const Ink light{255, 255, 255, 255}, black{0, 0, 0, 255};
  if (!view.title.empty())
    draw_text(image, size / 2, size / 2, view.title, size, dark ? light : black, rim, dark ? black : light);
  std::vector<TextPlace> places;
  std::vector<const Label*> shown;
  for (const Label& label : view.labels) {
    const glm::dvec4 clip = matrix * glm::dvec4(glm::dvec3(label.position), 1);
    if (!(clip.w > 0)) continue;
    const double width = text_width(label.text, size), height = text_height(size);
    places.push_back({(clip.x / clip.w + 1) / 2 * image.width - width / 2,
                      (1 - clip.y / clip.w) / 2 * image.height - height / 2, width, height});
    shown.push_back(&label);
  }
  keep_apart(places);
  const int thick = std::max(1, static_cast<int>(std::lround(size / 12)));
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto number = static_cast<std::size_t>(shown[i] - view.labels.data());
    if (!places[i].has_leader() || (number < covered.size() && covered[number])) continue;
    const int x = static_cast<int>(std::lround(places[i].x + 0.5 * places[i].width - 0.5 * thick));
    const int top = static_cast<int>(std::lround(places[i].leader_top()));
    const int bottom = static_cast<int>(std::lround(places[i].leader_bottom()));
    fill_rectangle(image, x - thick, top, x + 2 * thick, bottom, dark ? black : light);
    fill_rectangle(image, x, top, x + thick, bottom, dark ? light : black);
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (!places[i].shown) continue;
    const auto number = static_cast<std::size_t>(shown[i] - view.labels.data());
    Ink ink = dark ? light : black, border = dark ? black : light;
    if (number < covered.size() && covered[number]) {
      ink[3] = static_cast<std::uint8_t>(faint * 255);
      border[3] = 0;
    }
    draw_text(image, places[i].x, places[i].y, shown[i]->text, size, ink, border[3] ? rim : 0, border);
  }
  draw_scale_bar(image, view.camera, view.look);
}

}  // namespace isolume
