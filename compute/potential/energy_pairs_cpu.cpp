// The sum over pairs within a cutoff on the CPU: atoms in cells, the atoms around a cell gathered into one row.
#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>

#include "compute/parallel_for.h"
#include "compute/potential/energy_cpu.h"

namespace isolume {

namespace {

/// Atoms by cell, each at its place from the corner of its cell.
struct AtomCells {
  glm::dmat3 vectors{1.0};  // of the box that the cells divide
  glm::ivec3 counts{1};
  glm::ivec3 reach{0};  // in cells
  bool periodic = false;
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> atom;
  std::vector<glm::vec3> place;
  std::vector<float> charge;

  std::size_t index(int a, int b, int c) const {
    return (static_cast<std::size_t>(c) * static_cast<std::size_t>(counts.y) + static_cast<std::size_t>(b)) *
               static_cast<std::size_t>(counts.x) +
           static_cast<std::size_t>(a);
  }
};

AtomCells sort_atoms(const ElectrostaticProblem& problem, Span<const glm::vec3> positions, double cutoff,
                     bool periodic) {
  AtomCells cells;
  cells.periodic = periodic;
  const std::size_t atoms = problem.atoms();
  glm::dvec3 origin(0.0);
  if (periodic) {
    cells.vectors = problem.cell.vectors;
  } else {
    glm::dvec3 lower(positions.data[0]);
    glm::dvec3 upper = lower;
    for (std::size_t i = 1; i < atoms; ++i) {
      lower = glm::min(lower, glm::dvec3(positions.data[i]));
      upper = glm::max(upper, glm::dvec3(positions.data[i]));
    }
    origin = lower;
    cells.vectors = glm::dmat3(0.0);
    for (int i = 0; i < 3; ++i) cells.vectors[i][i] = (upper[i] - lower[i]) * (1 + 1e-9) + 1e-3;
  }
  const glm::dmat3 inverse = glm::inverse(cells.vectors);
  const glm::dmat3 dual = glm::transpose(inverse);
  // About half a cutoff, but not far more cells than atoms.
  for (double side = cutoff / 2;; side *= 1.3) {
    double all = 1;
    for (int i = 0; i < 3; ++i) {
      const double width = 1 / glm::length(dual[i]);
      cells.counts[i] = static_cast<int>(std::clamp(std::floor(width / side), 1.0, 1e6));
      cells.reach[i] = static_cast<int>(std::ceil(cutoff * cells.counts[i] / width));
      all *= cells.counts[i];
    }
    if (all <= 2 * static_cast<double>(atoms) + 64) break;
  }
  std::vector<std::uint32_t> home(atoms);
  std::vector<glm::vec3> place(atoms);
  cells.first.assign(cells.index(0, 0, cells.counts.z) + 1, 0);
  for (std::size_t i = 0; i < atoms; ++i) {
    glm::dvec3 f = inverse * (glm::dvec3(positions.data[i]) - origin);
    glm::ivec3 c;
    for (int axis = 0; axis < 3; ++axis) {
      if (periodic) f[axis] -= std::floor(f[axis]);
      c[axis] = std::clamp(static_cast<int>(f[axis] * cells.counts[axis]), 0, cells.counts[axis] - 1);
      f[axis] -= static_cast<double>(c[axis]) / cells.counts[axis];
    }
    home[i] = static_cast<std::uint32_t>(cells.index(c.x, c.y, c.z));
    place[i] = glm::vec3(cells.vectors * f);
    ++cells.first[home[i] + 1];
  }
  for (std::size_t i = 1; i < cells.first.size(); ++i) cells.first[i] += cells.first[i - 1];
  cells.atom.resize(atoms);
  cells.place.resize(atoms);
  cells.charge.resize(atoms);
  std::vector<std::uint32_t> next(cells.first.begin(), cells.first.end() - 1);
  for (std::size_t i = 0; i < atoms; ++i) {
    const std::size_t to = next[home[i]]++;
    cells.atom[to] = static_cast<std::uint32_t>(i);
    cells.place[to] = place[i];
    cells.charge[to] = problem.charges[i];
  }
  return cells;
}

/// The atoms around one cell, with a way to find an atom's places among them.
struct Surroundings {
  static constexpr std::uint32_t none = ~0u;
  std::vector<float> x, y, z, q;
  std::vector<std::uint32_t> atom;
  std::vector<std::uint32_t> before;  // an earlier place of the same atom (another image), or none
  std::vector<std::uint32_t> last;    // per atom of the system: its last place here

  explicit Surroundings(std::size_t atoms) : last(atoms, none) {}
  void clear() {
    for (const std::uint32_t a : atom) last[a] = none;
    x.clear();
    y.clear();
    z.clear();
    q.clear();
    atom.clear();
    before.clear();
  }
  void add(std::uint32_t a, glm::vec3 p, float charge) {
    x.push_back(p.x);
    y.push_back(p.y);
    z.push_back(p.z);
    q.push_back(charge);
    before.push_back(last[a]);
    last[a] = static_cast<std::uint32_t>(atom.size());
    atom.push_back(a);
  }
  void pad() {
    x.resize(x.size() + pair_lanes, 0.0f);
    y.resize(y.size() + pair_lanes, 0.0f);
    z.resize(z.size() + pair_lanes, 0.0f);
    q.resize(q.size() + pair_lanes, 0.0f);
  }
};

void gather(const AtomCells& cells, glm::ivec3 c, double cutoff, Surroundings& around) {
  around.clear();
  const std::size_t own = cells.index(c.x, c.y, c.z);
  glm::vec3 lower(1e30f);
  glm::vec3 upper(-1e30f);
  for (std::uint32_t i = cells.first[own]; i < cells.first[own + 1]; ++i) {
    lower = glm::min(lower, cells.place[i]);
    upper = glm::max(upper, cells.place[i]);
  }
  const auto reach2 = static_cast<float>(cutoff * cutoff * (1 + 1e-5));
  const auto wrap = [&](int at, int axis) {
    return (at % cells.counts[axis] + cells.counts[axis]) % cells.counts[axis];
  };
  for (int dc = -cells.reach.z; dc <= cells.reach.z; ++dc) {
    for (int db = -cells.reach.y; db <= cells.reach.y; ++db) {
      for (int da = -cells.reach.x; da <= cells.reach.x; ++da) {
        const glm::ivec3 n = c + glm::ivec3(da, db, dc);
        if (!cells.periodic && (n.x < 0 || n.y < 0 || n.z < 0 || n.x >= cells.counts.x || n.y >= cells.counts.y ||
                                n.z >= cells.counts.z)) {
          continue;
        }
        const std::size_t at = cells.index(wrap(n.x, 0), wrap(n.y, 1), wrap(n.z, 2));
        const glm::vec3 shift(cells.vectors * (glm::dvec3(da, db, dc) / glm::dvec3(cells.counts)));
        for (std::uint32_t j = cells.first[at]; j < cells.first[at + 1]; ++j) {
          const glm::vec3 p = cells.place[j] + shift;
          const glm::vec3 out = glm::max(glm::max(lower - p, p - upper), glm::vec3(0));
          if (glm::dot(out, out) <= reach2) around.add(cells.atom[j], p, cells.charge[j]);
        }
      }
    }
  }
  around.pad();
}

}  // namespace

void add_near_pairs_cpu(const ElectrostaticProblem& problem, Span<const glm::vec3> positions,
                        const ShortRange& function, bool periodic, ForceCollector& collector, Job& job) {
  const AtomCells cells = sort_atoms(problem, positions, function.cutoff, periodic);
  const PairExclusions& x = problem.exclusions;
  const auto rows = static_cast<std::size_t>(cells.counts.y) * static_cast<std::size_t>(cells.counts.z);
  const bool all = collector.all();
  oneapi::tbb::enumerable_thread_specific<Surroundings> places([&] { return Surroundings(problem.atoms()); });
  parallel_for(rows, job, "pairs", [&](std::size_t row) {
    Surroundings& around = places.local();
    double energy = 0;
    double virial[6] = {};
    for (int a = 0; a < cells.counts.x; ++a) {
      const auto ny = static_cast<std::size_t>(cells.counts.y);
      const glm::ivec3 c(a, static_cast<int>(row % ny), static_cast<int>(row / ny));
      const std::size_t own = cells.index(c.x, c.y, c.z);
      if (cells.first[own] == cells.first[own + 1]) continue;
      gather(cells, c, function.cutoff, around);
      const PairRow pairs{around.x.data(), around.y.data(), around.z.data(), around.q.data(), around.atom.size()};
      for (std::uint32_t i = cells.first[own]; i < cells.first[own + 1]; ++i) {
        const std::uint32_t atom = cells.atom[i];
        // Excluded partners carry no charge for this atom. Of their images only the nearest is within the cutoff.
        const auto each_place = [&](const auto& use) {
          if (x.empty()) return;
          for (std::uint32_t k = x.offsets[atom]; k < x.offsets[atom + 1]; ++k) {
            const std::uint32_t j = x.partners[k];
            for (std::uint32_t at = around.last[j]; at != Surroundings::none; at = around.before[at]) use(at, j);
          }
        };
        each_place([&](std::uint32_t at, std::uint32_t) { around.q[at] = 0; });
        PairSums sums;
        pair_loop(pairs, cells.place[i].x, cells.place[i].y, cells.place[i].z, function, all, sums);
        each_place([&](std::uint32_t at, std::uint32_t j) { around.q[at] = problem.charges[j]; });
        collector.add_pairs(atom, sums, energy, virial);
      }
    }
    collector.add_sums(&ElectrostaticSums::pairs, energy, virial);
  });
}

}  // namespace isolume
