// The sum over pairs within a cutoff on the CPU: for each cell the atoms around it in one row.
#include <oneapi/tbb/enumerable_thread_specific.h>

#include "compute/base/parallel_for.h"
#include "compute/electrostatics/energy/energy_cells_cpu.h"
#include "compute/electrostatics/energy/energy_cpu.h"

namespace isolume {

namespace {

/// The atoms around one cell, with a way to find an atom's places among them.
struct Surroundings {
  static constexpr std::uint32_t none = ~0u;
  GatheredRow row;
  std::vector<std::uint32_t> atom;
  std::vector<std::uint32_t> before;  // an earlier place of the same atom (another image), or none
  std::vector<std::uint32_t> last;    // per atom of the system: its last place here

  explicit Surroundings(std::size_t atoms) : last(atoms, none) {}
  void clear() {
    for (const std::uint32_t a : atom) last[a] = none;
    row.clear();
    atom.clear();
    before.clear();
  }
  void add(std::uint32_t a, glm::vec3 p, float charge) {
    row.add(p, charge);
    before.push_back(last[a]);
    last[a] = static_cast<std::uint32_t>(atom.size());
    atom.push_back(a);
  }
  void set_charge(std::uint32_t a, float charge) {
    for (std::uint32_t at = last[a]; at != none; at = before[at]) row.q[at] = charge;
  }
};

}  // namespace

void add_near_pairs_cpu(const ElectrostaticProblem& problem, Span<const glm::vec3> positions,
                        const ShortRange& function, bool periodic, ForceCollector& collector, Job& job) {
  const AtomCells cells({positions.data, positions.size}, problem.charges, problem.cell, periodic, function.cutoff);
  const PairExclusions& x = problem.exclusions;
  const auto ny = static_cast<std::size_t>(cells.counts().y);
  const bool all = collector.all();
  oneapi::tbb::enumerable_thread_specific<Surroundings> places([&] { return Surroundings(problem.atoms()); });
  parallel_for(ny * static_cast<std::size_t>(cells.counts().z), job, "pairs", [&](std::size_t row) {
    Surroundings& around = places.local();
    double energy = 0;
    double virial[6] = {};
    const auto b = static_cast<int>(row % ny);
    const auto c = static_cast<int>(row / ny);
    for (int a = 0; a < cells.counts().x; ++a) {
      const std::size_t own = cells.index(a, b, c);
      if (cells.begin(own) == cells.end(own)) continue;
      glm::vec3 lower = cells.place(cells.begin(own));
      glm::vec3 upper = lower;
      for (std::uint32_t i = cells.begin(own); i < cells.end(own); ++i) {
        lower = glm::min(lower, cells.place(i));
        upper = glm::max(upper, cells.place(i));
      }
      around.clear();
      cells.each_near(cells.corner(a, b, c), lower, upper, function.cutoff,
                      [&](std::uint32_t atom, glm::vec3 p, float charge) { around.add(atom, p, charge); });
      const PairRow pairs = around.row.finish();
      for (std::uint32_t i = cells.begin(own); i < cells.end(own); ++i) {
        const std::uint32_t atom = cells.atom(i);
        // Itself and excluded partners carry no charge for this atom. Their other images are beyond the cutoff, which
        // is at most half of the cell.
        const auto set_all = [&](bool present) {
          around.set_charge(atom, present ? problem.charges[atom] : 0);
          if (x.empty()) return;
          for (std::uint32_t k = x.offsets[atom]; k < x.offsets[atom + 1]; ++k) {
            around.set_charge(x.partners[k], present ? problem.charges[x.partners[k]] : 0);
          }
        };
        set_all(false);
        PairSums sums;
        const glm::vec3 p = cells.place(i);
        pair_loop(pairs, p.x, p.y, p.z, function, all, sums);
        set_all(true);
        collector.add_pairs(atom, sums, energy, virial);
      }
    }
    collector.add_sums(&ElectrostaticSums::pairs, row, energy, virial);
  });
}

}  // namespace isolume
