// The mean structure of a trajectory, and a principal component as a motion: molecules to be written.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "molecule/molecule.h"

namespace isolume {

struct MeanStructureRequest {
  std::shared_ptr<const Molecule> molecule;
  std::vector<std::size_t> frames;
  std::string selection = "all";  ///< the atoms of the mean, looked up in the first of the frames
  std::string fit;                ///< by which frames are superposed; empty: CA and P of polymers, else the selection
  bool superpose = true;
};

struct MeanStructure {
  Molecule molecule;                 ///< the molecule's atoms, with B factors of the fluctuation; without cell
  std::vector<std::uint32_t> atoms;  ///< those that are in the mean, ascending: only they are to be written
  Frame frame;                       ///< a place for every atom; others than `atoms` where the first frame has them
  std::vector<double> fluctuations;  ///< of `atoms`: RMSF, angstrom
  std::string fit;                   ///< as it was taken; empty: not superposed
  int rounds = 0;                    ///< of superposing on the mean
  std::size_t nearest_frame = 0;     ///< the frame that is most like the mean
  double nearest_rmsd = 0;           ///< angstrom, of `atoms`
};

/// Superposes the frames on their mean, again and again, as compute/analysis/fluctuation.h has it, and takes the mean
/// of every atom. Bonds of what turns about an axis are too short in it: it is a picture of where atoms are on average,
/// and no conformation; `nearest_frame` is one. Throws Error (usage) for no frames, selections that hold nothing, and
/// fewer than three atoms to superpose by.
MeanStructure mean_structure(const MeanStructureRequest& request, Job& job);

struct ComponentMotionRequest {
  std::shared_ptr<const Molecule> molecule;
  std::vector<std::size_t> frames;
  std::string selection;      ///< the atoms, by which frames are superposed; empty: CA and P of polymers, else all
  std::size_t component = 0;  ///< from 0
  double amplitude = 0;       ///< angstrom of the projection; 0: two standard deviations
  std::size_t steps = 40;     ///< frames of one period
};

struct ComponentMotion {
  Molecule molecule;  ///< as in MeanStructure
  std::vector<std::uint32_t> atoms;
  std::vector<Frame> frames;  ///< one period of a sine about the mean, beginning there
  double amplitude = 0;       ///< angstrom of the projection
  double largest = 0;         ///< angstrom: how far the atom that moves most goes from its mean
  double part = 0;            ///< of the motion of all frames that the component has
};

/// principal_components() of the frames, and mode_frames() of one of them. Throws Error (usage) as these, and for a
/// component that there is not.
ComponentMotion component_motion(const ComponentMotionRequest& request, Job& job);

}  // namespace isolume
