// Frames of text files, read when asked for.
#include "formats/bytes/frames.h"

#include <string_view>
#include <utility>

#include "formats/bytes/left_out.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::string_view left_out_words = "Left out because they do not have the ";
constexpr std::string_view other_atoms_words = " atoms after frames of ";  // gromacs_frames.cpp

}  // namespace

IndexedTrajectory::IndexedTrajectory(std::shared_ptr<const ByteSource> source, std::vector<FramePlace> places,
                                     std::size_t atoms, Decode decode, Frame first, DecodeLeading leading)
    : source_(std::move(source)),
      places_(std::move(places)),
      atoms_(atoms),
      decode_(std::move(decode)),
      leading_(std::move(leading)),
      first_(std::move(first)) {}

void IndexedTrajectory::check_index(std::size_t index) const {
  if (index < places_.size()) return;
  throw Error("frame " + std::to_string(index) + ": " + source_->name() + " has " + std::to_string(places_.size()) +
                  ", counted from 0",
              Error::Kind::usage);
}

Frame IndexedTrajectory::leading_frame(std::size_t index, std::size_t atoms) const {
  if (!leading_ || atoms >= atoms_) return frame(index);
  check_index(index);
  return leading_(*source_, places_[index], atoms);
}

Frame IndexedTrajectory::frame(std::size_t index) const {
  check_index(index);
  if (index == 0 && !first_.positions.empty()) return first_;
  Frame frame = decode_(*source_, places_[index]);
  if (frame.positions.size() != atoms_) {
    throw Error::in_file(source_->name(), places_[index].line,
                         "frame " + std::to_string(index) + " has " + std::to_string(frame.positions.size()) +
                             " atoms, the first one " + std::to_string(atoms_));
  }
  return frame;
}

void warn_left_out(Molecule& molecule, const std::vector<LeftOut>& left_out, std::size_t first_atoms,
                   const std::string& what) {
  if (left_out.empty()) return;
  constexpr std::size_t shown = 5;
  std::string list;
  for (std::size_t i = 0; i < left_out.size() && i < shown; ++i) {
    list += (i ? ", " : "") + std::to_string(left_out[i].model) + " (" + std::to_string(left_out[i].atoms) + " atoms)";
  }
  if (left_out.size() > shown) list += " and " + std::to_string(left_out.size() - shown) + " more";
  molecule.warnings.push_back(std::string(left_out_words) + std::to_string(first_atoms) + " atoms of the first " +
                              what + ": " + what + (left_out.size() > 1 ? "s " : " ") + list + ".");
}

void require_same_atoms(const Molecule& molecule, const char* what) {
  for (const std::string& warning : molecule.warnings) {
    if (!warning.starts_with(left_out_words) && warning.find(other_atoms_words) == std::string::npos) continue;
    const std::string file = molecule.paths.empty() ? std::string() : molecule.paths.back() + ": ";
    throw Error(file + std::string(what) + " needs the same atoms in every frame. " + warning +
                    " Convert the frames that are to count into a file of their own (isolume convert --frames)",
                Error::Kind::input);
  }
}

}  // namespace isolume
