// Timeline: a number of every residue or atom in every frame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/density_maps/density_map.h"
#include "molecule/molecule.h"

namespace isolume {

enum class TimelineKind {
  rmsd,        ///< angstrom, from the first of the frames, after superposing on it
  rmsf,        ///< angstrom, about the mean of a window of frames, after superposing on the first
  structure,   ///< a SecondaryStructure by its number, of residues alone
  sasa,        ///< angstrom^2, the sum over the row's atoms
  contacts,    ///< pairs of atoms within the cutoff, hydrogens left out
  potential,   ///< V, mean over the row's atoms, of all charges outside the residue, in vacuum
  correlation  ///< of a map with that of the model, over the points near the row's atoms
};

/// correlation: which map, and how the model becomes one.
struct TimelineMap {
  const Volume* map = nullptr;
  std::vector<std::uint32_t> model;  ///< atoms of the model
  double resolution = 0;             ///< angstrom
  MapConvention convention = MapConvention::chimerax;
  MapWeights weights = MapWeights::electrons;
  double distance = 3;  ///< points within this of any of a row's atoms, angstrom
};

struct TimelineRequest {
  const Molecule* molecule = nullptr;
  TimelineKind kind = TimelineKind::rmsd;
  bool by_atom = false;
  std::vector<std::size_t> frames;
  std::string selection = "protein or nucleic";  ///< rows, looked up in the first frame
  std::string fit;                               ///< rmsd, rmsf: what is superposed; empty: the selection
  std::string other = "all";                     ///< contacts: with which atoms
  int window = 11;                               ///< rmsf: frames, centred, fewer at the ends
  double cutoff = 4.5;                           ///< contacts, angstrom
  int apart = 4;              ///< contacts: residues of one chain that are nearer in it than this do not count
  float probe_radius = 1.4f;  ///< sasa, angstrom
  TimelineMap map;            ///< correlation
  Device device;              ///< of sasa, potential and correlation
};

struct TimelineRow {
  std::uint32_t residue;
  std::vector<std::uint32_t> atoms;
};

struct Timeline {
  std::vector<TimelineRow> rows;
  std::vector<std::size_t> frames;
  std::vector<float> values;  ///< row * frames + frame; NaN where there is none
  std::string name, unit;

  float at(std::size_t row, std::size_t frame) const { return values[row * frames.size() + frame]; }
};

/// Reads the frames one after another (rmsf keeps the positions of the chosen atoms). The potential is summed in double
/// precision. A correlation over fewer than three points is NaN. Throws Error (usage) for no frames, wrong options,
/// selections of nothing, structure by atom, a potential without charges, a correlation without a map or a model.
Timeline timeline(const TimelineRequest& request, Job& job);

}  // namespace isolume
