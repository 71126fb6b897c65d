// Side chains built atom by atom from ideal geometry, in the rotamer with the fewest clashes.
#include "compute/preparation/side_chains.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "compute/preparation/residue_atoms.h"
#include "compute/preparation/residue_names.h"
#include "compute/preparation/side_chain_task.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

using Task = SideChainTask;

/// The atoms of side chain and main chain, in the order of the PDB.
std::vector<std::string> usual_order(const SideChain& ideal) {
  std::vector<std::string> order{"N", "CA", "C", "O"};
  for (const SideChainAtom& atom : ideal.atoms) order.push_back(atom.name);
  return order;
}

ClashAtom part(const Task& task, std::size_t missing, glm::dvec3 place) {
  ClashAtom atom = task.parts[missing];
  atom.place = place;
  return atom;
}

/// Whether two atoms are bonded to each other or over one or two others.
class Exclusion {
 public:
  Exclusion(const Task& task, const ClashAtom& atom) : task_(task), atom_(atom) {
    to_n_ = task.far[atom.number][task.n];
    to_c_ = task.far[atom.number][task.c];
  }
  bool operator()(const ClashAtom& other) const {
    if (other.residue == task_.residue) {
      return other.number == no_number ? to_c_ < 3 : task_.far[atom_.number][other.number] < 4;  // OXT has no number
    }
    if (to_n_ > 2 && to_c_ > 2) return false;
    // Atoms of the residues next in the chain, by their distance from the peptide bonds.
    if (glm::distance(other.place, task_.there.at("N")) < (to_n_ == 1 ? 2.6 : to_n_ == 2 ? 1.8 : 0.0)) return true;
    return glm::distance(other.place, task_.there.at("C")) < (to_c_ == 2 ? 1.8 : 0.0);
  }

 private:
  const Task& task_;
  const ClashAtom& atom_;
  std::uint16_t to_n_ = 0, to_c_ = 0;
};

ClashCount clashes_of(const Task& task, const std::vector<glm::dvec3>& places, const ClashSurroundings& surroundings,
                      const std::vector<Task>& tasks) {
  ClashCount count;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ClashAtom atom = part(task, i, places[i]);
    const Exclusion excluded(task, atom);
    surroundings.count(atom, excluded, count);
    for (std::size_t k = 0; k < i; ++k) {
      const ClashAtom own = part(task, k, places[k]);
      if (!excluded(own)) ClashSurroundings::add(atom, own, count);
    }
    for (const std::size_t t : task.around) {
      const Task& near = tasks[t];
      for (std::size_t k = 0; k < near.places.size(); ++k) {
        const ClashAtom other = part(near, k, near.places[k]);
        if (!excluded(other)) ClashSurroundings::add(atom, other, count);
      }
    }
  }
  return count;
}

void choose_rotamer(Task& task, const ClashSurroundings& surroundings, const std::vector<Task>& tasks) {
  const std::vector<Rotamer> rotamers = fitting_rotamers(task);
  bool first = true;
  double best_percent = 0;
  const auto attempt = [&](const std::vector<double>& chi, double percent) {
    std::vector<glm::dvec3> places = side_chain_places(task, chi);
    const ClashCount count = clashes_of(task, places, surroundings, tasks);
    const bool better = count.clashes < task.count.clashes ||
                        (count.clashes == task.count.clashes &&
                         (count.clashes == 0 ? percent > best_percent : count.overlap < task.count.overlap - 1e-9));
    if (!first && !better) return;
    first = false;
    task.count = count;
    task.places = std::move(places);
    task.chi = chi;
    best_percent = percent;
  };
  for (const Rotamer& rotamer : rotamers) attempt(rotamer.chi, rotamer.percent);
  if (task.count.clashes == 0) return;
  constexpr std::array steps{0.0, -10.0, 10.0, -20.0, 20.0};
  const auto free = [&](std::size_t c) {
    return c < task.known.size() && !task.known[c] && task.ideal->residue != "PRO";
  };
  for (const Rotamer& rotamer : rotamers) {
    for (const double first_step : steps) {
      for (const double second_step : steps) {
        if ((first_step != 0 && !free(0)) || (second_step != 0 && !free(1))) continue;
        std::vector<double> chi = rotamer.chi;
        if (!chi.empty()) chi[0] += first_step;
        if (chi.size() > 1) chi[1] += second_step;
        // Of equal ones the rotamer that is nearest and most frequent.
        attempt(chi, rotamer.percent / (1 + std::abs(first_step) + std::abs(second_step)));
      }
    }
  }
}

std::vector<ClashAtom> heavy_atoms(const Topology& topology, const std::vector<glm::vec3>& positions,
                                   const std::vector<char>& kept) {
  std::vector<ClashAtom> result;
  for (std::uint32_t r = 0; r < topology.residues.size(); ++r) {
    const TemplateName name = template_name(topology, r);
    const ChargedResidue* from = name.kind == TemplateKind::amino ? bonded_residue(name.base) : nullptr;
    const Residue& residue = topology.residues[r];
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      const Atom& atom = topology.atoms[i];
      if (!kept[i] || atom.element == 1 || atom.element == 0) continue;
      const std::uint16_t number = from ? number_in(*from, table_atom_name(atom.name, name)) : no_number;
      const bool planar = number == no_number || is_planar(*from, number);
      result.push_back({glm::dvec3(positions[i]), united_radius(atom.element, planar), atom.element, r, number});
    }
  }
  return result;
}

/// The structure with the atoms of the tasks.
CompletedSideChains assembled(const Molecule& molecule, const Frame& frame, const std::vector<Task>& tasks) {
  const Topology& before = *molecule.topology;
  CompletedSideChains result;
  Topology topology = before;
  topology.atoms.clear();
  topology.bonds.clear();
  topology.displacements.clear();
  topology.has_bonds = false;
  Frame one;
  one.cell = frame.cell;
  one.time = frame.time;
  one.has_time = frame.has_time;
  const auto push = [&](Atom atom, glm::dvec3 place, std::int64_t source) {
    topology.atoms.push_back(std::move(atom));
    one.positions.emplace_back(place);
    result.source.push_back(source);
  };
  std::size_t next = 0;
  for (std::uint32_t r = 0; r < before.residues.size(); ++r) {
    const Residue& residue = before.residues[r];
    topology.residues[r].first_atom = static_cast<std::uint32_t>(topology.atoms.size());
    const Task* task = next < tasks.size() && tasks[next].residue == r ? &tasks[next++] : nullptr;
    std::map<std::uint32_t, std::vector<std::size_t>> after;  // built atoms that follow an atom of the file
    std::vector<glm::dvec3> bonded;                           // atoms with a new bond
    if (task) {
      const std::vector<std::string> order = usual_order(*task->ideal);
      for (std::size_t i = 0; i < task->missing.size(); ++i) {
        const SideChainAtom& atom = task->ideal->atoms[task->missing[i]];
        auto place = std::find(order.begin(), order.end(), atom.name);
        while (!task->atoms.contains(*place)) --place;  // N is there
        after[task->atoms.at(*place)].push_back(i);
        if (const auto parent = task->there.find(atom.parent); parent != task->there.end())
          bonded.push_back(parent->second);
      }
    }
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      const glm::dvec3 place(frame.positions[i]);
      const bool displaced =
          before.atoms[i].element == 1 &&
          std::any_of(bonded.begin(), bonded.end(), [&](const glm::dvec3 b) { return glm::distance(b, place) < 1.25; });
      if (!displaced) push(before.atoms[i], place, i);
      const auto built = after.find(i);
      if (built == after.end()) continue;
      for (const std::size_t k : built->second) {
        const SideChainAtom& ideal = task->ideal->atoms[task->missing[k]];
        Atom atom;
        atom.name = ideal.name;
        atom.residue = r;
        atom.element = task->bonds->atoms[number_in(*task->bonds, ideal.name)].element;
        atom.radius = element(atom.element).vdw_radius;
        atom.mass = element(atom.element).mass;
        atom.b_factor = before.atoms[i].b_factor;
        atom.hetero = before.atoms[i].hetero;
        push(std::move(atom), task->places[k], -1);
      }
    }
    topology.residues[r].atom_count =
        static_cast<std::uint32_t>(topology.atoms.size()) - topology.residues[r].first_atom;
  }
  result.molecule.paths = molecule.paths;
  result.molecule.title = molecule.title;
  result.molecule.format = molecule.format;
  result.molecule.assemblies = molecule.assemblies;
  // Bonds of the file between atoms that are still there: orders of ligands come from them.
  std::vector<std::uint32_t> now(before.atoms.size(), UINT32_MAX);
  for (std::uint32_t i = 0; i < result.source.size(); ++i)
    if (result.source[i] >= 0) now[static_cast<std::size_t>(result.source[i])] = i;
  for (const Bond& bond : before.bonds)
    if (now[bond.a] != UINT32_MAX && now[bond.b] != UINT32_MAX)
      topology.bonds.push_back({now[bond.a], now[bond.b], bond.order});
  topology.validate();
  result.molecule.topology = std::make_shared<const Topology>(std::move(topology));
  result.molecule.trajectory = std::make_shared<const MemoryTrajectory>(std::vector<Frame>{std::move(one)});
  return result;
}

}  // namespace

std::vector<std::uint32_t> incomplete_side_chains(const Molecule& molecule, std::size_t frame) {
  const Topology& topology = *molecule.topology;
  const Frame positions = molecule.trajectory->frame(frame);
  const std::vector<char> all(topology.atoms.size(), 1);
  std::vector<std::uint32_t> residues;
  for (std::uint32_t r = 0; r < topology.residues.size(); ++r)
    if (side_chain_task(topology, positions.positions, all, r)) residues.push_back(r);
  return residues;
}

CompletedSideChains build_side_chains(const Molecule& molecule, std::size_t frame, const std::vector<char>& kept) {
  const Topology& topology = *molecule.topology;
  const Frame positions = molecule.trajectory->frame(frame);
  std::vector<Task> tasks;
  for (std::uint32_t r = 0; r < topology.residues.size(); ++r)
    if (auto task = side_chain_task(topology, positions.positions, kept, r)) tasks.push_back(std::move(*task));
  constexpr double span = 15;  // two arginines that point at each other
  std::vector<glm::vec3> centres;
  for (const Task& task : tasks) centres.emplace_back(task.there.at("CA"));
  const NeighbourGrid near(centres, span);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    near.visit(centres[t], [&](std::uint32_t other, double) {
      if (other != t) tasks[t].around.push_back(other);
      return false;
    });
    std::sort(tasks[t].around.begin(), tasks[t].around.end());
  }
  const ClashSurroundings surroundings(heavy_atoms(topology, positions.positions, kept));
  for (Task& task : tasks) choose_rotamer(task, surroundings, tasks);
  for (int sweep = 0; sweep < 2; ++sweep) {  // the first ones did not see those that came later
    for (Task& task : tasks) {
      task.count = clashes_of(task, task.places, surroundings, tasks);
      if (task.count.clashes > 0) choose_rotamer(task, surroundings, tasks);
    }
  }
  CompletedSideChains result = assembled(molecule, positions, tasks);
  for (Task& task : tasks) {
    BuiltSideChain built;
    built.residue = task.residue;
    for (const std::size_t k : task.missing) built.atoms.push_back(task.ideal->atoms[k].name);
    built.clashes = clashes_of(task, task.places, surroundings, tasks).clashes;
    for (const double chi : task.chi) built.chi.push_back(std::remainder(chi, 360.0));
    result.built.push_back(std::move(built));
  }
  return result;
}

}  // namespace isolume
