// What key frames hold of the entries of a scene's lists.
#pragma once

#include <cstddef>
#include <vector>

#include "app/scene/scene.h"

namespace isolume {

inline KeyedRepresentation keyed(const Representation& shown) {
  return {shown.visible, shown.opacity, shown.colour};
}

inline KeyedField keyed(const Field& shown) {
  return {shown.visible,      shown.opacity, shown.isovalue,       shown.enclosed,
          shown.slice.offset, shown.colour,  shown.negative_colour};
}

/// The entry of a key frame; of one that does not have it, as the scene has it.
template <class Keyed, class Entry>
Keyed entry(const std::vector<Keyed>& entries, std::size_t index, const Entry& in_scene) {
  return index < entries.size() ? entries[index] : keyed(in_scene);
}

}  // namespace isolume
