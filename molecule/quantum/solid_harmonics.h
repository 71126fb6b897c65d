// Cartesian Gaussians, their normalisation, and real solid harmonics in terms of them.
#pragma once

#include <glm/glm.hpp>
#include <vector>

namespace isolume {

inline constexpr int max_angular_momentum = 6;  ///< of shells, as in Shell::l

/// Powers (i, j, k) of the (l+1)(l+2)/2 Cartesian functions of a shell in the order of Shell: i descending, then j
/// descending.
std::vector<glm::ivec3> cartesian_powers(int l);

/// N(a,i,j,k) = (2a/pi)^(3/4) (4a)^((i+j+k)/2) / sqrt((2i-1)!! (2j-1)!! (2k-1)!!), which makes x^i y^j z^k exp(-a r^2)
/// of norm 1. Exponent in bohr^-2.
double cartesian_norm(double exponent, int i, int j, int k);

/// The matrix M of 2l+1 rows (m = -l ... +l) and (l+1)(l+2)/2 columns (the order of cartesian_powers), row by row, with
/// S_lm = sum_c M[m][c] chi_c, where S_lm is normalised to 1 and chi_c is the Cartesian function of the same exponent
/// normalised to 1 by itself. M does not depend on the exponent. Signs and order as stated at Shell (no Condon-Shortley
/// phase). Any l from 0; note that Shell stores l = 0 and 1 as Cartesian, so that p is x y z there and y z x here.
/// Helgaker, Jorgensen, Olsen, "Molecular Electronic-Structure Theory" (2000), eqs. 6.4.47 to 6.4.50.
std::vector<double> solid_harmonic_matrix(int l);

}  // namespace isolume
