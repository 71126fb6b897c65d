// Bonds as cylinders, for the styles that have them.
#pragma once

#include "render/represent/style_input.h"

namespace isolume {

/// Appends a bond with the colours and numbers of its atoms.
void add_bond(Cylinders& shape, const StyleInput& input, const Bond& bond, float radius);

}  // namespace isolume
