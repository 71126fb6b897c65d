// Rows of the Poisson-Boltzmann grid on the CPU: the operations on one row of nodes.
#pragma once

#include <cstddef>

namespace isolume {

/// A row's coefficients and neighbours; offsets are in elements from the row's first node.
struct PbRowView {
  int nx;
  std::ptrdiff_t y, z;  ///< to the next row and the next layer
  const float *cx, *cy, *cz, *kappa;
};

/// One colour of a Gauss-Seidel sweep: nodes 1 to nx - 2 whose index has the parity `first`.
void pb_smooth_row(const PbRowView& row, int first, const float* source, const float* inverse, float* u);
/// The same from u = 0: nodes of the other parity become 0.
void pb_first_row(const PbRowView& row, int first, const float* source, const float* inverse, float* u);
/// out = source - A u; source may be null for 0.
void pb_residual_row(const PbRowView& row, const float* source, const float* u, float* out);
/// The same of a u in double precision; `kappa` counts for 0 where `ions` is false.
void pb_residual_row(const PbRowView& row, bool ions, const float* source, const double* u, float* out);
/// inverse = 1 / (sum of coefficients + kappa).
void pb_inverse_row(const PbRowView& row, float* inverse);
/// The sums of a[i] b[i], and of a[i] + scale b[i] put into a.
double pb_dot(const float* a, const float* b, std::size_t count);
void pb_add(float* a, float scale, const float* b, std::size_t count);
/// a = b + scale a.
void pb_turn(float* a, float scale, const float* b, std::size_t count);
/// sums += weight times twice the conductance of `one` and `two` in series.
void pb_add_series(float* sums, float weight, const float* one, const float* two, std::size_t count);
/// sums = of nine rows, weights 4 of the middle one, 2 of those next to it and 1 of the others, over 16: rows[3 b + a].
void pb_mean_row(const float* const* rows, float* sums, std::size_t count);

}  // namespace isolume
