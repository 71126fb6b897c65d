// How the functions of a shell turn.
#pragma once

#include <glm/glm.hpp>
#include <vector>

namespace isolume {

/// The matrix D of a shell's functions f (the order of Shell, n of them) with f_a(R^T r) = sum_b D[b * n + a] f_b(r):
/// if c are the coefficients of an orbital, D c are those of the orbital turned by R. The radial part does not matter.
/// `rotation` is orthogonal; a reflection may be in it. l is 0 to 6.
std::vector<double> shell_rotation(int l, bool spherical, const glm::dmat3& rotation);

}  // namespace isolume
