// NeighbourList: atoms in cells of at least the listed distance, and the pairs of neighbouring cells.
#include "compute/dynamics/neighbour_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/dynamics/bonded_terms.h"
#include "molecule/base/error.h"

namespace isolume {

namespace {

/// Cells along three axes, by fractions of a parallelepiped, with the atoms in their order.
struct Bins {
  glm::dmat3 inverse{1.0};
  glm::dvec3 origin{0.0};
  glm::ivec3 count{1};
  bool periodic = false;
  std::vector<std::uint32_t> first, atoms;
  std::vector<glm::dvec3> places;  ///< of the atoms; in a cell their image within it

  std::size_t index(glm::ivec3 c) const {
    return (static_cast<std::size_t>(c.z) * static_cast<std::size_t>(count.y) + static_cast<std::size_t>(c.y)) *
               static_cast<std::size_t>(count.x) +
           static_cast<std::size_t>(c.x);
  }
  /// Whether every cell next to another is next to it once only.
  bool wide() const { return !periodic || glm::all(glm::greaterThanEqual(count, glm::ivec3(3))); }
};

double least_width(const Cell& cell) {
  const glm::dmat3 dual = glm::transpose(glm::inverse(cell.vectors));
  return 1 / std::max({glm::length(dual[0]), glm::length(dual[1]), glm::length(dual[2])});
}

Bins make_bins(std::span<const glm::dvec3> positions, const Cell& cell, double distance) {
  Bins bins;
  glm::dvec3 width;
  if (cell.exists()) {
    bins.periodic = true;
    bins.inverse = glm::inverse(cell.vectors);
    const glm::dmat3 dual = glm::transpose(bins.inverse);
    for (int a = 0; a < 3; ++a) width[a] = 1 / glm::length(dual[a]);
  } else {
    glm::dvec3 low = positions.front(), high = low;
    for (const glm::dvec3 p : positions) low = glm::min(low, p), high = glm::max(high, p);
    width = glm::max(high - low, glm::dvec3(distance));
    bins.origin = low;
    for (int a = 0; a < 3; ++a) bins.inverse[a][a] = 1 / width[a];
  }
  // Far scattered atoms must not make more cells than there are atoms.
  const double most = std::max(1.0, std::cbrt(static_cast<double>(positions.size())) * 4);
  for (int a = 0; a < 3; ++a) bins.count[a] = static_cast<int>(std::clamp(std::floor(width[a] / distance), 1.0, most));
  const auto cells = static_cast<std::size_t>(bins.count.x) * static_cast<std::size_t>(bins.count.y) *
                     static_cast<std::size_t>(bins.count.z);
  bins.first.assign(cells + 1, 0);
  std::vector<std::uint32_t> home(positions.size());
  std::vector<glm::dvec3> wrapped(positions.begin(), positions.end());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    glm::dvec3 f = bins.inverse * (positions[i] - bins.origin);
    if (bins.periodic) {
      const glm::dvec3 turns = glm::floor(f);
      f -= turns;
      wrapped[i] -= cell.vectors * turns;
    }
    home[i] = static_cast<std::uint32_t>(
        bins.index(glm::clamp(glm::ivec3(f * glm::dvec3(bins.count)), glm::ivec3(0), bins.count - 1)));
    ++bins.first[home[i] + 1];
  }
  for (std::size_t c = 0; c < cells; ++c) bins.first[c + 1] += bins.first[c];
  bins.atoms.resize(positions.size());
  bins.places.resize(positions.size());
  std::vector<std::uint32_t> next(bins.first.begin(), bins.first.end() - 1);
  for (std::uint32_t i = 0; i < positions.size(); ++i) {
    const std::uint32_t to = next[home[i]]++;
    bins.atoms[to] = i;
    bins.places[to] = wrapped[i];
  }
  return bins;
}

/// A cell next to another along one axis, and how many times the cell's vector it is away.
struct Beside {
  int at, turns;
};

/// The cells at and next to c along one axis, each once.
std::size_t around(int c, int count, bool periodic, std::array<Beside, 3>& out) {
  std::size_t n = 0;
  for (int d = -1; d <= 1; ++d) {
    int at = c + d, turns = 0;
    if (periodic && at < 0) at += count, turns = -1;
    if (periodic && at >= count) at -= count, turns = 1;
    if (at < 0 || at >= count) continue;
    bool known = false;
    for (std::size_t k = 0; k < n; ++k) known = known || out[k].at == at;
    if (!known) out[n++] = {at, turns};
  }
  return n;
}

}  // namespace

NeighbourList::NeighbourList(const ForceField& field, const Cell& cell, double cutoff, double margin)
    : field_(field), cell_(cell), box_(image_box(cell)), cutoff_(cutoff), margin_(margin) {
  if (!(cutoff > 0) || !std::isfinite(cutoff)) {
    throw Error(fmt::format("Lennard-Jones: a cutoff of {} angstrom; expected a positive length", cutoff),
                Error::Kind::usage);
  }
  if (cell.exists()) {
    const double most = least_width(cell) / 2;
    if (cutoff > most) {
      throw Error(fmt::format("Lennard-Jones: a cutoff of {:.6g} angstrom; half of the cell's least width is {:.6g}",
                              cutoff, most),
                  Error::Kind::usage);
    }
    margin_ = std::min(margin, most - cutoff);
  }
  const std::size_t atoms = field.atom_count();
  row_offsets_.assign(atoms + 1, 0);
  for (std::uint32_t a = 0; a < atoms; ++a) {
    for (std::uint32_t k = field.exclusion_offsets[a]; k < field.exclusion_offsets[a + 1]; ++k) {
      ++row_offsets_[a + 1];
      ++row_offsets_[field.excluded[k] + 1];
    }
  }
  for (std::size_t i = 0; i < atoms; ++i) row_offsets_[i + 1] += row_offsets_[i];
  row_partners_.resize(row_offsets_.back());
  std::vector<std::uint32_t> next(row_offsets_.begin(), row_offsets_.end() - 1);
  for (std::uint32_t a = 0; a < atoms; ++a) {
    for (std::uint32_t k = field.exclusion_offsets[a]; k < field.exclusion_offsets[a + 1]; ++k) {
      const std::uint32_t b = field.excluded[k];
      row_partners_[next[a]++] = b;
      row_partners_[next[b]++] = a;
    }
  }
  for (std::size_t i = 0; i < atoms; ++i) {
    std::sort(row_partners_.begin() + row_offsets_[i], row_partners_.begin() + row_offsets_[i + 1]);
  }
}

bool NeighbourList::stale(std::span<const glm::dvec3> positions) const {
  if (built_at_.size() != positions.size()) return true;
  const double most = margin_ * margin_ / 4;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const glm::dvec3 d = positions[i] - built_at_[i];
    // Not a number counts as moved, so that build() reports it.
    if (!(glm::dot(d, d) < most)) return true;
  }
  return false;
}

void NeighbourList::build(std::span<const glm::dvec3> positions, Job& job) {
  const std::size_t atoms = positions.size();
  for (std::size_t i = 0; i < atoms; ++i) {
    if (!std::isfinite(positions[i].x + positions[i].y + positions[i].z)) {
      throw Error(
          fmt::format("atom {} has gone beyond all numbers: the time step is too long, or atoms overlap at the "
                      "start (minimise first)",
                      i + 1));
    }
  }
  ++builds_;
  const double distance = cutoff_ + margin_;
  const double distance2 = distance * distance;
  const Bins bins = make_bins(positions, cell_, distance);
  const bool wide = bins.wide();
  /// Calls use(j) for the partners of the atom at place k of the bins, which is in cell c.
  const auto each = [&](std::uint32_t k, glm::ivec3 c, const auto& use) {
    const std::uint32_t i = bins.atoms[k];
    std::array<Beside, 3> xs{}, ys{}, zs{};
    const std::size_t nx = around(c.x, bins.count.x, bins.periodic, xs);
    const std::size_t ny = around(c.y, bins.count.y, bins.periodic, ys);
    const std::size_t nz = around(c.z, bins.count.z, bins.periodic, zs);
    const auto row = row_partners_.begin() + row_offsets_[i];
    const auto row_end = row_partners_.begin() + row_offsets_[i + 1];
    const auto excluded = [&](std::uint32_t j) {
      return row != row_end && j >= *row && j <= *(row_end - 1) && std::binary_search(row, row_end, j);
    };
    for (std::size_t z = 0; z < nz; ++z) {
      for (std::size_t y = 0; y < ny; ++y) {
        for (std::size_t x = 0; x < nx; ++x) {
          const std::size_t other = bins.index({xs[x].at, ys[y].at, zs[z].at});
          // Seen from the images of the other cell that are next to this one.
          const glm::dvec3 own = bins.places[k] - cell_.vectors * glm::dvec3(xs[x].turns, ys[y].turns, zs[z].turns);
          for (std::uint32_t at = bins.first[other]; at < bins.first[other + 1]; ++at) {
            const glm::dvec3 d = own - bins.places[at];
            if (wide) {
              if (glm::dot(d, d) > distance2) continue;
            } else {
              const Vector3 nearest = box_.nearest({d.x, d.y, d.z});
              if (dot(nearest, nearest) > distance2) continue;
            }
            const std::uint32_t j = bins.atoms[at];
            if (j != i && !excluded(j)) use(j);
          }
        }
      }
    }
  };
  // A cell of the bins at a time, so that its surroundings stay near; then in the order of the atoms.
  const std::size_t cells = bins.first.size() - 1;
  std::vector<std::vector<std::uint32_t>> found(cells);
  std::vector<std::uint32_t> counts(atoms), places(atoms);
  parallel_for(cells, job, "neighbours", [&](std::size_t cell) {
    std::vector<std::uint32_t>& list = found[cell];
    const auto nx = static_cast<std::size_t>(bins.count.x), ny = static_cast<std::size_t>(bins.count.y);
    const glm::ivec3 c(cell % nx, cell / nx % ny, cell / nx / ny);
    for (std::uint32_t k = bins.first[cell]; k < bins.first[cell + 1]; ++k) {
      const std::size_t before = list.size();
      each(k, c, [&](std::uint32_t j) { list.push_back(j); });
      std::sort(list.begin() + static_cast<std::ptrdiff_t>(before), list.end());
      counts[bins.atoms[k]] = static_cast<std::uint32_t>(list.size() - before);
      places[bins.atoms[k]] = static_cast<std::uint32_t>(before);
    }
  });
  std::size_t total = 0;
  for (const auto& list : found) total += list.size();
  if (total > 0xffffffffu) {
    throw Error(
        fmt::format("Lennard-Jones: {} partners within {:.3g} angstrom are more than a list holds; choose a "
                    "shorter cutoff",
                    total, distance));
  }
  offsets_.resize(atoms + 1);
  offsets_[0] = 0;
  for (std::size_t i = 0; i < atoms; ++i) offsets_[i + 1] = offsets_[i] + counts[i];
  partners_.resize(total);
  parallel_for(cells, job, "neighbours", [&](std::size_t cell) {
    for (std::uint32_t k = bins.first[cell]; k < bins.first[cell + 1]; ++k) {
      const std::uint32_t i = bins.atoms[k];
      std::copy_n(found[cell].begin() + places[i], counts[i], partners_.begin() + offsets_[i]);
    }
  });
  built_at_.assign(positions.begin(), positions.end());
}

}  // namespace isolume
