// What a result is shown as: the field as it is styled now, and its legend.
#pragma once

#include "app/fields/fields.h"

namespace isolume {

/// The field whose numbers a result shows, in the colours, the style and the place that it has now: legend and picture
/// are of this one while a newer one is computed.
Field as_shown(const Field& now, const FieldResult& result);

/// The legend of a result as the field is shown now: the colours of isosurfaces are the field's. Nothing where the
/// result has none.
std::optional<FieldLegend> legend_of(const Field& field, const FieldResult& result);

}  // namespace isolume
