// HcpLawTable: field and potential of a charge in the sigmoidal dielectric as polynomials of r^2.
#include "compute/electrostatics/hcp/hcp_law_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "compute/electrostatics/hcp/hcp_pair.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

using Powers = std::array<double, HcpLawTable::most_degree + 1>;

/// The polynomial through values at Chebyshev's nodes of [-1/8, 1/8]: Newton's divided differences, written out by
/// powers.
Powers through(const Powers& nodes, Powers values, int degree) {
  const auto n = static_cast<std::size_t>(degree);
  for (std::size_t m = 1; m <= n; ++m) {
    for (std::size_t k = n; k >= m; --k) values[k] = (values[k] - values[k - 1]) / (nodes[k] - nodes[k - m]);
  }
  Powers powers{};
  powers[0] = values[n];
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t p = n; p > 0; --p) powers[p] = powers[p - 1] - nodes[k] * powers[p];
    powers[0] = values[k] - nodes[k] * powers[0];
  }
  return powers;
}

double at(const float (&table)[HcpLawTable::most_degree + 1][HcpLawTable::intervals], std::size_t interval, double t) {
  double sum = 0;
  for (int p = HcpLawTable::most_degree; p >= 0; --p) sum = sum * t + static_cast<double>(table[p][interval]);
  return sum;
}

}  // namespace

HcpLawTable::HcpLawTable(const Dielectric& law, double least, int degree)
    : base_(std::bit_cast<std::uint32_t>(static_cast<float>(least * least)) >> interval_bits << interval_bits) {
  // Room for the rounding of distances.
  nearest_ = 1.0001f * std::sqrt(std::bit_cast<float>(base_));
  farthest_ = 0.9999f * std::sqrt(std::bit_cast<float>(base_ + (std::uint32_t{intervals} << interval_bits)));
  const DielectricPair pair(law);
  const double unit = 0.5 * (law.bulk - 1) * std::pow(law.slope, 3);
  Powers nodes{};
  for (int k = 0; k <= degree; ++k) {
    nodes[static_cast<std::size_t>(k)] = std::cos(units::pi * (2 * k + 1) / (2 * (degree + 1))) / 8;
  }
  for (std::uint32_t i = 0; i < intervals; ++i) {
    const std::uint32_t bits = base_ + (i << interval_bits);
    const std::size_t interval = bits >> interval_bits & (intervals - 1);
    const auto begin = static_cast<double>(std::bit_cast<float>(bits));
    const double width = static_cast<double>(std::bit_cast<float>(bits + (1u << interval_bits))) - begin;
    const auto exact = [&](double t, double* field) {
      const double r = std::sqrt(begin + width * (t * 4 + 0.5));
      const double value = pair.value(r, field);
      *field *= unit;
      return unit * value;
    };
    Powers fields{}, potentials{};
    for (std::size_t k = 0; k <= static_cast<std::size_t>(degree); ++k) potentials[k] = exact(nodes[k], &fields[k]);
    fields = through(nodes, fields, degree);
    potentials = through(nodes, potentials, degree);
    for (std::size_t p = 0; p < fields.size(); ++p) {
      field_[p][interval] = static_cast<float>(fields[p]);
      potential_[p][interval] = static_cast<float>(potentials[p]);
    }
    // Between the nodes and at both ends, where the error is largest.
    for (int k = 0; k <= degree + 1; ++k) {
      const double t = std::cos(units::pi * k / (degree + 1)) / 8;
      double field = 0;
      const double potential = exact(t, &field);
      field_error_ = std::max(field_error_, std::abs(at(field_, interval, t) / field - 1));
      potential_error_ = std::max(potential_error_, std::abs(at(potential_, interval, t) / potential - 1));
    }
  }
}

}  // namespace isolume
