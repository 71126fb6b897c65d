// Small spheres and the bonds between them.
#include "render/represent/sticks.h"

namespace isolume {

Items represent_ball_and_stick(const StyleInput& input) {
  Items items;
  Spheres balls;
  const std::size_t steps = input.drawn.size() + input.topology.bonds.size();
  for (std::size_t i = 0; i < input.drawn.size(); ++i) {
    input.step(i, steps);
    if (!input.drawn[i]) continue;
    const Atom& atom = input.topology.atoms[i];
    const float part = atom.element == 1 ? 0.18f : 0.25f;  // hydrogens are many, and say least
    balls.spheres.emplace_back(input.position(i),
                               part * (atom.radius > 0 ? atom.radius : 1.7f) * input.options.sphere_scale);
    balls.colours.push_back(input.colours[i]);
    balls.parts.push_back(static_cast<std::uint32_t>(i));
  }
  Cylinders bonds;
  add_bonds(bonds, input, input.options.bond_radius, input.drawn.size(), steps);
  if (!balls.spheres.empty()) input.add(items, std::move(balls));
  if (!bonds.cylinders.empty()) input.add(items, std::move(bonds));
  return items;
}

}  // namespace isolume
