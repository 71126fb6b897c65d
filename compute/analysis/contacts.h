// Contacts: pairs of points that are near each other, and how many of earlier ones are left.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "molecule/cell.h"

namespace isolume {

/// A point of the first set and one of the second, by their places in these.
struct Contact {
  std::uint32_t a = 0, b = 0;
  float distance = 0;  ///< angstrom
  bool operator==(const Contact&) const = default;
};

/// All pairs at most `cutoff` (angstrom) apart, ascending by a, then b; with a cell the nearest images. Throws Error
/// (usage) for a cutoff that is not above 0 or, with a cell, beyond largest_unique_distance().
std::vector<Contact> find_contacts(std::span<const glm::vec3> a, std::span<const glm::vec3> b, const Cell& cell,
                                   double cutoff, Job& job);

/// Throws what find_contacts() throws for the cutoff.
void check_contact_cutoff(const Cell& cell, double cutoff);

/// How much of some contacts there still is.
struct NativeContacts {
  double hard = 0;  ///< the fraction that is at most the cutoff apart
  /// The mean of 1 / (1 + exp(beta (r - lambda r0))), r0 the distance it had (Best, Hummer and Eaton, PNAS 110 (2013)
  /// 17874), beta = 5 / angstrom and lambda = 1.8, as they take for all-atom models.
  double soft = 0;
};

/// Of `native` contacts, by the positions that their points have now. 0 where there were none.
NativeContacts native_contacts(std::span<const Contact> native, std::span<const glm::vec3> a,
                               std::span<const glm::vec3> b, const Cell& cell, double cutoff);

}  // namespace isolume
