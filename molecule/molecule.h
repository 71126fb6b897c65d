// What a file holds: a molecule with its frames, orbitals and volumes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "molecule/frame.h"
#include "molecule/grid.h"
#include "molecule/quantum/orbitals.h"
#include "molecule/topology.h"
#include "molecule/trajectory.h"

namespace isolume {

struct Assembly;          // molecule/assembly.h
struct CharmmParameters;  // molecule/force_field/charmm.h
struct CharmmTerms;       // molecule/force_field/charmm.h
struct ForceField;        // molecule/force_field/force_field.h

/// The content of one file, or of a structure file with the trajectory that was loaded onto it. Parts that a file does
/// not have are empty: a cube has volumes and atoms, a DCD only a trajectory, an OpenDX map only a volume. All parts
/// are immutable and shared.
struct Molecule {
  std::vector<std::string> paths;  ///< the files it was read from, in the order in which they were joined
  std::string title;
  std::string format;  ///< "PDB", "Molden", ...
  std::shared_ptr<const Topology> topology;
  std::shared_ptr<const Trajectory> trajectory;
  std::vector<std::shared_ptr<const Orbitals>> orbitals;  ///< empty, or one per frame (null where a frame has none)
  std::vector<std::shared_ptr<const Volume>> volumes;
  std::shared_ptr<const ForceField> force_field;    ///< of a PRMTOP, or of a PSF with its parameters, else null
  std::shared_ptr<const CharmmTerms> charmm_terms;  ///< of a PSF: what parameters are looked up for
  std::shared_ptr<const CharmmParameters> charmm_parameters;  ///< of a CHARMM parameter file
  std::vector<std::shared_ptr<const Assembly>> assemblies;    ///< biological assemblies that the file describes
  std::vector<std::string> warnings;                          ///< one sentence each

  std::size_t atom_count() const { return topology ? topology->atoms.size() : 0; }
  std::size_t frame_count() const { return trajectory ? trajectory->frame_count() : 0; }
  std::shared_ptr<const Orbitals> orbitals_at(std::size_t frame) const {
    return frame < orbitals.size() ? orbitals[frame] : nullptr;
  }
};

}  // namespace isolume
