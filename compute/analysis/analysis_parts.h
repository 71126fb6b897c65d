// What the kinds of analyses share.
#pragma once

#include <functional>
#include <glm/glm.hpp>
#include <initializer_list>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compute/analysis/analysis.h"
#include "compute/frames/frame_stream.h"
#include "molecule/frame_part.h"

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

/// Every atom of a frame.
inline constexpr std::size_t all_atoms = std::numeric_limits<std::size_t>::max();

/// What every analysis begins with: the first of its frames, in which atoms are looked up, and the table to fill.
struct Opening {
  explicit Opening(const AnalysisRequest& request);

  /// The atoms of the request's selection; the words as they were taken are put into the table.
  std::vector<std::uint32_t> select();
  /// The atoms of a second selection, after select(): `first` where `words` are empty or the same. The words are put
  /// into the table.
  std::vector<std::uint32_t> select_other(const std::string& words, const std::vector<std::uint32_t>& first);

  /// Says that of frames only these atoms are read: later ones need not be decoded.
  void reads_only(std::initializer_list<std::span<const std::uint32_t>> atoms);

  const AnalysisRequest& request;
  const Topology& topology;
  std::size_t leading = all_atoms;  ///< of the atoms of a frame, so many are read
  Frame first;                      ///< of the frames, or the request's opening
  AnalysisTable table;
};

/// The frame of a row of the request, perhaps of its first `leading` atoms alone. Throws Error (usage) where it has not
/// a position for every atom.
Frame frame_of(const AnalysisRequest& request, std::size_t row, std::size_t leading = all_atoms);

/// The devices that share the frames of the request.
std::vector<Device> devices_of(const AnalysisRequest& request);

/// Calls body(row, frame) for all frames of the request, on all threads.
void for_frames(const AnalysisRequest& request, Job& job, const char* what,
                const std::function<void(std::size_t, const Frame&)>& body, std::size_t leading = all_atoms);

/// "chain", "residue", "number" of the residues in which these atoms are.
void add_residue_texts(AnalysisTable& table, const Topology& topology, std::span<const std::uint32_t> atoms,
                       const std::string& prefix = {});

/// Writes the values of one frame, one for each column.
using FrameValues = std::function<void(const Frame&, Job&, std::span<double>)>;

/// The same of groups of frames, on the device of the request: which atoms they hold, and the values of a group, one
/// for each column of its first frame, then those of the second.
struct GroupWork {
  std::vector<std::uint32_t> atoms;
  std::function<void(const FrameGroup&, Job&, std::span<double>)> values;
  bool single = false;  ///< positions of single precision, also where the file has double
};

/// The frames of the request as groups of these atoms.
FrameStreamPlan stream_plan(const AnalysisRequest& request, std::vector<std::uint32_t> atoms, std::size_t leading,
                            const char* what);

/// Analyses with values for every frame: each takes its atoms and fills in the table's facts, before any frame is read.
GroupWork rmsd(Opening& opening, Job& job);
GroupWork contacts(Opening& opening, Job& job);

/// Pairs of residues, and in how many of the frames they touch. Fills the table's selections and facts.
using Touching = std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t>;
Touching touching_residues(Opening& opening, Job& job);

/// Whole tables, one for each kind; over_frames() makes those that have a row for every frame.
AnalysisTable over_frames(const AnalysisRequest& request, Job& job);
AnalysisTable contact_map(const AnalysisRequest& request, Job& job);
AnalysisTable rmsf(const AnalysisRequest& request, Job& job);
AnalysisTable rdf(const AnalysisRequest& request, Job& job);

/// The same in parts: what is kept of some frames, and the table of what is kept.
FramePart over_frames_part(const AnalysisRequest& request, Job& job);
FramePart contact_map_part(const AnalysisRequest& request, Job& job);
FramePart rmsf_part(const AnalysisRequest& request, Job& job);
FramePart rdf_part(const AnalysisRequest& request, Job& job);
AnalysisTable over_frames_table(const FramePart& part, Job& job);
AnalysisTable contact_map_table(const FramePart& part, Job& job);
AnalysisTable rmsf_table(const FramePart& part, Job& job);
AnalysisTable rdf_table(const FramePart& part, Job& job);

/// A part of the request's frames, without arrays, that shares what the table says of selections, facts and notes.
FramePart begin_part(const AnalysisRequest& request, const AnalysisTable& table);
/// What begin_part() has put into it.
AnalysisTable begin_table(const FramePart& part);
/// Texts as one, and back; control characters become spaces, as in CSV.
std::string joined_texts(const std::vector<std::string>& texts);
std::vector<std::string> split_texts(const std::string& text);

}  // namespace isolume::analysis
