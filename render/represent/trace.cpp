// Trace: straight rods from one residue's atom to the next.
#include "render/represent/backbone.h"
#include "render/represent/style_input.h"

namespace isolume {

Items represent_trace(const StyleInput& input) {
  Cylinders rods;
  rods.round_ends = true;
  const std::vector<Backbone> runs = backbones(input);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    input.report(k, runs.size());
    const Backbone& run = runs[k];
    for (std::size_t i = 0; i + 1 < run.residues.size(); ++i) {
      const BackboneResidue &a = run.residues[i], &b = run.residues[i + 1];
      rods.cylinders.push_back({a.position, b.position, 2.0f * input.options.bond_radius});
      rods.colours_a.push_back(input.colours[a.atom]);
      rods.colours_b.push_back(input.colours[b.atom]);
      rods.parts_a.push_back(a.atom);
      rods.parts_b.push_back(b.atom);
    }
  }
  Items items;
  if (!rods.cylinders.empty()) input.add(items, std::move(rods));
  return items;
}

}  // namespace isolume
