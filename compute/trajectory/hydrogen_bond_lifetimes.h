// How long hydrogen bonds last: which there are in which frames, their correlation functions and lifetimes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "molecule/frame_part.h"
#include "molecule/hydrogen_bonds.h"
#include "molecule/molecule.h"

namespace isolume {

/// One donor and acceptor, and when they are bonded.
struct HydrogenBondHistory {
  std::uint32_t donor = 0, acceptor = 0;
  std::uint32_t hydrogen = 0;         ///< of the first frame with the bond; the donor where the file has none
  std::vector<std::uint32_t> frames;  ///< places in the list of frames, ascending
  double distance = 0;                ///< angstrom, donor to acceptor, mean over these frames
  double angle = 0;                   ///< degrees at the hydrogen, mean; NaN without hydrogens
};

/// All bonds of these frames between atoms of `first` (one byte per atom) or, where `second` is not empty, with one
/// partner in each. A donor and an acceptor are one bond, whichever of the donor's hydrogens points to the acceptor.
/// Ascending by donor, then acceptor. Rules are those of hydrogen_bonds(). Memory grows with the bonds of all frames
/// and is asked for. The same bit by bit on every device, which finds the bonds of several frames at once. Throws
/// Error.
std::vector<HydrogenBondHistory> hydrogen_bond_history(const Molecule& molecule, std::span<const std::size_t> frames,
                                                       std::span<const std::uint8_t> first,
                                                       std::span<const std::uint8_t> second,
                                                       const HydrogenBondRule& rule, Device device, Job& job);

/// The same frame by frame, as arrays of a part: how many bonds each frame has, and what each of them is.
std::vector<FrameArray> hydrogen_bond_arrays(const Molecule& molecule, std::span<const std::size_t> frames,
                                             std::span<const std::uint8_t> first, std::span<const std::uint8_t> second,
                                             const HydrogenBondRule& rule, Device device, Job& job);

/// The histories of a part with these arrays; frames are places in the part. Throws Error (input) where it has none.
std::vector<HydrogenBondHistory> hydrogen_bond_history(const FramePart& part);

struct BondLifetimeOptions {
  double step = 1;          ///< ps between two frames (or any other unit of time)
  std::size_t longest = 0;  ///< lag in frames; 0: half of the frames
  std::size_t gap = 0;      ///< a bond that is broken for at most so many frames counts as unbroken, for S alone
  std::size_t blocks = 5;   ///< parts of the time, for errors
};

/// An integral over a correlation function.
struct Lifetime {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< NaN where there is nothing to integrate
  double error =
      std::numeric_limits<double>::quiet_NaN();  ///< standard error; NaN where it is not known, and of a lower bound
  bool lower_bound = false;  ///< the function is above 0.05 at the longest lag: the integral goes on
};

/// Statistics of one bond, or of all together.
struct BondLifetime {
  double occupancy = 0;     ///< part of the frames; of all together the mean number of bonds
  std::size_t formed = 0;   ///< how many times it is there after it was not, or from the first frame on
  std::size_t longest = 0;  ///< frames, of the longest of these
  double plateau = 0;       ///< C of frames far apart: sum p^2 / sum p over the bonds' occupancies p
  Lifetime continuous;      ///< integral of S
  Lifetime intermittent;    ///< integral of (C - plateau) / (1 - plateau), up to where that is first 0 or less
};

struct BondLifetimes {
  std::vector<double> lags;                                  ///< from 0, in the unit of step
  std::vector<double> intermittent;                          ///< C(t)
  std::vector<double> continuous;                            ///< S(t)
  std::vector<double> intermittent_error, continuous_error;  ///< standard errors
  BondLifetime all;
  std::vector<BondLifetime> bonds;  ///< one per list
};

/// Correlation functions of A. Luzar and D. Chandler (Nature 379 (1996) 55; A. Luzar, J. Chem. Phys. 113 (2000) 10663)
/// with h(t) = 1 in frames in which a bond is there:
///
///     C(t) = <h(0) h(t)> / <h>                       bonded again or still
///     S(t) = <h(0) h(1) ... h(t)> / <h>              bonded without interruption
///
/// Means are over bonds and over all origins from which the lag is within the frames; numerator and denominator are
/// summed before they are divided, so that every bond and origin counts alike. (MDAnalysis's `lifetime()` has S alone,
/// and divides for each origin before it takes the mean; both agree where the number of bonds is constant.) Integrals
/// are by trapezoids. Standard errors are those of the delete-one jackknife over `blocks` parts of the origins: right
/// where a part is longer than the lifetime. Counts are exact integers. Time grows with the square of how often a bond
/// forms. `bonds` are ascending frames below `frames`; throws Error (usage) where they are not, for fewer than four
/// frames, and for fewer than two blocks.
BondLifetimes bond_lifetimes(std::span<const std::vector<std::uint32_t>> bonds, std::size_t frames,
                             const BondLifetimeOptions& options, Job& job);

/// C and S (without gap) of one lag straight from the definition.
struct BondCorrelation {
  double intermittent = 0, continuous = 0;
};
BondCorrelation bond_correlation_reference(std::span<const std::vector<std::uint32_t>> bonds, std::size_t frames,
                                           std::size_t lag);

}  // namespace isolume
