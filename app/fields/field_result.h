// What the kinds of fields do alike with their results.
#pragma once

#include <memory>
#include <utility>

#include "app/fields/fields.h"

namespace isolume {

/// An empty result for the request, its path "host".
inline FieldResult result_of(const FieldRequest& request) {
  FieldResult result;
  result.number = request.number;
  result.field_index = request.field_index;
  result.field = request.field;
  result.coarsening = request.coarsening;
  result.path = "host";
  return result;
}

/// Adds a shape in its own colours, with the field's opacity and material.
template <class Shape>
void add_item(FieldResult& result, const Field& field, Shape shape) {
  auto item = std::make_shared<DrawItem>();
  item->shape = std::move(shape);
  item->opacity = field.opacity;
  item->material = field.material;
  result.items.push_back(std::move(item));
}

}  // namespace isolume
