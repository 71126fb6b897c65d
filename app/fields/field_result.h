// The first members of a field's result, copied from its request.
#pragma once

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

}  // namespace isolume
