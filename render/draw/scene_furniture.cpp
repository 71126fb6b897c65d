// Drawn next to the molecules: the cell's box, the axes in the corner, the spheres behind halos.
#include "render/draw/scene_furniture.h"

#include <array>

#include "render/represent/cone.h"

namespace isolume {
namespace {

const std::array<glm::u8vec4, 3> axis_colours = {glm::u8vec4(213, 62, 50, 255), glm::u8vec4(52, 160, 70, 255),
                                                 glm::u8vec4(48, 98, 205, 255)};

std::vector<std::array<glm::vec2, 2>> strokes(char letter) {
  const glm::vec2 nw(-0.5f, 0.6f), ne(0.5f, 0.6f), sw(-0.5f, -0.6f), se(0.5f, -0.6f), c(0, 0), s(0, -0.6f);
  if (letter == 'x') return {{nw, se}, {ne, sw}};
  if (letter == 'y') return {{nw, c}, {ne, c}, {c, s}};
  return {{nw, ne}, {ne, sw}, {sw, se}};
}

}  // namespace

std::shared_ptr<const DrawItem> box_item(const Cell& cell, std::vector<glm::vec3> copies) {
  Lines lines;
  lines.width = 1.2f;
  const glm::mat3 v(cell.vectors);
  for (int axis = 0; axis < 3; ++axis)
    for (int corner = 0; corner < 4; ++corner) {
      const glm::vec3 start =
          v[(axis + 1) % 3] * static_cast<float>(corner & 1) + v[(axis + 2) % 3] * static_cast<float>(corner >> 1);
      lines.points.push_back(start);
      lines.points.push_back(start + v[axis]);
    }
  lines.colours.assign(lines.points.size(), glm::u8vec4(110, 116, 124, 255));
  auto item = std::make_shared<DrawItem>();
  item->shape = std::move(lines);
  item->copies = std::move(copies);
  return item;
}

std::vector<std::shared_ptr<const DrawItem>> axes_items(glm::dquat rotation) {
  Cylinders shafts;
  Lines letters;
  auto heads = std::make_shared<Mesh>();
  letters.width = 1.6f;
  const glm::vec3 right(glm::conjugate(rotation) * glm::dvec3(1, 0, 0)),
      up(glm::conjugate(rotation) * glm::dvec3(0, 1, 0));
  for (int i = 0; i < 3; ++i) {
    glm::vec3 axis(0);
    axis[i] = 1;
    const glm::u8vec4 colour = axis_colours[static_cast<std::size_t>(i)];
    shafts.cylinders.push_back({glm::vec3(0), axis * 0.72f, 0.055f});
    shafts.colours_a.push_back(colour);
    add_cone(*heads, axis * 0.7f, axis, 0.13f, colour);
    for (const auto& stroke : strokes("xyz"[i]))
      for (const glm::vec2 end : stroke) {
        letters.points.push_back(axis * 1.22f + 0.17f * (end.x * right + end.y * up));
        letters.colours.push_back(colour);
      }
  }
  shafts.colours_b = shafts.colours_a;
  shafts.round_ends = true;
  std::vector<std::shared_ptr<const DrawItem>> items;
  const auto add = [&items](auto shape) {
    auto item = std::make_shared<DrawItem>();
    item->shape = std::move(shape);
    items.push_back(std::move(item));
  };
  add(std::move(shafts));
  Surface surface;
  surface.mesh = std::move(heads);
  add(std::move(surface));
  add(std::move(letters));
  return items;
}

std::shared_ptr<const DrawItem> highlight_item(const std::vector<glm::vec4>& highlights) {
  auto item = std::make_shared<DrawItem>();
  item->shape = Spheres{highlights, {}, {}};
  return item;
}

}  // namespace isolume
