// Spheres of van der Waals size.
#include <algorithm>

#include "render/represent/sphere_chunks.h"
#include "render/represent/style_input.h"

namespace isolume {

Items represent_spheres(const StyleInput& input) {
  Items items;
  Spheres shape;
  const auto count =
      static_cast<std::size_t>(std::count_if(input.drawn.begin(), input.drawn.end(), [](auto d) { return d != 0; }));
  shape.spheres.reserve(count);
  shape.colours.reserve(count);
  shape.parts.reserve(count);
  for (std::size_t i = 0; i < input.drawn.size(); ++i) {
    input.step(i, input.drawn.size());
    if (!input.drawn[i]) continue;
    const float radius = input.topology.atoms[i].radius;
    shape.spheres.emplace_back(input.position(i), (radius > 0 ? radius : 1.7f) * input.options.sphere_scale);
    shape.colours.push_back(input.colours[i]);
    shape.parts.push_back(static_cast<std::uint32_t>(i));
  }
  if (count >= chunked_from) order_in_chunks(shape);
  if (!shape.spheres.empty()) input.add(items, std::move(shape));
  return items;
}

}  // namespace isolume
