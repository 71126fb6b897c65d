// Where the molecules of a scene are in a later one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "app/scene/scene.h"

namespace isolume {

/// Where molecule `number` of a scene is in a later one, from which molecules were taken or to which some were added;
/// nothing where it is gone. Molecules are the same by their files and assembly.
std::optional<std::uint32_t> molecule_in(const Scene& later, const Scene& before, std::size_t number);

}  // namespace isolume
