// The root mean square distance of frames to a reference.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "compute/analysis/analysis_parts.h"
#include "compute/analysis/residue_matching.h"
#include "compute/analysis/superposition.h"
#include "compute/frames/frame_sums.h"
#include "molecule/base/error.h"

namespace isolume::analysis {
namespace {

/// Atoms of the moving molecule, and their places in the reference.
struct Matched {
  std::vector<std::uint32_t> atoms;
  std::vector<glm::dvec3> places;
  std::vector<double> weights;  ///< none where all count alike
  MatchedAtoms pairs;           ///< with a reference
};

Matched matched_to(const AnalysisRequest& request, const Frame& first, const Frame& reference, std::string& words,
                   Job& job) {
  const Molecule& moving = *request.molecule;
  Matched result;
  result.atoms = atoms_of(moving, first, request.kind, words);
  if (!request.reference) {
    result.places = positions(reference, result.atoms);
  } else {
    const Molecule& fixed = *request.reference;
    std::string there = words;
    const std::vector<std::uint32_t> others = atoms_of(fixed, reference, request.kind, there);
    result.pairs = match_atoms(*moving.topology, result.atoms, *fixed.topology, others, request.matching, job);
    result.atoms.clear();
    for (const auto& [mine, other] : result.pairs.pairs) {
      result.atoms.push_back(mine);
      result.places.push_back(position(reference, other));
    }
  }
  if (request.by_mass) result.weights = masses(*moving.topology, result.atoms);
  return result;
}

void add_match(AnalysisTable& table, const MatchedAtoms& pairs) {
  table.facts.insert(table.facts.end(), {{"pairs", std::to_string(pairs.pairs.size())},
                                         {"matched_by", name(pairs.how)},
                                         {"identity", fmt::format("{:.4f}", pairs.identity())},
                                         {"coverage", fmt::format("{:.4f}", pairs.coverage())}});
  table.notes.push_back(
      fmt::format("{} pairs of atoms matched by {}{}: {:.0f} % identical, {:.0f} % of the smaller "
                  "molecule's residues",
                  pairs.pairs.size(), name(pairs.how), pairs.chains.empty() ? "" : " (" + pairs.chains + ")",
                  100 * pairs.identity(), 100 * pairs.coverage()));
}

}  // namespace

GroupWork rmsd(Opening& opening, Job& job) {
  const AnalysisRequest& request = opening.request;
  AnalysisTable& table = opening.table;
  const Molecule& fixed = request.reference ? *request.reference : *request.molecule;
  if (!fixed.topology || request.reference_frame >= fixed.frame_count())
    throw Error(fmt::format("reference frame {}: there are {}", request.reference_frame, fixed.frame_count()),
                Error::Kind::usage);
  const Frame reference = fixed.trajectory->frame(request.reference_frame);
  Matched measured = matched_to(request, opening.first, reference, table.selection, job);
  std::string fit_words = request.fit.empty() ? table.selection : request.fit;
  const bool other_fit = request.superpose && fit_words != table.selection;
  Matched fitted = other_fit ? matched_to(request, opening.first, reference, fit_words, job) : measured;
  if (request.superpose && fitted.atoms.size() < 3)
    throw Error(fmt::format("RMSD: '{}' holds {} atoms that match; superposing takes at least 3", fit_words,
                            fitted.atoms.size()),
                Error::Kind::usage);
  opening.reads_only({measured.atoms, fitted.atoms});
  table.other = request.superpose ? fit_words : std::string();
  table.facts = {{"atoms", std::to_string(measured.atoms.size())},
                 {"superposed", request.superpose ? fit_words : "no"},
                 {"reference_frame", std::to_string(request.reference_frame)},
                 {"weights", request.by_mass ? "mass" : "none"}};
  if (request.reference) add_match(table, measured.pairs);
  GroupWork work;
  work.atoms = measured.atoms;
  const PointRange all{0, measured.atoms.size()};
  PointRange by = all;
  if (other_fit) {
    by = {all.count, fitted.atoms.size()};
    work.atoms.insert(work.atoms.end(), fitted.atoms.begin(), fitted.atoms.end());
  }
  const auto data_of = [&](Matched& matched) {
    const std::size_t count = matched.places.size();
    return std::make_shared<const PointData>(std::move(matched.places), std::move(matched.weights), count,
                                             request.device);
  };
  const auto of = data_of(measured), fixed_by = other_fit ? data_of(fitted) : of;
  work.values = [superposed = request.superpose, all, by, of, fixed_by](const FrameGroup& group, Job& part,
                                                                        std::span<double> values) {
    std::vector<RigidMotion> motions(group.frames);
    if (superposed) {
      const std::vector<PointCovariance> covariances = frame_covariances(group, by, *fixed_by, part);
      for (std::size_t f = 0; f < group.frames; ++f) motions[f] = motion_of(covariances[f], fixed_by->centre());
    }
    const std::vector<double> squares = frame_deviations(group, all, motions, *of, part);
    for (std::size_t f = 0; f < group.frames; ++f) values[f] = std::sqrt(squares[f]);
  };
  return work;
}

}  // namespace isolume::analysis
