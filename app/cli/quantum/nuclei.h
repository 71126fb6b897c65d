// The charges of the nuclei that belong to a file's orbitals, less effective cores.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command.h"
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

}  // namespace isolume::cli
