// Index of the frames of text files, which is taken up where a file has grown since it was read before.
#include "formats/bytes/frame_index.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <string_view>
#include <utility>

#include "molecule/base/error.h"

namespace isolume {
namespace {

/// FNV-1a over samples of the first `size` bytes: 4 KiB at both ends and 64 pieces of 256 bytes between.
std::uint64_t samples_of(std::string_view text, std::size_t size) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](std::size_t at, std::size_t count) {
    for (const char c : text.substr(at, std::min(count, size - at))) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
  };
  constexpr std::size_t ends = 4096, pieces = 64;
  add(0, ends);
  for (std::size_t i = 1; i < pieces; ++i) add(size / pieces * i, 256);
  add(size > ends ? size - ends : 0, ends);
  return hash;
}

struct Memory {
  std::string name;
  std::uint64_t samples = 0;
  std::shared_ptr<const KnownFrames> frames;
};

std::mutex mutex;
std::deque<Memory>& memories() {
  static std::deque<Memory> all;
  return all;
}

std::deque<Memory>::iterator find(const std::string& name) {
  return std::find_if(memories().begin(), memories().end(), [&](const Memory& m) { return m.name == name; });
}

}  // namespace

std::shared_ptr<const KnownFrames> known_frames(const ByteSource& source) {
  Memory memory;
  {
    const std::lock_guard lock(mutex);
    const auto found = find(source.name());
    if (found == memories().end()) return nullptr;
    memory = *found;
  }
  const std::size_t size = memory.frames->last.offset;
  if (source.text().size() < size || samples_of(source.text(), size) != memory.samples) return nullptr;
  return memory.frames;
}

void remember_frames(const ByteSource& source, KnownFrames frames) {
  constexpr std::size_t most = 16;
  if (frames.last.offset < source.limits().piece) return;
  if (frames.places.empty()) return;
  Memory memory{source.name(), samples_of(source.text(), frames.last.offset), nullptr};
  memory.frames = std::make_shared<const KnownFrames>(std::move(frames));
  const std::lock_guard lock(mutex);
  if (const auto found = find(memory.name); found != memories().end()) memories().erase(found);
  memories().push_back(std::move(memory));
  if (memories().size() > most) memories().pop_front();
}

std::vector<FramePlace> index_frames(const ByteSource& source, Molecule& molecule, const StepOver& step_over) {
  KnownFrames found;
  std::size_t places_before = 0, left_out_before = 0;
  LineScanner scanner(source);
  if (const auto known = known_frames(source)) {
    found = *known;
    scanner = LineScanner(source, known->last.offset, known->last.line);
  }
  const std::size_t first_atoms = molecule.atom_count();
  while (scanner.next()) {
    const FramePlace place{scanner.offset(), scanner.number()};
    const FrameStep step = step_over(scanner, found.places.empty());
    if (step.kind == FrameStep::Kind::blank) continue;
    if (step.kind == FrameStep::Kind::end) break;
    found.last = place;
    places_before = found.places.size();
    left_out_before = found.left_out.size();
    const std::string line = "(line " + std::to_string(place.line) + ")";
    if (step.kind == FrameStep::Kind::cut) {
      if (found.places.empty()) throw Error::in_file(source.name(), place.line, "the file ends inside its only frame");
      molecule.warnings.push_back("The last frame " + line + " is cut short and was left out.");
      break;
    }
    if (step.kind == FrameStep::Kind::damaged) {
      molecule.warnings.push_back("No frame begins where one should " + line + "; what follows was left out.");
      break;
    }
    if (step.atoms == first_atoms) {
      found.places.push_back(place);
    } else {
      found.left_out.push_back({found.places.size() + found.left_out.size() + 1, step.atoms});
    }
  }
  warn_left_out(molecule, found.left_out, first_atoms, "frame");
  std::vector<FramePlace> places = found.places;
  found.places.resize(places_before);
  found.left_out.resize(left_out_before);
  remember_frames(source, std::move(found));
  return places;
}

Molecule indexed_molecule(std::shared_ptr<const ByteSource> source, std::string title, AtomPart first,
                          const StepOver& step_over, IndexedTrajectory::Decode decode) {
  Molecule molecule;
  molecule.title = std::move(title);
  first.elements.add_notes(first.builder.topology());
  molecule.topology = std::make_shared<const Topology>(first.builder.finish());
  std::vector<FramePlace> places = index_frames(*source, molecule, step_over);
  molecule.trajectory = std::make_shared<IndexedTrajectory>(std::move(source), std::move(places), molecule.atom_count(),
                                                            std::move(decode), std::move(first.frame));
  return molecule;
}

bool skip_lines(LineScanner& scanner, std::size_t count) {
  const std::size_t begin = scanner.next_offset();
  const std::size_t end = end_of_lines(scanner.source(), begin, count);
  if (end == std::string_view::npos) {
    while (count > 0 && scanner.next()) --count;
    return count == 0;
  }
  scanner = LineScanner(scanner.source(), end, scanner.number() + static_cast<std::int64_t>(count) + 1);
  return true;
}

}  // namespace isolume
