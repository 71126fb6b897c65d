// Tube: the backbone as one round tube.
#include "render/represent/backbone.h"
#include "render/represent/nucleic_bases.h"
#include "render/represent/style_input.h"

namespace isolume {

Items represent_tube(const StyleInput& input) {
  RibbonMesh ribbon(16);
  const std::vector<Backbone> runs = backbones(input);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    input.report(i, runs.size());
    add_tube(ribbon, input, runs[i], 0.3f * input.options.cartoon_width);
  }
  Items items;
  if (ribbon.mesh.triangles.empty()) return items;
  Surface shape;
  shape.parts = std::move(ribbon.parts);
  shape.mesh = std::make_shared<const Mesh>(std::move(ribbon.mesh));
  input.add(items, std::move(shape));
  return items;
}

}  // namespace isolume
