// Sticks: one round-ended cylinder per bond.
#include "render/represent/sticks.h"

namespace isolume {

void add_bond(Cylinders& shape, const StyleInput& input, const Bond& bond, float radius) {
  shape.cylinders.push_back({input.position(bond.a), input.position(bond.b), radius});
  shape.colours_a.push_back(input.colours[bond.a]);
  shape.colours_b.push_back(input.colours[bond.b]);
  shape.parts_a.push_back(bond.a);
  shape.parts_b.push_back(bond.b);
}

void add_bonds(Cylinders& shape, const StyleInput& input, float radius, std::size_t done, std::size_t steps) {
  for (const Bond& bond : input.topology.bonds) {
    input.step(done++, steps);
    if (input.bond_drawn(bond)) add_bond(shape, input, bond, radius);
  }
}

Items represent_sticks(const StyleInput& input) {
  Items items;
  Cylinders bonds;
  bonds.round_ends = true;
  const std::size_t first = input.topology.bonds.size(), steps = first + input.drawn.size();
  add_bonds(bonds, input, input.options.bond_radius, 0, steps);
  // Atoms without bonds would not be seen otherwise.
  Spheres lone;
  const std::vector<std::uint8_t> bonded = input.bonded();
  for (std::size_t i = 0; i < input.drawn.size(); ++i) {
    input.step(first + i, steps);
    if (!input.drawn[i] || bonded[i]) continue;
    lone.spheres.emplace_back(input.position(i), 1.5f * input.options.bond_radius);
    lone.colours.push_back(input.colours[i]);
    lone.parts.push_back(static_cast<std::uint32_t>(i));
  }
  if (!bonds.cylinders.empty()) input.add(items, std::move(bonds));
  if (!lone.spheres.empty()) input.add(items, std::move(lone));
  return items;
}

}  // namespace isolume
