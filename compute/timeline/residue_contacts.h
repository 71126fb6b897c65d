// Pairs of residues: how near they are in a frame, and in which part of the frames they touch.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/analysis/analysis.h"
#include "compute/base/job.h"
#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// A number of each pair of residues.
struct ResidueMatrix {
  std::vector<std::uint32_t> residues;  ///< ascending
  std::vector<float> values;            ///< residues x residues, symmetric; NaN where there is none

  float at(std::size_t row, std::size_t column) const { return values[row * residues.size() + column]; }
};

/// Residues of which a matrix is made at most: 400 MB of numbers.
inline constexpr std::size_t most_matrix_residues = 10'000;

/// The distance (angstrom) of the nearest of `atoms` of each two residues, between the nearest images where there is a
/// cell; NaN above `range`, 0 of a residue and itself. On all threads. Throws Error (usage) for no atoms, more residues
/// than most_matrix_residues, a range that is not above 0, positions that are missing.
ResidueMatrix residue_distances(const Topology& topology, const Frame& frame, std::span<const std::uint32_t> atoms,
                                double range, Job& job);

/// The part of the request's frames in which each two residues touch, as analyse() counts it for
/// AnalysisKind::contact_map: an atom of one is within the cutoff of an atom of the other. 0 where they never do.
/// Throws as analyse() does, and for more residues than most_matrix_residues.
ResidueMatrix residue_contacts(const AnalysisRequest& request, Job& job);

/// A line for each pair that has a value (of zeros none): chain, residue and number of both, and the value under
/// `heading` with so many decimals.
std::string residue_table(const ResidueMatrix& matrix, const Topology& topology, const std::string& heading,
                          int decimals);

}  // namespace isolume
