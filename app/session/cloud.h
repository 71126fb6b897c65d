// Fields as clouds: their volume with the colours of the transfer function.
#pragma once

#include <memory>

#include "app/scene/scene.h"
#include "app/session/fields.h"
#include "molecule/grid.h"
#include "render/scene_view.h"

namespace isolume {

/// True where the field is drawn as a cloud.
bool is_cloud(const Field& field);

/// The cloud of a volume's values as the field shows them now.
Cloud cloud_of(const Field& field, std::shared_ptr<const Volume> volume);

/// The value at the ends of its colours: the field's own; else, for a potential, one that keeps most of its values
/// clear (those nearest 0, of six in seven points); else effective_cloud_range(). In the values' unit.
double cloud_range(const Field& field, const Volume& volume);

/// What its colours mean, up to `range`. `base` says what the values are and in which unit.
FieldLegend cloud_legend(const Field& field, double range, const FieldLegend& base);

}  // namespace isolume
