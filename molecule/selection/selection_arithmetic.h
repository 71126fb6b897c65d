// What an arithmetic expression of the selection language is worth for an atom.
#pragma once

#include <vector>

#include "molecule/selection/selection_context.h"
#include "molecule/selection/selection_tree.h"

namespace isolume {

/// `stack` is scratch memory that is kept from atom to atom.
double value_of(const Arithmetic& arithmetic, SelectionContext& context, std::size_t atom, std::vector<double>& stack);

/// True where it reads x, y, z or what else a frame has.
bool uses_positions(const Arithmetic& arithmetic);

}  // namespace isolume
