// The error that parameters of multilevel summation have, from a table of measured ones.
#pragma once

#include <vector>

#include "compute/potential/msm.h"

namespace isolume {

/// A degree of interpolation with a smoothing that suits it, and the kind of its pieces.
struct MsmChoice {
  int degree;
  int smoothing;
  MsmBasisKind basis = MsmBasisKind::nodal;
};
/// Those that have a table.
std::vector<MsmChoice> msm_choices();

/// Relative RMS error with the cutoff a (angstrom) and the spacing a / ratio.
double msm_table_error(MsmChoice choice, double a, double ratio);

}  // namespace isolume
