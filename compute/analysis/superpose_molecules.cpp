// Superposing frames of one molecule on a frame of another.
#include "compute/analysis/superpose_molecules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "compute/analysis/superposition.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

constexpr std::size_t fewest = 3;

std::vector<std::uint32_t> chosen(const Molecule& molecule, const Frame& frame, const std::string& selection,
                                  const char* which) {
  if (!molecule.topology || frame.positions.empty())
    throw Error(fmt::format("superpose: the {} molecule has no atoms with positions", which), Error::Kind::usage);
  if (!selection.empty()) return Selection(selection).atoms(*molecule.topology, frame);
  std::vector<std::uint32_t> atoms = trace_atoms(*molecule.topology);
  return atoms.empty() ? Selection().atoms(*molecule.topology, frame) : atoms;
}

glm::dvec3 position(const Frame& frame, std::uint32_t atom) {
  return frame.precise_positions.empty() ? glm::dvec3(frame.positions[atom]) : frame.precise_positions[atom];
}

}  // namespace

Superposer::Superposer(const Molecule& moving, std::size_t moving_frame, const Molecule& fixed, std::size_t fixed_frame,
                       const SuperposeOptions& options, Job& job)
    : fixed_(fixed.topology), cutoff_(options.cutoff) {
  job.progress(0, "reading frames");
  const Frame to = frame_at(fixed, fixed_frame);
  const auto fixed_atoms = chosen(fixed, to, options.fixed_selection, "fixed");
  const bool same = moving.topology == fixed.topology && options.moving_selection == options.fixed_selection;
  const auto moving_atoms =
      same ? fixed_atoms : chosen(moving, frame_at(moving, moving_frame), options.moving_selection, "moving");
  job.progress(0, "matching atoms");
  matched_ = match_atoms(*moving.topology, moving_atoms, *fixed.topology, fixed_atoms, options.matching, job);
  if (matched_.pairs.size() < fewest)
    throw Error(
        fmt::format("superpose: {} pairs of atoms match; at least {} are needed", matched_.pairs.size(), fewest),
        Error::Kind::usage);
  for (const auto& pair : matched_.pairs) stands_.push_back(position(to, pair.second));
}

SuperposeResult Superposer::operator()(const Frame& frame) const {
  if (frame.positions.empty())
    throw Error("superpose: the moving molecule has no positions in this frame", Error::Kind::usage);
  std::vector<glm::dvec3> moves;
  moves.reserve(matched_.pairs.size());
  for (const auto& pair : matched_.pairs) moves.push_back(position(frame, pair.first));
  const PrunedSuperposition fit = superpose_pruned(moves, stands_, cutoff_);

  SuperposeResult result;
  result.motion = fit.motion;
  result.how = matched_.how;
  result.pairs = matched_.pairs.size();
  result.kept = fit.kept_count;
  result.rmsd = fit.rmsd;
  result.rmsd_all = fit.rmsd_all;
  result.residues = matched_.residues;
  result.identical = matched_.identical;
  result.identity = matched_.identity();
  result.coverage = matched_.coverage();
  result.chains = matched_.chains;
  struct Sum {
    double squares = 0;
    std::size_t count = 0;
    std::uint32_t atom = 0;
    bool kept = false;
  };
  std::map<std::uint32_t, Sum> sums;
  for (std::size_t i = 0; i < matched_.pairs.size(); ++i) {
    const std::uint32_t atom = matched_.pairs[i].second;
    Sum& sum = sums[fixed_->atoms[atom].residue];
    if (sum.count++ == 0) sum.atom = atom;
    sum.squares += fit.distances[i] * fit.distances[i];
    sum.kept = sum.kept || fit.kept[i];
  }
  for (const auto& [residue, sum] : sums)
    result.by_residue.push_back({residue, sum.atom, std::sqrt(sum.squares / static_cast<double>(sum.count)), sum.kept});
  return result;
}

SuperposeResult superpose_molecules(const Molecule& moving, std::size_t moving_frame, const Molecule& fixed,
                                    std::size_t fixed_frame, const SuperposeOptions& options, Job& job) {
  const Superposer superpose_on(moving, moving_frame, fixed, fixed_frame, options, job);
  job.progress(0.7, "superposing");
  return superpose_on(frame_at(moving, moving_frame));
}

std::string describe(const SuperposeResult& result) {
  const std::string chains = result.chains.empty() ? std::string() : result.chains + "; ";
  std::string text = fmt::format(
      "{} of {} pairs by {} ({}{:.0f} % identical, {:.0f} % of the smaller molecule), RMSD {:.3f} A; all pairs {:.3f} "
      "A",
      result.kept, result.pairs, name(result.how), chains, 100 * result.identity, 100 * result.coverage, result.rmsd,
      result.rmsd_all);
  if (10 * result.kept < 3 * result.pairs)
    text += fmt::format("; warning: only {:.0f} % of the pairs were kept, which is no meaningful superposition",
                        100.0 * static_cast<double>(result.kept) / static_cast<double>(result.pairs));
  return text;
}

}  // namespace isolume
