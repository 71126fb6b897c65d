// What the kinds of analyses share.
#pragma once

#include <functional>
#include <glm/glm.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/analysis/analysis.h"

namespace isolume::analysis {

/// The atoms of a selection in a frame; of an empty one the usual of the kind, whose words are put into `words`.
/// Throws Error (usage) where it holds none.
std::vector<std::uint32_t> atoms_of(const Molecule& molecule, const Frame& frame, AnalysisKind kind,
                                    std::string& words);

/// The position in double precision where the file has it.
glm::dvec3 position(const Frame& frame, std::uint32_t atom);
std::vector<glm::dvec3> positions(const Frame& frame, std::span<const std::uint32_t> atoms);
std::vector<glm::vec3> near_positions(const Frame& frame, std::span<const std::uint32_t> atoms);
std::vector<double> masses(const Topology& topology, std::span<const std::uint32_t> atoms);

/// Frame number and, where the file has it, time; times of frames that were not read are NaN.
class FrameAxis {
 public:
  explicit FrameAxis(std::size_t rows) : times_(rows), has_time_(rows, 0) {}
  void take(std::size_t row, const Frame& frame);
  /// Puts the columns in front of those of the table.
  void add_to(AnalysisTable& table, const std::vector<std::size_t>& frames) const;

 private:
  std::vector<double> times_;
  std::vector<std::uint8_t> has_time_;
};

/// Calls body(row, frame) for all frames of the request, on all threads.
void for_frames(const AnalysisRequest& request, Job& job, const char* what,
                const std::function<void(std::size_t, const Frame&)>& body);

/// "chain", "residue", "number" of the residues in which these atoms are.
void add_residue_texts(AnalysisTable& table, const Topology& topology, std::span<const std::uint32_t> atoms,
                       const std::string& prefix = {});

AnalysisTable rmsd(const AnalysisRequest& request, Job& job);
AnalysisTable gyration(const AnalysisRequest& request, Job& job);
AnalysisTable dipole(const AnalysisRequest& request, Job& job);
AnalysisTable area(const AnalysisRequest& request, Job& job);
AnalysisTable hydrogen_bonds(const AnalysisRequest& request, Job& job);
AnalysisTable distance(const AnalysisRequest& request, Job& job);
AnalysisTable contacts(const AnalysisRequest& request, Job& job);
AnalysisTable contact_map(const AnalysisRequest& request, Job& job);
AnalysisTable rmsf(const AnalysisRequest& request, Job& job);
AnalysisTable rdf(const AnalysisRequest& request, Job& job);

}  // namespace isolume::analysis
