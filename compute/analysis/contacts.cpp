// Contacts, found through a grid of neighbours.
#include "compute/analysis/contacts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compute/analysis/distance_counts.h"
#include "molecule/base/error.h"
#include "molecule/neighbour_grid.h"
#include "molecule/periodic_images.h"

namespace isolume {

void check_contact_cutoff(const Cell& cell, double cutoff) {
  const double most = largest_unique_distance(cell);
  if (!(cutoff > 0) || !std::isfinite(cutoff) || cutoff > most * (1 + 1e-9))
    throw Error(fmt::format("contacts: a cutoff above 0 and up to {:.4g} angstrom is needed, not {}", most, cutoff),
                Error::Kind::usage);
}

std::vector<Contact> find_contacts(std::span<const glm::vec3> a, std::span<const glm::vec3> b, const Cell& cell,
                                   double cutoff, Job& job) {
  check_contact_cutoff(cell, cutoff);
  std::vector<Contact> contacts;
  if (a.empty() || b.empty()) return contacts;
  PeriodicImages images;
  std::vector<glm::vec3> moved;
  if (cell.exists()) {
    images = periodic_images(b, cell, cutoff);
    const glm::dmat3 inverse = glm::inverse(cell.vectors);
    moved.reserve(a.size());
    for (const glm::vec3& p : a) moved.push_back(wrapped(p, cell.vectors, inverse));
    a = moved;
    b = images.points;
  }
  const NeighbourGrid grid(b, cutoff);
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    if (i % 4096 == 0) job.check();
    const std::size_t first = contacts.size();
    grid.visit(a[i], [&](std::uint32_t j, double squared) {
      contacts.push_back({i, images.origin.empty() ? j : images.origin[j], static_cast<float>(std::sqrt(squared))});
      return false;
    });
    std::sort(contacts.begin() + static_cast<std::ptrdiff_t>(first), contacts.end(),
              [](const Contact& x, const Contact& y) { return x.b != y.b ? x.b < y.b : x.distance < y.distance; });
    // At half the shortest vector two images may be equally near.
    contacts.erase(std::unique(contacts.begin() + static_cast<std::ptrdiff_t>(first), contacts.end(),
                               [](const Contact& x, const Contact& y) { return x.b == y.b; }),
                   contacts.end());
  }
  return contacts;
}

NativeContacts native_contacts(std::span<const Contact> native, std::span<const glm::vec3> a,
                               std::span<const glm::vec3> b, const Cell& cell, double cutoff) {
  NativeContacts result;
  if (native.empty()) return result;
  constexpr double beta = 5, lambda = 1.8;
  for (const Contact& contact : native) {
    glm::dvec3 d = glm::dvec3(b[contact.b]) - glm::dvec3(a[contact.a]);
    if (cell.exists()) d = cell.minimum_image(d);
    const double r = glm::length(d);
    result.hard += r <= cutoff ? 1 : 0;
    result.soft += 1 / (1 + std::exp(beta * (r - lambda * static_cast<double>(contact.distance))));
  }
  result.hard /= static_cast<double>(native.size());
  result.soft /= static_cast<double>(native.size());
  return result;
}

}  // namespace isolume
