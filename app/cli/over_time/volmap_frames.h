// What a volume map is made of: its options, its atoms and grid, and the map of each frame.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/over_time/atom_values.h"
#include "app/cli/over_time/part_file.h"
#include "compute/over_time/frame_alignment.h"
#include "compute/over_time/hydration_energy.h"
#include "compute/over_time/local_frames.h"
#include "compute/over_time/volume_map.h"

namespace isolume::cli {

struct VolmapChoice {
  std::string kind = "density", selection = "all", spread = "gaussian", unit;
  std::string values;  ///< of kind "value": AtomValues
  double radius = 0;   ///< angstrom, of all atoms; 0: their own
  double reach = 6;    ///< angstrom, of distances
  double spacing = 0, padding = -1;
  std::string like;               ///< a volume file whose grid is used
  std::string around;             ///< residues, each seen from its local frame
  std::vector<std::string> axes;  ///< names of three atoms
  double half_width = 8;          ///< angstrom, of the grid of `around`
};
void add_volmap_choice(Verb command, VolmapChoice& choice);
/// Throws Error (usage).
void check_volmap_choice(const VolmapChoice& choice);

/// The map of one frame.
struct VolmapFrame {
  std::vector<float> values;
  double rmsd = 0;
};

/// The maps of frames. Selections and radii are those of the reference frame. Safe from several threads at once.
class VolmapFrames {
 public:
  /// Throws Error (usage), among others for atoms without charges or radii where the kind needs them.
  VolmapFrames(std::shared_ptr<const Molecule> molecule, const VolmapChoice& choice, const std::string& align,
               std::size_t reference);

  /// Takes the frames of the same molecule with more of them, those before unchanged. Not while maps are made.
  void follow(std::shared_ptr<const Molecule> molecule) { molecule_ = std::move(molecule); }

  VolmapFrame map_of(std::size_t frame, const Job& job) const;
  /// The residue that is at each point (-1: none), of the atom nearest to it within its radius; and the frame's time.
  std::vector<std::int32_t> occupants(std::size_t frame, double& time) const;

  const Grid& grid() const { return grid_; }
  const FrameAlignment& alignment() const { return alignment_; }
  const Molecule& molecule() const { return *molecule_; }
  std::size_t atom_count() const { return atoms_.size(); }
  const std::string& unit() const { return unit_; }
  /// How many maps may be there at once.
  std::size_t ahead() const;
  std::string title() const;  ///< "density", of values what they are
  std::string text() const;
  nlohmann::ordered_json method() const;
  AveragePart part() const;

 private:
  std::vector<WeightedAtom> atoms_of(const Frame& frame, std::size_t index) const;
  void choose_weights();
  void choose_waters(const Frame& frame);
  /// Weighs the atoms in the grid by the energies of their molecules of water. `moved`: superposed, in `cell`.
  void weigh_waters(const Frame& frame, std::vector<WeightedAtom>& moved, const Cell& cell, const Job& job) const;
  void choose_grid(const VolmapChoice& choice, const Frame& frame);

  std::shared_ptr<const Molecule> molecule_;
  VolmapChoice choice_;
  FrameAlignment alignment_;
  std::vector<std::uint32_t> atoms_;
  std::vector<WeightedAtom> shape_;  ///< radii and weights
  std::optional<AtomValues> values_;
  std::optional<HydrationEnergies> hydration_;  ///< of kinds "solute-energy" and "water-energy"
  std::vector<FrameAtoms> residues_;
  Grid grid_;
  VolumeSpread spread_ = VolumeSpread::gaussian;
  std::string unit_;
  double factor_ = 1;
};

}  // namespace isolume::cli
