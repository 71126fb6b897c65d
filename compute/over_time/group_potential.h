// The potential and the field at points, split by groups of charges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/electrostatics/method.h"
#include "compute/electrostatics/potential_field.h"

namespace isolume {

/// What a group of charges adds at a point.
struct GroupShare {
  double potential = 0;   ///< V
  glm::dvec3 field{0.0};  ///< -grad V, V/angstrom
};

/// Charges in the order of their groups: those of group g are order[starts[g]] to order[starts[g + 1] - 1].
struct ChargeGroups {
  std::vector<std::uint32_t> order, starts;

  /// `group`: that of each charge, below `count`.
  ChargeGroups(std::span<const std::uint32_t> group, std::size_t count);
  std::size_t size() const { return starts.size() - 1; }
};

/// True for the methods whose potential is a sum over charges, so that those of groups add up to that of all: all
/// methods of maps but pb.
bool adds_up(PotentialMethod method);

/// True where `device` computes the shares of groups by a method itself: a CUDA device the plain direct sum.
bool groups_on_device(const PotentialOptions& method, Device device);

/// True for the methods that have gradients of the field here: the direct sum and debye_hueckel.
bool has_gradients(const PotentialOptions& method);

/// What every group adds at every point: shares[point * groups + g]. Double precision; the plain direct sum in one pass
/// over the charges on `device`, other methods group by group (potential_at()). With spme and periodic msm each group
/// brings the uniform background that neutralises it; with hcp a component that is far acts where its charges stand,
/// each group by its own. A charge within 1e-4 angstrom of a point is left out there. On the calling thread, or in a
/// stream of its own, but for msm and spme. `gradients`: of the fields, of as many values, where it is not empty; all
/// is then computed on the CPU. Throws Error (usage) for a method that does not add up or has no gradients, and where
/// sizes differ.
void group_potentials(std::span<const ChargedSphere> charges, const ChargeGroups& groups,
                      const PotentialOptions& method, std::span<const glm::dvec3> points, std::span<GroupShare> shares,
                      Job& job, Device device = Device::cpu(), std::span<FieldGradient> gradients = {});

/// The direct sum by the formula, in vacuum.
void group_potentials_reference(std::span<const ChargedSphere> charges, const ChargeGroups& groups,
                                std::span<const glm::dvec3> points, std::span<GroupShare> shares,
                                std::span<FieldGradient> gradients = {});

}  // namespace isolume
