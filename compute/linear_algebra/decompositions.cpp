// Decompositions of dense matrices of any size, by Eigen.
#include "compute/linear_algebra/decompositions.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "molecule/base/error.h"

namespace isolume {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::MatrixXd matrix_of(std::span<const double> values, std::size_t rows, std::size_t columns) {
  if (values.size() != rows * columns) throw Error("matrix: its rows and columns are not its values");
  return Eigen::Map<const Rows>(values.data(), static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
}

std::vector<double> by_rows(const Eigen::MatrixXd& matrix) {
  std::vector<double> to(static_cast<std::size_t>(matrix.size()));
  Eigen::Map<Rows>(to.data(), matrix.rows(), matrix.cols()) = matrix;
  return to;
}

}  // namespace

Eigenvectors symmetric_eigenvectors(std::span<const double> matrix, std::size_t rows) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix_of(matrix, rows, rows));
  if (solver.info() != Eigen::Success) throw Error("a symmetric matrix could not be diagonalised");
  const Eigen::VectorXd& values = solver.eigenvalues();
  return {{values.data(), values.data() + values.size()}, by_rows(solver.eigenvectors())};
}

SingularVectors singular_vectors(std::span<const double> matrix, std::size_t rows, std::size_t columns) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(matrix_of(matrix, rows, columns),
                                              Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& values = svd.singularValues();
  return {{values.data(), values.data() + values.size()}, by_rows(svd.matrixU()), by_rows(svd.matrixV())};
}

}  // namespace isolume
