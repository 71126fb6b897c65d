// Frames of text files, read when asked for: where each starts, and how to decode one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "formats/bytes/byte_source.h"
#include "molecule/molecule.h"
#include "molecule/trajectory.h"

namespace isolume {

/// Where a frame starts in a file.
struct FramePlace {
  std::size_t offset = 0;  ///< byte
  std::int64_t line = 1;   ///< line number at that byte, from 1
};

/// A trajectory over a source that stays mapped: an index of places and a pure function that decodes one.
class IndexedTrajectory final : public Trajectory {
 public:
  using Decode = std::function<Frame(const ByteSource& source, const FramePlace& place)>;
  /// The same of the first `atoms` atoms alone.
  using DecodeLeading = std::function<Frame(const ByteSource& source, const FramePlace& place, std::size_t atoms)>;

  /// `first`, where it has positions, is the frame 0 that was read with the topology.
  IndexedTrajectory(std::shared_ptr<const ByteSource> source, std::vector<FramePlace> places, std::size_t atoms,
                    Decode decode, Frame first = {}, DecodeLeading leading = {});

  std::size_t frame_count() const override { return places_.size(); }
  std::size_t atom_count() const override { return atoms_; }
  /// Throws Error (usage) beyond the end, Error (input) where the file is damaged or has another number of atoms.
  Frame frame(std::size_t index) const override;
  Frame leading_frame(std::size_t index, std::size_t atoms) const override;
  bool holds(std::size_t index) const override { return index == 0 && !first_.positions.empty(); }

 private:
  std::shared_ptr<const ByteSource> source_;
  std::vector<FramePlace> places_;
  std::size_t atoms_;
  void check_index(std::size_t index) const;

  Decode decode_;
  DecodeLeading leading_;
  Frame first_;
};

/// A model of a file that is no frame of the first one: other atoms.
struct LeftOut {
  std::size_t model = 0;  ///< from 1, in the order of the file
  std::size_t atoms = 0;
};

/// Says in `molecule.warnings` which models were left out because they do not have the atoms of the first one: models
/// are frames of one molecule only where they do. `what` is "model", "frame", "record".
void warn_left_out(Molecule& molecule, const std::vector<LeftOut>& left_out, std::size_t first_atoms,
                   const std::string& what);

}  // namespace isolume
