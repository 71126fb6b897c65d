// Atoms sorted into cells on the CPU.
#include "compute/electrostatics/energy/energy_cells_cpu.h"

namespace isolume {

AtomCells::AtomCells(std::span<const glm::vec3> positions, std::span<const float> charges, const Cell& cell,
                     bool periodic, double cutoff)
    : periodic_(periodic) {
  const std::size_t atoms = positions.size();
  if (periodic) {
    vectors_ = cell.vectors;
  } else {
    glm::dvec3 lower(atoms ? positions[0] : glm::vec3(0));
    glm::dvec3 upper = lower;
    for (const glm::vec3 p : positions) {
      lower = glm::min(lower, glm::dvec3(p));
      upper = glm::max(upper, glm::dvec3(p));
    }
    origin_ = lower;
    vectors_ = glm::dmat3(0.0);
    for (int i = 0; i < 3; ++i) vectors_[i][i] = (upper[i] - lower[i]) * (1 + 1e-9) + 1e-3;
  }
  inverse_ = glm::inverse(vectors_);
  const glm::dmat3 dual = glm::transpose(inverse_);
  // About half a cutoff, but not far more cells than atoms.
  for (double side = cutoff / 2;; side *= 1.3) {
    double all = 1;
    for (int i = 0; i < 3; ++i) {
      counts_[i] = static_cast<int>(std::clamp(std::floor(1 / glm::length(dual[i]) / side), 1.0, 1e6));
      all *= counts_[i];
    }
    if (all <= 2 * static_cast<double>(atoms) + 64) break;
  }
  std::vector<std::uint32_t> home(atoms);
  std::vector<glm::vec3> place(atoms);
  first_.assign(index(0, 0, counts_.z) + 1, 0);
  for (std::size_t i = 0; i < atoms; ++i) {
    glm::dvec3 f = inverse_ * (glm::dvec3(positions[i]) - origin_);
    glm::ivec3 c;
    for (int axis = 0; axis < 3; ++axis) {
      if (periodic) f[axis] -= std::floor(f[axis]);
      c[axis] = std::clamp(static_cast<int>(f[axis] * counts_[axis]), 0, counts_[axis] - 1);
      f[axis] -= static_cast<double>(c[axis]) / counts_[axis];
    }
    home[i] = static_cast<std::uint32_t>(index(c.x, c.y, c.z));
    place[i] = glm::vec3(vectors_ * f);
    ++first_[home[i] + 1];
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  atom_.resize(atoms);
  place_.resize(atoms);
  charge_.resize(atoms);
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < atoms; ++i) {
    const std::size_t to = next[home[i]]++;
    atom_[to] = static_cast<std::uint32_t>(i);
    place_[to] = place[i];
    charge_[to] = charges[i];
  }
}

}  // namespace isolume
