// Whether two fields differ in their computation, or only in their drawing.
#include "app/fields/surface_paint.h"
#include "app/window/live/live_fields.h"

namespace isolume {

bool computes_differently(const Field& a, const Field& b) {
  Field x = a;
  x.visible = b.visible;
  x.opacity = b.opacity;
  // Meshes of lines of orbitals have grids of their own.
  const auto lines = [](const Field& f) { return f.style == Surface::Style::wireframe; };
  if (a.kind != Field::Kind::orbital || a.spacing > 0 || lines(a) == lines(b)) x.style = b.style;
  x.material = b.material;
  x.outline = b.outline;
  x.transfer = b.transfer;
  x.cloud_range = b.cloud_range;
  if (a.kind == Field::Kind::potential) x.paint = b.paint;
  const bool differ = shows_difference(a) || shows_difference(b);  // which may be in the unit of these
  if (a.kind != Field::Kind::potential && a.paint != Field::Paint::potential && b.paint != Field::Paint::potential) {
    if (!differ) x.potential = b.potential;  // nothing is computed by them
    if (!painted_by_map(a) && !painted_by_map(b)) x.paint_offset = b.paint_offset;
  }
  if (!painted_by_map(a) && !painted_by_map(b)) {
    x.map_molecule = b.map_molecule;
    x.map_volume = b.map_volume;
  }
  if (!differ) x.minus = b.minus;
  if (a.paint == Field::Paint::atoms && b.paint == Field::Paint::atoms) x.paint_range = b.paint_range;
  const bool sliced = a.slice.kind != SlicePlane::Kind::none || b.slice.kind != SlicePlane::Kind::none;
  const bool lines_shown = a.show == Field::Show::lines || b.show == Field::Show::lines;
  if (!lines_shown) x.lines = b.lines;
  if (sliced || lines_shown) {  // colours are computed with the values
    x.paint_range = a.paint_range;
    return x != b;
  }
  if (!wraps_atoms(a.kind) || (a.colouring == b.colouring && a.colouring != Colouring::element)) {
    x.colour = b.colour;
    x.negative_colour = b.negative_colour;
  }
  return x != b;
}

}  // namespace isolume
