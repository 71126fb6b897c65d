// The lattices' part of the virial of a periodic multilevel summation.
#pragma once

#include <array>

#include "compute/electrostatics/msm/msm_cpu.h"

namespace isolume {

/// W = -dE/d(strain) of the lattices' energy, where positions, cell and lattices are strained as one.
///
/// The charges' weights on the nodes do not change then; only the kernels do. With Q_k the charges of level k and K_k
/// its kernel, E = 1/2 sum_k sum_mn Q_k(m) K_k(m - n) Q_k(n), and
///
///     W_ab = -1/2 sum_k sum_d C_k(d) dK_k(d)/d(strain_ab),   C_k(d) = sum_n Q_k(n) Q_k(n + d).
///
/// A kernel that depends on the distance alone, K = F(r^2), has dK/d(strain_ab) = 2 r_a r_b F'(r^2). That of the top
/// level is in part known in Fourier space, where 4 pi/(V k^2) exp(-k^2/4 alpha^2) has the derivative
/// [2 k_a k_b (1/k^2 + 1/(4 alpha^2)) - delta_ab] times itself. The filter of B-splines is the same for all strains,
/// and is applied to C_k in Fourier space.
///
/// xx yy zz xy xz yz in the unit of the charges' product over angstrom. `charges`: of the nodes of level 0, x fastest.
/// For plans that are periodic along three axes.
std::array<double, 6> msm_virial(const MsmPlan& plan, LargeVector<float> charges, Job& job);

/// Level 0's charges as they were spread, without the rows' ends.
LargeVector<float> msm_dense(const MsmNodes& nodes, Job& job);

/// Eq. 13: charges of level `l` to those of the next.
LargeVector<float> msm_restrict(const MsmPlan& plan, std::size_t l, const LargeVector<float>& charges, Job& job);

}  // namespace isolume
