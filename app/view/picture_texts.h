// What is written over a picture of the scene: labels, legends and the scale bar of each tile.
#pragma once

#include <cstdint>
#include <vector>

#include "app/fields/fields.h"
#include "render/renderer.h"

namespace isolume {

/// Writes them into the pixels, or as `options` say into Image::overlay. `covered` and `legends` are of each tile, or
/// of the whole picture.
void write_texts(Image& image, const SceneView& view, const PictureOptions& options,
                 const std::vector<std::vector<std::uint8_t>>& covered,
                 const std::vector<std::vector<FieldLegend>>& legends);

/// The legends alone on a transparent ground, as large as they are: those of all tiles, each once. `options` say how
/// large the picture is that they belong to. Throws Error (usage) where there are none.
Image legend_picture(const PictureOptions& options, const Look& look,
                     const std::vector<std::vector<FieldLegend>>& legends);

}  // namespace isolume
