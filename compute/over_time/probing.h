// The potential and the field at probes of a molecule, frame by frame, split by residues or chains.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "compute/electrostatics/method.h"
#include "compute/electrostatics/molecule_charges.h"
#include "compute/over_time/frame_alignment.h"
#include "compute/over_time/group_potential.h"
#include "compute/over_time/poisson_boltzmann_shares.h"
#include "compute/over_time/probe_places.h"

namespace isolume {

/// What is probed, and how.
struct ProbeRequest {
  std::shared_ptr<const Molecule> molecule;
  MoleculeCharges charges;  ///< in any frame: atoms, charges and radii count, positions are each frame's
  PotentialOptions method;  ///< with its parameters; a periodic one has each frame's cell
  std::vector<ProbePlace> places;
  ShareBy by = ShareBy::residue;
  Device device = Device::cpu();  ///< of the direct sum (groups_on_device())
  std::size_t frame = 0;          ///< of the alignment, and of what is water and what an ion
  std::string align{};            ///< a selection by which frames are superposed on that frame; empty: as they are
  bool gathers = false;           ///< waters and ions are moved to their images next to the aligned atoms
  double spacing = 0;             ///< angstrom, of the grid on which Poisson-Boltzmann is solved; 0: by size
  double factor = 1;              ///< by which volts are multiplied
  bool gradient = false;          ///< also of the field (has_gradients()), which is then computed on the CPU
};

/// Numbers of a share: the potential, the field along x, y and z, and along the bond (0 where there is none); behind
/// them, where it is asked for, the gradient of the field in the order of FieldGradient.
constexpr std::size_t share_numbers = 5, gradient_numbers = 6;

/// All of a frame, in the unit of the request (fields: that per angstrom; their gradients: that per angstrom^2).
struct ProbeShares {
  std::vector<double> values;  ///< [probe][group, or last the total][number], Probing::numbers() of them
  double rmsd = 0;             ///< angstrom, of the alignment
  /// Of Poisson-Boltzmann, V: the largest difference between a total and the sum of its shares, and the largest
  /// estimated error of a total; how often it was solved, and whether by reciprocity.
  double apart = 0, error = 0;
  std::size_t solutions = 0;
  bool by_reciprocity = false;
  PoissonBoltzmannResult solved;
};

/// Throws Error (usage) for a method whose contributions of groups do not add up.
void check_contributions(const PotentialOptions& method);

/// Chooses the parameters of msm or spme for places in the reference frame; what they are expected to be off by,
/// relative. 0, and nothing is changed, for the other methods.
double choose_parameters(ProbeRequest& request, double accuracy);

/// Safe from several threads at once.
class Probing {
 public:
  /// Throws Error (usage), among others where the frames of the molecule have different atoms, the method's
  /// contributions do not add up, or it has no gradients and they are asked for.
  explicit Probing(ProbeRequest request);

  const ProbeRequest& request() const { return request_; }
  const std::vector<ProbePlace>& places() const { return request_.places; }
  const ShareGroups& groups() const { return groups_; }
  std::size_t group_count() const { return groups_.names.size(); }
  /// "total" behind the last group.
  std::string group_name(std::size_t g) const { return g < group_count() ? groups_.names[g] : "total"; }
  std::size_t rows() const { return places().size() * (group_count() + 1); }
  bool have_bonds() const;
  /// How many numbers a share has.
  std::size_t numbers() const { return share_numbers + (request_.gradient ? gradient_numbers : 0); }
  const FrameAlignment& alignment() const { return alignment_; }
  /// How many frames are worked on at a time: solutions of Poisson-Boltzmann use all threads themselves, and much
  /// memory.
  std::size_t ahead() const;

  /// Throws Error (input) where an atom has no position in the frame, or a periodic method has no cell.
  ProbeShares shares_of(std::size_t frame, Job& job) const;

 private:
  ProbeRequest request_;
  FrameAlignment alignment_;
  ShareGroups groups_;
  ChargeGroups charge_groups_;
  std::vector<std::uint32_t> solvent_;
};

/// Totals and shares over frames.
struct ProbeSeries {
  std::vector<std::size_t> frames;
  std::vector<double> totals;   ///< [frame][probe][number]
  std::vector<float> shares;    ///< [frame][probe][group]: potentials; empty where they would take more than asked for
  double apart = 0, error = 0;  ///< the largest ones of ProbeShares, V
};
/// `most_bytes`: that shares may take. Reports progress. Throws as Probing::shares_of().
ProbeSeries probe_series(const Probing& probing, std::vector<std::size_t> frames, std::size_t most_bytes, Job& job);

/// The first line of the table of shares: "frame,probe,group,potential (V),field x (V/A),...". `errors`: of means, with
/// a standard error behind each number and no frame.
std::string probe_heading(const Probing& probing, const std::string& unit, bool errors);
/// The numbers of a probe's share that the table has, and empty columns where it has none: of places without a bond.
struct ProbeColumn {
  std::size_t number = 0;
  bool there = true;
};
std::vector<ProbeColumn> probe_columns(const Probing& probing, std::size_t probe);
/// The gradient among the numbers of a share.
FieldGradient gradient_of(const double* numbers);
/// Its lines for a frame; with `total` those of the totals alone.
std::string probe_lines(const Probing& probing, std::size_t frame, const std::vector<double>& values, bool total);

/// The whole table of all frames; reports progress.
void write_probe_table(std::ostream& out, const Probing& probing, const std::string& unit, Job& job);

}  // namespace isolume
