// Texts in space, written over a picture.
#include "app/view/labels.h"

#include <algorithm>

#include "render/image/text.h"

namespace isolume {

void draw_labels(Image& image, const SceneView& view) {
  if (image.width < 64 || image.height < 64) return;
  const double aspect = double(image.width) / image.height;
  const glm::dmat4 matrix = view.camera.projection_matrix(aspect, view.centre, view.radius) * view.camera.view();
  const double size = std::max(9.0, image.height / 50.0), rim = std::max(1.0, size / 8);
  const glm::vec3 ground = 0.5f * (view.look.background + view.look.background_bottom);
  const bool dark = glm::dot(ground, glm::vec3(0.3f, 0.6f, 0.1f)) < 0.5f;
  const Ink light{255, 255, 255, 255}, black{0, 0, 0, 255};
  if (!view.title.empty())
    draw_text(image, size / 2, size / 2, view.title, size, dark ? light : black, rim, dark ? black : light);
  for (const Label& label : view.labels) {
    const glm::dvec4 clip = matrix * glm::dvec4(glm::dvec3(label.position), 1);
    if (!(clip.w > 0)) continue;
    const double x = (clip.x / clip.w + 1) / 2 * image.width - text_width(label.text, size) / 2;
    const double y = (1 - clip.y / clip.w) / 2 * image.height - text_height(size) / 2;
    draw_text(image, x, y, label.text, size, dark ? light : black, rim, dark ? black : light);
  }
}

}  // namespace isolume
