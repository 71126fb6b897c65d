// The colours of a representation's atoms, with the numbers that some colourings need.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "app/documents/documents.h"
#include "app/fields/fields.h"
#include "app/scene/scene.h"

namespace isolume {

/// Colours of all atoms of the representation's molecule in `frame`, and their key; `mask` marks those it shows (one
/// byte per atom). `check`, where given, is called now and then and may throw to end it. Throws Error (usage) where an
/// expression cannot be read, there is no such volume or no such probe.
AtomColours colours_of(const Scene& scene, const Representation& representation, const Topology& topology,
                       const Frame& frame, std::span<const std::uint8_t> mask, Documents& documents,
                       const std::function<void()>& check = {});

/// All legends of a picture, in the order in which they are drawn: of the fields that are shown and have one (one
/// result per field), then the view's keys. Nothing where the scene wants none. Of a tile those of its molecule.
std::vector<FieldLegend> legends_of(const Scene& scene, const std::vector<FieldResult>& results, const SceneView& view);

/// Those of every tile, or of the whole picture where the view has none.
std::vector<std::vector<FieldLegend>> legends_by_tile(const Scene& scene, const std::vector<FieldResult>& results,
                                                      const SceneView& view);

}  // namespace isolume
