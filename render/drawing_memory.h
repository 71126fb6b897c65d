// Memory of drawing: bytes of representations and pictures, before they are made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "render/renderer.h"
#include "render/represent/represent.h"

namespace isolume {

/// Bytes of what is drawn: the program's own copy, and the copy that the graphics driver has. Where the processor draws
/// (GlInfo::software) both are in the host's memory.
struct DrawnBytes {
  std::size_t own = 0;
  std::size_t driver = 0;

  DrawnBytes& operator+=(const DrawnBytes& other);
  /// Of the host.
  std::size_t host(bool software) const { return own + (software ? driver : 0); }
};

/// What represent() of these arguments makes, from the numbers of atoms, bonds and residues of the selection alone.
/// Within a quarter of what it makes, but for hydrogen bonds and vectors, of which it is the most that there usually
/// is.
DrawnBytes predict_items(const Topology& topology, std::span<const std::uint8_t> selected, Style style,
                         const StyleOptions& options);

/// What an item that was made holds; of a surface in OpenGL buffers nothing, since it is there already.
DrawnBytes bytes_of(const DrawItem& item);

/// What Renderer::picture() takes for a picture, beyond its items: the layers in which it is made (the driver's), its
/// pixels and the rows that are read back.
DrawnBytes predict_picture(const PictureOptions& options, const Look& look);

}  // namespace isolume
