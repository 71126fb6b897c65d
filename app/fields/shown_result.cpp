// What a result is shown as: the field as it is styled now, and its legend.
#include "app/fields/shown_result.h"

#include "app/fields/cloud.h"

namespace isolume {
namespace {

/// The colours of isosurfaces as the field has them now, and their values.
void show_isosurfaces(const Field& field, FieldLegend& legend) {
  const auto colour = [](glm::u8vec4 c) { return glm::vec3(glm::u8vec3(c)) / 255.0f; };
  const bool negative = effective_isovalue(field) < 0;
  legend.colours = {colour(negative ? field.colour : field.negative_colour),
                    colour(negative ? field.negative_colour : field.colour)};
  if (field.both_signs) return;
  legend.colours = {colour(field.colour)};
  legend.lower = legend.upper = shown_isovalue(field);
}

}  // namespace

Field as_shown(const Field& now, const FieldResult& result) {
  if (!result.field || result.field->kind != now.kind) return now;
  Field field = *result.field;
  field.molecule = now.molecule;
  field.colour = now.colour;
  field.negative_colour = now.negative_colour;
  field.style = now.style;
  field.material = now.material;
  field.outline = now.outline;
  field.transfer = now.transfer;
  field.cloud_range = now.cloud_range;
  field.opacity = now.opacity;
  field.visible = now.visible;
  return field;
}

std::optional<FieldLegend> legend_of(const Field& field, const FieldResult& result) {
  if (result.items.empty() && (is_cloud(field) || field.kind == Field::Kind::volume)) return std::nullopt;
  std::optional<FieldLegend> legend = result.legend;
  if (is_cloud(field)) {
    FieldLegend base;
    if (result.legend) base = *result.legend;
    if (!result.legend) {
      const bool spins = result.orbital && result.orbital->unrestricted;
      base.title = result.orbital && !result.orbital->pair.empty() ? result.orbital->pair
                                                                   : "orbital " + field.orbital +
                                                                         (!spins                     ? ""
                                                                          : field.spin == Spin::beta ? ", beta"
                                                                                                     : ", alpha");
      base.unit = "bohr^-3/2";
    }
    legend = cloud_legend(field, cloud_range(field, result.automatic_range), base);
  } else if (legend && legend->isosurfaces) {
    show_isosurfaces(field, *legend);
  }
  return legend;
}

}  // namespace isolume
