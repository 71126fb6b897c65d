// What writers of atoms as lines of text have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "formats/write/buffered_output.h"
#include "formats/write/writers.h"
#include "molecule/base/error.h"

namespace isolume {

/// A file of which add() writes the lines; finish() refuses one without frames.
template <class Writer>
class AtomLines : public Writer {
 public:
  /// `instead`: where the lines go rather than to a file.
  AtomLines(const std::string& path, const Molecule& molecule, std::vector<std::uint32_t> atoms,
            std::ostream* instead = nullptr)
      : path_(path),
        file_(instead ? nullptr : std::make_unique<OutputFile>(path)),
        text_(instead ? *instead : file_->stream()),
        topology_(molecule.topology),
        atoms_(std::move(atoms)),
        title_(one_line(molecule.title, 70)) {}

  void finish() override {
    if (!written_) throw Error(path_ + ": there are no frames to be written", Error::Kind::usage);
    if (file_) file_->finish();
  }

 protected:
  std::string path_;
  std::unique_ptr<OutputFile> file_;
  BufferedOutput text_;
  std::shared_ptr<const Topology> topology_;
  std::vector<std::uint32_t> atoms_;
  std::string title_;
  bool written_ = false;  ///< add() was called
};

using AtomTextWriter = AtomLines<TrajectoryWriter>;

}  // namespace isolume
