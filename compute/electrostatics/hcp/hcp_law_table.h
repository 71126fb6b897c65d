// HcpLawTable: field and potential of a charge in the sigmoidal dielectric as polynomials of r^2.
#pragma once

#include <cstdint>

#include "compute/electrostatics/charges/dielectric.h"

namespace isolume {

/// Degrees of the polynomials: what is far makes a small part of a field.
inline constexpr int hcp_near_degree = 4, hcp_far_degree = 3;

/// Eight octaves of r^2, each in four equal intervals: 32 of them, as many floats as two vectors of AVX-512 hold. Which
/// one and where in it are bits of r^2 as a float: no root, no exponential, no division. Units are those of
/// HcpDeviceLaw; the field is E/r, to be multiplied by the difference of positions.
class HcpLawTable {
 public:
  static constexpr int intervals = 32, most_degree = 4;
  static constexpr int interval_bits = 21;  ///< of a float, below those that tell the interval
  /// Places in an interval run from -1/8 to 1/8: a float in [1, 5/4) less this.
  static constexpr float middle = 1.125f;

  HcpLawTable() = default;
  /// From the interval on in which `least` (angstrom) is; polynomials of `degree` 3 or 4.
  HcpLawTable(const Dielectric& law, double least, int degree);

  /// r^2 as bits, from which on it reaches; up to 2^26 above.
  std::uint32_t base() const { return base_; }
  /// Between these distances (angstrom).
  float nearest() const { return nearest_; }
  float farthest() const { return farthest_; }
  /// The largest relative errors that were met between the nodes.
  double field_error() const { return field_error_; }
  double potential_error() const { return potential_error_; }
  const float* field(int power) const { return field_[power]; }
  const float* potential(int power) const { return potential_[power]; }

 private:
  std::uint32_t base_ = 0;
  float nearest_ = 0, farthest_ = 0;
  double field_error_ = 0, potential_error_ = 0;
  /// Coefficients of each power, in the order of the interval's bits.
  alignas(64) float field_[most_degree + 1][intervals] = {};
  alignas(64) float potential_[most_degree + 1][intervals] = {};
};

}  // namespace isolume
