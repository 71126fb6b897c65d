// What verbs of the density read first: the orbitals of a frame, and the charges of their nuclei, less effective cores.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "molecule/molecule.h"
#include "molecule/quantum/orbitals.h"

namespace isolume::cli {

/// One charge (e) for each centre of the orbitals: what the file states, else the elements', less the cores that were
/// named ("I:28" for an element, "3:28" for the third atom). The report gets the charge of the whole. Throws Error
/// (usage) where a name is none, and (input) where the nuclei hold 9 e more than the orbitals or more: then cores are
/// missing.
std::vector<double> nuclear_charges(Run& run, const Molecule& molecule, const Orbitals& orbitals,
                                    const std::vector<std::string>& cores);

/// --cores.
void add_cores_option(Verb command, std::vector<std::string>& cores);

/// Throws Error (usage) where --device names a CUDA device, for what is computed on the CPU alone; else the report
/// says that the CPU computes.
void on_cpu_alone(Run& run, const Common& common, const std::string& what);

/// The orbitals of one frame of files, read for a verb.
struct OccupiedFrame {
  std::shared_ptr<const Molecule> molecule;
  std::size_t frame = 0;
  std::shared_ptr<const Orbitals> orbitals;
  std::vector<std::string> warnings;  ///< of check_reading()
};
/// Reads them and puts device and inputs into the report; without a frame the first that has orbitals. Throws Error
/// (usage), which begins with `what`, where none is occupied.
OccupiedFrame read_occupied(Run& run, const std::vector<std::string>& files, std::optional<std::size_t> frame,
                            bool force, const std::string& what);

}  // namespace isolume::cli
