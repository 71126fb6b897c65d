// Which parts of a scene a change touched.
#pragma once

#include <cstdint>

#include "app/scene/scene.h"

namespace isolume {

/// Parts of a scene. They combine with `|`.
enum class SceneParts : std::uint32_t {
  none = 0,
  molecules = 1 << 0,  ///< the list of molecules, and how each is placed
  representations = 1 << 1,
  fields = 1 << 2,
  measurements = 1 << 3,  ///< labels, interactions and probes
  views = 1 << 4,         ///< saved views
  camera = 1 << 5,
  look = 1 << 6,  ///< clipping planes too
  playback = 1 << 7,
  frame = 1 << 8,
  arrangement = 1 << 9,  ///< box, legends and tiles
  files = 1 << 10,       ///< what the files of the molecules hold; the scene itself does not tell
  selections = 1 << 11,  ///< named ones
  keys = 1 << 12,        ///< key frames of the movie
  all = (1 << 13) - 1
};
constexpr SceneParts operator|(SceneParts a, SceneParts b) {
  return static_cast<SceneParts>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
/// True where the two have a part in common.
constexpr bool touches(SceneParts change, SceneParts parts) {
  return (static_cast<std::uint32_t>(change) & static_cast<std::uint32_t>(parts)) != 0;
}

/// The parts in which two scenes differ; never `files`.
SceneParts difference(const Scene& before, const Scene& after);

}  // namespace isolume
