// Bonds as lines; atoms without bonds as small crosses.
#include "render/represent/style_input.h"

namespace isolume {

Items represent_lines(const StyleInput& input) {
  Lines shape;
  shape.width = input.options.line_width;
  const auto add = [&](glm::vec3 point, std::size_t atom) {
    shape.points.push_back(point);
    shape.colours.push_back(input.colours[atom]);
    shape.parts.push_back(static_cast<std::uint32_t>(atom));
  };
  const std::size_t first = input.topology.bonds.size(), steps = first + input.drawn.size();
  for (std::size_t i = 0; i < first; ++i) {
    input.step(i, steps);
    const Bond& bond = input.topology.bonds[i];
    if (!input.bond_drawn(bond)) continue;
    add(input.position(bond.a), bond.a);
    add(input.position(bond.b), bond.b);
  }
  const std::vector<std::uint8_t> bonded = input.bonded();
  constexpr float arm = 0.25f;
  for (std::size_t i = 0; i < input.drawn.size(); ++i) {
    input.step(first + i, steps);
    if (!input.drawn[i] || bonded[i]) continue;
    for (int axis = 0; axis < 3; ++axis) {
      glm::vec3 d(0);
      d[axis] = arm;
      add(input.position(i) - d, i);
      add(input.position(i) + d, i);
    }
  }
  Items items;
  if (!shape.points.empty()) input.add(items, std::move(shape));
  return items;
}

}  // namespace isolume
