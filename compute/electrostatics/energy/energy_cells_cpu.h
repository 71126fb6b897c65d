// Atoms sorted into cells on the CPU, and those around a box gathered into one row.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/electrostatics/pairs/pair_loop_cpu.h"
#include "molecule/cell.h"

namespace isolume {

/// Atoms by cell, each at its place from the corner of its cell; cells lie x fastest. With periodicity they divide the
/// periodic cell, else a box around the atoms.
class AtomCells {
 public:
  /// Cells of about half the cutoff. `charges` one per position.
  AtomCells(std::span<const glm::vec3> positions, std::span<const float> charges, const Cell& cell, bool periodic,
            double cutoff);

  glm::ivec3 counts() const { return counts_; }
  std::size_t index(int a, int b, int c) const {
    return (static_cast<std::size_t>(c) * static_cast<std::size_t>(counts_.y) + static_cast<std::size_t>(b)) *
               static_cast<std::size_t>(counts_.x) +
           static_cast<std::size_t>(a);
  }
  std::uint32_t begin(std::size_t cell) const { return first_[cell]; }
  std::uint32_t end(std::size_t cell) const { return first_[cell + 1]; }
  std::uint32_t atom(std::size_t i) const { return atom_[i]; }
  glm::vec3 place(std::size_t i) const { return place_[i]; }
  glm::dvec3 corner(int a, int b, int c) const {
    return origin_ + vectors_ * (glm::dvec3(a, b, c) / glm::dvec3(counts_));
  }

  /// Calls use(atom, place, charge) for every atom, images included, within `reach` of the box from lower to upper
  /// (angstrom from `base`); the place too is from `base`.
  template <class Use>
  void each_near(glm::dvec3 base, glm::vec3 lower, glm::vec3 upper, double reach, const Use& use) const {
    const glm::dvec3 centre = inverse_ * (base + 0.5 * (glm::dvec3(lower) + glm::dvec3(upper)) - origin_);
    const glm::dvec3 half = 0.5 * (glm::dvec3(upper) - glm::dvec3(lower));
    glm::ivec3 low;
    glm::ivec3 high;
    for (int axis = 0; axis < 3; ++axis) {
      const glm::dvec3 row(inverse_[0][axis], inverse_[1][axis], inverse_[2][axis]);
      const double extent = glm::dot(glm::abs(row), half) + reach * glm::length(row);
      low[axis] = static_cast<int>(std::floor((centre[axis] - extent) * counts_[axis]));
      high[axis] = static_cast<int>(std::floor((centre[axis] + extent) * counts_[axis]));
      if (!periodic_) {
        low[axis] = std::clamp(low[axis], 0, counts_[axis]);
        high[axis] = std::clamp(high[axis], -1, counts_[axis] - 1);
      }
    }
    const auto reach2 = static_cast<float>(reach * reach * (1 + 1e-5));
    const auto wrap = [&](int at, int axis) { return (at % counts_[axis] + counts_[axis]) % counts_[axis]; };
    for (int c = low.z; c <= high.z; ++c) {
      for (int b = low.y; b <= high.y; ++b) {
        for (int a = low.x; a <= high.x; ++a) {
          const std::size_t at = index(wrap(a, 0), wrap(b, 1), wrap(c, 2));
          if (first_[at] == first_[at + 1]) continue;
          const glm::vec3 shift(corner(a, b, c) - base);
          for (std::uint32_t j = first_[at]; j < first_[at + 1]; ++j) {
            const glm::vec3 p = place_[j] + shift;
            const glm::vec3 out = glm::max(glm::max(lower - p, p - upper), glm::vec3(0));
            if (glm::dot(out, out) <= reach2) use(atom_[j], p, charge_[j]);
          }
        }
      }
    }
  }

 private:
  glm::dmat3 vectors_{1.0};
  glm::dmat3 inverse_{1.0};
  glm::dvec3 origin_{0.0};
  glm::ivec3 counts_{1};
  bool periodic_;
  std::vector<std::uint32_t> first_, atom_;
  std::vector<glm::vec3> place_;
  std::vector<float> charge_;
};

/// A row for pair_loop(), filled atom by atom.
struct GatheredRow {
  std::vector<float> x, y, z, q;
  void clear() {
    for (auto* v : {&x, &y, &z, &q}) v->clear();
  }
  void add(glm::vec3 p, float charge) {
    x.push_back(p.x);
    y.push_back(p.y);
    z.push_back(p.z);
    q.push_back(charge);
  }
  /// The row, with what loops may read beyond its end.
  PairRow finish() {
    const std::size_t count = q.size();
    for (auto* v : {&x, &y, &z, &q}) v->resize(count + pair_lanes, 0.0f);
    return {x.data(), y.data(), z.data(), q.data(), count};
  }
};

}  // namespace isolume
