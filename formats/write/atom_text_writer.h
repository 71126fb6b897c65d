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
  AtomLines(const std::string& path, const Molecule& molecule, std::vector<std::uint32_t> atoms)
      : path_(path),
        file_(path),
        topology_(molecule.topology),
        atoms_(std::move(atoms)),
        title_(one_line(molecule.title, 70)) {}

  void finish() override {
    if (!written_) throw Error(path_ + ": there are no frames to be written", Error::Kind::usage);
    file_.finish();
  }

 protected:
  std::string path_;
  OutputFile file_;
  BufferedOutput text_{file_.stream()};
  std::shared_ptr<const Topology> topology_;
  std::vector<std::uint32_t> atoms_;
  std::string title_;
  bool written_ = false;  ///< add() was called
};

using AtomTextWriter = AtomLines<TrajectoryWriter>;

}  // namespace isolume
