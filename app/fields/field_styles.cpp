// Results of fields with the colours, style and opacity that their fields have now.
#include "app/fields/field_styles.h"

#include "app/fields/bond_path_field.h"
#include "app/fields/cloud.h"
#include "app/fields/line_field.h"
#include "app/fields/slice_field.h"
#include "app/scene/density_name.h"

namespace isolume {
namespace {

/// Surfaces that close around what they hold, so that a cut through them can be filled.
bool has_inside(const Field& field) {
  return field.kind == Field::Kind::orbital || (wraps_atoms(field.kind) && !field.periodic);
}

/// Vertices have colours of their own, which say nothing of the inside.
bool has_colours(const Field& field) {
  return field.paint != Field::Paint::atoms || field.kind == Field::Kind::contacts ||
         (wraps_atoms(field.kind) && field.colouring != Colouring::uniform);
}

constexpr glm::u8vec4 plain_cap{200, 200, 200, 255};

}  // namespace

template <class Fits, class Change>
std::shared_ptr<const DrawItem> FieldStyles::changed(std::size_t field_index, std::size_t number,
                                                     const std::shared_ptr<const DrawItem>& item, const Fits& fits,
                                                     const Change& change) {
  if (fits(*item)) return item;
  Restyled& kept = kept_[{field_index, number}];
  if (kept.original == item && fits(*kept.item)) return kept.item;
  auto other = std::make_shared<DrawItem>(*item);
  change(*other);
  kept = {item, std::move(other)};
  return kept.item;
}

std::shared_ptr<const DrawItem> FieldStyles::apply(std::size_t field_index, std::size_t number, const Field& field,
                                                   const std::shared_ptr<const DrawItem>& item,
                                                   const std::vector<glm::vec3>& copies, double automatic_range) {
  if (const auto* cloud = std::get_if<Cloud>(&item->shape)) {
    const Cloud now = cloud_of(field, automatic_range, cloud->volume);
    return changed(
        field_index, number, item,
        [&](const DrawItem& it) {
          const auto& c = std::get<Cloud>(it.shape);
          return c.transfer == now.transfer && c.lower == now.lower && c.upper == now.upper &&
                 it.opacity == field.opacity && it.copies == copies;
        },
        [&](DrawItem& it) {  // a cloud cannot be picked
          it.shape = now;
          it.opacity = field.opacity;
          it.copies = copies;
        });
  }
  const auto* surface = std::get_if<Surface>(&item->shape);
  // Surfaces between atoms have a colour of their own. Colours are values on planes and of the heads of field lines.
  const bool between = surface && shows_bond_paths(field);
  const bool values = !surface || between || (surface->mesh && (sliced(field) || shows_lines(field)));
  const float opacity = between ? field.opacity * interatomic_opacity : field.opacity;
  const bool closed = !values && has_inside(field);
  const glm::u8vec4 colour = values                         ? (surface ? surface->colour : glm::u8vec4(0))
                             : closed && has_colours(field) ? plain_cap
                             : number == 0                  ? field.colour
                                                            : field.negative_colour;
  const Surface::Style style = values ? Surface::Style::solid : field.style;
  const auto object = static_cast<std::uint32_t>(field_objects + field_index);
  const Material material = sliced(field) ? item->material : field.material;
  return changed(
      field_index, number, item,
      [&](const DrawItem& it) {
        const auto* s = std::get_if<Surface>(&it.shape);
        return (!s || (s->colour == colour && s->style == style && s->closed == closed)) && it.opacity == opacity &&
               it.material == material && it.copies == copies && it.object == object;
      },
      [&](DrawItem& it) {
        it.object = object;
        if (auto* s = std::get_if<Surface>(&it.shape)) {
          s->colour = colour;
          s->style = style;
          s->closed = closed;
        }
        it.opacity = opacity;
        it.material = material;
        it.copies = copies;
      });
}

}  // namespace isolume
