// Fields too large for memory: computed on fewer points, with a message.
#include "app/fields/field_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/base/memory.h"

namespace isolume {
namespace {

/// Angstrom between grid points beyond which no detail can be seen.
double coarsest(Field::Kind kind) {
  switch (kind) {
    case Field::Kind::orbital:
    case Field::Kind::contacts:
      return 1;
    case Field::Kind::solvent_excluded:
    case Field::Kind::solvent_accessible:
    case Field::Kind::cavities:
      return 1.5;
    default:
      return 4;
  }
}

}  // namespace

void require_memory_of_grid(std::size_t bytes, const Device& device, const std::string& what, const Grid& grid) {
  const std::size_t available = available_memory(device);
  if (bytes <= available) return;
  try {
    require_memory(bytes, device, what);  // in its words
  } catch (const Error& fault) {
    throw DoesNotFit(fault.what(), bytes, available, glm::length(grid.step[0]));
  }
}

double coarser_spacing(Field::Kind kind, const DoesNotFit& fault) {
  if (kind == Field::Kind::volume || !(fault.spacing() > 0)) throw fault;
  const double part = static_cast<double>(fault.available()) / static_cast<double>(fault.needed());
  const double spacing = fault.spacing() * std::max(1.05, 1.03 / std::cbrt(std::max(part, 1e-6)));
  if (spacing > coarsest(kind)) throw fault;
  return spacing;
}

std::string fewer_points_note(double spacing, const DoesNotFit& first) {
  return fmt::format("{:.3g} angstrom between grid points instead of {:.3g}, which needed {} where {} can be had",
                     spacing, first.spacing(), bytes_in_words(first.needed()), bytes_in_words(first.available()));
}

}  // namespace isolume
