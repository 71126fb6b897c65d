// Decompositions of dense matrices of any size: in one source, since they are slow to compile.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace isolume {

/// Of a symmetric matrix.
struct Eigenvectors {
  std::vector<double> values;   ///< ascending
  std::vector<double> vectors;  ///< row by row; column k belongs to values[k]
};
/// @param matrix  rows x rows, row by row; its lower half is read
/// Throws Error (failed) where there are no numbers to find.
Eigenvectors symmetric_eigenvectors(std::span<const double> matrix, std::size_t rows);

/// matrix = left diag(values) right^T.
struct SingularVectors {
  std::vector<double> values;  ///< descending, as many as the smaller of rows and columns
  std::vector<double> left;    ///< rows x values, row by row
  std::vector<double> right;   ///< columns x values, row by row
};
/// @param matrix  rows x columns, row by row
SingularVectors singular_vectors(std::span<const double> matrix, std::size_t rows, std::size_t columns);

}  // namespace isolume
