// The assignment of rows to columns of least total cost.
#include "compute/orbitals/assignment.h"

#include <limits>

#include "molecule/base/error.h"

namespace isolume {

std::vector<std::size_t> least_cost_assignment(std::span<const double> cost, std::size_t rows, std::size_t columns) {
  if (rows > columns || cost.size() != rows * columns) throw Error("assignment: more rows than columns");
  const std::size_t none = rows;
  std::vector<double> row_dual(rows, 0.0), column_dual(columns + 1, 0.0);
  std::vector<std::size_t> row_of(columns + 1, none);  // one column more, from which every search starts
  std::vector<std::size_t> before(columns + 1, columns);
  std::vector<double> distance(columns + 1);
  std::vector<char> done(columns + 1);
  for (std::size_t row = 0; row < rows; ++row) {
    row_of[columns] = row;
    std::size_t at = columns;
    distance.assign(columns + 1, std::numeric_limits<double>::infinity());
    done.assign(columns + 1, 0);
    while (row_of[at] != none) {
      done[at] = 1;
      const std::size_t from = row_of[at];
      double least = std::numeric_limits<double>::infinity();
      std::size_t next = columns;
      for (std::size_t column = 0; column < columns; ++column) {
        if (done[column]) continue;
        const double reduced = cost[from * columns + column] - row_dual[from] - column_dual[column];
        if (reduced < distance[column]) {
          distance[column] = reduced;
          before[column] = at;
        }
        if (distance[column] < least) {
          least = distance[column];
          next = column;
        }
      }
      if (next == columns) throw Error("assignment: a cost is not a finite number");
      for (std::size_t column = 0; column <= columns; ++column) {
        if (done[column]) {
          row_dual[row_of[column]] += least;
          column_dual[column] -= least;
        } else {
          distance[column] -= least;
        }
      }
      at = next;
    }
    while (at != columns) {
      row_of[at] = row_of[before[at]];
      at = before[at];
    }
  }
  std::vector<std::size_t> column_of(rows, columns);
  for (std::size_t column = 0; column < columns; ++column) {
    if (row_of[column] != none) column_of[row_of[column]] = column;
  }
  return column_of;
}

}  // namespace isolume
