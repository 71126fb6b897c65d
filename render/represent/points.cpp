// One dot per atom.
#include <algorithm>

#include "render/represent/style_input.h"

namespace isolume {

Items represent_points(const StyleInput& input) {
  auto mesh = std::make_shared<Mesh>();
  Surface shape;
  shape.style = Surface::Style::points;
  const auto count =
      static_cast<std::size_t>(std::count_if(input.drawn.begin(), input.drawn.end(), [](auto d) { return d != 0; }));
  mesh->positions.reserve(count);
  mesh->colours.reserve(count);
  shape.parts.reserve(count);
  for (std::size_t i = 0; i < input.drawn.size(); ++i) {
    input.step(i, input.drawn.size());
    if (!input.drawn[i]) continue;
    mesh->positions.push_back(input.position(i));
    mesh->colours.push_back(input.colours[i]);
    shape.parts.push_back(static_cast<std::uint32_t>(i));
  }
  Items items;
  if (mesh->positions.empty()) return items;
  shape.mesh = std::move(mesh);
  input.add(items, std::move(shape));
  return items;
}

}  // namespace isolume
