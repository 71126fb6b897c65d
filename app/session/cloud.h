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

/// What its colours mean. `base` says what the values are and in which unit.
FieldLegend cloud_legend(const Field& field, const FieldLegend& base);

}  // namespace isolume
