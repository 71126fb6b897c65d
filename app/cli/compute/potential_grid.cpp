// The grid of isolume compute potential: as another file's, the cell, or a box around the charges.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/cli/compute/potential_work.h"
#include "molecule/base/error.h"

namespace isolume::cli {

glm::ivec3 counts_of(const std::string& text) {
  glm::ivec3 counts(0);
  int found = 0;
  bool whole = false;  // nothing follows the last number
  for (std::size_t at = 0; at <= text.size() && found < 3;) {
    const std::size_t end = std::min(text.find_first_of(",xX", at), text.size());
    const auto [next, fault] = std::from_chars(text.data() + at, text.data() + end, counts[found]);
    if (fault != std::errc() || next != text.data() + end || counts[found] < 1) break;
    ++found;
    at = end + 1;
    whole = end == text.size();
    if (whole) break;
  }
  if (found == 1) counts = glm::ivec3(counts.x);
  if (!whole || (found != 1 && found != 3) || counts.x < 1)
    throw Error(fmt::format("--counts {}: expected one number of points, or three as in 64,64,80", text),
                Error::Kind::usage);
  const double points = double(counts.x) * double(counts.y) * double(counts.z);
  if (!(points < 4294967296.0))
    throw Error(fmt::format("--counts {}: {:.3g} points are more than 2^32", text, points), Error::Kind::usage);
  return counts;
}

Grid potential_grid_of(const MapGridOptions& options, const GridOptions& common, const PotentialWork& work,
                       const PotentialOptions& method) {
  if (work.like && !options.given()) return *work.like;
  const Cell& cell = periodic_cell(method);
  if (is_fully_periodic(method) && cell.exists()) {
    if (options.padding >= 0)
      throw Error("--padding: the grid of a periodic map is the cell; give --counts or --spacing", Error::Kind::usage);
    return options.counts.empty() ? cell_grid(cell, common.spacing) : cell_grid(cell, counts_of(options.counts));
  }
  const double padding = options.padding >= 0 ? options.padding : 12;
  const ChargeBox box = box_around(work.charges.spheres, work.charges.origin, padding);
  return options.counts.empty() ? potential_grid(box, common.spacing) : potential_grid(box, counts_of(options.counts));
}

}  // namespace isolume::cli
