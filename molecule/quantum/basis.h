// Gaussian basis sets: shells, their order of functions and their normalisation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isolume {

/// One contracted shell. Its radial part is R(r) = sum_k c_k N_k exp(-a_k r^2), where the N_k normalise each primitive.
///
/// The convention of Isolume, which every reader permutes and scales to on entry and nothing converts half-way:
///
/// * **Cartesian** shell (spherical == false): (l+1)(l+2)/2 functions N x^i y^j z^k R(r) with i+j+k = l, in the order
///   i descending, then j descending: p: x y z; d: xx xy xz yy yz zz; f: xxx xxy xxz xyy xyz xzz yyy yyz yzz zzz; ...
///   **Each function is normalised to 1 by itself**: for one primitive of exponent a,
///   N(a,i,j,k) = (2a/pi)^(3/4) (4a)^(l/2) / sqrt((2i-1)!! (2j-1)!! (2k-1)!!).
/// * **Spherical** shell (l >= 2): 2l+1 real solid harmonics S_lm(x,y,z) R(r), m = -l ... +l, without Condon-Shortley
///   phase, so that S_l,m ~ Re (x+iy)^m and S_l,-m ~ Im (x+iy)^m (m > 0) with positive factors; each normalised to 1.
///   (d: xy, yz, z2, xz, x2-y2.) s and p shells are always stored as Cartesian: 1; x y z.
/// * The contraction coefficients are for normalised primitives, and the contracted functions are normalised to 1.
///
/// Exponents are in bohr^-2.
struct Shell {
  std::uint32_t centre = 0;          ///< index of the atom
  std::uint8_t l = 0;                ///< angular momentum, 0 to 6
  bool spherical = false;            ///< see above; false for l < 2
  std::vector<double> exponents;     ///< bohr^-2
  std::vector<double> coefficients;  ///< one per exponent

  std::size_t function_count() const { return spherical ? 2u * l + 1u : (l + 1u) * (l + 2u) / 2u; }
};

/// A basis set on the atoms of one molecule; functions are numbered shell by shell.
struct Basis {
  std::vector<Shell> shells;

  std::size_t function_count() const;
  std::size_t primitive_count() const;
  int max_l() const;
  /// First function of every shell, and the total at the end (shells.size() + 1 values).
  std::vector<std::size_t> offsets() const;
  /// Scales the coefficients of every shell so that its contracted functions have norm 1.
  void normalise();
};

}  // namespace isolume
