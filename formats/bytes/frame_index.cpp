// Index of the frames of text files, which is taken up where a file has grown since it was read before.
#include "formats/bytes/frame_index.h"

#include <string_view>
#include <utility>

#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr const char* reader = "frames of lines";

/// Whether a few of the known frames begin where they are said to and have the atoms of the first.
bool are_there(const ByteSource& source, const KnownFrames& known, std::size_t atoms, const StepOver& step_over) {
  constexpr std::size_t looks = 8;
  if (known.atoms != atoms || known.last.offset >= source.bytes().size()) return false;
  for (std::size_t i = 0; i < looks; ++i) {
    const FramePlace& place = known.places[i * (known.places.size() - 1) / (looks - 1)];
    if (place.offset > 0 && source.text()[place.offset - 1] != '\n') return false;
    LineScanner scanner(source, place.offset, place.line);
    if (!scanner.next()) return false;
    const FrameStep step = step_over(scanner, false);
    if (step.kind != FrameStep::Kind::frame || step.atoms != atoms) return false;
  }
  return true;
}

}  // namespace

std::vector<FramePlace> index_frames(const ByteSource& source, Molecule& molecule, const StepOver& step_over) {
  KnownFrames found;
  std::size_t places_before = 0, left_out_before = 0;
  LineScanner scanner(source);
  const std::size_t first_atoms = molecule.atom_count();
  if (const auto known = known_frames(source, reader); known && are_there(source, *known, first_atoms, step_over)) {
    found = *known;
    scanner = LineScanner(source, known->last.offset, known->last.line);
  }
  found.reader = reader;
  found.atoms = first_atoms;
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
  molecule.topology = std::make_shared<Topology>(first.builder.finish());
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
