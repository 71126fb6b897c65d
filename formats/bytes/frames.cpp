// Frames of text files, read when asked for.
#include "formats/bytes/frames.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "formats/bytes/left_out.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::string_view left_out_words = "Left out because they do not have the ";
constexpr std::string_view other_atoms_words = " atoms after frames of ";  // gromacs_frames.cpp

// What is fetched ahead of a thread that reads frame after frame, and of one large frame at most.
constexpr std::size_t bytes_ahead = std::size_t{8} << 20;
constexpr std::size_t most_of_frame = std::size_t{64} << 20;

// The frame that a thread read last. Each of several has a part of the trajectory.
struct LastRead {
  const void* trajectory = nullptr;
  std::size_t index = 0;
};
thread_local LastRead last_read;

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

void IndexedTrajectory::expect_after(std::size_t index) const {
  const LastRead before = std::exchange(last_read, {this, index});
  if (before.trajectory != this || before.index + 1 != index || index + 1 >= places_.size()) return;
  const std::size_t each = std::max<std::size_t>(1, places_[index].offset - places_[index - 1].offset);
  const std::size_t wanted = index + std::max<std::size_t>(1, bytes_ahead / each);
  if (wanted < places_.size()) source_->expect(places_[wanted].offset, std::min(each, most_of_frame));
}

Frame IndexedTrajectory::frame(std::size_t index) const {
  check_index(index);
  expect_after(index);
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
