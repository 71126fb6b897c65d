// Fields as clouds: their volume with the colours of the transfer function.
#pragma once

#include <memory>

#include "app/fields/fields.h"
#include "app/scene/scene.h"
#include "molecule/grid.h"
#include "render/view/scene_view.h"

namespace isolume {

/// True where the field is drawn as a cloud.
bool is_cloud(const Field& field);

/// The value at the ends of a cloud's colours where nobody chose one: for a potential one that keeps most of its values
/// clear (those nearest 0, of six in seven points), in the values' unit; 0 for others, and where no value is other than
/// 0. It looks at some 20 000 values: FieldResult keeps it.
double automatic_cloud_range(const Field& field, const Volume& volume);

/// The value at the ends of its colours: the field's own, else the automatic one, else effective_cloud_range().
double cloud_range(const Field& field, double automatic);

/// The cloud of a volume's values as the field shows them now.
Cloud cloud_of(const Field& field, double automatic, std::shared_ptr<const Volume> volume);

/// What its colours mean, up to `range`. `base` says what the values are and in which unit.
FieldLegend cloud_legend(const Field& field, double range, const FieldLegend& base);

}  // namespace isolume
