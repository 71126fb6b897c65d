// The assignment of rows to columns of least total cost.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace isolume {

/// For each of `rows` rows the column that it is assigned to, such that the sum of costs is least and no column is
/// taken twice. rows <= columns. `cost` is row by row. Shortest augmenting paths with dual variables (Jonker and
/// Volgenant, Computing 38 (1987) 325), O(rows^2 columns).
std::vector<std::size_t> least_cost_assignment(std::span<const double> cost, std::size_t rows, std::size_t columns);

}  // namespace isolume
