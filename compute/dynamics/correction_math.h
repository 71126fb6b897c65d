// Energy and forces of one correction map at two dihedral angles, the same on the CPU and CUDA.
#pragma once

#include <cmath>
#include <cstdint>

#include "compute/dynamics/bonded_math.h"

namespace isolume {

/// A node of a map; derivatives per step of the map.
struct CorrectionNode {
  double value, by_phi, by_psi, by_both;
};

struct CorrectionValue {
  double energy = 0;              ///< kcal/mol
  double by_phi = 0, by_psi = 0;  ///< its derivatives, kcal/(mol rad)
};

/// A term with its map: phi of the first four atoms, psi of the last four.
struct PackedCorrection {
  std::uint32_t atom[8];
  std::uint32_t first, size;  ///< where the nodes of its map begin; nodes along an axis
};

/// Where an angle is on an axis of a map: its node, the next one, and the weights of Hermite's cubic between them.
struct CorrectionPlace {
  std::uint32_t node[2];
  double value[2], slope[2];        ///< weights of values and slopes
  double value_by[2], slope_by[2];  ///< their derivatives

  ISOLUME_HOST_DEVICE CorrectionPlace(double angle, std::uint32_t size) {
    double turns = (angle + units::pi) / (2 * units::pi);
    turns -= floor(turns);
    const double at = turns * size;
    node[0] = static_cast<std::uint32_t>(at) % size;
    node[1] = (node[0] + 1) % size;
    const double u = at - floor(at);
    const double v = 1 - u;
    value[0] = (1 + 2 * u) * v * v;
    value[1] = u * u * (3 - 2 * u);
    slope[0] = u * v * v;
    slope[1] = -u * u * v;
    value_by[0] = -6 * u * v;
    value_by[1] = 6 * u * v;
    slope_by[0] = v * (1 - 3 * u);
    slope_by[1] = u * (3 * u - 2);
  }
};

/// At angles in radians, any turn, between the size * size nodes of a map, psi fastest.
ISOLUME_HOST_DEVICE inline CorrectionValue correction_value(const CorrectionNode* nodes, std::uint32_t size, double phi,
                                                            double psi) {
  const CorrectionPlace a(phi, size);
  const CorrectionPlace b(psi, size);
  CorrectionValue out;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const CorrectionNode node = nodes[a.node[i] * size + b.node[j]];
      const double along = b.value[j] * node.value + b.slope[j] * node.by_psi;
      const double turned = b.value[j] * node.by_phi + b.slope[j] * node.by_both;
      out.energy += a.value[i] * along + a.slope[i] * turned;
      out.by_phi += a.value_by[i] * along + a.slope_by[i] * turned;
      out.by_psi += a.value[i] * (b.value_by[j] * node.value + b.slope_by[j] * node.by_psi) +
                    a.slope[i] * (b.value_by[j] * node.by_phi + b.slope_by[j] * node.by_both);
    }
  }
  const double steps = size / (2 * units::pi);
  out.by_phi *= steps;
  out.by_psi *= steps;
  return out;
}

/// The energy of a term; `force` gets the forces on its eight places. `at(k)` is the position of its k-th atom.
template <class At>
ISOLUME_HOST_DEVICE inline double correction_energy(const PackedCorrection& term, const CorrectionNode* nodes,
                                                    const ImageBox& box, const At& at, Vector3 (&force)[8]) {
  Vector3 gradient[2][4];
  double angle[2];
  for (int half = 0; half < 2; ++half) {
    const int k = 4 * half;
    angle[half] = dihedral_angle(box.nearest(at(k) - at(k + 1)), box.nearest(at(k + 1) - at(k + 2)),
                                 box.nearest(at(k + 3) - at(k + 2)), gradient[half]);
  }
  const CorrectionValue value = correction_value(nodes + term.first, term.size, angle[0], angle[1]);
  for (int k = 0; k < 4; ++k) {
    force[k] = -value.by_phi * gradient[0][k];
    force[k + 4] = -value.by_psi * gradient[1][k];
  }
  return value.energy;
}

}  // namespace isolume
