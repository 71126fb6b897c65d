// What compute ligand-map and compute lj-map begin with: atoms with their Lennard-Jones parameters, frames, a grid.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/compute/compute.h"
#include "app/cli/sampling/buckingham_table.h"
#include "compute/sampling/lennard_jones_atoms.h"
#include "compute/sampling/probe_field.h"
#include "molecule/molecule.h"

namespace isolume::cli {

struct ProbeWorkOptions {
  std::vector<std::string> files;
  std::string frames = "0", probe, selection = "all", around, align, cell, like, at, mixing = "lorentz-berthelot",
              unit = "kcal/mol", buckingham;
  double spacing = 1, padding = 3;
  ProbeOptions probing;
};

/// The options of ProbeWorkOptions but --frames, --probe, --charges and --buckingham.
void add_probe_work_options(Verb command, ProbeWorkOptions& options);

struct ProbeWork {
  std::shared_ptr<const Molecule> molecule;
  std::vector<std::size_t> frames;
  std::vector<std::uint32_t> atoms;  ///< that the probe meets
  LjAtoms parameters;                ///< of all atoms; with --buckingham of none
  BuckinghamKinds laws;              ///< of --buckingham, else empty
  std::vector<glm::dvec3> fixed;     ///< of the atoms of --align in frame 0
  std::vector<std::uint32_t> aligned;
  Grid grid;                       ///< empty with --at
  std::vector<glm::dvec3> points;  ///< of --at
  double factor = 1;               ///< kT into the unit
};

/// Reads the files; says which parameters count. Throws Error where atoms have none, naming them.
ProbeWork probe_work(Run& run, const ProbeWorkOptions& options);
/// The same of a molecule that is read: `note` is told what there is to say, and --at and --buckingham are files that
/// no report names.
ProbeWork probe_work_of(std::shared_ptr<const Molecule> molecule, std::vector<std::size_t> frames,
                        const ProbeWorkOptions& options, const std::function<void(const std::string&)>& note);

struct ProbedFrame {
  std::vector<ProbedAtom> atoms;
  Cell cell;
};
ProbedFrame probed_frame(const ProbeWork& work, std::size_t frame);

/// A built-in probe, or the molecule of a file, its geometric middle as its point.
Probe probe_of(Run& run, const std::string& name);
Probe probe_of(const std::string& name);

LjMixing mixing_of(const std::string& word);

/// The map of one frame in kT, in host memory: on the device of the run, or where it is worth it in layers by all that
/// it may use.
std::vector<float> probe_map(Run& run, const ProbeWork& work, const ProbedFrame& frame, const Probe& probe,
                             const std::vector<glm::dquat>& orientations, const ProbeOptions& options);

/// The map of one frame in kT, in host memory, made on a device.
std::vector<float> probe_map_on(Device device, const ProbedFrame& frame, const Probe& probe,
                                const std::vector<glm::dquat>& orientations, const Grid& grid,
                                const ProbeOptions& options, Job& job);

/// "A/LEU89": the residue of the heavy atom that is nearest to a place, of a frame of `work`.
std::string nearest_residue(const ProbeWork& work, const ProbedFrame& frame, glm::dvec3 place);

/// {rms, max, relative, points, reference} of a map (kT) of one frame at up to 200 points below 20 kT.
nlohmann::ordered_json probe_error(const ProbeWork& work, const ProbedFrame& frame, const Probe& probe,
                                   std::span<const glm::dquat> orientations, const ProbeOptions& options,
                                   std::span<const float> map, Job& job);

}  // namespace isolume::cli
