// Energies of followed orbitals over the frames.
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "app/window/widgets/plot.h"
#include "compute/base/job.h"
#include "compute/orbitals/orbital_tracking.h"
#include "molecule/molecule.h"

namespace isolume {

/// A plot with a curve for each orbital around the gap, followed by identity from the first frame that has orbitals.
/// Orbitals are matched on a thread when the plot is first seen.
class OrbitalEnergies : public QWidget {
  Q_OBJECT
 public:
  explicit OrbitalEnergies(QWidget* parent = nullptr);
  ~OrbitalEnergies() override;

  void set_molecule(std::shared_ptr<const Molecule> molecule);
  /// The frame that is shown, and the orbitals (indices in that frame) that are drawn in it.
  void show_frame(std::size_t frame, const std::vector<std::size_t>& shown);
  Plot* plot() const { return plot_; }
  /// Null until the orbitals are matched.
  const std::shared_ptr<const OrbitalTracks>& tracks() const { return tracks_; }

 Q_SIGNALS:
  /// A curve was clicked: the orbital `index` of `frame`.
  void orbital_clicked(std::size_t frame, std::size_t index);
  void frame_clicked(std::size_t frame);
  /// The orbitals have been matched.
  void matched();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  using Track = std::vector<std::optional<TrackedOrbital>>;
  void match();
  void fill();
  /// Zooms to the energies around the gap.
  void show_valence();
  void mark();

  Plot* plot_;
  std::shared_ptr<const Molecule> molecule_;
  std::shared_ptr<const OrbitalTracks> tracks_;
  std::shared_ptr<Job> job_;   ///< while orbitals are matched
  std::vector<Track> curves_;  ///< by curve of the plot
  std::size_t frame_ = 0;
  std::vector<std::size_t> shown_;
};

}  // namespace isolume
