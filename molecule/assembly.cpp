// Biological assemblies: copies of chains by the operators that a file gives.
#include "molecule/assembly.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "molecule/base/error.h"
#include "molecule/displacement.h"

namespace isolume {
namespace {

// The note of a topology that was built.
const std::string note_begins = "Assembly ", note_ends = " operators.";
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

/// Atoms [first, first + count) of the file, moved by one operator.
struct Run {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  glm::dmat4 place{1.0};
};

/// The frames of the file with their atoms copied.
class AssemblyTrajectory final : public Trajectory {
 public:
  AssemblyTrajectory(std::shared_ptr<const Trajectory> source, std::vector<Run> runs, std::size_t atoms, bool cell)
      : source_(std::move(source)), runs_(std::move(runs)), atoms_(atoms), cell_(cell) {}

  std::size_t frame_count() const override { return source_->frame_count(); }
  std::size_t atom_count() const override { return atoms_; }

  Frame frame(std::size_t index) const override {
    const Frame from = source_->frame(index);
    Frame to;
    to.time = from.time;
    to.has_time = from.has_time;
    if (cell_) to.cell = from.cell;
    to.positions.reserve(atoms_);
    if (!from.precise_positions.empty()) to.precise_positions.reserve(atoms_);
    for (const Run& run : runs_) {
      const glm::dmat3 turn(run.place);
      const glm::dvec3 shift(run.place[3]);
      for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
        to.positions.emplace_back(turn * glm::dvec3(from.positions[i]) + shift);
        if (!from.precise_positions.empty()) to.precise_positions.push_back(turn * from.precise_positions[i] + shift);
        if (!from.velocities.empty()) to.velocities.emplace_back(turn * glm::dvec3(from.velocities[i]));
        if (!from.forces.empty()) to.forces.emplace_back(turn * glm::dvec3(from.forces[i]));
      }
    }
    return to;
  }

 private:
  std::shared_ptr<const Trajectory> source_;
  std::vector<Run> runs_;
  std::size_t atoms_;
  bool cell_;  ///< frames keep it
};

std::size_t atoms_of(const Chain& chain, const Topology& topology) {
  std::size_t count = 0;
  for (std::uint32_t r = chain.first_residue; r < chain.first_residue + chain.residue_count; ++r)
    count += topology.residues[r].atom_count;
  return count;
}

/// Appends copies of chains, and remembers where the atoms of the copy that is being made stand.
class Copier {
 public:
  Copier(const Topology& from, Topology& to) : from_(from), to_(to), place_(from.atoms.size(), nowhere) {}

  std::vector<Run> copy(const AssemblyPart& part, std::size_t which) {
    std::vector<Run> runs;
    for (const std::uint32_t c : part.chains) runs.push_back(copy_chain(from_.chains[c], part, which));
    if (!from_.displacements.empty()) {
      for (const Run& run : runs) turn_displacements(run, part.operators[which]);
    }
    // Bonds whose both ends were copied now.
    for (const Run& run : runs) {
      for (auto bond = first_bond(run.first); bond != from_.bonds.end() && bond->a < run.first + run.count; ++bond)
        if (place_[bond->b] != nowhere) to_.bonds.push_back({place_[bond->a], place_[bond->b], bond->order});
    }
    for (const Run& run : runs)
      for (std::uint32_t i = run.first; i < run.first + run.count; ++i) place_[i] = nowhere;
    return runs;
  }

 private:
  Run copy_chain(const Chain& chain, const AssemblyPart& part, std::size_t which) {
    Run run{0, 0, part.operators[which]};
    Chain copied = chain;
    copied.segment = part.names[which];
    copied.first_residue = static_cast<std::uint32_t>(to_.residues.size());
    for (std::uint32_t r = chain.first_residue; r < chain.first_residue + chain.residue_count; ++r) {
      Residue residue = from_.residues[r];
      if (run.count == 0) run.first = residue.first_atom;
      for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
        place_[i] = static_cast<std::uint32_t>(to_.atoms.size());
        to_.atoms.push_back(from_.atoms[i]);
        to_.atoms.set_residue(place_[i], static_cast<std::uint32_t>(to_.residues.size()));
      }
      run.count += residue.atom_count;
      residue.first_atom = static_cast<std::uint32_t>(to_.atoms.size()) - residue.atom_count;
      residue.chain = static_cast<std::uint32_t>(to_.chains.size());
      to_.residues.push_back(std::move(residue));
    }
    to_.chains.push_back(std::move(copied));
    return run;
  }

  void turn_displacements(const Run& run, const glm::dmat4& by) {
    to_.displacements.resize(to_.atoms.size());
    const glm::dmat3 turn(by);
    for (std::uint32_t i = run.first; i < run.first + run.count; ++i)
      to_.displacements[place_[i]] = turned_displacement(from_.displacements[i], turn);
  }

  std::vector<Bond>::const_iterator first_bond(std::uint32_t atom) const {
    return std::lower_bound(from_.bonds.begin(), from_.bonds.end(), atom,
                            [](const Bond& bond, std::uint32_t a) { return bond.a < a; });
  }

  const Topology& from_;
  Topology& to_;
  std::vector<std::uint32_t> place_;
};

}  // namespace

const Assembly& find_assembly(const Molecule& molecule, const std::string& id) {
  std::string known;
  for (const auto& assembly : molecule.assemblies) {
    if (assembly->id == id) return *assembly;
    known += (known.empty() ? "" : ", ") + assembly->id;
  }
  const std::string file = molecule.paths.empty() ? "the file" : molecule.paths.front();
  throw Error("assembly " + id + ": " + file + (known.empty() ? " describes none" : " has " + known),
              Error::Kind::usage);
}

bool is_assembly(const Topology& topology) {
  return std::any_of(topology.notes.begin(), topology.notes.end(), [](const std::string& note) {
    return note.starts_with(note_begins) && note.ends_with(note_ends);
  });
}

std::size_t copy_count(const Assembly& assembly) {
  std::size_t count = 0;
  for (const AssemblyPart& part : assembly.parts) count += part.operators.size();
  return count;
}

std::size_t atom_count(const Assembly& assembly, const Topology& topology) {
  std::size_t count = 0;
  for (const AssemblyPart& part : assembly.parts) {
    std::size_t once = 0;
    for (const std::uint32_t chain : part.chains) once += atoms_of(topology.chains[chain], topology);
    count += once * part.operators.size();
  }
  return count;
}

std::size_t assembly_bytes(const Assembly& assembly, const Topology& topology) {
  if (topology.atoms.empty()) return 0;
  const double copies =
      static_cast<double>(atom_count(assembly, topology)) / static_cast<double>(topology.atoms.size());
  const std::size_t once = topology.atoms.bytes() + topology.atoms.size() * sizeof(glm::vec3) +
                           topology.residues.size() * sizeof(Residue) + topology.bonds.size() * sizeof(Bond);
  return static_cast<std::size_t>(copies * static_cast<double>(once));
}

Molecule build_assembly(const Molecule& molecule, const std::string& id) {
  return build_assembly(molecule, find_assembly(molecule, id));
}

Molecule build_assembly(const Molecule& molecule, const Assembly& assembly) {
  const std::string& id = assembly.id;
  const Topology& from = *molecule.topology;
  const std::size_t atoms = atom_count(assembly, from);
  if (atoms == 0) throw Error("assembly " + id + " has no atoms: the file has none of its chains", Error::Kind::usage);
  if (atoms > (std::size_t{1} << 31))
    throw Error("assembly " + id + " has " + std::to_string(atoms) + " atoms, more than 2^31");

  auto topology = std::make_shared<Topology>();
  topology->atoms.reserve(atoms);
  topology->has_charges = from.has_charges;
  topology->has_radii = from.has_radii;
  topology->has_bonds = from.has_bonds;
  topology->has_kinds = from.has_kinds;
  topology->has_structure = from.has_structure;
  topology->notes = from.notes;
  Copier copier(from, *topology);
  std::vector<Run> runs;
  for (const AssemblyPart& part : assembly.parts) {
    for (std::size_t i = 0; i < part.operators.size(); ++i) {
      std::vector<Run> more = copier.copy(part, i);
      runs.insert(runs.end(), more.begin(), more.end());
    }
  }
  std::sort(topology->bonds.begin(), topology->bonds.end(),
            [](const Bond& x, const Bond& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  topology->notes.push_back(note_begins + id + (assembly.details.empty() ? "" : " (" + assembly.details + ")") +
                            " was built by " + std::to_string(copy_count(assembly)) + note_ends);

  Molecule built;
  built.paths = molecule.paths;
  built.title = molecule.title;
  built.format = molecule.format;
  built.volumes = molecule.volumes;
  built.warnings = molecule.warnings;
  if (molecule.trajectory)
    built.trajectory =
        std::make_shared<AssemblyTrajectory>(molecule.trajectory, std::move(runs), atoms, assembly.fills_cell);
  built.topology = std::move(topology);
  return built;
}

}  // namespace isolume
