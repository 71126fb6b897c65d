// Files while they are joined into molecules.
#include "formats/file_parts.h"

#include <utility>

#include "formats/joined_trajectory.h"
#include "molecule/base/error.h"
#include "molecule/force_field/force_field.h"

namespace isolume::parts {
namespace {

/// The structure with as many atoms as the trajectory of parts[at]. Throws Error (input) where there is none.
std::size_t structure_of(const std::vector<Part>& parts, std::size_t at) {
  const std::size_t atoms = parts[at].molecule.trajectory->atom_count();
  const auto structure = nearest(
      parts, at, [&](const Part& part) { return part.molecule.topology && part.molecule.atom_count() == atoms; });
  if (structure) return *structure;
  const auto any = nearest(parts, at, [](const Part& part) { return part.molecule.topology != nullptr; });
  throw Error::in_file(
      parts[at].path, 0,
      "a trajectory of " + std::to_string(atoms) + " atoms, " +
          (any ? "but " + parts[*any].path + " has " + std::to_string(parts[*any].molecule.atom_count()) + " atoms"
               : std::string("without a structure file (PDB, PSF, GRO, ...) to go with it")));
}

/// Moves what is said of parts[from] to `target`, and ends the part.
void end_part(std::vector<Part>& parts, std::size_t from, Molecule& target) {
  append(target.warnings, parts[from].molecule.warnings);
  append(target.paths, parts[from].molecule.paths);
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(from));
}

}  // namespace

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void join_topologies(std::vector<Part>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].only_topology()) continue;
    const std::size_t atoms = parts[i].molecule.atom_count();
    const auto other = nearest(parts, i, [&](const Part& part) {
      return part.molecule.topology && part.molecule.trajectory && part.molecule.atom_count() == atoms &&
             part.molecule.orbitals.empty();
    });
    if (!other) continue;
    Molecule& topology = parts[i].molecule;
    topology.trajectory = parts[*other].molecule.trajectory;
    append(topology.warnings, parts[*other].molecule.warnings);
    append(topology.paths, parts[*other].molecule.paths);
    topology.volumes = std::move(parts[*other].molecule.volumes);
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(*other));
    if (*other < i) --i;
  }
}

void join_trajectories(std::vector<Part>& parts) {
  for (std::size_t i = 0; i < parts.size();) {
    if (!parts[i].only_trajectory() || parts[i].only_velocities()) {
      ++i;
      continue;
    }
    Part& target = parts[structure_of(parts, i)];
    target.molecule.trajectory =
        target.frames_joined ? isolume::join_trajectories(target.molecule.trajectory, parts[i].molecule.trajectory)
                             : parts[i].molecule.trajectory;
    target.frames_joined = true;
    target.molecule.orbitals.clear();
    end_part(parts, i, target.molecule);
  }
}

void join_velocities(std::vector<Part>& parts) {
  for (std::size_t i = 0; i < parts.size();) {
    if (!parts[i].only_velocities()) {
      ++i;
      continue;
    }
    Molecule& target = parts[structure_of(parts, i)].molecule;
    if (!target.trajectory) {
      throw Error::in_file(parts[i].path, 0, "velocities without positions (.coor, PDB) to go with them");
    }
    try {
      target.trajectory = with_velocities(*target.trajectory, *parts[i].molecule.trajectory);
    } catch (const Error& error) {
      throw Error::in_file(parts[i].path, 0, error.what());
    }
    end_part(parts, i, target);
  }
}

void give_cells(std::vector<Part>& parts) {
  for (Part& part : parts) {
    Molecule& molecule = part.molecule;
    if (!molecule.force_field || !molecule.force_field->cell.exists() || molecule.frame_count() == 0) continue;
    if (molecule.trajectory->frame(0).cell.exists()) continue;
    molecule.trajectory = with_cell(molecule.trajectory, molecule.force_field->cell);
    molecule.warnings.push_back("The cell is that of the topology file: the coordinates have none.");
  }
}

}  // namespace isolume::parts
