// Bonds as cylinders, for the styles that have them.
#pragma once

#include "render/represent/style_input.h"

namespace isolume {

/// Appends a bond with the colours and numbers of its atoms.
void add_bond(Cylinders& shape, const StyleInput& input, const Bond& bond, float radius);

/// Appends all bonds that are drawn. They are the steps from `done` on, of all `steps`.
void add_bonds(Cylinders& shape, const StyleInput& input, float radius, std::size_t done, std::size_t steps);

}  // namespace isolume
