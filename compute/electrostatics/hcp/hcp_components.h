// The components of a system under hierarchical charge partitioning, as the bodies walk them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/host_device.h"
#include "compute/electrostatics/hcp/hcp.h"

namespace isolume {

/// A component acts by its parts on all points that are nearer to one of its atoms than this (angstrom), whatever the
/// thresholds: the pairs that a force field excludes are never part of an approximation.
inline constexpr float hcp_margin = 5;

/// A net charge of less than this of the sum of |q| is none: it is what the rounding of single-precision charges leaves
/// of a neutral residue. What has no charge is passed by.
inline constexpr double hcp_no_charge = 0x1p-23;

/// A charge that stands for something, or an atom.
struct alignas(16) HcpCharge {
  float x, y, z, q;
};

/// Where a component is, and from which distance on it is far: the larger of its level's threshold and its radius with
/// the margin.
struct alignas(16) HcpCentre {
  float x, y, z, reach;
};

/// One level. Component c holds the components [first[c], first[c+1]) of the level below and the atoms
/// [atom[c], atom[c+1]).
struct HcpLevel {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> atom;
  float threshold = 0;
};

/// The levels that can be far at all: those above the last finite threshold would only be walked through. A finite
/// threshold under an infinite one keeps both.
std::vector<HcpLevel> hcp_levels(const HcpHierarchy& hierarchy, const HcpOptions& options);

/// What a component is made of, summed over its atoms; double precision.
struct HcpSums {
  double weight = 0, x = 0, y = 0, z = 0;               ///< |q|, |q| r
  double plain_x = 0, plain_y = 0, plain_z = 0;         ///< r, for components without charge
  double plus = 0, plus_x = 0, plus_y = 0, plus_z = 0;  ///< of positive charges: q, q r

  ISOLUME_HOST_DEVICE void add(const HcpCharge& a) {
    const double q = a.q, size = q < 0 ? -q : q;
    weight += size, x += size * a.x, y += size * a.y, z += size * a.z;
    plain_x += a.x, plain_y += a.y, plain_z += a.z;
    if (q > 0) plus += q, plus_x += q * a.x, plus_y += q * a.y, plus_z += q * a.z;
  }
  ISOLUME_HOST_DEVICE void add(const HcpSums& o) {
    weight += o.weight, x += o.x, y += o.y, z += o.z;
    plain_x += o.plain_x, plain_y += o.plain_y, plain_z += o.plain_z;
    plus += o.plus, plus_x += o.plus_x, plus_y += o.plus_y, plus_z += o.plus_z;
  }
  /// The centre, without its reach.
  ISOLUME_HOST_DEVICE HcpCentre centre(std::uint32_t atoms) const {
    if (weight > 0)
      return {static_cast<float>(x / weight), static_cast<float>(y / weight), static_cast<float>(z / weight), 0};
    const double n = atoms;
    return {static_cast<float>(plain_x / n), static_cast<float>(plain_y / n), static_cast<float>(plain_z / n), 0};
  }
  /// The charges that stand for it: `count` 1 or 2 written to `out`.
  ISOLUME_HOST_DEVICE void charges(int count, const HcpCentre& middle, HcpCharge* out) const {
    const double minus = weight - plus;
    if (count == 1) {
      const double net = plus - minus, size = net < 0 ? -net : net;
      out[0] = {middle.x, middle.y, middle.z, size > hcp_no_charge * weight ? static_cast<float>(net) : 0.0f};
      return;
    }
    out[0] = out[1] = {middle.x, middle.y, middle.z, 0};
    if (plus > 0)
      out[0] = {static_cast<float>(plus_x / plus), static_cast<float>(plus_y / plus), static_cast<float>(plus_z / plus),
                static_cast<float>(plus)};
    if (minus > 0)
      out[1] = {static_cast<float>((x - plus_x) / minus), static_cast<float>((y - plus_y) / minus),
                static_cast<float>((z - plus_z) / minus), static_cast<float>(-minus)};
  }
};

/// Centres and charges of one level on the host; `charges_each` 1 or 2 values for each component.
struct HcpComponents {
  std::vector<HcpCentre> centres;
  std::vector<HcpCharge> charges;
};
HcpComponents hcp_components(std::span<const PointCharge> atoms, const HcpLevel& level, int charges_each, Job& job);

}  // namespace isolume
