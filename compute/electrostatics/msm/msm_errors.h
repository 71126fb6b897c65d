// The error that parameters of multilevel summation have, from a table of measured ones.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "compute/electrostatics/msm/msm.h"

namespace isolume {

/// A degree of interpolation with a smoothing that suits it, and the kind of its pieces.
struct MsmChoice {
  int degree;
  int smoothing;
  MsmBasisKind basis = MsmBasisKind::nodal;
};
/// Those that have a table.
std::vector<MsmChoice> msm_choices();

/// Relative RMS error with the cutoff a (angstrom) and the spacing a / ratio, on the boxes of the table.
double msm_table_error(MsmChoice choice, double a, double ratio);

/// The same with what boxes of water of 10^4 to 10^6 atoms had more at most, with cutoffs of 3 to 10 angstrom: what the
/// planner promises.
double msm_largest_error(MsmChoice choice, double a, double ratio);

/// The widest lattice that is fine enough: the least a/h of 2 to 16 with error(a/h) <= accuracy, nothing where there is
/// none. Lattices finer than that have not been measured.
std::optional<double> msm_least_ratio(double accuracy, const std::function<double(double ratio)>& error);

}  // namespace isolume
